"""The fast path of HTTP: a call of a tool with nothing unusual about it is answered in `__call__` itself.

Nearly every request is a POST whose head was looked at before, whose body came at once, and whose message is a
`tools/call` as nearly every client writes it. It needs no further coroutine here, each of which would cost more than
the check it contains. Anything else, and whatever is wrong, goes on to `respond` and `post`, which do all of it and say
what is wrong. `tests/fuzz/test_fast_path.py` sends the same traffic through both and compares the answers.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import suppress
from operator import itemgetter
from threading import get_ident
from typing import TYPE_CHECKING, Any, cast

from cloche.errors import McpError
from cloche.serve.http.exchange import HttpExchange
from cloche.serve.replies import JSON
from cloche.server.handlers import call_tool
from cloche.server.intake import Caller, read
from cloche.wire.messages import parse_tool_call
from cloche.wire.versions import HANDSHAKE_VERSIONS, STATELESS_VERSIONS

if TYPE_CHECKING:
    from cloche.asgi import Receive, Scope, Send
    from cloche.serve.http.app import HttpApp
    from cloche.serve.http.sessions import HttpSession
    from cloche.serve.http.stateless import Stateless
    from cloche.server.engine import Engine

STATELESS_HEADERS = frozenset(version.encode() for version in STATELESS_VERSIONS)
"""Values of MCP-Protocol-Version that mean the stateless era."""

_HANDSHAKE_HEADERS = frozenset([None, *(version.encode() for version in HANDSHAKE_VERSIONS)])
_HEAD = itemgetter(b"host", b"content-type", b"accept")

TELLING_HEADERS = (b"origin", b"sec-fetch-site", b"content-encoding")
"""What the checks of a POST read beside the head that is remembered: a request with one of these is looked at."""

MAX_KNOWN_HEADS = 64
"""Heads of requests that are remembered as harmless; a caller that varies them is looked at each time."""


class FastPath:
    """The front of `HttpApp`, which does the rest: these four."""

    respond: Callable[[Scope, dict[bytes, bytes], Receive, Send], Awaitable[None]]
    post: Callable[[HttpExchange, MutableMapping[str, Any]], Awaitable[None]]
    give_up: Callable[[HttpExchange, asyncio.CancelledError], Awaitable[None]]
    other: Callable[[Scope, Receive, Send], Awaitable[None]]

    def __init__(self, engine: Engine, sessions: dict[bytes, HttpSession], stateless: Stateless) -> None:
        self.engine = engine
        self.stateless = stateless
        self._sessions = sessions
        self._known_heads: set[tuple[Any, ...]] = set()
        self._middlewares = engine.server.middlewares
        self._most_bytes = engine.limits.message_bytes
        self._most_result = engine.limits.result_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one HTTP request."""
        if scope["type"] != "http":
            await self.other(scope, receive, send)
            return
        headers: dict[bytes, bytes] = dict(scope["headers"])
        if not self._is_known(scope, headers):
            await self.respond(scope, headers, receive, send)
            return
        engine = self.engine
        loop = engine.loop
        if loop is None or engine.thread != get_ident() or not loop.is_running():
            loop = engine.settle()
        exchange = HttpExchange(cast("HttpApp", self), loop, scope, headers, receive, send, [])
        inflight = engine.inflight
        inflight.entries[exchange] = None
        if inflight.loop is not loop:
            inflight.wake(loop)
        try:
            part = await receive()
            params = self._read(exchange, part)
            if params is None:
                await self.post(exchange, part)
                return
            try:  # as `Engine.answer` does
                step = call_tool(engine, exchange, params)
                data = step if exchange.finalize is None else exchange.finalize(engine, exchange, await step)
                if type(data) is not bytes or len(data) > self._most_result:
                    data = engine.encode_answer(exchange, data)
            except BaseException as error:
                data = engine.explain(exchange, error)
            if data is None or exchange.started or exchange.failure is not None or exchange.done:
                await exchange.finish(data)
                return
            exchange.done = True
            head = [JSON, (b"content-length", b"%d" % len(data))]
            await send({"type": "http.response.start", "status": 200, "headers": head})
            await send({"type": "http.response.body", "body": data})
        except asyncio.CancelledError as error:
            await self.give_up(exchange, error)
        finally:  # as `HttpExchange.release` does
            inflight.entries.pop(exchange, None)
            session = exchange.session
            if session is not None and session.in_flight.get(exchange.id) is exchange:
                del session.in_flight[exchange.id]
            if exchange.watcher is not None:
                exchange.watcher.cancel()

    def _is_known(self, scope: Scope, headers: dict[bytes, bytes]) -> bool:
        """Whether this is a POST with a head that passed every check before."""
        try:
            known = (scope["path"], scope["server"], *_HEAD(headers)) in self._known_heads
        except (KeyError, TypeError):  # a header is missing, or the server's address is not a tuple
            return False
        return (
            known
            and scope["method"] == "POST"
            and headers.keys().isdisjoint(TELLING_HEADERS)
            and len(headers) == len(scope["headers"])
            and len(headers.get(b"content-length", b"")) < 6
        )

    def remember(self, scope: Scope, headers: dict[bytes, bytes]) -> None:
        """This head passed every check of a request that anybody may send."""
        if len(self._known_heads) < MAX_KNOWN_HEADS and headers.keys().isdisjoint(TELLING_HEADERS):
            with suppress(KeyError, TypeError):
                self._known_heads.add((scope["path"], scope["server"], *_HEAD(headers)))

    def _read(self, exchange: HttpExchange, part: MutableMapping[str, Any]) -> Any:
        """The parameters of a call, which is then under way; None for anything else, which `post` reads again."""
        body = part.get("body")
        if body is None or part.get("more_body") or len(body) > self._most_bytes:
            return None
        if self._middlewares or self.engine.lifespan.loop is not exchange.loop:
            return None
        version = exchange.request_headers.get(b"mcp-protocol-version")
        caller: Caller
        if version in STATELESS_HEADERS:
            caller = self.stateless
        else:
            session = self._sessions.get(exchange.request_headers.get(b"mcp-session-id", b""))
            if session is None or session.principal is not None or version not in _HANDSHAKE_HEADERS:
                return None
            session.used = True
            caller = session
        try:
            call = parse_tool_call(body)
            return None if call is None else read(self.engine, exchange, call, caller)
        except McpError:
            return None
