"""Servers that talk back, in real pages of a product: of three libraries, reached in every way, in both eras.

What is not possible, and so not here:

- A server of `mcp` or `fastmcp` in a visitor's tab: neither runs in the browser's Python. What a server of ours asks
  from a tab is in `tests/host/upstreams/in_browser/chromium/test_talking.py`, in the handshake era alone: a page greets
  its server once, with `initialize`, and that greeting serves every connection of the host after it.
- Tasks of `mcp` and `fastmcp` before 2026-07-28: `tests/support/official_tasks.py` and `fastmcp_tasks` are the
  extension of 2026-07-28. An object of theirs is spoken to by their own client, which does not take tasks.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from cloche.errors import RequestCancelledError
from cloche.host import Call, Command, Host, HostSession, Policy
from cloche.wire.versions import LATEST_HANDSHAKE_VERSION, STATELESS_VERSIONS
from tests.support import talking
from tests.support.form_filling import FILLED, ZONE, fill_everything
from tests.support.playground import until
from tests.support.product import Product
from tests.support.served import Served

ERAS = (LATEST_HANDSHAKE_VERSION, STATELESS_VERSIONS[-1])
WAYS = ("object", "command", "URL")


class Person:
    """Somebody at a page of the product, who uses one server."""

    def __init__(self, product: Product, page: Page, server: str, version: str) -> None:
        self.product, self.page, self.server, self.version = product, page, server, version
        self.dialog = page.get_by_role("alertdialog")

    def start(self, tool: str, **arguments: Any) -> Call:
        call: Call = self.product.run(self.product.host.session(self.server).start(f"{self.server}.{tool}", arguments))
        return call

    def text(self, call: Call) -> str:
        found: str = self.product.run(call.result())["content"][0]["text"]
        return found

    def accept(self, button: str) -> None:
        self.page.locator("button.accept[aria-disabled=false]").wait_for()
        self.dialog.get_by_role("button", name=button).click()


@contextmanager
def people(maker: str, browser: Browser, logs: list[Any]) -> Iterator[list[Person]]:
    """One for each way to reach a server of this library and each era, at one product."""
    with ExitStack() as stack:
        url = stack.enter_context(Served(talking.app(maker))).url("/mcp")
        servers: dict[str, Any] = {}
        for version in ERAS:
            command = Command(talking.command(maker), env={"PYTHONPATH": str(Path.cwd())})
            specs = {"object": talking.MAKERS[maker](), "command": command, "URL": url}
            servers |= {f"{way}-{version[:4]}": (specs[way], version) for way in WAYS}
        policy = Policy(server_sampling="allow")
        host = Host({name: spec for name, (spec, _) in servers.items()}, secret="s" * 32, policy=policy)
        host.on_sample(lambda session, wanted: f"{wanted.text} Rye")
        host.on_roots(lambda session, server: [f"file:///{server}"])
        host.on_server_log(lambda session, line: logs.append((line.server, line.level, line.logger, line.data)))
        product = stack.enter_context(Product(host))
        found = []
        for name, (_, version) in servers.items():
            html = product.run(seated(host.session(name), name, version))
            context = browser.new_context(timezone_id=ZONE)
            stack.callback(context.close)
            context.route("https://pay.example/**", lambda route: route.fulfill(body="paid"))
            page = context.new_page()
            page.goto(product.page(html))
            until(lambda page=page: page.evaluate("document.querySelector('mcp-questions').state") == "ready", "it")
            found.append(Person(product, page, name, version))
        yield found


async def seated(session: HostSession, server: str, version: str) -> str:
    """What the person's page shows, once it is said which era their connection is of."""
    session.upstream(server).version = version
    return session.questions_element()


@pytest.mark.filterwarnings("ignore:The logging capability is deprecated")
@pytest.mark.parametrize("maker", talking.MAKERS)
def test_everything_that_a_server_may_ask_and_tell(maker: str, browser: Browser, tmp_path: Path) -> None:
    logs: list[Any] = []
    with people(maker, browser, logs) as everybody:
        # Everybody is asked at once, each on a page of their own.
        calls = [(one, one.start("talk", about="form")) for one in everybody]
        for one, _ in calls:
            expect(one.dialog).to_contain_text(f"“{one.server}” asks")
            expect(one.dialog).to_contain_text(talking.MESSAGE)
            fill_everything(one.dialog)
        for one, call in calls:
            one.accept("Send")
            assert json.loads(one.text(call)) == ["accept", FILLED], one.server
            assert (one.product.host.session(one.server).upstream(one.server).greeting or {})["protocolVersion"] == (
                one.version
            )
        calls = [(one, one.start("talk", about="url")) for one in everybody]
        for one, call in calls:
            expect(one.dialog).to_contain_text(talking.URL)
            with one.page.expect_popup() as opened:
                one.accept("Open")
            assert opened.value.url == talking.URL
            opened.value.close()
            assert json.loads(one.text(call)) == ["accept", None]
        for one in everybody:
            assert json.loads(one.text(one.start("talk", about="sample"))) == "Name a bread. Rye"
            assert json.loads(one.text(one.start("talk", about="roots"))) == [f"file:///{one.server}"]
        for one in everybody:
            shows_progress_until_it_is_cancelled(one, tmp_path / one.server)
            assert (one.server, "warning", "disks", {"disk": "full"}) in logs
        calls = [(one, one.start("bake")) for one in everybody if has_tasks(maker, one)]
        for one, call in calls:
            if maker == "fastmcp":
                assert one.text(call) == "Baked for nobody"
                assert call.task is not None
                assert call.task.status == "completed"
                continue
            expect(one.dialog).to_contain_text("Who?")
            one.dialog.get_by_label("name").fill("Ann")
            one.accept("Send")
            assert one.text(call) == "Baked for Ann"


def shows_progress_until_it_is_cancelled(one: Person, trace: Path) -> None:
    call = one.start("hold", trace=str(trace))
    one.page.evaluate("(html) => document.body.insertAdjacentHTML('beforeend', html)", call.embed())
    bar = one.page.get_by_role("progressbar", name="Progress")
    until(lambda: bar.evaluate("(bar) => bar.position") == 0.25, "a quarter of the bar")
    expect(one.page.get_by_text("heating")).to_be_visible()
    said = one.page.frame_locator("mcp-app iframe").frame_locator("iframe").locator("#said")
    expect(said).to_have_text("Waiting")
    one.product.run(call.cancel())
    with pytest.raises(RequestCancelledError):
        one.text(call)
    expect(said).to_have_text("Cancelled")
    expect(bar).to_have_count(0)
    until(trace.exists, "the end of the tool at the server")


def has_tasks(maker: str, one: Person) -> bool:
    if maker == "cloche":
        return True
    return one.version in STATELESS_VERSIONS and not one.server.startswith("object")
