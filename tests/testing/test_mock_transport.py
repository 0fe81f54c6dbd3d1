"""`MockTransport`: both ends of a connection in the hands of the test."""

from __future__ import annotations

import asyncio

import pytest

from cloche import Client, McpError, Server
from cloche.errors import TransportClosedError
from cloche.testing import MockTransport


@pytest.mark.requirement(190)
async def test_a_client_is_answered_by_the_test() -> None:
    transport = MockTransport()
    client = Client(transport, version="2025-11-25")
    connecting = asyncio.create_task(client.connect())
    hello = await transport.wait_for_message()
    assert hello["method"] == "initialize"
    info = {"name": "played", "version": "1"}
    result = {"protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": info}
    transport.simulate_message({"jsonrpc": "2.0", "id": hello["id"], "result": result})
    await connecting
    assert (await transport.wait_for_message())["method"] == "notifications/initialized"
    calling = asyncio.create_task(client.call_tool("add"))
    call = await transport.wait_for_message()
    transport.simulate_message({"jsonrpc": "2.0", "id": call["id"], "error": {"code": -32602, "message": "no"}})
    with pytest.raises(McpError, match="no"):
        await calling
    assert [message["method"] for message in transport.sent_messages] == [
        "initialize",
        "notifications/initialized",
        "tools/call",
    ]
    await client.close()


async def test_a_server_hears_what_the_test_says_even_nonsense() -> None:
    transport, server = MockTransport(), Server("mute")
    await server.connect(transport)
    transport.simulate_message(b"{nonsense")
    assert (await transport.wait_for_message())["error"]["code"] == -32700
    transport.simulate_message('{"jsonrpc": "2.0", "id": 7, "method": "ping"}')
    assert await transport.wait_for_message() == {"jsonrpc": "2.0", "id": 7, "result": {}}
    await server.close()


async def test_an_end_from_the_other_side_rejects_what_waits() -> None:
    transport = MockTransport()
    asking = asyncio.create_task(transport.request("ping"))
    await transport.wait_for_message()
    transport.simulate_close()
    with pytest.raises(TransportClosedError):
        await asking
    with pytest.raises(TransportClosedError):
        await transport.send(b"{}")


async def test_a_message_that_is_not_sent_is_not_waited_for_long() -> None:
    with pytest.raises(TimeoutError):
        await MockTransport().wait_for_message(timeout=0.01)
