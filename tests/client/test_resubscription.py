"""A client over `Reconnecting`: greeted again, subscribed again, whatever is lost on the way, and never stuck."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable
from typing import Any

import pytest

from cloche import Client, Server
from cloche.client.base import RESTORE_ATTEMPTS
from cloche.errors import McpError, TransportClosedError
from cloche.transports.base import Transport
from cloche.transports.memory import MemoryTransport, create_memory_pair
from cloche.transports.resilience import Reconnecting, ResourceSubscriptions
from cloche.wire.messages import encode_error

URI = "test://state"
DEADLINE = 5.0
eras = pytest.mark.parametrize("version", ["2025-11-25", "2026-07-28"])


class Wires:
    """Connections to a server that can be cut, and on which chosen messages of the client are lost."""

    def __init__(self) -> None:
        self.server = make_server()
        self.lose: Callable[[int, bytes], bool] = lambda connection, data: False
        """Whether a message of the client on the connection with this number is lost."""
        self.refuse: Callable[[int, bytes], bool] = lambda connection, data: False
        """Whether it is answered with an error."""
        self.opened: list[MemoryTransport] = []
        self.gate = asyncio.Event()
        self.gate.set()

    async def open(self) -> Transport:
        await self.gate.wait()
        ours, theirs = create_memory_pair()
        await self.server.connect(theirs)
        self.opened.append(theirs)
        return Filtered(ours, self, len(self.opened) - 1)

    async def cut(self) -> None:
        await self.opened[-1].close()

    def client(self, version: str, timeout: float = 0.1) -> Client:
        return Client(Reconnecting(self.open, base_delay=0.001), version=version, timeout=timeout)


class Filtered(MemoryTransport):
    """The client's end, which loses what it is told to."""

    def __init__(self, inner: MemoryTransport, wires: Wires, number: int) -> None:
        super().__init__()
        self._inner, self._wires, self._number = inner, wires, number
        inner.on_message(self.deliver)
        inner.on_close(self.ended)

    async def send(self, data: bytes) -> None:
        if self._wires.refuse(self._number, data):
            self.deliver(encode_error(json.loads(data)["id"], McpError("not now", code=-32000)))
        elif not self._wires.lose(self._number, data):
            await self._inner.send(data)

    async def close(self) -> None:
        await self._inner.close()


def make_server() -> Server:
    server = Server("restored")
    state = {"value": 0}

    @server.resource(URI)
    async def read() -> str:
        return str(state["value"])

    @server.tool
    async def publish(value: int) -> int:
        state["value"] = value
        server.resource_updated(URI)
        return value

    @server.tool
    async def flip() -> str:
        server.register_tool(publish, name="another")
        server.remove_tool("another")
        return ""

    return server


async def reconnected(client: Client) -> asyncio.Event:
    event = asyncio.Event()
    client.on_reconnected(event.set)
    return event


@eras
async def test_a_greeting_that_is_lost_is_made_on_another_connection(version: str) -> None:
    wires = Wires()
    wires.lose = lambda connection, data: connection == 1 and (b"initialize" in data or b"discover" in data)
    async with wires.client(version) as client:
        back = await reconnected(client)
        await wires.cut()
        await asyncio.wait_for(back.wait(), DEADLINE)
        assert (await client.call_tool("publish", {"value": 1})).data == 1
        assert len(wires.opened) == 3
    await wires.server.close()


@eras
async def test_a_subscription_that_is_lost_on_the_new_connection_is_made_on_another(version: str) -> None:
    wires = Wires()
    wires.lose = lambda connection, data: connection == 1 and (b"resources/subscribe" in data or b"listen" in data)
    async with wires.client(version) as client:
        heard: asyncio.Queue[Any] = asyncio.Queue()
        client.on_notification("notifications/resources/updated", heard.put_nowait)
        await client.subscribe_resource(URI)
        back = await reconnected(client)
        await wires.cut()
        await asyncio.wait_for(back.wait(), DEADLINE)
        await client.call_tool("publish", {"value": 2})
        assert (await asyncio.wait_for(heard.get(), DEADLINE))["uri"] == URI
    await wires.server.close()


@eras
async def test_a_server_that_refuses_the_greeting_once_is_tried_again(version: str) -> None:
    wires = Wires()
    wires.refuse = lambda connection, data: connection == 1 and b'"id"' in data
    async with wires.client(version) as client:
        back = await reconnected(client)
        await wires.cut()
        await asyncio.wait_for(back.wait(), DEADLINE)
        assert client.is_connected
    await wires.server.close()


