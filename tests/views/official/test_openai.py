"""The same view where the host is `window.openai`, as OpenAI's reference describes it, and nobody answers messages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.official_app.harness import Hosted, Theatre
from tests.support.official_app.views import our_view


@pytest.fixture(scope="module")
def shared(stage: Theatre) -> Iterator[Hosted]:
    with stage.in_chatgpt(our_view()) as opened:
        opened.until_seen("tool:input")
        yield opened


@pytest.fixture
def chatgpt(shared: Hosted) -> Hosted:
    """The view after its start, with nothing left of what it met and called in the tests before."""
    shared.view.evaluate("() => { seen.splice(0); openaiCalls.splice(0); setGlobals({ theme: 'light' }) }")
    return shared


def called(hosted: Hosted, name: str) -> Any:
    """What the view gave the newest call of a method of `window.openai`."""
    condition = "name => openaiCalls.findLast(([called]) => called === name)"
    return hosted.view.wait_for_function(condition, arg=name).json_value()[1]


def test_the_adapter_is_chosen(chatgpt: Hosted) -> None:
    assert chatgpt.view.evaluate("() => cloche.adapter") == "openai"
    context = chatgpt.act("context")
    assert (context["theme"], context["locale"], context["displayMode"]) == ("light", "de-DE", "inline")


def test_tool_input_and_a_result_that_comes_later(chatgpt: Hosted) -> None:
    assert chatgpt.view.evaluate("() => cloche.toolInput") == {"title": "Bread"}
    chatgpt.view.evaluate(
        "() => setGlobals({ toolOutput: { id: 7 }, toolResponseMetadata: { 'cloche/html': '<b>7</b>' } })"
    )
    result = chatgpt.until_seen("tool:result")
    assert result["structuredContent"] == {"id": 7}
    assert result["_meta"] == {"cloche/html": "<b>7</b>"}


def test_a_change_of_theme(chatgpt: Hosted) -> None:
    chatgpt.view.evaluate("() => setGlobals({ theme: 'dark' })")
    chatgpt.view.wait_for_function(
        "() => seen.some(([name, context]) => name === 'host:context' && context.theme === 'dark')"
    )
    assert chatgpt.act("context")["locale"] == "de-DE"
    assert chatgpt.view.evaluate("() => getComputedStyle(document.documentElement).colorScheme") == "dark"


def test_a_tool_call(chatgpt: Hosted) -> None:
    result = {"content": [{"type": "text", "text": "3"}], "structuredContent": {"sum": 3}}
    chatgpt.view.evaluate("result => { openaiTools.add = { result } }", result)
    assert chatgpt.act("callTool", "add", {"a": 1, "b": 2}) == result
    assert called(chatgpt, "callTool") == {"name": "add", "given": {"a": 1, "b": 2}}


def test_a_tool_call_that_fails(chatgpt: Hosted) -> None:
    chatgpt.view.evaluate("() => { openaiTools.add = { error: { message: 'not today' } } }")
    assert "not today" in chatgpt.failing("callTool", "add", {})["message"]


def test_a_message(chatgpt: Hosted) -> None:
    chatgpt.act("sendMessage", "I chose the second")
    assert called(chatgpt, "sendFollowUpMessage")["prompt"] == "I chose the second"


def test_a_link(chatgpt: Hosted) -> None:
    chatgpt.act("openLink", "https://example.com/")
    assert called(chatgpt, "openExternal") == {"href": "https://example.com/"}


def test_the_display_mode(chatgpt: Hosted) -> None:
    assert chatgpt.act("requestDisplayMode", "fullscreen") == "fullscreen"
    assert called(chatgpt, "requestDisplayMode") == {"mode": "fullscreen"}


def test_the_model_context_is_the_part_of_the_widget_state_that_the_model_sees(chatgpt: Hosted) -> None:
    chatgpt.act("updateModelContext", {"selected": 2})
    assert called(chatgpt, "setWidgetState")["modelContent"] == {"selected": 2}


def test_state_is_the_widget_state_and_the_model_does_not_see_it(chatgpt: Hosted) -> None:
    chatgpt.view.evaluate("() => cloche.setState({ tab: 'b' })")
    kept = called(chatgpt, "setWidgetState")
    assert kept["privateContent"] == {"tab": "b"}
    assert "tab" not in (kept.get("modelContent") or {})
    assert chatgpt.view.evaluate("() => cloche.getState()") == {"tab": "b"}


def test_the_size_and_the_end(chatgpt: Hosted) -> None:
    chatgpt.act("grow", 240)
    chatgpt.view.wait_for_function(
        "() => openaiCalls.some(([name, height]) => name === 'notifyIntrinsicHeight' && height >= 240)"
    )
    chatgpt.act("close")
    assert called(chatgpt, "requestClose") is None


def test_what_it_cannot_do_fails_with_a_reason_and_at_once(chatgpt: Hosted) -> None:
    error = chatgpt.failing("readResource", "notes://1")
    assert error["code"] == -32601
    assert "resources/read" in error["message"]


def test_nothing_is_posted_to_the_window_around_it(chatgpt: Hosted) -> None:
    chatgpt.act("sendMessage", "hello")
    called(chatgpt, "sendFollowUpMessage")
    assert chatgpt.kept("received") == []
