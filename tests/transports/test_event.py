"""MCP over an event emitter: the cases that the source documents name, and what a shared bus may do to it."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from cloche import Client, Server
from cloche.errors import ConfigurationError, LocalProtocolError, TransportClosedError
from cloche.transports import EVENT_NAMES, EventTransport, SimpleEmitter, create_linked_pair

PING: dict[str, Any] = {"jsonrpc": "2.0", "id": 1, "method": "ping"}


class ForeignEmitter:
    """As other libraries write one: handlers by name, many arguments, no opinion on duplicates."""

    def __init__(self) -> None:
        self.handlers: dict[str, list[Any]] = {}

    def on(self, name: str, fn: Any) -> Any:
        self.handlers.setdefault(name, []).append(fn)
        return fn

    def off(self, name: str, fn: Any) -> None:
        self.handlers[name].remove(fn)

    def emit(self, name: str, *arguments: Any) -> bool:
        for fn in list(self.handlers.get(name, [])):
            fn(*arguments)
        return True


@pytest.mark.requirement(36, 38)
async def test_sends_messages_via_the_emitter() -> None:
    emitter, heard = SimpleEmitter(), []
    emitter.on("mcp:response", heard.append)
    await EventTransport(emitter).send(json.dumps(PING).encode())
    assert heard == [PING]


@pytest.mark.requirement(36, 38)
async def test_receives_messages_from_the_emitter() -> None:
    emitter, heard = SimpleEmitter(), []
    EventTransport(emitter).on_message(heard.append)
    emitter.emit("mcp:request", PING)
    emitter.emit("mcp:request", json.dumps(PING).encode())
    assert [json.loads(data) for data in heard] == [PING, PING]


@pytest.mark.requirement(31, 37, 38)
@pytest.mark.parametrize("make", [SimpleEmitter, ForeignEmitter])
async def test_handles_the_request_and_response_cycle(make: Any) -> None:
    emitter = make()
    server = Server("on a bus")

    @server.tool
    async def echo(text: str) -> str:
        return text

    await server.connect(EventTransport(emitter))
    async with Client(EventTransport(emitter, role="client")) as client:
        assert (await client.call_tool("echo", {"text": "hello"})).text == "hello"
    await server.close()


@pytest.mark.requirement(6, 28, 37)
async def test_two_clients_on_one_emitter_get_their_own_answers() -> None:
    """Seed 004's first example, with a second client: every end on an emitter hears every answer."""
    emitter = SimpleEmitter()
    server = Server("on a bus")

    @server.tool
    async def echo(text: str) -> str:
        await asyncio.sleep(0)
        return text

    @server.method("slow/echo")
    async def slow(params: dict[str, Any]) -> dict[str, Any]:
        await asyncio.sleep(0)
        return params

    await server.connect(EventTransport(emitter))
    async with (
        Client(EventTransport(emitter, role="client")) as one,
        Client(EventTransport(emitter, role="client")) as other,
    ):
        texts = [f"{name} {number}" for number in range(20) for name in ("one", "other")]
        calls = [(one if text.startswith("one") else other).call_tool("echo", {"text": text}) for text in texts]
        assert [result.text for result in await asyncio.gather(*calls)] == texts
    bare = [EventTransport(emitter, role="client") for _ in range(3)]
    meta = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}
    asked = [end.request("slow/echo", {"end": number, "_meta": meta}) for number, end in enumerate(bare)]
    assert [answer["end"] for answer in await asyncio.gather(*asked)] == [0, 1, 2]
    await server.close()


@pytest.mark.requirement(6)
async def test_ids_of_requests_cannot_be_guessed_and_are_never_given_twice() -> None:
    emitter, heard = SimpleEmitter(), []
    emitter.on("mcp:request", lambda message: heard.append(message["id"]))
    ends = [EventTransport(emitter, role="client") for _ in range(50)]
    asked = [asyncio.ensure_future(end.request("never")) for end in ends for _ in range(2)]
    await asyncio.sleep(0)
    assert len(set(heard)) == len(asked)
    beginnings = {str(request_id)[:22] for request_id in heard}
    assert len(beginnings) == len(ends), "128 random bits for each end"
    for end in ends:
        await end.close()
    await asyncio.gather(*asked, return_exceptions=True)


@pytest.mark.requirement(30, 38)
async def test_rejects_pending_requests_on_close() -> None:
    client, _ = create_linked_pair()
    waiting = asyncio.ensure_future(client.request("never"))
    await asyncio.sleep(0)
    await client.close()
    with pytest.raises(TransportClosedError):
        await waiting


