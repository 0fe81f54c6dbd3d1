"""The same view in hosts that speak one of the two dialects before today's MCP Apps."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.official_app.harness import Hosted, Theatre
from tests.support.official_app.views import official_view, our_view

TEXT = [{"type": "text", "text": "done"}]


@pytest.fixture(scope="module")
def shared(stage: Theatre) -> Iterator[dict[str, Hosted]]:
    """The view in a host of FrontMCP's dialect, and in one of the early guide's."""
    with stage.of_old(our_view(), "camel") as camel, stage.of_old(our_view(), "guide") as guide:
        yield {"camel": camel, "guide": guide}


def ready(hosted: Hosted) -> Hosted:
    """A view after the handshake, with nothing left of what it met in the tests before."""
    hosted.view.wait_for_function("() => window.cloche?.ready.then(() => true)")
    hosted.view.evaluate("() => void seen.splice(0)")
    hosted.page.evaluate("() => void host.handled.splice(0)")
    return hosted


@pytest.fixture
def camel(shared: dict[str, Hosted]) -> Hosted:
    return ready(shared["camel"])


@pytest.fixture
def guide(shared: dict[str, Hosted]) -> Hosted:
    return ready(shared["guide"])


@pytest.fixture(params=["camel", "guide"])
def old(request: pytest.FixtureRequest, shared: dict[str, Hosted]) -> Hosted:
    return ready(shared[request.param])


def tell(hosted: Hosted, what: str, params: Any) -> None:
    hosted.page.evaluate("([what, params]) => host.tell(what, params)", [what, params])


def refused(hosted: Hosted) -> list[Any]:
    """What the host did not understand."""
    return [message for message in hosted.kept("sent") if message.get("error", {}).get("code") == -32601]


def test_tool_input_and_result(old: Hosted) -> None:
    tell(old, "input", {"arguments": {"title": "Bread"}})
    assert old.until_seen("tool:input") == {"title": "Bread"}
    tell(old, "result", {"content": TEXT, "structuredContent": {"id": 7}})
    assert old.until_seen("tool:result")["structuredContent"] == {"id": 7}


def test_cancelled(old: Hosted) -> None:
    tell(old, "cancelled", {"reason": "stopped"})
    assert old.until_seen("tool:cancelled") == {"reason": "stopped"}


def test_a_change_of_the_host_context(old: Hosted) -> None:
    tell(old, "context", {"theme": "dark"})
    assert old.until_seen("host:context")["theme"] == "dark"


def test_a_tool_call_its_result_and_its_error(old: Hosted) -> None:
    old.script(add={"result": {"content": TEXT}})
    assert old.act("callTool", "add", {"a": 1}) == {"content": TEXT}
    error = old.failing("callTool", "none", {})
    assert error["code"] == -32001
    assert "Tool not found" in error["message"]


def test_a_link(old: Hosted) -> None:
    old.act("openLink", "https://example.com/")
    assert old.until_handled("openlink") == {"url": "https://example.com/"}


def test_teardown_in_the_guides_words(guide: Hosted) -> None:
    guide.page.evaluate("() => host.ask('end', 'ui/teardown', {})")
    answer = guide.until("() => host.received.find(({ id, method }) => id === 'end' && !method)")
    assert answer["result"] == {}
    guide.until_seen("bridge:teardown")


def test_a_message_in_the_guides_words(guide: Hosted) -> None:
    guide.act("sendMessage", "hello")
    assert guide.until_handled("message")["content"] == [{"type": "text", "text": "hello"}]


def test_partial_input_in_camel_case(camel: Hosted) -> None:
    tell(camel, "partial", {"arguments": {"title": "Br"}})
    assert camel.until_seen("tool:input-partial") == {"title": "Br"}


def test_the_model_context_in_camel_case(camel: Hosted) -> None:
    camel.act("updateModelContext", {"selected": 2})
    assert camel.until_handled("updatemodelcontext")["context"] == {"selected": 2}


def test_the_display_mode_in_camel_case(camel: Hosted) -> None:
    assert camel.act("requestDisplayMode", "fullscreen") == "fullscreen"
    assert camel.until_handled("requestdisplaymode") == {"mode": "fullscreen"}


def test_a_log_in_camel_case(camel: Hosted) -> None:
    camel.act("log", "warning", {"text": "no data"})
    logged = camel.until_handled("loggingmessage")
    assert (logged["level"], logged["message"]) == ("warning", "no data")


def test_the_end_in_camel_case(camel: Hosted) -> None:
    camel.act("close")
    camel.until("() => host.handled.some(([name]) => name === 'requestteardown')")


def test_tools_of_the_view_are_registered_and_called(camel: Hosted) -> None:
    camel.until("() => host.tools_of_view.shout?.description === 'Say it louder'")
    camel.page.evaluate("() => host.ask('shout', 'tools/call', { name: 'shout', arguments: { text: 'fire' } })")
    answer = camel.until("() => host.received.find(({ id, method }) => id === 'shout' && !method)")
    assert answer["result"]["content"] == [{"type": "text", "text": "FIRE"}]
    camel.act("registerShout", "cry")
    camel.until("() => host.tools_of_view.cry")
    camel.view.evaluate("() => void cloche.unregisterTool('cry')")
    assert camel.until_handled("unregistertool") == {"name": "cry"}


def test_nothing_it_says_in_camel_case_is_refused(camel: Hosted) -> None:
    camel.script(add={"result": {"content": TEXT}})
    camel.act("callTool", "add", {})
    camel.act("updateModelContext", {"a": 1})
    camel.act("openLink", "https://example.com/")
    camel.act("log", "info", {"text": "said"})
    camel.until_handled("loggingmessage")
    assert refused(camel) == []


@pytest.mark.parametrize("dialect", ["camel", "guide"])
def test_the_official_app_does_not_get_that_far(stage: Theatre, dialect: str) -> None:
    """So that a host of today's kind could not pass for one of these."""
    with stage.of_old(official_view("2.0.4"), dialect) as hosted:
        refusal = "() => window.ready?.then(() => null, (error) => String(error))"
        reason = hosted.view.wait_for_function(refusal).json_value()
        assert "host" in reason
