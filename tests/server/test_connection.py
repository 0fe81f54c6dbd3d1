"""The life of a connection: handshake, versions, capabilities, both eras."""

from __future__ import annotations

import logging
from typing import Any

import pytest

from cloche import Context, Server
from cloche.wire.lifecycle import TRANSITIONS, ConnectionState, Event, next_state
from cloche.wire.versions import (
    FEATURES,
    HANDSHAKE_VERSIONS,
    LATEST_HANDSHAKE_VERSION,
    LATEST_VERSION,
    STATELESS_VERSIONS,
    SUPPORTED_VERSIONS,
)
from tests.support.server_peer import Peer

CAPABILITIES = {
    "tools": {"listChanged": True},
    "resources": {"subscribe": True, "listChanged": True},
    "prompts": {"listChanged": True},
    "logging": {},
    "completions": {},
}


def make_server() -> Server:
    server = Server("lives", "1.2", title="Lives", instructions="Ask nicely.")

    @server.tool
    async def capabilities(ctx: Context) -> dict[str, Any]:
        return {"capabilities": ctx.client_capabilities, "client": ctx.client_info and ctx.client_info.name}

    return server


@pytest.mark.requirement(14)
async def test_initialize_is_answered_with_version_server_and_capabilities() -> None:
    async with Peer(make_server(), capabilities={"roots": {"listChanged": True}, "sampling": {}}) as peer:
        result = peer.initialized["result"]
        assert result["protocolVersion"] == "2025-11-25"
        assert result["serverInfo"] == {"name": "lives", "version": "1.2", "title": "Lives"}
        assert result["capabilities"] == CAPABILITIES
        assert result["instructions"] == "Ask nicely."
        said = (await peer.call("capabilities"))["structuredContent"]
        assert said == {"capabilities": {"roots": {"listChanged": True}, "sampling": {}}, "client": "test"}


@pytest.mark.requirement(15)
@pytest.mark.parametrize("version", HANDSHAKE_VERSIONS)
async def test_a_version_spoken_here_is_answered_with_itself(version: str) -> None:
    async with Peer(make_server(), version=version) as peer:
        assert peer.initialized["result"]["protocolVersion"] == version


@pytest.mark.requirement(15)
async def test_an_unknown_version_is_answered_with_our_latest_and_a_warning(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, logger="cloche.server"):
        async with Peer(make_server(), version="1999-01-01") as peer:
            assert peer.initialized["result"]["protocolVersion"] == LATEST_HANDSHAKE_VERSION == "2025-11-25"
    assert "1999-01-01" in caplog.text


@pytest.mark.requirement(15)
def test_the_versions_are_pinned() -> None:
    assert SUPPORTED_VERSIONS == (*HANDSHAKE_VERSIONS, *STATELESS_VERSIONS) == tuple(FEATURES)
    assert SUPPORTED_VERSIONS == ("2024-10-07", "2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28")
    assert LATEST_VERSION == "2026-07-28"


@pytest.mark.requirement(16)
async def test_an_empty_server_announces_what_may_be_registered_later() -> None:
    async with Peer(Server("empty")) as peer:
        assert peer.initialized["result"]["capabilities"] == CAPABILITIES
        peer.server.register_tool(lambda: "hi", name="late")
        await peer.notification("notifications/tools/list_changed")
        assert [tool["name"] for tool in (await peer.result("tools/list"))["tools"]] == ["late"]


@pytest.mark.requirement(18)
async def test_before_initialize_only_ping_is_answered() -> None:
    peer = Peer(make_server())
    assert await peer.result("ping") == {}
    assert (await peer.error("tools/list"))["message"] == "Connection not initialized"
    async with peer:
        assert "tools" in await peer.result("tools/list")


@pytest.mark.requirement(18)
async def test_a_second_initialize_is_refused_and_the_connection_goes_on() -> None:
    async with Peer(make_server()) as peer:
        error = await peer.error(
            "initialize", protocolVersion="2025-11-25", capabilities={}, clientInfo={"name": "x", "version": "1"}
        )
        assert error == {"code": -32600, "message": "Already initialized"}
        assert "tools" in await peer.result("tools/list")


@pytest.mark.requirement(18)
@pytest.mark.parametrize("name", ["notifications/initialized", "initialized"])
async def test_both_spellings_of_initialized_make_the_connection_ready(name: str) -> None:
    peer = Peer(make_server())
    await peer.request(
        "initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo={"name": "x", "version": "1"}
    )
    assert peer.connection.state is ConnectionState.INITIALIZING
    await peer.notify(name)
    assert peer.connection.state is ConnectionState.READY
    await peer.notify(name)
    assert peer.connection.stray == 1, "an initialized nobody waits for is counted"
    await peer.__aexit__()


