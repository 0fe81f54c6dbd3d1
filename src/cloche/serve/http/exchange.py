"""One request over HTTP: how it reaches its client, and how its answer becomes JSON or a stream.

An answer is JSON until something has to be said before it: then the response turns into a stream of events. In the
handshake era a client that loses the stream may come back for it, so its disconnection ends nothing; in the stateless
era hanging up is how a client cancels.
"""

from __future__ import annotations

import asyncio
from asyncio import current_task
from typing import TYPE_CHECKING, Any

from msgspec import UNSET, Raw

from cloche.errors import MCP_ERROR_CODES, ForbiddenError, NoBackChannelError
from cloche.serve.http.sse import KEEPALIVE, SSE_HEADERS, SseStream, frame, priming
from cloche.serve.replies import JSON, reply
from cloche.server.exchange import DISCONNECTED, TIMEOUT, Exchange
from cloche.server.intake import Caller, take_up
from cloche.server.subscriptions import Stream

if TYPE_CHECKING:
    from cloche.asgi import Headers, Receive, Scope, Send
    from cloche.serve.http.app import HttpApp
    from cloche.serve.http.sessions import HttpSession
    from cloche.server.engine import Engine
    from cloche.wire.messages import Message

STATUS = {
    **dict.fromkeys((-32700, -32600, -32602, -32020, -32021, -32022), 400),
    MCP_ERROR_CODES["METHOD_NOT_FOUND"]: 404,
}
"""HTTP status of an error in the stateless era; others are 200."""

HANDSHAKE_STATUS = {-32020: 400}
"""In the handshake era only headers that contradict the message are an error of HTTP."""

NO_CONTENT = {"type": "http.response.body", "body": b"", "more_body": False}


