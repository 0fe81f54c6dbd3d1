"""Views that misbehave: they are cut off, the page is told why, and nobody else notices."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.web.host.showing import ELEMENT, Showing
from tests.web.host.stub import Stub
from tests.web.host.test_view import RAW, answer, raw

SOON = (
    ("host/frame.js", "const PING_EVERY = 5000", "const PING_EVERY = 300"),
    ("host/frame.js", "const PONG_WITHIN = 10_000", "const PONG_WITHIN = 1500"),
)
"""The watchdog in a hurry: a test need not wait for it as long as a person does."""


@pytest.fixture
def watchful(browser: Browser) -> Iterator[Showing]:
    """A page whose watchdog looks often."""
    with Stub(*SOON) as stub, Showing(stub, browser) as made:
        yield made


def test_a_view_in_an_endless_loop_is_removed_and_the_page_is_told(watchful: Showing) -> None:
    watchful.open(ELEMENT).mount(RAW)
    watchful.until_state("ready")
    watchful.inner.evaluate("() => setTimeout(() => { for (;;); })")
    assert watchful.stub.next("event", event="unresponsive")
    watchful.until_state("error")
    assert watchful.element("el.error.message") == "The view stopped responding, and was removed."
    assert watchful.element("root.querySelectorAll('iframe').length") == 0


def test_a_view_that_rests_is_left_alone(watchful: Showing) -> None:
    watchful.open(ELEMENT).mount(RAW)
    watchful.until_state("ready")
    # Three rounds of the watchdog, seen from inside the view: it is asked and answers.
    watchful.inner.evaluate(
        "() => new Promise((resolve) => { let rounds = 0; const post = window.parent.postMessage;"
        " setInterval(() => { if (++rounds === 12) resolve() }, 100) })"
    )
    assert watchful.element("el.state") == "ready"


@pytest.mark.parametrize("message", ["'x'", "{ jsonrpc: '2.0', method: 'notifications/message', params: {} }"])
def test_a_flood_is_cut_off_in_the_sandbox(showing: Showing, message: str) -> None:
    raw(showing)
    showing.page.evaluate("() => { window.heard = 0; addEventListener('message', () => heard++) }")
    showing.inner.evaluate(
        f"() => setTimeout(() => {{ for (let i = 0; i < 20000; i++) parent.postMessage({message}, '*') }})"
    )
    event = showing.stub.next("event", event="flood")
    assert 400 < event["count"] <= 1000
    showing.until_state("error")
    assert showing.element("el.error.message") == "The view sent too many messages, and was removed."
    passed = [frame for frame in showing.stub.all() if "message" in frame]
    assert len(passed) <= 500


def test_requests_over_the_rate_are_refused_first(showing: Showing) -> None:
    limits = {"bytes": 1000, "depth": 8, "rate": 1, "burst": 20, "pending": 5, "maxHeight": 500}
    raw(showing, limits=limits)
    showing.inner.evaluate("() => { for (let i = 1; i <= 30; i++) ask(i, 'ping') }")
    assert answer(showing, 30)["error"]["code"] == -32000
    assert answer(showing, 1)["result"] == {}
    assert showing.element("el.state") == "ready"


CALL = "{ jsonrpc: '2.0', id, method: 'tools/call', params: %s }"
NOT_PLAIN = {
    "large": CALL % "{ a: 'x'.repeat(2000) }",
    "sparse": CALL % "new Array(1e7)",
    "date": CALL % "{ a: new Date() }",
    "bigint": CALL % "{ a: 1n }",
    "proto": CALL % "JSON.parse('{\"__proto__\": {}}')",
    "deep": CALL % "[[[[[[[[[]]]]]]]]]",
    "buffer": CALL % "new ArrayBuffer(1e6)",
    "cycle": CALL % "(() => { const a = {}; a.a = a; return a })()",
}


def test_what_is_not_plain_json_of_a_sane_size_does_not_leave_the_sandbox(showing: Showing) -> None:
    raw(showing, limits={"bytes": 1500, "depth": 8, "rate": 10, "burst": 20, "pending": 5, "maxHeight": 500})
    for name, message in NOT_PLAIN.items():
        showing.inner.evaluate(f"(id) => say({message})", name)
        assert answer(showing, name)["error"]["code"] == -32600, name
    assert [frame for frame in showing.stub.all() if "message" in frame] == []


def test_ids_in_use_and_too_many_requests_are_refused(showing: Showing) -> None:
    number = raw(showing, limits={"bytes": 1500, "depth": 8, "rate": 10, "burst": 50, "pending": 3, "maxHeight": 500})
    showing.inner.evaluate("() => { ask(1, 'ui/slow'); ask('1', 'ui/slow'); ask(2, 'ui/slow'); ask(3, 'ui/slow') }")
    assert answer(showing, 3)["error"]["message"] == "Too many requests at once"
    first = showing.stub.next("message")
    assert first["message"]["id"] == 1
    showing.answer(number, first)
    answer(showing, 1)
    showing.inner.evaluate("() => { ask(2, 'ui/slow'); ask(4, 'ui/slow') }")
    assert answer(showing, 2)["error"]["message"] == "This id is in use by a request that is not answered yet"
    assert showing.stub.next("message", n=first["n"] + 3)["message"]["id"] == 4


NAVIGATIONS = {
    "location": "() => { location.href = 'about:blank' }",
    "reload": "() => { location.reload() }",
    "document": "() => { document.open(); document.write('<p>other'); document.close() }",
    "data": "() => { location.href = 'data:text/html,x' }",
}


@pytest.mark.parametrize("way", NAVIGATIONS)
def test_a_view_that_goes_elsewhere_is_removed(showing: Showing, way: str) -> None:
    raw(showing)
    showing.inner.evaluate(f"() => void setTimeout({NAVIGATIONS[way]})")
    assert showing.stub.next("event", event="navigated")
    showing.until_state("error")
    assert showing.element("root.querySelectorAll('iframe').length") == 0


FORGE = """(message) => {
  const other = document.createElement("iframe");
  other.sandbox = "allow-scripts";
  const say = (what) => "parent.postMessage(" + JSON.stringify(what) + ", '*');";
  other.srcdoc = "<script>" + say(message) + say("sent") + "<" + "/script>";
  const sent = new Promise((resolve) => addEventListener("message", ({ data }) => data === "sent" && resolve()));
  document.body.append(other);
  return sent;
}"""


def test_another_frame_cannot_shake_hands_in_the_sandboxs_place(showing: Showing, stub: Stub) -> None:
    stub.policy = "default-src 'none'; script-src 'self' 'unsafe-inline'; connect-src 'self'; frame-src {sandbox}"
    stub.held = True  # the sandbox's page does not answer yet, so that the forger is first
    showing.open().mount(RAW)
    showing.page.wait_for_function("() => document.querySelector('mcp-app').shadowRoot.querySelector('iframe')")
    nonce = showing.element("root.querySelector('iframe').src.split('#')[1]")
    ready = {"jsonrpc": "2.0", "method": "ui/notifications/sandbox-proxy-ready", "params": {"nonce": nonce}}
    showing.page.evaluate(FORGE, ready)
    stub.held = False
    showing.until_state("ready")
    assert showing.inner.evaluate("() => origin") == "null"


def test_the_sandboxs_own_words_are_not_passed_on(showing: Showing) -> None:
    raw(showing)
    showing.inner.evaluate(
        "() => ['pong', 'proxy-ready', 'port', 'anything'].forEach((name) =>"
        " say({ jsonrpc: '2.0', method: 'ui/notifications/sandbox-' + name, params: 1 }))"
    )
    showing.inner.evaluate(
        "() => ['navigated', 'flood', 'loaded'].forEach((event) =>"
        " say({ jsonrpc: '2.0', method: 'ui/notifications/sandbox-report', params: { event } }))"
    )
    showing.inner.evaluate("() => ask(1, 'ping')")
    answer(showing, 1)
    assert showing.element("el.state") == "ready"
    assert [frame for frame in showing.stub.all() if "n" in frame] == []


def test_a_sandbox_is_on_the_web_and_on_another_origin_than_the_page(showing: Showing) -> None:
    own, other = showing.stub.url, f"http://weather.localhost:{showing.stub.port}"
    addresses = [
        ("javascript:parent.ran = 1//", "null"),
        ("data:text/html,<script>parent.postMessage(1, '*')</script>", "null"),
        ("about:blank", "null"),
        (f"blob:{own}/x", own),
        (f"{own}/cloche/sandbox?p=token", own),
        ("/cloche/sandbox", own),
        (f"{other}/cloche/sandbox", own),
        (f"{other}/cloche/sandbox", "http://evil.localhost"),
        (f"{own}/cloche/sandbox", other),
        (None, None),
    ]
    showing.open("".join(f'<mcp-app id="a{number}" ticket="t"></mcp-app>' for number in range(len(addresses))))
    for number, (url, origin) in enumerate(addresses):
        showing.mount(RAW, sandbox={"url": url, "origin": origin})
        showing.until_state("error", f"#a{number}")
        assert showing.page.evaluate(f"a{number}.error.code") == "address", url
    assert showing.page.evaluate("[window.ran, frames.length]") == [None, 0]


def test_the_attribute_base_names_no_stranger(showing: Showing) -> None:
    bases = [
        "//evil.localhost/",
        "http://evil.localhost/cloche/",
        "https:evil",
        "javascript:1",
        "data:,",
        "http://[",
        "\\\\evil",
    ]
    elements = "".join(f'<mcp-app base="{base}" ticket="t"></mcp-app>' for base in bases)
    showing.open(f'{elements}<mcp-app id="good" base="/cloche/" ticket="good"></mcp-app>')
    assert showing.stub.next("open")["ticket"] == "good"
    errors = "[...document.querySelectorAll('mcp-app:not(#good)')].map((element) => element.error?.code)"
    assert showing.page.evaluate(errors) == ["base"] * len(bases)
    assert showing.stub.connections == 1


def test_a_click_in_a_view_can_replace_the_clipboard(showing: Showing) -> None:
    """Not what we want, and what `docs/security.md` and the self-test say: once a browser stops it, they can change."""
    showing.context.grant_permissions(["clipboard-read"])
    copying = """<style>body { height: 140px }</style><textarea id=field>copied by the view</textarea><script>
    addEventListener("click", () => {
      field.select();
      document.execCommand("copy");
      navigator.clipboard.writeText("written by the view").catch(() => console.log("refused"));
    });
    </script>"""
    showing.open().shown(copying)
    box = showing.page.locator("mcp-app iframe").bounding_box()
    assert box
    with showing.page.expect_console_message(lambda said: said.text == "refused"):
        showing.page.mouse.click(box["x"] + 400, box["y"] + 100)
    showing.page.bring_to_front()
    showing.page.evaluate("() => { document.body.tabIndex = 0; document.body.focus() }")
    assert showing.page.evaluate("() => navigator.clipboard.readText()") == "copied by the view"
