"""A view on a page: the handshake, what passes in both directions, and what the page answers itself."""

from __future__ import annotations

import pytest

from tests.page.showing import Showing

ECHO = "<p id=out></p><script>cloche.on('tool:input', (input) => cloche.callTool('echo', input)\
.then(({structuredContent}) => { out.textContent = JSON.stringify(structuredContent) }))</script>"


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