@eras
async def test_a_server_that_always_refuses_the_greeting_ends_the_client(
    version: str, caplog: pytest.LogCaptureFixture
) -> None:
    wires = Wires()
    wires.refuse = lambda connection, data: connection > 0 and b'"id"' in data
    async with wires.client(version) as client:
        over = asyncio.Event()
        client.on_close(over.set)
        with caplog.at_level(logging.ERROR):
            await wires.cut()
            with pytest.raises(TransportClosedError):
                await client.call_tool("publish", {"value": 1}, timeout=DEADLINE)
        await asyncio.wait_for(over.wait(), DEADLINE)
        assert len(wires.opened) == 1 + RESTORE_ATTEMPTS
        assert [record.levelname for record in caplog.records] == ["ERROR"]
    await wires.server.close()


@eras
async def test_a_subscription_that_is_made_while_there_is_no_connection_waits_for_one(version: str) -> None:
    wires = Wires()
    async with wires.client(version, timeout=30.0) as client:
        heard: asyncio.Queue[Any] = asyncio.Queue()
        client.on_notification("notifications/resources/updated", heard.put_nowait)
        wires.gate.clear()
        await wires.cut()
        subscribing = asyncio.ensure_future(client.subscribe_resource(URI))
        await asyncio.sleep(0)
        wires.gate.set()
        await asyncio.wait_for(subscribing, DEADLINE)
        await client.call_tool("publish", {"value": 3})
        assert (await asyncio.wait_for(heard.get(), DEADLINE))["uri"] == URI
    await wires.server.close()


@eras
async def test_an_unsubscription_while_there_is_no_connection_is_kept(version: str) -> None:
    wires = Wires()
    async with wires.client(version, timeout=30.0) as client:
        heard: list[Any] = []
        client.on_notification("notifications/resources/updated", heard.append)
        await client.subscribe_resource(URI)
        wires.gate.clear()
        await wires.cut()
        leaving = asyncio.ensure_future(client.unsubscribe_resource(URI))
        await asyncio.sleep(0)
        wires.gate.set()
        await asyncio.wait_for(leaving, DEADLINE)
        await client.call_tool("publish", {"value": 3})
        await client.ping()
        assert heard == []
    await wires.server.close()


async def test_a_resource_that_is_refused_on_the_new_connection_is_told_and_ends_nothing_else() -> None:
    wires = Wires()
    async with wires.client("2025-11-25") as client, ResourceSubscriptions(client) as subscriptions:
        errors: asyncio.Queue[Exception] = asyncio.Queue()
        await subscriptions.subscribe(URI, lambda *_: None, errors.put_nowait)
        wires.refuse = lambda connection, data: b"resources/subscribe" in data
        await wires.cut()
        assert str(await asyncio.wait_for(errors.get(), DEADLINE)) == "not now"
        assert (await client.call_tool("publish", {"value": 4})).data == 4
        assert len(wires.opened) == 2
    await wires.server.close()


async def test_a_changed_list_is_heard_of_also_when_the_first_stream_was_lost() -> None:
    wires = Wires()
    lost: list[bytes] = []

    def lose(_: int, data: bytes) -> bool:
        if b"subscriptions/listen" not in data or lost:
            return False
        lost.append(data)
        return True

    wires.lose = lose
    async with wires.client("2026-07-28") as client:
        back = await reconnected(client)
        changed = asyncio.Event()
        client.on_notification("notifications/tools/list_changed", lambda _: changed.set())
        await asyncio.wait_for(back.wait(), DEADLINE)
        await client.call_tool("flip")
        await asyncio.wait_for(changed.wait(), DEADLINE)
    await wires.server.close()


@eras
async def test_a_first_connection_that_is_lost_during_the_greeting_is_told_at_once(version: str) -> None:
    wires = Wires()
    greeted = asyncio.Event()

    def lose(_: int, data: bytes) -> bool:
        greeted.set()
        return True

    wires.lose = lose
    client = wires.client(version, timeout=30.0)
    connecting = asyncio.ensure_future(client.connect())
    await asyncio.wait_for(greeted.wait(), DEADLINE)
    await wires.cut()
    with pytest.raises(TransportClosedError):
        await asyncio.wait_for(connecting, DEADLINE)
    assert not client.is_connected
    await wires.server.close()