class HttpExchange(Exchange):
    """A POST that carries a request."""

    __slots__ = ("app", "done", "headers", "receive", "request_headers", "scope", "send", "started", "watcher")

    session: HttpSession | None
    watcher: asyncio.Task[None] | None
    """What notices when the client hangs up."""
    accepts_events = True
    connected = True
    stream: SseStream | None = None
    """Where events go: the listen stream, or the GET stream a client came back with."""
    stream_name: str | None = None
    silent_since = 0.0
    writing_until: float | None = None
    """When to give up on a client that does not read the answer."""

    def __init__(
        self,
        app: HttpApp,
        loop: asyncio.AbstractEventLoop,
        scope: Scope,
        request_headers: dict[bytes, bytes],
        receive: Receive,
        send: Send,
        headers: Headers,
    ) -> None:
        # Written out instead of calling the base class: this is made for every request, and the call is half its cost.
        self.loop = loop
        self.task = current_task(loop)
        self.principal = self.deadline = self.failure = self.entry = self.finalize = self.session = self.watcher = None
        self.seconds = app.limits.body_seconds
        self.meta = UNSET
        self.app = app
        self.scope = scope
        self.request_headers = request_headers
        self.receive = receive
        self.send = send
        self.headers = headers
        """Headers of the response, beside those of its content."""
        self.started = False
        """Whether the response is a stream already."""
        self.done = False

    @property
    def back_channel(self) -> bool:
        """Whether the client can be asked: it has a session and reads events."""
        return self.session is not None and self.accepts_events

    # Saying something before the answer

    async def emit(self, data: bytes) -> None:
        """Send a notification or question that belongs to this request."""
        if self.done or not self.accepts_events:
            return
        await self._prime()
        event_id = await self._log(data)
        await self._write(frame(data, event_id))

    async def _prime(self) -> None:
        """Begin the stream with a place to resume from. It is logged first of all, so that nothing comes before it."""
        if self.stream_name is None and self.connected and self.session is not None and self.peer.features.primed:
            event_id = await self._log(b"")
            assert event_id is not None
            await self._write(priming(event_id))

    async def _log(self, data: bytes) -> bytes | None:
        if self.session is None:
            return None
        if self.stream_name is None:
            self.stream_name = self.session.new_stream(self)
        return await self.session.log(self.stream_name, data)

    async def _write(self, chunk: bytes) -> None:
        if self.stream is not None:
            self.stream.put(chunk)
        elif self.connected:
            if not self.started:
                await self._start()
            self.silent_since = self.loop.time()
            await self.send({"type": "http.response.body", "body": chunk, "more_body": True})

    async def _start(self) -> None:
        self.started = True
        await self.send({"type": "http.response.start", "status": 200, "headers": [*SSE_HEADERS, *self.headers]})
        self.watch()

    async def ask(self, method: str, params: dict[str, Any], seconds: float) -> Raw:
        """Ask the client over this request's stream; the answer comes with a POST of its own."""
        if self.session is None or not self.accepts_events:
            raise NoBackChannelError(method)
        return await self.session.ask(method, params, seconds, self.emit)

    def open_stream(self) -> Stream:
        """A `subscriptions/listen` stream: this request's response."""
        self.started = True
        self.stream = SseStream(self.send, self.receive, self.headers, self.app.limits.queue, self.app.ticker)
        self.stream.guard = self.app.guard(self.scope, self.principal)
        return self.stream

    # Looking after it

    def on_tick(self, now: float) -> None:
        """Deadlines; and for a request that takes long, watch for the client to hang up and keep proxies patient."""
        if self.done:
            self._watch_writing(now)
            return
        super().on_tick(now)
        if not hasattr(self, "peer"):
            return  # the body is still arriving: there is nothing to keep alive, and nobody else may read it
        if self.watcher is None and self.peer.features.stateless:
            self.watch()
        if self.accepts_events and self.connected and self.stream is None:
            if self.silent_since == 0.0:
                self.silent_since = now
            elif now - self.silent_since >= self.app.limits.keepalive_seconds:
                self.silent_since = now
                self.app.tasks.spawn(self._keep_alive())

    def _watch_writing(self, now: float) -> None:
        """An answer may take as long to be read as a body to arrive; the tool's deadline is no longer what counts."""
        if self.writing_until is None:
            self.writing_until = now + self.app.limits.body_seconds
        elif now >= self.writing_until and self.task is not None:
            self.app.engine.inflight.remove(self)
            self.ended = TIMEOUT
            self.task.cancel()

    async def _keep_alive(self) -> None:
        if not self.done:
            await self._prime()
            await self._write(KEEPALIVE)

    def watch(self) -> None:
        """Notice when the client hangs up."""
        if self.watcher is None:
            self.watcher = self.loop.create_task(self._watch())

    async def _watch(self) -> None:
        while (await self.receive())["type"] != "http.disconnect":
            pass
        self.connected = False
        if self.session is None:
            self.end(DISCONNECTED)

    def answer_over_head(self) -> None:
        """Answer a request whose tool ignores its cancellation."""
        if self.done or self.ended != TIMEOUT or not hasattr(self, "method"):
            return
        super().answered(self.app.engine)
        self.app.tasks.spawn(self.finish(self.app.engine.timed_out(self)))

    # The answer

    async def answer(self, message: Message, caller: Caller) -> None:
        """Take up a request and send its answer."""
        await self.finish(await take_up(self.app.engine, self, message, caller))

    def answered(self, engine: Engine) -> None:
        """The answer is made, but not sent: `release` ends the request."""

    def release(self) -> None:
        """The response is complete, or nobody waits for it."""
        super().answered(self.app.engine)
        if self.watcher is not None:
            self.watcher.cancel()

    async def finish(self, data: bytes | None) -> None:
        """Send the answer and be done; None is a request that was cancelled, and ends without one."""
        if self.done:
            return
        self.done = True
        try:
            if self.stream is not None and self.stream_name is None:
                await self.stream.end(frame(data) if data is not None else b"")
            elif self.started or self.stream_name is not None:
                await self._finish_stream(data)
            elif self.connected:
                await self._finish_json(data)
        finally:
            if self.watcher is not None:
                self.watcher.cancel()

    async def _finish_stream(self, data: bytes | None) -> None:
        if data is not None:
            await self._write(frame(data, await self._log(data)))
        if self.session is not None and self.stream_name is not None:
            self.session.live.pop(self.stream_name, None)
        if self.stream is not None:
            self.stream.finish()
        elif self.connected:
            await self.send(NO_CONTENT)

    async def _finish_json(self, data: bytes | None) -> None:
        if data is None:
            await reply(self.send, 202, b"", self.headers)
            return
        status, extra, failure, authorization = 200, [JSON], self.failure, self.app.authorization
        if isinstance(failure, ForbiddenError) and authorization is not None:
            status = 403
            extra += authorization.challenge(self.scope, "insufficient_scope", failure.message, failure.scopes)
        elif failure is not None:
            status = (STATUS if self.peer.features.stateless else HANDSHAKE_STATUS).get(failure.code, 200)
        await reply(self.send, status, data, [*extra, *self.headers])
