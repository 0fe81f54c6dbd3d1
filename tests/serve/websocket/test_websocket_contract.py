"""The contract of transports, with both ends of a WebSocket in this process and a real socket between them."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
import uvicorn

from cloche.serve.websocket import WebSocketServerTransport
from cloche.testing.behaviour import CONTRACT, name_of, run_case
from cloche.transports.requests import RequestTransport
from cloche.transports.websocket.client import WebSocketTransport

LIMIT = 4 * 1024 * 1024


@asynccontextmanager
async def websocket() -> AsyncIterator[tuple[RequestTransport, RequestTransport]]:
    """Both ends; nothing but the transport speaks at the server's."""
    arrived: asyncio.Future[WebSocketServerTransport] = asyncio.get_running_loop().create_future()

    async def app(scope: Any, receive: Any, send: Any) -> None:
        assert scope["type"] == "websocket"
        await receive()
        await send({"type": "websocket.accept", "subprotocol": "mcp"})
        transport = WebSocketServerTransport(receive, send, limit=LIMIT)
        arrived.set_result(transport)
        await transport.run()
        transport.ended()

    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        server = uvicorn.Server(uvicorn.Config(app, log_level="warning", lifespan="off"))
        serving = asyncio.create_task(server._serve([sock]))  # `serve` would take the signals of the test run
        client = await WebSocketTransport.connect(f"ws://127.0.0.1:{await port_of(server, sock)}/", limit=LIMIT)
        try:
            yield client, await arrived
        finally:
            await client.close()
            server.should_exit = True
            await serving


async def port_of(server: uvicorn.Server, sock: socket.socket) -> int:
    while not server.started:  # noqa: ASYNC110  (uvicorn has no event for it)
        await asyncio.sleep(0)
    port: int = sock.getsockname()[1]
    return port


@pytest.mark.requirement(27, 28, 29, 30)
@pytest.mark.parametrize("case", CONTRACT, ids=name_of)
async def test_the_contract(case: Any) -> None:
    await run_case(case, websocket)
