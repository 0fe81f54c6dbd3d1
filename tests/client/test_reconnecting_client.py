"""A client over a transport that reconnects: what it does with a new connection that is not as good as the old one."""

from __future__ import annotations

import asyncio

import pytest

from cloche import Client, Server
from cloche.errors import TransportClosedError
from cloche.transports.base import Transport
from cloche.transports.resilience import Reconnecting
from tests.support.resilience_peers import Gate, Naps, Silent, Wires, turns, until


def noted() -> Server:
    server = Server("notes")

    @server.resource("note://{number}")
    def note(number: str) -> str:
        return f"note {number}"

    return server


@pytest.mark.parametrize("version", ["2025-11-25", "2026-07-28"])
async def test_subscribing_while_there_is_no_connection_does_not_hold_up_the_next_one(version: str) -> None:
    server, gate, heard = noted(), Gate(), []
    wires = Wires(server, greeting=False)
    async with Client(Reconnecting(wires.open, sleep=gate), version=version) as client:
        client.on_notification("notifications/resources/updated", heard.append)
        await client.subscribe_resource("note://1")
        await client.subscribe_resource("note://2")
        await wires.cut()
        subscribing = asyncio.create_task(client.subscribe_resource("note://3"))
        unsubscribing = asyncio.create_task(client.unsubscribe_resource("note://2"))
        await turns()
        assert unsubscribing.done()
        assert not subscribing.done()
        await gate.open()
        await asyncio.wait_for(subscribing, 2)
        for number in (1, 2, 3):
            server.resource_updated(f"note://{number}")
        await until(lambda: {params["uri"] for params in heard} == {"note://1", "note://3"})
    await server.close()


async def test_subscribing_to_a_client_that_is_closed_meanwhile_says_so() -> None:
    server = noted()
    wires = Wires(server, greeting=False)
    async with Client(Reconnecting(wires.open, sleep=Gate()), version="2025-11-25") as client:
        await wires.cut()
        subscribing = asyncio.create_task(client.subscribe_resource("note://1"))
        await turns()
    with pytest.raises(TransportClosedError):
        await subscribing
    await server.close()


async def test_a_new_connection_at_which_nobody_answers_is_dropped_for_another() -> None:
    server, silent, opened = Server("s"), Silent(), []
    wires = Wires(server, greeting=False)

    async def open_next() -> Transport:
        opened.append(1)
        return silent.near if len(opened) == 2 else await wires.open()

    async with Client(Reconnecting(open_next, sleep=Naps()), version="2025-11-25", timeout=0.05) as client:
        await wires.cut()
        await until(lambda: len(opened) == 3)
        assert silent.methods()[0] == "initialize"
        await client.ping()
    await server.close()
