"""A view on a page: the handshake, what passes in both directions, and what the page answers itself."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.web.host.showing import ELEMENT, Showing, view
from tests.web.host.stub import LIMITS

ECHO = "<p id=out></p><script>cloche.on('tool:input', (input) => cloche.callTool('echo', input)\
.then(({structuredContent}) => { out.textContent = JSON.stringify(structuredContent) }))</script>"

RAW = """<p id=out></p><script>
window.got = [];
window.say = (message) => parent.postMessage(message, "*");
window.ask = (id, method, params) => say({ jsonrpc: "2.0", id, method, params });
addEventListener("message", ({ data }) => got.push(data));
window.answer = (id) => got.find((one) => one.id === id);
</script>"""
"""A view that speaks no library, only messages."""


def answer(showing: Showing, request_id: Any) -> dict[str, Any]:
    """What a raw view was answered."""
    found: dict[str, Any] = showing.inner.wait_for_function("id => answer(id)", arg=request_id).json_value()
    return found


def raw(showing: Showing, **packet: Any) -> int:
    """A raw view that is on screen."""
    number = showing.open().mount(RAW, **packet)
    showing.until_state("ready")
    return number


@pytest.mark.requirement(108, 109, 110, 111, 112, 113, 115)
def test_input_comes_a_call_goes_out_and_its_result_comes_back(showing: Showing) -> None:
    number = showing.open().shown(ECHO)
    showing.message(number, "ui/notifications/tool-input", arguments={"city": "Paris"})
    call = showing.stub.next("message")
    assert call["message"]["method"] == "tools/call"
    assert call["message"]["params"] == {"name": "echo", "arguments": {"city": "Paris"}}
    showing.answer(number, call, content=[], structuredContent={"city": "Paris"})
    showing.inner.wait_for_selector("#out:not(:empty)")
    assert showing.inner.inner_text("#out") == '{"city":"Paris"}'
    assert showing.inner.evaluate("() => origin") == "null"


@pytest.mark.requirement(101, 115)
def test_the_page_answers_initialize_from_the_packet_and_reports_it(showing: Showing) -> None:
    raw(showing)
    params = {"appInfo": {"name": "v", "version": "1"}, "appCapabilities": {}, "protocolVersion": "2026-01-26"}
    showing.inner.evaluate("params => ask('a', 'ui/initialize', params)", params)
    result = answer(showing, "a")["result"]
    assert result["hostInfo"] == {"name": "stub", "version": "1"}
    assert result["hostCapabilities"] == {"serverTools": {}, "openLinks": {}, "logging": {}}
    assert result["hostContext"]["theme"] == "light"
    assert result["hostContext"]["containerDimensions"]["maxHeight"] == LIMITS["maxHeight"]
    assert len(result["hostContext"]["styles"]["variables"]) == 76
    event = showing.stub.next("event", event="initialize")
    assert event["params"] == params


def test_a_view_of_an_older_version_gets_the_older_flags_too(showing: Showing) -> None:
    raw(showing)
    showing.inner.evaluate("() => ask(1, 'ui/initialize', { protocolVersion: '2025-01-01' })")
    capabilities = answer(showing, 1)["result"]["hostCapabilities"]
    assert (capabilities["serverToolProxy"], capabilities["openLink"]) == (True, True)
    assert "modelContextUpdate" not in capabilities
    assert capabilities["displayModes"] == ["inline", "fullscreen"]


def test_ping_is_answered_and_what_the_packet_does_not_allow_is_refused_without_the_host(showing: Showing) -> None:
    raw(showing)
    showing.inner.evaluate("() => { ask(1, 'ping'); ask(2, 'roots/list'); ask(3, 'ui/openLink', { url: 'x' }) }")
    assert answer(showing, 1)["result"] == {}
    assert answer(showing, 2)["error"] == {"code": -32601, "message": "Not available here: roots/list"}
    message = showing.stub.next("message")["message"]
    assert message["method"] == "ui/openLink", "an older name of something allowed is passed on as it was written"


def test_a_large_message_is_fetched_and_order_is_kept(showing: Showing) -> None:
    number = raw(showing)
    big = {"jsonrpc": "2.0", "method": "ui/big", "params": {"text": "x" * 300_000}}
    free = {"jsonrpc": "2.0", "id": 7, "result": {"text": "y" * 300_000}}
    showing.stub.bodies = {"body/1": json.dumps(big).encode(), "body/2": json.dumps(free).encode()}
    showing.stub.say(number, body="body/1")
    showing.message(number, "ui/small")
    showing.stub.say(number, body="body/2", free=True)
    showing.inner.wait_for_function("() => got.length === 3")
    seen = showing.inner.evaluate("() => got.map((one) => one.method ?? one.id)")
    assert [one for one in seen if one != 7] == ["ui/big", "ui/small"]
    assert 7 in seen


def test_a_body_that_is_not_there_ends_the_view_and_says_so(showing: Showing) -> None:
    number = raw(showing)
    showing.stub.say(number, body="body/none")
    showing.until_state("error")
    assert "404" in showing.element("el.error.message")


HEIGHT = "height => document.querySelector('mcp-app').shadowRoot.querySelector('iframe').clientHeight === height"


def test_until_then_it_has_the_first_height_of_the_host(showing: Showing) -> None:
    raw(showing, limits={**LIMITS, "firstHeight": 432})
    assert showing.element("root.querySelector('iframe').clientHeight") == 432


def test_a_view_gets_the_height_it_asks_for_within_limits(showing: Showing) -> None:
    raw(showing)
    asked: list[tuple[dict[str, Any], int]] = [
        ({"height": 321.5}, 322),
        ({"width": 50}, 322),
        ({"height": 300}, 300),
        ({"height": -5}, 300),
        ({"height": "9"}, 300),
        ({"height": None}, 300),
        ({"height": 10**9}, LIMITS["maxHeight"]),
    ]
    for size, height in asked:
        say = "size => say({jsonrpc: '2.0', method: 'ui/notifications/size-changed', params: size})"
        showing.inner.evaluate(say, size)
        showing.page.wait_for_function(HEIGHT, arg=height)
    heights = [frame["height"] for frame in showing.stub.all() if frame.get("event") == "size" and "height" in frame]
    assert heights
    assert max(heights) <= LIMITS["maxHeight"]


def test_not_a_number_is_no_size(showing: Showing) -> None:
    raw(showing)
    before = showing.element("root.querySelector('iframe').clientHeight")
    showing.inner.evaluate(
        "() => [NaN, Infinity * 0, -Infinity].forEach((height) =>"
        " say({ jsonrpc: '2.0', method: 'ui/notifications/size-changed', params: { height } }))"
    )
    showing.inner.evaluate("() => ask(1, 'ping')")
    answer(showing, 1)
    assert showing.element("root.querySelector('iframe').clientHeight") == before


def test_two_views_on_one_page_share_a_socket_and_nothing_else(showing: Showing) -> None:
    showing.open(ELEMENT + ELEMENT.replace("t1", "t2"))
    first, second = showing.mount(view(ECHO)), showing.mount(view(ECHO))
    for number in (first, second):
        showing.stub.next("event", event="initialized", view=number)
    showing.page.wait_for_function(
        "() => [...document.querySelectorAll('mcp-app')].every((el) => el.state === 'ready')"
    )
    showing.message(second, "ui/notifications/tool-input", arguments={"n": 2})
    call = showing.stub.next("message")
    assert (call["view"], showing.stub.connections) == (second, 1)
    showing.answer(second, call, content=[], structuredContent={"n": 2})
    showing.inner.wait_for_selector("#out:not(:empty)")
    shown = [frame for frame in showing.page.frames if frame.url == "about:srcdoc"]
    assert [frame.inner_text("#out") for frame in shown] == ["", '{"n":2}']


def test_storage_is_there_for_views_that_expect_one(showing: Showing) -> None:
    raw(showing)
    inner = showing.inner
    assert inner.evaluate("() => { localStorage.a = 1; localStorage.setItem('b', {}); return localStorage.a }") == "1"
    assert inner.evaluate("() => [localStorage.length, Object.keys(localStorage), 'a' in localStorage]") == [
        2,
        ["a", "b"],
        True,
    ]
    assert inner.evaluate("() => [localStorage.getItem('none'), localStorage.none, sessionStorage.length]") == [
        None,
        None,
        0,
    ]
    assert inner.evaluate("() => { delete localStorage.a; localStorage.clear(); return localStorage.length }") == 0


def test_what_goes_wrong_in_a_view_is_reported(showing: Showing) -> None:
    raw(showing)
    showing.inner.evaluate("() => setTimeout(() => { throw new TypeError('broken') })")
    assert "broken" in showing.stub.next("event", event="error")["message"]
    showing.expected.append("broken")
    showing.inner.evaluate("() => { new Image().src = 'https://elsewhere.example/a.png' }")
    event = showing.stub.next("event", event="violation")
    assert (event["directive"], event["blocked"]) == ("img-src", "https://elsewhere.example/a.png")