@pytest.mark.requirement(27, 38)
async def test_unsubscribes_handlers_correctly() -> None:
    emitter: Any = ForeignEmitter()
    transport = EventTransport(emitter)
    gone: list[bytes] = []
    stays: list[bytes] = []
    unsubscribe = transport.on_message(gone.append)
    transport.on_message(stays.append)
    emitter.emit("mcp:request", PING)
    unsubscribe()
    emitter.emit("mcp:request", PING)
    assert (len(gone), len(stays)) == (1, 2)
    await transport.close()
    emitter.emit("mcp:request", PING)
    assert (len(stays), emitter.handlers) == (2, {"mcp:request": []})


@pytest.mark.requirement(33)
@pytest.mark.parametrize(
    "event",
    [{}, {"type": "other"}, "text", 5, None, [], [PING], b"bytes", {"jsonrpc": "1.0", "method": "x"}, {1: {2}}],
    ids=repr,
)
async def test_filters_by_type(event: Any) -> None:
    emitter, heard = SimpleEmitter(), []
    transport = EventTransport(emitter)
    transport.on_message(heard.append)
    emitter.emit("mcp:request", event)
    emitter.emit("another event", PING)
    assert (heard, transport.dropped) == ([], 1)
    emitter.emit("mcp:request", PING)
    assert len(heard) == 1


@pytest.mark.requirement(23)
async def test_notifications_over_an_emitter() -> None:
    client, server = create_linked_pair()
    heard: list[Any] = []
    stop = client.on_notification("notifications/resources/updated", heard.append)
    await server.notify("notifications/resources/updated", {"uri": "store://count"})
    await server.notify("notifications/tools/list_changed")
    stop()
    await server.notify("notifications/resources/updated", {"uri": "store://later"})
    assert heard == [{"uri": "store://count"}]


@pytest.mark.requirement(36)
def test_the_names_of_events() -> None:
    assert EVENT_NAMES == {"RESPONSE": "mcp:response", "REQUEST": "mcp:request"}
    server, client = EventTransport(SimpleEmitter()), EventTransport(SimpleEmitter(), role="client")
    assert (server.send_event, server.receive_event) == ("mcp:response", "mcp:request")
    assert (client.send_event, client.receive_event) == ("mcp:request", "mcp:response")
    own = EventTransport(SimpleEmitter(), send_event="out", receive_event="in")
    assert (own.send_event, own.receive_event) == ("out", "in")


def test_mistakes() -> None:
    with pytest.raises(ConfigurationError, match="hear itself"):
        EventTransport(SimpleEmitter(), send_event="same", receive_event="same")
    with pytest.raises(ConfigurationError, match="'server' or 'client'"):
        EventTransport(SimpleEmitter(), role="host")  # type: ignore[arg-type]


async def test_what_is_no_json_is_not_sent() -> None:
    with pytest.raises(LocalProtocolError, match="JSON"):
        await EventTransport(SimpleEmitter()).send(b"{")


async def test_two_servers_on_two_names_of_one_emitter() -> None:
    emitter = SimpleEmitter()
    servers = []
    for name in ("one", "two"):
        server = Server(name)
        await server.connect(EventTransport(emitter, send_event=f"{name}:out", receive_event=f"{name}:in"))
        servers.append(server)
    for name in ("one", "two"):
        transport = EventTransport(emitter, role="client", send_event=f"{name}:in", receive_event=f"{name}:out")
        async with Client(transport) as client:
            assert client.server_info is not None
            assert client.server_info.name == name
    for server in servers:
        await server.close()


@pytest.mark.requirement(31)
def test_the_simple_emitter() -> None:
    emitter, heard = SimpleEmitter(), []
    emitter.on("a", heard.append)
    emitter.on("a", heard.append)
    emitter.emit("a", 1)
    emitter.emit("b", 2)
    assert heard == [1]
    emitter.off("a", heard.append)
    emitter.off("a", heard.append)
    emitter.off("c", heard.append)
    emitter.emit("a", 3)
    assert heard == [1]

    def once(value: int) -> None:
        heard.append(value)
        emitter.off("a", once)

    emitter.on("a", once)
    emitter.on("a", heard.append)
    emitter.emit("a", 4)
    emitter.emit("a", 5)
    assert heard == [1, 4, 4, 5]
