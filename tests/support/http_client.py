"""The smallest HTTP client for an ASGI app in the same process: nothing between the test and what the app sees.

It sends headers as they are given (twice, malformed, missing), and lets a test hold back the body, stop reading, or
hang up.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, MutableMapping
from contextlib import asynccontextmanager
from itertools import count
from typing import Any

MODERN = "2026-07-28"
LEGACY = "2025-11-25"
META = "io.modelcontextprotocol/"
PORT = 8000
HOST = (b"host", b"127.0.0.1:8000")
DEADLINE = 20.0

Headers = Iterable[tuple[bytes, bytes]]
App = Callable[..., Awaitable[None]]


def message(method: str, params: Any = None, request_id: Any = 1) -> dict[str, Any]:
    """A request; a notification when the id is None."""
    built: dict[str, Any] = {"jsonrpc": "2.0", "method": method}
    if request_id is not None:
        built["id"] = request_id
    if params is not None:
        built["params"] = params
    return built


def modern(method: str, params: dict[str, Any] | None = None, request_id: Any = 1, **meta: Any) -> dict[str, Any]:
    """A request of 2026-07-28, with what its `_meta` must have."""
    whole = {META + "protocolVersion": MODERN, META + "clientCapabilities": {}, **meta}
    return message(method, {**(params or {}), "_meta": whole}, request_id)


def modern_headers(body: dict[str, Any]) -> list[tuple[bytes, bytes]]:
    """The headers that repeat parts of a request of 2026-07-28."""
    headers = [(b"mcp-protocol-version", MODERN.encode()), (b"mcp-method", body["method"].encode())]
    params = body.get("params", {})
    name = params.get("uri") if body["method"] == "resources/read" else params.get("name")
    if isinstance(name, str):
        headers.append((b"mcp-name", name.encode()))
    return headers


class Answer:
    """What came back."""

    def __init__(self, status: int, headers: list[tuple[bytes, bytes]], body: bytes) -> None:
        self.status = status
        self.raw_headers = headers
        self.headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in headers}
        self.body = body

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def error(self) -> dict[str, Any]:
        found: dict[str, Any] = self.json["error"]
        return found

    @property
    def result(self) -> dict[str, Any]:
        assert "result" in self.json, self.json
        found: dict[str, Any] = self.json["result"]
        return found

    @property
    def text(self) -> str:
        """The text of a tool's answer."""
        found: str = self.result["content"][0]["text"]
        return found

    @property
    def events(self) -> list[Any]:
        """The messages of a stream."""
        lines = self.body.split(b"\n")
        return [json.loads(line[6:]) for line in lines if line.startswith(b"data: ")]

    def __repr__(self) -> str:
        return f"<{self.status} {self.body[:300]!r}>"


class Call:
    """One request on its way through the app."""

    def __init__(self, app: App, scope: dict[str, Any], parts: Iterable[bytes] = ()) -> None:
        self._inbox: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._changed = asyncio.Event()
        self._reading = asyncio.Event()
        self._reading.set()
        self.status = 0
        self.headers: list[tuple[bytes, bytes]] = []
        self.body = b""
        self.complete = False
        self.task = asyncio.ensure_future(app(scope, self._receive, self._send))
        self.task.add_done_callback(lambda _: self._changed.set())
        for part in parts:
            self.feed(part, more=True)

    async def _receive(self) -> dict[str, Any]:
        return await self._inbox.get()

    async def _send(self, event: MutableMapping[str, Any]) -> None:
        await self._reading.wait()
        if event["type"] == "http.response.start":
            assert not self.status, "the app answered twice"
            self.status, self.headers = event["status"], list(event["headers"])
        else:
            assert self.status, "a body before its head"
            assert not self.complete, "the app went on after its answer"
            self.body += event.get("body", b"")
            self.complete = not event.get("more_body", False)
        self._changed.set()

    def feed(self, part: bytes, *, more: bool = False) -> None:
        """Send a part of the body."""
        self._inbox.put_nowait({"type": "http.request", "body": part, "more_body": more})

    def hang_up(self) -> None:
        self._inbox.put_nowait({"type": "http.disconnect"})

    def stop_reading(self) -> None:
        """From now on nothing more is taken, as when the client's buffers are full."""
        self._reading.clear()

    def go_on_reading(self) -> None:
        self._reading.set()

    async def until(self, condition: Callable[[], Any]) -> None:
        """Wait until something came that makes the condition true, or the app returned."""
        async with asyncio.timeout(DEADLINE):
            while not condition():
                if self.task.done():
                    await self.task
                    raise AssertionError(f"the app returned before that: {self.status} {self.body[:300]!r}")
                self._changed.clear()
                await self._changed.wait()

    async def events(self, number: int) -> list[Any]:
        """The first so many messages of the stream."""
        await self.until(lambda: self.body.count(b"\ndata: ") >= number and self.body.endswith(b"\n\n"))
        return Answer(self.status, self.headers, self.body).events[:number]

    async def answer(self) -> Answer:
        """The whole answer, which may be there before the app returns."""
        async with asyncio.timeout(DEADLINE):
            while not (self.complete or self.task.done()):
                self._changed.clear()
                await self._changed.wait()
            for _ in range(10):
                await asyncio.sleep(0)
                if self.task.done():
                    await self.task
                    break
        assert self.status, "the app did not answer"
        return Answer(self.status, self.headers, self.body)


