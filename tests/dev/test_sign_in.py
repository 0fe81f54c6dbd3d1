"""A server that wants the person to sign in: the page says where, and has the server when they are back."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.dev.test_page import violations
from tests.support.authorization_server import AuthorizationServer, protected_server
from tests.support.playground import opened, playground
from tests.support.served import Served


@pytest.fixture
def protected() -> Iterator[str]:
    """The URL of a server that an authorization server on this machine gives tokens for."""
    provider = AuthorizationServer()
    with ExitStack() as stack:
        office, door = Served(None, lifespan="off"), Served(None)
        issuer, url = f"http://127.0.0.1:{office.port}", f"http://127.0.0.1:{door.port}/mcp"
        office.app, door.app = provider.app(issuer), protected_server(issuer, provider, url)
        stack.enter_context(office)
        stack.enter_context(door)
        yield url


def test_a_person_signs_in_by_a_click_and_the_server_is_there(browser: Browser, protected: str, tmp_path: Path) -> None:
    with playground(protected, folder=tmp_path) as running, opened(browser, running.url, bypass_csp=True) as screen:
        page, asked = screen.page, screen.page.locator("#sign-ins")
        expect(asked).to_contain_text("wants you to sign in")
        assert violations(page) == []
        page.reload()  # who comes later is told, too
        with page.context.expect_page() as back:
            asked.get_by_role("link").click()
        expect(back.value.get_by_text("You are signed in.")).to_be_visible()
        assert "code" not in back.value.url
        back.value.close()
        expect(asked).to_be_hidden()
        screen.choose("whoami")
        screen.call()
        expect(page.locator("#outcome")).to_contain_text("alice via")
        page.locator("#servers h2 a").click()
        expect(page.locator("#page")).to_contain_text("You are signed in by OAuth")
        page.get_by_role("button", name="Restart").click()
        expect(page.locator("#page")).to_contain_text("Connected")
        expect(asked).to_be_hidden()  # with the token that it has
        page.get_by_role("button", name="Sign out").click()
        expect(asked).to_contain_text("wants you to sign in")
        expect(page.get_by_role("button", name="Sign out")).to_have_count(0)
