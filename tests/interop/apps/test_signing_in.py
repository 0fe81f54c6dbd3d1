"""A user signs in at a server by OAuth, through the page: asked there, sent away, and back with the answer."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from cloche.host import Host, Remote
from cloche.host.upstreams.oauth import Authorization
from tests.interop.apps.shown import DEADLINE
from tests.support.authorization_server import AuthorizationServer, protected_server, serving
from tests.support.product import Product
from tests.support.published_servers import official_apps


@contextmanager
def protected() -> Iterator[str]:
    """A server that wants its users to sign in at its authorization server, where everybody is alice; its URL."""
    with socket.create_server(("127.0.0.1", 0)) as door, socket.create_server(("127.0.0.1", 0)) as desk:
        issuer = f"http://127.0.0.1:{desk.getsockname()[1]}"
        url = f"http://127.0.0.1:{door.getsockname()[1]}/mcp"
        loop = asyncio.new_event_loop()
        done = asyncio.Event()

        async def serve() -> None:
            office = AuthorizationServer()
            async with (
                serving(office.app(issuer), desk, "off"),
                serving(protected_server(issuer, office, url), door, "auto"),
            ):
                await done.wait()

        thread = threading.Thread(target=loop.run_until_complete, args=(serve(),))
        thread.start()
        yield url
        loop.call_soon_threadsafe(done.set)
        thread.join(DEADLINE / 1000)
        loop.close()


@pytest.fixture(scope="module")
def product() -> Iterator[Product]:
    with protected() as url:
        host = Host(
            {"apps": official_apps(), "notes": Remote(url, oauth=True)}, secret="a secret for the tests of others"
        )
        with Product(host) as running:
            yield running


def opened(product: Product, browser: Browser, user: str) -> Page:
    """A page of the product, with a view of this user, in a browser of their own."""
    page = browser.new_context().new_page()
    page.set_default_timeout(DEADLINE)
    page.goto(product.page(product.embed("apps.greet", {"name": user}, user)))
    page.wait_for_function("() => document.querySelector('mcp-app').state === 'ready'", timeout=DEADLINE)
    return page


def asking(product: Product, user: str) -> Future[dict[str, Any]]:
    """A call of the user's that needs a sign-in first."""
    call = product.host.session(user).run("notes.whoami", {})
    return asyncio.run_coroutine_threadsafe(call, product._loop)


def test_a_user_signs_in_from_the_page(product: Product, browser: Browser) -> None:
    page = opened(product, browser, "ann")
    call = asking(product, "ann")
    question = page.get_by_role("alertdialog")
    expect(question).to_contain_text("“notes” wants you to sign in at “127.0.0.1:", timeout=DEADLINE)
    with page.context.expect_page(timeout=DEADLINE) as window:
        page.locator("mcp-app button.accept[aria-disabled=false]").click()
    expect(window.value.get_by_role("status")).to_have_text(
        "You are signed in. You can close this window and go back.", timeout=DEADLINE
    )
    assert "code=" not in window.value.url
    assert call.result(DEADLINE / 1000)["content"][0]["text"].startswith("alice via ")
    page.context.close()


def test_whoever_follows_somebody_elses_link_signs_nobody_in(product: Product, browser: Browser) -> None:
    links: Future[str] = Future()

    @product.host.session("mallory").on_sign_in
    def send_the_link_to_ann(_: Any, wanted: Authorization) -> bool:
        links.set_result(wanted.url)
        return True

    call = asking(product, "mallory")
    ann = opened(product, browser, "ann")
    refused: Future[str] = Future()
    product.host.session("ann").timeline.on_entry(
        lambda entry: refused.set_result(entry.outcome) if entry.action == "sign-in" else None
    )
    window = ann.context.new_page()
    window.goto(links.result(DEADLINE / 1000))
    expect(window.get_by_role("status")).to_contain_text("You are signed in", timeout=DEADLINE)
    assert refused.result(DEADLINE / 1000) == "refused"
    assert not call.done()
    call.cancel()
    ann.context.close()