class HttpClient:
    """Speaks to an app as a server that listens on 127.0.0.1:8000 would hand requests to it."""

    def __init__(self, app: App, *, path: str = "/mcp", headers: Headers = (), port: int | None = PORT) -> None:
        self.app = app
        self.path = path
        self.port = port
        self.own = list(headers)
        self.ids = count(1)

    def scope(self, method: str, headers: Headers, path: str | None = None) -> dict[str, Any]:
        return {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.4"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": path or self.path,
            "raw_path": (path or self.path).encode(),
            "query_string": b"",
            "root_path": "",
            "headers": list(headers),
            "client": ("127.0.0.1", 50000),
            "server": ("127.0.0.1", self.port) if self.port is not None else None,
            "state": {},
        }

    def start(self, method: str, headers: Headers, parts: Iterable[bytes] = (), path: str | None = None) -> Call:
        """A request with exactly these headers, whose body is still to be completed."""
        return Call(self.app, self.scope(method, headers, path), parts)

    async def raw(self, method: str, headers: Headers, body: bytes = b"", path: str | None = None) -> Answer:
        """A request with exactly these headers."""
        call = self.start(method, headers, path=path)
        call.feed(body)
        return await call.answer()

    def headers(self, *extra: tuple[bytes, bytes]) -> list[tuple[bytes, bytes]]:
        """The headers a good client sends, with some replaced."""
        usual = [
            HOST,
            (b"content-type", b"application/json"),
            (b"accept", b"application/json, text/event-stream"),
            *self.own,
        ]
        replaced = {name for name, _ in extra}
        return [*(pair for pair in usual if pair[0] not in replaced), *extra]

    async def post(self, body: Any, *extra: tuple[bytes, bytes]) -> Answer:
        """POST a message; dicts and lists become JSON."""
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        return await self.raw("POST", self.headers(*extra), data)

    def open(self, body: Any, *extra: tuple[bytes, bytes]) -> Call:
        """POST a message and do not wait for the answer."""
        call = self.start("POST", self.headers(*extra))
        call.feed(body if isinstance(body, bytes) else json.dumps(body).encode())
        return call

    async def modern(self, method: str, params: dict[str, Any] | None = None, *extra: tuple[bytes, bytes]) -> Answer:
        """A request of 2026-07-28."""
        body = modern(method, params, next(self.ids))
        return await self.post(body, *modern_headers(body), *extra)

    async def call(self, tool: str, **arguments: Any) -> Answer:
        """A tool call of 2026-07-28."""
        return await self.modern("tools/call", {"name": tool, "arguments": arguments})

    async def initialize(self, version: str = LEGACY, capabilities: Any = None, *extra: tuple[bytes, bytes]) -> Legacy:
        """A session of the handshake era."""
        info = {"name": "test", "version": "1"}
        params = {"protocolVersion": version, "capabilities": capabilities or {}, "clientInfo": info}
        answer = await self.post(message("initialize", params, next(self.ids)), *extra)
        assert answer.status == 200, answer
        session = Legacy(self, answer.headers["mcp-session-id"], answer.result["protocolVersion"], extra)
        assert (await session.post(message("notifications/initialized", None, None))).status == 202
        return session


class Legacy:
    """A session of the handshake era."""

    def __init__(self, client: HttpClient, session_id: str, version: str, extra: Headers = ()) -> None:
        self.client = client
        self.id = session_id
        self.own = [(b"mcp-session-id", session_id.encode()), (b"mcp-protocol-version", version.encode()), *extra]

    async def post(self, body: Any, *extra: tuple[bytes, bytes]) -> Answer:
        return await self.client.post(body, *self.own, *extra)

    async def request(self, method: str, params: Any = None) -> Answer:
        return await self.post(message(method, params, next(self.client.ids)))

    async def call(self, tool: str, **arguments: Any) -> Answer:
        return await self.request("tools/call", {"name": tool, "arguments": arguments})

    def open(self, body: Any) -> Call:
        return self.client.open(body, *self.own)

    def get(self, *extra: tuple[bytes, bytes]) -> Call:
        """Open the session's stream."""
        call = self.client.start("GET", self.client.headers(*self.own, *extra))
        call.feed(b"")
        return call

    async def delete(self) -> Answer:
        return await self.client.raw("DELETE", self.client.headers(*self.own))


@asynccontextmanager
async def streaming(call: Call) -> AsyncIterator[Call]:
    """A stream that the client leaves at the end."""
    try:
        await call.until(lambda: call.body)
        yield call
    finally:
        call.hang_up()
        call.go_on_reading()
        async with asyncio.timeout(DEADLINE):
            await asyncio.gather(call.task, return_exceptions=True)
