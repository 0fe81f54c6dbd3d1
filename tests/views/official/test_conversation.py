"""One conversation, feature by feature, between the official host and a view: the official App and ours alike.

The official App goes through the same tests, so that what is asked of our runtime is what the official pair does.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.support.official_app.harness import Hosted
from tests.views.official.conftest import Cast

TEXT = [{"type": "text", "text": "done"}]
STEPS = [{"progress": 1, "total": 2, "message": "half"}, {"progress": 2, "total": 2}]
MEGABYTE = 1_000_000


@pytest.mark.requirement(101)
def test_the_handshake(hosted: Hosted, cast: Cast) -> None:
    first, second = hosted.kept("received")[:2]
    assert first["method"] == "ui/initialize"
    assert set(first["params"]) == {"appInfo", "appCapabilities", "protocolVersion"}
    assert first["params"]["protocolVersion"] == "2026-01-26"
    assert second["method"] == "ui/notifications/initialized"
    assert [one["method"] for one in hosted.kept("fromProxy")] == (
        ["ui/notifications/sandbox-proxy-ready"] if cast.layout == "proxy" else []
    )
    assert hosted.page.evaluate("() => host.bridge.getAppVersion().name")
    assert hosted.view.evaluate("() => origin") == "null"


def test_tool_input_partial_and_whole_and_the_result(hosted: Hosted) -> None:
    for arguments in ({"title": "B"}, {"title": "Bread"}):
        hosted.bridge("sendToolInputPartial", {"arguments": arguments})
    hosted.bridge("sendToolInput", {"arguments": {"title": "Bread", "count": 2}})
    result = {"content": TEXT, "structuredContent": {"id": 7}, "_meta": {"cloche/private": [1, {"a": None}]}}
    hosted.bridge("sendToolResult", result)
    assert hosted.until_seen("tool:result") == result
    assert hosted.until_seen("tool:input") == {"title": "Bread", "count": 2}
    seen = hosted.view.evaluate("() => seen")
    assert [value for name, value in seen if name == "tool:input-partial"] == [{"title": "B"}, {"title": "Bread"}]


def test_a_result_that_is_an_error(hosted: Hosted) -> None:
    hosted.bridge("sendToolResult", {"content": TEXT, "isError": True})
    assert hosted.until_seen("tool:result")["isError"] is True


def test_cancelled(hosted: Hosted) -> None:
    hosted.bridge("sendToolCancelled", {"reason": "the user stopped it"})
    assert hosted.until_seen("tool:cancelled") == {"reason": "the user stopped it"}


def test_a_change_of_the_host_context_is_merged(hosted: Hosted) -> None:
    before = hosted.act("context")
    assert before["theme"] == "light"
    hosted.bridge("sendHostContextChange", {"theme": "dark"})
    assert hosted.until_seen("host:context")["theme"] == "dark"
    assert hosted.act("context") == {**before, "theme": "dark"}
    hosted.bridge("sendHostContextChange", {"theme": "light"})


@pytest.mark.requirement(100, 104)
def test_a_tool_call_and_its_result(hosted: Hosted) -> None:
    result = {"content": TEXT, "structuredContent": {"sum": 3}}
    hosted.script(add={"result": result})
    assert hosted.act("callTool", "add", {"a": 1, "b": 2}) == result
    called = hosted.until_handled("calltool")
    assert (called["name"], called["arguments"]) == ("add", {"a": 1, "b": 2})


def test_a_tool_call_without_arguments(hosted: Hosted) -> None:
    hosted.script(now={"result": {"content": TEXT}})
    assert hosted.act("callTool", "now")["content"] == TEXT


def test_a_tool_that_fails_and_a_call_that_fails(hosted: Hosted) -> None:
    failed = {"content": TEXT, "isError": True}
    hosted.script(failing={"result": failed}, refused={"error": {"code": -32000, "message": "not today"}})
    assert hosted.act("callTool", "failing", {}) == failed
    error = hosted.failing("callTool", "refused", {})
    assert error["code"] == -32000
    assert "not today" in error["message"]


def test_progress_of_a_tool_call(hosted: Hosted) -> None:
    hosted.script(slow={"progress": STEPS, "result": {"content": TEXT}})
    assert hosted.act("callFollowed", "slow", {}) == {"steps": STEPS, "result": {"content": TEXT}}


def test_calls_that_overlap_get_their_own_answers(hosted: Hosted) -> None:
    hosted.script(echo={"echo": True})
    answers = hosted.view.evaluate("() => Promise.all([1, 2, 3].map((n) => act.callTool('echo', { n })))")
    assert [answer["structuredContent"]["n"] for answer in answers] == [1, 2, 3]


def test_a_megabyte_each_way(hosted: Hosted) -> None:
    hosted.script(echo={"echo": True})
    answer = hosted.act("callTool", "echo", {"text": "x" * MEGABYTE})
    assert answer["structuredContent"]["text"] == "x" * MEGABYTE
    hosted.bridge("sendToolResult", {"content": [{"type": "text", "text": "y" * MEGABYTE}]})
    assert hosted.until_seen("tool:result")["content"][0]["text"] == "y" * MEGABYTE


def test_a_resource(hosted: Hosted) -> None:
    hosted.page.evaluate("() => { host.resources['notes://1'] = 'Buy bread' }")
    read = hosted.act("readResource", "notes://1")
    assert read["contents"] == [{"uri": "notes://1", "mimeType": "text/plain", "text": "Buy bread"}]


def test_a_message(hosted: Hosted) -> None:
    hosted.act("sendMessage", "I chose the second")
    content = [{"type": "text", "text": "I chose the second"}]
    assert hosted.until_handled("message") == {"role": "user", "content": content}


@pytest.mark.requirement(100, 104)
def test_the_model_context(hosted: Hosted) -> None:
    hosted.act("updateModelContext", {"selected": [1, 2]})
    assert hosted.until_handled("updatemodelcontext")["structuredContent"] == {"selected": [1, 2]}


def test_a_link(hosted: Hosted) -> None:
    hosted.act("openLink", "https://example.com/a?b=c")
    assert hosted.until_handled("openlink") == {"url": "https://example.com/a?b=c"}


def test_a_download(hosted: Hosted) -> None:
    hosted.act("downloadFile", {"name": "notes.txt", "mimeType": "text/plain", "text": "Buy bread"})
    (content,) = hosted.until_handled("downloadfile")["contents"]
    assert content["type"] == "resource"
    assert content["resource"]["uri"].rpartition("/")[2] == "notes.txt"
    assert content["resource"]["mimeType"] == "text/plain"
    assert content["resource"]["text"] == "Buy bread"


@pytest.mark.requirement(100, 104)
def test_the_display_mode(hosted: Hosted) -> None:
    answer = hosted.act("requestDisplayMode", "fullscreen")
    assert answer in ("fullscreen", {"mode": "fullscreen"})
    assert hosted.until_handled("requestdisplaymode") == {"mode": "fullscreen"}


@pytest.mark.requirement(100, 104)
def test_a_log(hosted: Hosted) -> None:
    hosted.act("log", "warning", {"text": "no data"})
    logged = hosted.until_handled("loggingmessage")
    assert logged["level"] == "warning"
    assert "no data" in str(logged["data"])


def test_the_size_follows_the_content(fresh: Callable[..., Hosted]) -> None:
    hosted = fresh().until_ready()
    before = hosted.until_handled("sizechange")["height"]
    hosted.act("grow", 240)
    grown = hosted.until("() => host.handled.findLast(([name, size]) => name === 'sizechange' && size.height >= 240)")
    assert grown[1]["height"] == pytest.approx(before + 200, abs=2)


def test_the_view_asks_for_its_end(hosted: Hosted) -> None:
    hosted.act("close")
    hosted.until("() => host.handled.some(([name]) => name === 'requestteardown')")


def test_teardown_is_heard_and_answered_and_there_was_nothing_to_complain_about(fresh: Callable[..., Hosted]) -> None:
    hosted = fresh().until_ready()
    hosted.script(now={"result": {"content": TEXT}})
    hosted.act("callTool", "now", {})
    assert hosted.bridge("teardownResource", {}) == {}
    hosted.until_seen("bridge:teardown")
    assert hosted.kept("errors") == []


@pytest.mark.requirement(100, 104)
def test_tools_of_the_view(hosted: Hosted) -> None:
    listed = {tool["name"]: tool for tool in hosted.bridge("listTools", {})["tools"]}
    assert listed["shout"]["description"] == "Say it louder"
    assert listed["shout"]["inputSchema"]["required"] == ["text"]
    answer = hosted.bridge("callTool", {"name": "shout", "arguments": {"text": "fire"}})
    assert answer["content"] == [{"type": "text", "text": "FIRE"}]


def test_a_tool_that_the_view_adds_later(hosted: Hosted) -> None:
    before = len(hosted.kept("received"))
    hosted.act("registerShout", "cry")
    changed = "at => host.received.slice(at).some(({ method }) => method === 'notifications/tools/list_changed')"
    hosted.until(changed, before)
    assert {tool["name"] for tool in hosted.bridge("listTools", {})["tools"]} == {"shout", "cry"}


def test_a_tool_that_the_view_does_not_have(hosted: Hosted) -> None:
    attempt = "() => host.bridge.callTool({ name: 'none', arguments: {} }).then((r) => r.isError, () => true)"
    assert hosted.page.evaluate(attempt) is True


def test_a_request_that_the_view_does_not_know_is_refused(hosted: Hosted) -> None:
    hosted.page.evaluate(
        "() => host.frame.contentWindow.postMessage({ jsonrpc: '2.0', id: 'odd', method: 'ui/no-such-method' }, '*')"
    )
    answer: Any = hosted.until("() => host.received.find(({ id, method }) => id === 'odd' && !method)")
    assert answer["error"]["code"] == -32601
