"""The three ways to a server: its process over stdio, a web server over HTTP, and an ASGI app in this process."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import httpx2
import uvicorn

STDIO_COMMAND = [sys.executable, str(Path(__file__).with_name("everything.py"))]
STDIO_ENVIRONMENT = dict(os.environ)
ASGI_URL = "http://127.0.0.1:8000/mcp"


@contextmanager
def serving(app: Any) -> Iterator[str]:
    """A web server in a thread of its own, with the parts that people deploy; gives its origin."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        config = uvicorn.Config(
            app, http="httptools", loop="uvloop", ws="none", log_level="warning", timeout_graceful_shutdown=1
        )
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            # The socket listens already, so nobody has to wait for uvicorn.
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join()


class AsgiStream(httpx2.AsyncByteStream):
    """A response's body while the app is still writing it."""

    def __init__(self, chunks: asyncio.Queue[bytes | None], gone: asyncio.Event) -> None:
        self._chunks = chunks
        self._gone = gone

    async def __aiter__(self) -> AsyncIterator[bytes]:
        while (chunk := await self._chunks.get()) is not None:
            yield chunk

    async def aclose(self) -> None:
        self._gone.set()


class AsgiDoor(httpx2.AsyncBaseTransport):
    """Calls an ASGI app in this process and gives its answer while it comes.

    httpx2's own transport waits for the whole body, so a stream that stays open never gets through it.
    """

    def __init__(self, app: Any) -> None:
        self._app = app
        self._tasks: set[asyncio.Task[None]] = set()

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        assert isinstance(request.stream, httpx2.AsyncByteStream)
        body = b"".join([part async for part in request.stream])
        incoming = [{"type": "http.request", "body": body, "more_body": False}]
        chunks: asyncio.Queue[bytes | None] = asyncio.Queue()
        gone = asyncio.Event()
        head: asyncio.Future[tuple[int, list[tuple[bytes, bytes]]]] = asyncio.get_running_loop().create_future()

        async def receive() -> dict[str, Any]:
            if incoming:
                return incoming.pop()
            await gone.wait()
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            if message["type"] == "http.response.start":
                head.set_result((message["status"], list(message["headers"])))
            else:
                chunks.put_nowait(message.get("body", b""))
                if not message.get("more_body"):
                    chunks.put_nowait(None)

        task = asyncio.create_task(self._app(scope_of(request), receive, send))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        try:
            await asyncio.wait({task, head}, return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            gone.set()
            raise
        if not head.done():
            await task
            raise AssertionError("the app returned without an answer")
        # An app that breaks off leaves the body without an end, as a broken connection does.
        task.add_done_callback(lambda _: chunks.put_nowait(None))
        status, headers = head.result()
        return httpx2.Response(status, headers=headers, stream=AsgiStream(chunks, gone))

    async def aclose(self) -> None:
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def scope_of(request: httpx2.Request) -> dict[str, Any]:
    return {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": request.method,
        "headers": [(name.lower(), value) for name, value in request.headers.raw],
        "scheme": request.url.scheme,
        "path": request.url.path,
        "raw_path": request.url.raw_path,
        "query_string": request.url.query,
        "server": (request.url.host, request.url.port),
        "client": ("127.0.0.1", 50000),
        "root_path": "",
    }


@asynccontextmanager
async def closing(app: Any) -> AsyncIterator[Any]:
    """An app of ours, closed at the end as its web server would."""
    try:
        yield app
    finally:
        await app.close()
