"""How a client finds out what it talks to."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from cloche import Client, Server
from cloche.client import handshake
from cloche.errors import (
    ConfigurationError,
    LocalProtocolError,
    McpError,
    RemoteProtocolError,
    TransportClosedError,
    UnsupportedVersionError,
)
from cloche.transports.memory import create_memory_pair
from tests.client.foreign import OLD, ForeignServer


@pytest.mark.requirement(14, 15)
async def test_it_finds_the_newest_era_both_speak() -> None:
    async with Client(Server("new")) as client:
        assert (client.protocol_version, client.is_stateless) == ("2026-07-28", True)


@pytest.mark.requirement(14, 15)
async def test_it_falls_back_to_the_handshake() -> None:
    foreign = ForeignServer()
    async with foreign.client() as client:
        assert client.protocol_version == "2025-11-25"
        assert client.server_info is not None
        assert client.server_info.name == "foreign"
    assert foreign.methods() == ["server/discover", "initialize", "notifications/initialized"]
    asked = foreign.received[1]["params"]
    assert (asked["protocolVersion"], asked["clientInfo"]["name"]) == ("2025-11-25", "cloche")


async def test_a_server_that_never_answers_what_it_does_not_know(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(handshake, "PROBE_TIMEOUT", 0.05)
    foreign = ForeignServer(**{"server/discover": None})
    async with foreign.client() as client:
        assert client.protocol_version == "2025-11-25"
    assert "notifications/cancelled" in foreign.methods()


async def test_a_server_of_the_newest_era_that_starts_slowly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(handshake, "PROBE_TIMEOUT", 0.05)
    answers: list[Any] = [None, {"result": {"supportedVersions": ["2026-07-28"], "capabilities": {}}}]
    settled = {"error": {"code": -32600, "message": "this connection serves another era"}}
    foreign = ForeignServer(**{"server/discover": lambda _: answers.pop(0), "initialize": settled})
    async with foreign.client() as client:
        assert (client.protocol_version, client.is_stateless) == ("2026-07-28", True)


@pytest.mark.parametrize("data", [{"reason": "redirected"}, {"status": 401}, {"status": 403}], ids=repr)
async def test_no_handshake_with_nobody(data: dict[str, Any]) -> None:
    foreign = ForeignServer(**{"server/discover": {"error": {"code": -32000, "message": "no", "data": data}}})
    with pytest.raises(McpError, match="no"):
        async with foreign.client():
            pass
    assert foreign.methods() == ["server/discover"]


@pytest.mark.parametrize(
    ("supported", "spoken"),
    [
        (["2026-07-28"], "2026-07-28"),
        (["2031-01-01", "2026-07-28", "2025-06-18"], "2026-07-28"),
        (["2024-11-05", "2025-06-18", "2031-01-01"], "2025-06-18"),
        (None, "2025-11-25"),
    ],
    ids=str,
)
async def test_a_refused_version_is_followed_by_one_that_the_server_named(
    supported: list[str] | None, spoken: str
) -> None:
    data = {} if supported is None else {"supported": supported, "requested": "2026-07-28"}
    refusal = {"error": {"code": -32022, "message": "Unsupported protocol version", "data": data}}
    found = {"result": {"supportedVersions": ["2026-07-28"], "capabilities": {}}}
    answers: list[Any] = [refusal, found]
    foreign = ForeignServer(
        **{
            "server/discover": lambda _: answers.pop(0),
            "initialize": lambda params: {"result": {**OLD, "protocolVersion": params["protocolVersion"]}},
        }
    )
    async with foreign.client() as client:
        assert client.protocol_version == spoken


async def test_versions_that_are_none_of_ours_are_an_error_and_a_second_refusal_is_the_last() -> None:
    for supported, asked in ((["2031-01-01", 7], 1), (["2026-07-28"], 2)):
        data = {"supported": supported}
        foreign = ForeignServer(**{"server/discover": {"error": {"code": -32022, "message": "no", "data": data}}})
        with pytest.raises(UnsupportedVersionError):
            async with foreign.client():
                pass
        assert foreign.methods() == ["server/discover"] * asked


async def test_a_server_of_a_later_stateless_version_only() -> None:
    later = {"result": {"supportedVersions": ["2031-01-01"], "capabilities": {}}}
    foreign = ForeignServer(**{"server/discover": later, "initialize": {"error": {"code": -32601, "message": "no"}}})
    with pytest.raises(UnsupportedVersionError):
        async with foreign.client(version="2026-07-28"):
            pass


async def test_a_server_whose_handshake_ends_elsewhere() -> None:
    foreign = ForeignServer(initialize={"result": {**OLD, "protocolVersion": "1999-01-01"}})
    with pytest.raises(RemoteProtocolError, match="1999-01-01"):
        async with foreign.client():
            pass
    assert not foreign.client_end.is_connected


@pytest.mark.parametrize("result", [{}, {"protocolVersion": 5}, [], None, "text"], ids=repr)
async def test_a_malformed_handshake(result: Any) -> None:
    foreign = ForeignServer(initialize={"result": result})
    with pytest.raises(RemoteProtocolError, match="initialize is malformed"):
        async with foreign.client(version="2025-11-25"):
            pass


async def test_the_version_can_be_named() -> None:
    server = Server("both")
    for version in ("2024-11-05", "2025-03-26", "2026-07-28"):
        async with Client(server, version=version) as client:
            assert client.protocol_version == version
    with pytest.raises(ConfigurationError, match="use one of"):
        Client(server, version="2020-01-01")


async def test_what_is_asked_before_it_is_connected() -> None:
    client = Client(Server("later"))
    assert not client.is_connected
    with pytest.raises(LocalProtocolError, match="async with"):
        await client.list_tools()
    with pytest.raises(LocalProtocolError, match="async with"):
        _ = client.protocol_version
    await client.close()


async def test_a_client_connects_once() -> None:
    client = Client(Server("once"))
    async with client:
        with pytest.raises(LocalProtocolError, match="make a new one"):
            await client.connect()
    with pytest.raises(TransportClosedError):
        await client.list_tools()


@pytest.mark.parametrize("target", ["example.com/mcp", "ftp://example.com", [], [1], None, 5], ids=repr)
async def test_what_is_no_server(target: Any) -> None:
    with pytest.raises(ConfigurationError, match="a command as a list"):
        async with Client(target):
            pass


async def test_a_closed_transport() -> None:
    ours, theirs = create_memory_pair()
    await theirs.close()
    with pytest.raises(TransportClosedError):
        async with Client(ours):
            pass


# A server in the same process


async def test_the_last_client_closes_a_server_that_nobody_else_uses() -> None:
    events: list[str] = []

    @asynccontextmanager
    async def lifespan(_: Any) -> AsyncIterator[str]:
        events.append("opened")
        yield "state"
        events.append("closed")

    server = Server("shared", lifespan=lifespan)

    @server.tool
    async def hello() -> str:
        return "hello"

    async with Client(server) as first:
        await first.call_tool("hello")
        async with Client(server) as second:
            await second.call_tool("hello")
        assert events == ["opened"]
        await first.call_tool("hello")
    assert events == ["opened", "closed"]
    async with Client(server) as third:
        await third.call_tool("hello")
    assert events == ["opened", "closed"] * 2


async def test_a_server_in_use_goes_on_without_the_client() -> None:
    events: list[str] = []

    @asynccontextmanager
    async def lifespan(_: Any) -> AsyncIterator[str]:
        yield "state"
        events.append("closed")

    server = Server("busy", lifespan=lifespan)

    @server.tool
    async def hello() -> str:
        return "hello"

    ours, theirs = create_memory_pair()
    await server.connect(theirs)
    async with Client(ours) as other:
        await other.call_tool("hello")
        async with Client(server) as client:
            await client.call_tool("hello")
        assert events == []
        assert (await other.call_tool("hello")).text == "hello"
    await server.close()
    assert events == ["closed"]


async def test_a_lifespan_that_fails_is_told() -> None:
    @asynccontextmanager
    async def lifespan(_: Any) -> AsyncIterator[None]:
        raise RuntimeError("no database")
        yield

    with pytest.raises(McpError):
        async with Client(Server("broken", lifespan=lifespan), version="2026-07-28"):
            pass
