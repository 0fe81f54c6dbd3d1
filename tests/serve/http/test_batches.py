"""Batches (2025-03-26): each request in one has its own deadline and can be cancelled, like any other."""

from __future__ import annotations

import asyncio

from cloche import Server
from tests.support.http_client import HttpClient, message

NAMES = ["quick", "stuck", "quick"]
CALLS = [message("tools/call", {"name": name}, number) for number, name in enumerate(NAMES, 1)]


def make_server(timeout: float, started: asyncio.Event | None = None) -> Server:
    server = Server("batches", timeout=timeout)

    @server.tool
    async def quick() -> str:
        return "done"

    @server.tool
    async def stuck() -> None:
        if started is not None:
            started.set()
        await asyncio.Event().wait()

    return server


async def test_a_request_in_a_batch_keeps_its_deadline() -> None:
    app = make_server(timeout=0.05).asgi()
    session = await HttpClient(app).initialize("2025-03-26")
    answers = (await session.post(CALLS)).json
    assert [answer["id"] for answer in answers] == [1, 2, 3]
    texts = [answer["result"]["content"][0]["text"] for answer in answers]
    assert texts == ["done", "The tool did not finish within 0.05 seconds", "done"]
    await app.close()  # type: ignore[attr-defined]


async def test_a_request_in_a_batch_can_be_cancelled() -> None:
    started = asyncio.Event()
    app = make_server(timeout=20, started=started).asgi()
    session = await HttpClient(app).initialize("2025-03-26")
    call = session.open(CALLS)
    await started.wait()
    assert (await session.post(message("notifications/cancelled", {"requestId": 2}, None))).status == 202
    assert [answer["id"] for answer in (await call.answer()).json] == [1, 3]
    await app.close()  # type: ignore[attr-defined]
