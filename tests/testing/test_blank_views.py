"""A view that stays blank fails with the reason, whatever the reason is."""

from __future__ import annotations

import pytest

from cloche.testing import ViewError, ViewOpener
from tests.support.counter import RPC, server_with, view_of

SHORT = 1.0
"""Seconds that a view gets here; each of these waits for all of it."""


def page(script: str) -> str:
    return f"<!doctype html><body><script>{RPC}{script}</script></body>"


BLANK = {
    "empty": ("", "its HTML is empty"),
    "no-script": ("<p>Hello</p>", "its HTML has no script"),
    "throws": (page("missing(); start()"), "its script failed: missing is not defined"),
    "syntax": (page("let let = 3;"), "its script failed: let is disallowed"),
    "rejects": (page("(async () => { throw new Error('no luck') })()"), "its script failed: no luck"),
    "blocked-script": (
        "<script src='https://cdn.example.com/app.js'></script>",
        "the policy blocked the script https://cdn.example.com/app.js: put it into the page, or allow its origin",
    ),
    "eval": (page("eval('start()')"), "its script uses eval"),
    "beside": ("<script src='app.js'></script>", "the view asked for /app.js: a view is one file"),
    "bad-initialize": (
        page("request('ui/initialize', {protocolVersion: '2026-01-26'})"),
        "its ui/initialize was refused: Invalid params for ui/initialize: Object missing required field `appInfo`",
    ),
    "half-initialized": (
        page(
            "request('ui/initialize', {appInfo: {name: 'a', version: '1'}, appCapabilities: {}, "
            "protocolVersion: '2026-01-26'})"
        ),
        "never said ui/notifications/initialized",
    ),
    "to-the-top": (
        page("top.postMessage({jsonrpc: '2.0', id: 1, method: 'ui/initialize', params: {}}, '*')"),
        "something other than the sandbox posted to the host",
    ),
    "not-json-rpc": (page("parent.postMessage({id: 1, method: 'ui/initialize'}, '*')"), "is not JSON-RPC 2.0"),
    "other-first": (page("request('ping')"), "ui/initialize was not the first"),
    "silent": (page("addEventListener('message', start)"), "posted nothing to `parent`"),
    "endless": (page("for (;;) {}"), "the page did not finish loading"),
    "leaves": (page("location.href = 'https://example.com/'"), "went to another page"),
}


@pytest.mark.parametrize(("html", "reason"), BLANK.values(), ids=BLANK)
def test_a_blank_view_says_why(open_view: ViewOpener, html: str, reason: str) -> None:
    with pytest.raises(ViewError) as failure:
        open_view(server_with(html), "counter", timeout=SHORT)
    text = str(failure.value)
    assert text.startswith("The view of tool 'counter' (ui://counter/view.html) was not initialized within 1 s.\nWhy: ")
    assert reason in text.splitlines()[1]


def test_what_the_browser_said_is_in_the_failure(open_view: ViewOpener) -> None:
    script = "console.warn('careful'); fetch('https://api.example.com/'); request('ping'); missing()"
    with pytest.raises(ViewError) as failure:
        open_view(view_of(script), "counter", timeout=SHORT)
    text = str(failure.value)
    assert "Errors of its scripts:\n  missing is not defined" in text
    assert "Forbidden by its policy:\n  connect-src forbids https://api.example.com/" in text
    assert "Console:\n  warning: careful" in text
    assert "Messages it sent:\n  ping" in text


def test_the_deadline_is_three_seconds_unless_said_otherwise(open_view: ViewOpener) -> None:
    with pytest.raises(ViewError, match="within 3 s"):
        open_view(server_with("<p>Hello</p>"), "counter")


def test_after_a_failure_the_next_view_opens(open_view: ViewOpener) -> None:
    with pytest.raises(ViewError):
        open_view(view_of("for (;;) {}"), "counter", timeout=SHORT)
    view = open_view(view_of("start()"), "counter")
    assert view.wait_for("initialized")["appInfo"]["name"] == "counter"


@pytest.mark.parametrize(
    ("options", "tool", "words"),
    [
        ({}, "couter", "no tool 'couter'; it has add, counter, reset"),
        ({}, "reset", "Tool 'reset' has no view: give it one with @server.tool(view=…)"),
        ({}, "add", "no host opens a view for it"),
        ({"mime_type": "text/html"}, "counter", "hosts show a view only as mime_type='text/html;profile=mcp-app'"),
    ],
    ids=["unknown", "without", "app-only", "mime"],
)
def test_what_no_host_would_show_fails_before_a_page_opens(
    open_view: ViewOpener, options: dict[str, str], tool: str, words: str
) -> None:
    with pytest.raises(ViewError, match=words.replace("(", r"\(").replace(")", r"\)")):
        open_view(server_with("", **options), tool)  # type: ignore[arg-type]
