"""Everything that a view puts on the wire is what the official schema says; and the judge sees it when it is not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jsonschema
import pydantic
import pytest

from tests.support.official_app.harness import VERSIONS, Hosted
from tests.support.official_app.oracle import DEFINITIONS, Oracle
from tests.views.official.conftest import Cast

EMITTED = {
    *DEFINITIONS,
    "tools/call",
    "resources/read",
    "notifications/message",
    "notifications/tools/list_changed",
    "result of tools/list",
    "result of tools/call",
    "result of ui/resource-teardown",
    "error of ui/no-such-method",
}
"""What a view emits that uses everything."""


def use_everything(hosted: Hosted) -> None:
    """Let the view do all it can, and ask it all it answers."""
    hosted.script(echo={"echo": True}, bad={"error": {"code": -32000, "message": "no"}})
    hosted.page.evaluate("() => { host.resources['notes://1'] = 'Buy bread' }")
    hosted.act("callTool", "echo", {"n": 1})
    hosted.act("callFollowed", "echo", {"n": 2})
    hosted.failing("callTool", "bad")
    hosted.act("readResource", "notes://1")
    hosted.act("sendMessage", "hello")
    hosted.act("updateModelContext", {"a": 1})
    hosted.act("openLink", "https://example.com/")
    hosted.act("downloadFile", {"name": "a.txt", "mimeType": "text/plain", "text": "a"})
    hosted.act("requestDisplayMode", "fullscreen")
    hosted.act("log", "info", {"text": "said"})
    hosted.act("registerShout", "cry")
    hosted.act("grow", 300)
    hosted.until("() => host.handled.some(([name, size]) => name === 'sizechange' && size.height >= 300)")
    hosted.until("() => host.received.some(({ method }) => method === 'notifications/tools/list_changed')")
    hosted.act("close")
    hosted.until_handled("requestteardown")
    hosted.bridge("listTools", {})
    hosted.bridge("callTool", {"name": "cry", "arguments": {"text": "a"}})
    hosted.page.evaluate("() => host.bridge.transport.send({ jsonrpc: '2.0', id: 'odd', method: 'ui/no-such-method' })")
    hosted.until("() => host.received.some(({ id, method }) => id === 'odd' && !method)")
    hosted.bridge("teardownResource", {})


def test_everything_it_emits_is_valid(fresh: Callable[..., Hosted], cast: Cast) -> None:
    hosted = fresh().until_ready()
    use_everything(hosted)
    kinds = Oracle(cast.version).judge_conversation(hosted.kept("received"), hosted.kept("sent"))
    assert set(kinds) >= EMITTED


MESSAGE: dict[str, Any] = {"jsonrpc": "2.0", "id": 1, "method": "ui/message"}
WRONG = {
    "a single block instead of a list": {
        **MESSAGE,
        "params": {"role": "user", "content": {"type": "text", "text": "a"}},
    },
    "another role": {**MESSAGE, "params": {"role": "assistant", "content": []}},
    "no parameters": MESSAGE,
    "a mode that does not exist": {**MESSAGE, "method": "ui/request-display-mode", "params": {"mode": "huge"}},
    "initialize without a version": {
        **MESSAGE,
        "method": "ui/initialize",
        "params": {"appInfo": {"name": "a", "version": "1"}, "appCapabilities": {}},
    },
    "a call without a name": {**MESSAGE, "method": "tools/call", "params": {"arguments": {}}},
    "a method of the old dialect": {**MESSAGE, "method": "ui/callServerTool", "params": {"name": "a"}},
    "a member that JSON-RPC does not have": {**MESSAGE, "type": "rpc", "params": {"role": "user", "content": []}},
    "an answer to nothing": {"jsonrpc": "2.0", "id": 99, "result": {}},
    "a list of tools without schemas": {"jsonrpc": "2.0", "id": 5, "result": {"tools": [{"name": "a"}]}},
}


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("what", WRONG)
def test_the_judge_refuses(what: str, version: str) -> None:
    with pytest.raises((jsonschema.ValidationError, pydantic.ValidationError, AssertionError, KeyError)):
        Oracle(version).judge_message(WRONG[what], {5: "tools/list"})
