"""`Policy(leaky_browsers=…)`: what a browser enforces is tried. One that does not is made by taking the header away."""

from __future__ import annotations

import queue
from typing import Any

import pytest
from playwright.sync_api import Page

from cloche import Server, View
from cloche.errors import ConfigurationError
from cloche.host import Host, Policy
from tests.host.web.browser.test_self_test import without
from tests.support.host_surface import SECRET
from tests.support.served import Served


def shown(policy: Policy, page: Page, headers: list[bytes]) -> tuple[str, str, str]:
    """State and error of an element whose view is shown behind a proxy that takes these headers away, and what the
    timeline has of the browser.
    """
    server = Server("plain")
    server.register_tool(lambda: "x", name="show", view=View("<p>x</p>"))
    host = Host({"plain": server}, secret=SECRET, policy=policy)

    async def product(scope: Any, receive: Any, send: Any) -> None:
        embed = (await host.session("ann").start("plain.show", {})).embed()
        body = f'<!doctype html><script type="module" src="/cloche/mcp-app.js"></script>{embed}'
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"text/html")]})
        await send({"type": "http.response.body", "body": body.encode()})

    noted: queue.Queue[str] = queue.Queue()
    host.timeline.on_entry(lambda entry: noted.put(str(entry.outcome)) if entry.action == "leaky-browser" else None)
    with Served(without(headers, host.wrap(product))) as served:
        page.goto(served.url())
        page.wait_for_function("() => /^(ready|error)$/.test(document.querySelector('mcp-app').state)")
        outcome = noted.get(timeout=30) if headers and policy.leaky_browsers != "allow" else ""
        state, code = page.evaluate(
            "() => (({ state, error }) => [state, error?.code])(document.querySelector('mcp-app'))"
        )
        assert noted.empty()
        page.goto("about:blank")  # else the page says that its host is gone
    return state, code or "", outcome


LEAKY = [b"connection-allowlist"]


def test_where_the_header_is_enforced_nothing_is_refused(page: Page) -> None:
    assert shown(Policy(leaky_browsers="refuse"), page, []) == ("ready", "", "")


def test_to_try_it_writes_nothing_more_into_the_console(page: Page) -> None:
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    assert shown(Policy(leaky_browsers="allow"), page, []) == ("ready", "", "")
    without = said.copy()
    said.clear()
    assert shown(Policy(leaky_browsers="refuse"), page, []) == ("ready", "", "")
    assert said == without


def test_where_it_is_not_a_product_can_refuse_to_show_views(page: Page) -> None:
    assert shown(Policy(leaky_browsers="refuse"), page, LEAKY) == ("error", "leaky", "refused")


@pytest.mark.parametrize(("word", "noted"), [("warn", "done"), ("allow", "")])
def test_or_only_be_told(page: Page, word: Any, noted: str) -> None:
    assert shown(Policy(leaky_browsers=word), page, LEAKY) == ("ready", "", noted)


def test_a_word_that_is_none_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="'allow', 'warn' or 'refuse'"):
        Policy(leaky_browsers="deny")  # type: ignore[arg-type]
