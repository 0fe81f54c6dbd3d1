"""`CassetteServer`: a recording in the place of a server."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cloche.errors import ConfigurationError, McpError
from cloche.testing import Cassette, CassetteServer, OpenView, SyncClient
from cloche.testing.cassettes.lines import Answer, Ask, Header

TOOL = {"name": "look", "inputSchema": {"type": "object"}, "_meta": {"ui": {"resourceUri": "ui://shop/page"}}}
PAGE = """<!doctype html><p id="left"></p><script>
addEventListener("message", ({data}) => {
  if (data.id === 1) parent.postMessage({jsonrpc: "2.0", method: "ui/notifications/initialized", params: {}}, "*");
  if (data.method !== "ui/notifications/tool-result") return;
  document.getElementById("left").textContent = data.params.content[0].text;
});
parent.postMessage({jsonrpc: "2.0", id: 1, method: "ui/initialize", params: {
  protocolVersion: "2026-01-26", appInfo: {name: "p", version: "1"}, appCapabilities: {}}}, "*");
</script>"""
CONTENTS = {"uri": "ui://shop/page", "mimeType": "text/html;profile=mcp-app", "text": PAGE}


def cassette() -> Cassette:
    made = Cassette(Header(format=1, made="", cloche="", servers=["shop"]))
    asked: list[tuple[str, dict[str, object], object]] = [
        ("tools/list", {}, {"tools": [TOOL]}),
        ("resources/read", {"uri": "ui://shop/page"}, {"contents": [CONTENTS]}),
        ("resources/list", {}, {"resources": []}),
        ("tools/call", call("look", n=1), text("three left")),
        ("tools/call", call("look", n=1), text("two left")),
        ("tools/call", {**call("look"), "_meta": {"progressToken": 1}}, text("none left")),
        ("tools/call", call("break"), "it broke"),
    ]
    for number, (method, params, result) in enumerate(asked):
        ask = Ask(time=0.0, server="shop", exchange=number, method=method, params=params)
        failed = isinstance(result, str)
        outcome = {"error": result} if failed else {"result": result}
        made.exchanges.append((ask, Answer(time=0.0, server="shop", exchange=number, **outcome)))  # type: ignore[arg-type]
    return made


def call(name: str, **arguments: int) -> dict[str, object]:
    return {"name": name, "arguments": arguments}


def text(words: str) -> dict[str, object]:
    return {"content": [{"type": "text", "text": words}]}


@pytest.fixture
def server() -> CassetteServer:
    return cassette().server()


def test_requests_are_found_by_method_and_parameters_in_their_order(
    mcp: Callable[..., SyncClient], server: CassetteServer
) -> None:
    client = mcp(server)
    assert [tool.name for tool in client.list_tools()] == ["look"]
    said = [client.call_tool("look", {"n": 1}).text for _ in range(3)]
    assert said == ["three left", "two left", "two left"]
    assert client.call_tool("look", {}).text == "none left"


def test_what_failed_fails_and_what_was_not_recorded_is_named(
    mcp: Callable[..., SyncClient], server: CassetteServer
) -> None:
    client = mcp(server)
    with pytest.raises(McpError, match="it broke"):
        client.call_tool("break", {})
    with pytest.raises(McpError, match=r'Not in the recording: tools/call look \{"n":2\}'):
        client.call_tool("look", {"n": 2})
    with pytest.raises(McpError, match="Not in the recording: prompts/list"):
        client.list_prompts()


def test_a_view_is_opened_from_it(open_view: Callable[..., OpenView], server: CassetteServer) -> None:
    view = open_view(server, "look", {"n": 1}, timeout=30.0)
    view.expect("#left").to_have_text("three left")


def test_the_server_is_named_when_there_are_several() -> None:
    made = cassette()
    made.header.servers.append("bakery")
    with pytest.raises(ConfigurationError, match="say which of shop, bakery"):
        made.server()
    with pytest.raises(ConfigurationError, match="no server 'post'; it has shop, bakery"):
        made.server("post")
    assert made.server("shop").name == "shop"
    with pytest.raises(ConfigurationError, match="no view 0: it has none at all"):
        made.view(0)