@pytest.mark.requirement(18)
@pytest.mark.parametrize(
    ("state", "event", "text"),
    [
        (ConnectionState.INITIALIZING, Event.INITIALIZE, "Already initialized"),
        (ConnectionState.READY, Event.INITIALIZE, "Already initialized"),
        (ConnectionState.DISCONNECTED, Event.REQUEST, "Connection not initialized"),
        (ConnectionState.DISCONNECTED, Event.INITIALIZED, "Unexpected initialized notification"),
        (ConnectionState.READY, Event.INITIALIZED, "Unexpected initialized notification"),
    ],
)
def test_steps_that_are_not_in_the_table_are_refused(state: ConnectionState, event: Event, text: str) -> None:
    with pytest.raises(Exception, match=f"^{text}$"):
        next_state(state, event)


@pytest.mark.requirement(18)
def test_every_state_answers_ping_and_can_be_closed() -> None:
    for state in ConnectionState:
        assert next_state(state, Event.PING) is state
        assert next_state(state, Event.CLOSE) is ConnectionState.DISCONNECTED
    assert set(TRANSITIONS) == set(ConnectionState)


async def test_a_request_with_its_version_makes_the_connection_stateless() -> None:
    async with Peer(make_server(), version="2026-07-28") as peer:
        result = await peer.result("server/discover")
        assert result["supportedVersions"] == ["2026-07-28"]
        assert result["resultType"] == "complete"
        assert result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"] == "lives"
        assert peer.connection.is_stateless is True
        assert (await peer.error("ping"))["code"] == -32601
        assert (await peer.error("initialize"))["code"] == -32601


async def test_in_the_stateless_era_every_request_must_say_its_version() -> None:
    async with Peer(make_server(), version="2026-07-28") as peer:
        await peer.result("tools/list")
        await peer.send({"jsonrpc": "2.0", "id": "bare", "method": "tools/list", "params": {}})
        answer = await peer.answer_to("bare")
        assert answer["error"]["code"] == -32602
        assert "protocolVersion" in answer["error"]["message"]


async def test_an_unknown_stateless_version_is_answered_with_those_spoken_here() -> None:
    async with Peer(make_server(), version="2999-01-01") as peer:
        error = await peer.error("server/discover")
        assert error["code"] == -32022
        assert error["data"] == {"supported": ["2026-07-28"], "requested": "2999-01-01"}


@pytest.mark.requirement(11)
async def test_every_method_of_the_handshake_era_answers() -> None:
    server = make_server()
    server.register_resource("a://b", lambda: "text", name="b")
    async with Peer(server) as peer:
        assert len((await peer.result("tools/list"))["tools"]) == 1
        assert (await peer.call("capabilities"))["structuredContent"]["client"] == "test"
        assert [one["uri"] for one in (await peer.result("resources/list"))["resources"]] == ["a://b"]
        assert (await peer.result("resources/read", uri="a://b"))["contents"][0]["text"] == "text"
        assert await peer.result("resources/subscribe", uri="a://b") == {}
        assert await peer.result("resources/unsubscribe", uri="a://b") == {}
        assert await peer.result("ping") == {}


async def test_batches_are_for_2025_03_26_alone() -> None:
    batch = [{"jsonrpc": "2.0", "id": "x", "method": "ping"}, {"jsonrpc": "2.0", "id": "y", "method": "nope"}]
    async with Peer(make_server(), version="2025-03-26") as peer:
        await peer.send(batch)
        answers = await peer.wait_for(lambda m: isinstance(m, list))
        assert answers[0] == {"jsonrpc": "2.0", "id": "x", "result": {}}
        assert answers[1]["error"]["code"] == -32601
    async with Peer(make_server(), version="2025-06-18") as peer:
        await peer.send(batch)
        refused = await peer.wait_for(lambda m: isinstance(m, dict) and m.get("id", 0) is None)
        assert refused["error"]["code"] == -32600


async def test_what_a_version_does_not_know_is_left_out() -> None:
    server = Server("old", title="Old")

    @server.tool(title="Adds", annotations={"readOnlyHint": True}, meta={"a": 1})
    def add(a: int) -> int:
        return a

    shown = {}
    for version in ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"):
        async with Peer(server, version=version) as peer:
            tool = (await peer.result("tools/list"))["tools"][0]
            result = await peer.call("add", a=3)
            shown[version] = set(tool) - {"name", "inputSchema"}, "structuredContent" in result
    assert shown["2024-11-05"] == (set(), False)
    assert shown["2025-03-26"] == ({"annotations"}, False)
    assert shown["2025-06-18"] == ({"annotations", "title", "_meta", "outputSchema"}, True)
