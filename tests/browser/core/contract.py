"""The contract of transports over a MessageChannel, and what the adapter says of mistakes. Run in the browser only."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from cloche import Client, McpError, Server
from cloche.errors import LocalProtocolError
from cloche.testing.behaviour import CONTRACT, name_of, run_case
from cloche.transports import BrowserTransport, PortTransport, TabServerTransport
from tests.browser.core.ports import ends


@pytest.mark.parametrize("case", CONTRACT, ids=name_of)
async def test_the_contract(case: Any) -> None:
    await run_case(case, ends)


async def test_what_is_no_json_is_not_sent() -> None:
    async with ends() as (client, _):
        with pytest.raises(LocalProtocolError, match="A message is JSON"):
            await client.send(b"{")


async def test_an_answer_that_the_page_does_not_carry_is_an_error_in_its_place() -> None:
    """A key that poisons objects is refused on the way there, and on the way back nobody waits in vain."""
    server = Server("poison")

    @server.tool
    async def poison(value: dict[str, int]) -> dict[str, int]:
        return {"__proto__": 1}

    async with ends() as (ours, theirs):
        await server.connect(theirs)
        async with Client(ours) as client:
            with pytest.raises(LocalProtocolError, match="__proto__ is not a name"):
                await client.call_tool("poison", {"value": {"__proto__": 1}})
            with pytest.raises(McpError, match=r"cannot cross to the page: .*__proto__ is not a name"):
                await client.call_tool("poison", {"value": {}})
        await server.close()


async def test_nothing_is_left_behind_in_the_page_when_it_ends() -> None:
    async with ends() as (client, server):
        assert (len(client._proxies), len(server._proxies)) == (2, 2)
        gone = asyncio.Event()
        server.on_close(gone.set)
        await client.close()
        await asyncio.wait_for(gone.wait(), 10)
        assert not client.line.isConnected
        assert not server.line.isConnected
        await asyncio.sleep(0.05)  # what the page may be in the middle of calling is let go a moment later
        assert client._proxies == server._proxies == []


async def test_any_transport_of_the_page_is_taken() -> None:
    """One that JavaScript made, with the options that it was made with."""
    import js
    from cloche_web import PortTransport as PagePortTransport

    channel = js.MessageChannel.new()
    ours = BrowserTransport(PagePortTransport.new(channel.port1))
    theirs = PortTransport(channel.port2, message_type="mcp")
    heard: list[bytes] = []
    arrived = asyncio.Event()
    theirs.on_message(lambda data: (heard.append(data), arrived.set()))
    await ours.send(b'{"jsonrpc":"2.0","method":"notifications/x","params":{"nothing":null}}')
    await asyncio.wait_for(arrived.wait(), 10)
    assert heard == [b'{"jsonrpc":"2.0","method":"notifications/x","params":{"nothing":null}}']
    await ours.close()


def test_what_an_older_page_does_not_have_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys
    from types import ModuleType

    from cloche.errors import ConfigurationError

    monkeypatch.setitem(sys.modules, "cloche_web", ModuleType("cloche_web"))
    with pytest.raises(ConfigurationError, match="have no TabServerTransport"):
        TabServerTransport(channel_name="x")
