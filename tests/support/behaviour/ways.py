"""Every way from a client to the reference server, for our client and for the official one."""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx2
from mcp import StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

from cloche.testing.behaviour import Link, connect, reference_server
from cloche.transports import WebSocketTransport, create_memory_pair
from tests.support.behaviour.in_process import Way, event, memory
from tests.support.behaviour.listening import listening
from tests.support.behaviour.official import bridged, connect_official

COMMAND = [sys.executable, "-m", "cloche.testing.behaviour"]


@asynccontextmanager
async def stdio(version: str | None) -> AsyncIterator[Link]:
    async with connect(COMMAND, version=version) as link:
        yield link


@asynccontextmanager
async def websocket(version: str | None) -> AsyncIterator[Link]:
    async with (
        listening(reference_server().websocket(path="/mcp")) as address,
        connect(f"ws://{address}/mcp", version=version) as link,
    ):
        yield link


@asynccontextmanager
async def http(version: str | None) -> AsyncIterator[Link]:
    async with (
        listening(reference_server().asgi(path="/mcp")) as address,
        connect(f"http://{address}/mcp", version=version) as link,
    ):
        yield link


@asynccontextmanager
async def http_without_sessions(version: str | None) -> AsyncIterator[Link]:
    async with (
        listening(reference_server().asgi(path="/mcp", sessionless=True)) as address,
        connect(f"http://{address}/mcp", version=version, keeps_sessions=False) as link,
    ):
        yield link


WAYS: list[Way] = [memory, event, stdio, websocket, http, http_without_sessions]


@asynccontextmanager
async def official_memory(mode: str | None) -> AsyncIterator[Link]:
    ours, theirs = create_memory_pair()
    server = reference_server()
    await server.connect(theirs)
    async with connect_official(bridged(ours), str(mode)) as link:
        yield link
    await server.close()


@asynccontextmanager
async def official_stdio(mode: str | None) -> AsyncIterator[Link]:
    parameters = StdioServerParameters(command=COMMAND[0], args=COMMAND[1:], env=dict(os.environ))
    async with connect_official(parameters, str(mode)) as link:
        yield link


@asynccontextmanager
async def official_websocket(mode: str | None) -> AsyncIterator[Link]:
    async with listening(reference_server().websocket(path="/mcp")) as address:
        transport = await WebSocketTransport.connect(f"ws://{address}/mcp")
        async with connect_official(bridged(transport), str(mode)) as link:
            yield link


@asynccontextmanager
async def official_http(mode: str | None) -> AsyncIterator[Link]:
    async with (
        listening(reference_server().asgi(path="/mcp")) as address,
        httpx2.AsyncClient(verify=False) as client,
        connect_official(streamable_http_client(f"http://{address}/mcp", http_client=client), str(mode)) as link,
    ):
        yield link


@asynccontextmanager
async def official_http_without_sessions(mode: str | None) -> AsyncIterator[Link]:
    async with (
        listening(reference_server().asgi(path="/mcp", sessionless=True)) as address,
        httpx2.AsyncClient(verify=False) as client,
        connect_official(
            streamable_http_client(f"http://{address}/mcp", http_client=client), str(mode), keeps_sessions=False
        ) as link,
    ):
        yield link


OFFICIAL_WAYS: list[Way] = [
    official_memory,
    official_stdio,
    official_websocket,
    official_http,
    official_http_without_sessions,
]
