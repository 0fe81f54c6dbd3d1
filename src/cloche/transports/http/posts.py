"""`Post`: one message on its way to the server, and what comes back for it.

Every request in it ends: with the server's answer, or with an error that says what HTTP did instead.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import aclosing, suppress
from typing import TYPE_CHECKING

import httpx2
import msgspec
from msgspec import UNSET

from cloche.errors import (
    ClocheError,
    ConnectError,
    ConnectionBrokenError,
    McpError,
    RemoteProtocolError,
    SessionGoneError,
    TransportError,
    error_of,
    shorten,
)
from cloche.transports.base import TooLong
from cloche.transports.http import failures
from cloche.transports.http.bounded_answers import EVENTS
from cloche.transports.http.endpoint import Body
from cloche.transports.http.failures import failure, of_status, read_refusal
from cloche.transports.http.legacy_sse import REFUSALS
from cloche.transports.http.message_headers import Outgoing
from cloche.transports.http.resumption import content_type, follow, read_events
from cloche.transports.http.sse_reader import Place
from cloche.transports.listeners import nothing
from cloche.transports.pace import turn
from cloche.transports.requests import NoAnswer
from cloche.wire import messages
from cloche.wire.messages import Message, RequestId, encode_error

if TYPE_CHECKING:
    from cloche.transports.http.client import HttpTransport

logger = logging.getLogger("cloche.http")

ACCEPTS = {"accept": f"application/json, {EVENTS}", "content-type": "application/json"}

NOTICE_TIMEOUT = 30.0
"""Seconds in which a server must take a notification, or an answer of ours."""

LINGER_SECONDS = 1.0
"""How long a stream may stay open after its answer; longer holds a connection for nothing."""

MAX_MESSAGES = 100_000
"""Messages that one request's stream may bring before its answer."""


class _Initialized(msgspec.Struct, rename="camel"):
    protocol_version: str


_initialized = msgspec.json.Decoder(_Initialized)


class Post:
    """One POST, from its first byte to its last; `run` is a task of its own."""

    def __init__(self, transport: HttpTransport, message: Outgoing) -> None:
        self._transport = transport
        self._message = message
        self.is_stateless = message.version is not None
        self.task: asyncio.Task[None] | None = None
        self.on_its_way: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        """Done when a request is written; and for what gets no answer, when the server took it."""
        self._waiting: set[RequestId] = set(message.ids)
        self._place = Place()
        self._session: str | None = None
        self._linger: asyncio.Timeout | None = None
        self._left = MAX_MESSAGES

    def release(self) -> None:
        """Let `send` return."""
        if not self.on_its_way.done():
            self.on_its_way.set_result(None)

    async def run(self) -> None:
        """Send the message and deliver what comes back."""
        try:
            if self._waiting:
                await self._call()
            else:
                async with asyncio.timeout(NOTICE_TIMEOUT):
                    await self._call()
        except TimeoutError:
            self._fail(ConnectionBrokenError(f"{self._transport.shown} did not take a message in time"))
        except (McpError, TransportError) as error:
            self._fail(error)
        except httpx2.HTTPError as error:
            self._fail(self._explain(error))
        except ClocheError as error:
            self._fail(failure(str(error), failures.FAILED))
        except Exception as error:
            logger.exception("a message to %s could not be sent", self._transport.shown)
            self._fail(failure(f"The message could not be sent: {type(error).__name__}", failures.FAILED))

    async def _call(self) -> None:
        transport, message = self._transport, self._message
        # What gets no answer is on its way once it was taken: what is sent after it must not overtake it.
        body = Body(message.data, self.release if self._waiting else nothing)
        headers = transport.headers_of(message)
        headers.update(ACCEPTS)
        headers["content-length"] = str(len(message.data))
        legacy_url = transport.posts_to
        response = await transport.endpoint.call("POST", headers, body, legacy_url)
        async with aclosing(response):
            if response.status_code >= 300:
                await self._refused(response)
            elif legacy_url is not None:
                await self._read_all(response, failures.ERROR_BODY_BYTES)  # the answer comes on the stream
            elif self._waiting:
                await self._answered(response)
            elif content_type(response) != EVENTS:
                # Only a connection that was read to the answer's end can be used again.
                await self._read_all(response, failures.ERROR_BODY_BYTES)
            transport.reached(message)

    # What comes back

    async def _answered(self, response: httpx2.Response) -> None:
        kind = content_type(response)
        self._session = response.headers.get("mcp-session-id")
        if kind == "application/json":
            body = await self._read_all(response, self._transport.limit)
            await turn(len(body))
            self._take_body(body)
        elif kind == EVENTS:
            await self._read_stream(response)
        elif response.status_code in (202, 204):
            raise failure("The server took the request without an answer", failures.MALFORMED)
        else:
            said = f"{shorten(kind, 60)!r}" if kind else "a body without a type"
            raise failure(f"{self._transport.shown} answers with {said}, which is not MCP", failures.MALFORMED)
        if self._waiting:
            raise failure("The answer does not answer the request", failures.MALFORMED)

    async def _read_all(self, response: httpx2.Response, limit: int) -> bytes:
        """The body, as long as it is within the limit; so a bomb unpacks to little more than that."""
        body = bytearray()
        async with aclosing(response.aiter_bytes()) as chunks:
            async for chunk in chunks:
                body += chunk
                if len(body) > limit:
                    self._transport.dropped += 1
                    raise RemoteProtocolError(f"The answer is over {limit} bytes")
        return bytes(body)

    def _take_body(self, body: bytes) -> None:
        parts = messages.split_batch(body) if messages.is_batch(body) else [body]
        for part in parts:
            try:
                message = messages.parse(part)
            except McpError as error:
                self._transport.dropped += 1
                said = read_refusal(part) if len(part) <= failures.ERROR_BODY_BYTES else None
                if said is not None:
                    raise error_of(said[1].code, said[1].message, said[1].data) from None
                text = f"The answer is not a JSON-RPC message: {error.message}"
                raise failure(text, failures.MALFORMED) from None
            self._deliver(part, message)

    async def _read_stream(self, response: httpx2.Response) -> None:
        transport = self._transport
        with suppress(TimeoutError):
            async with asyncio.timeout(None) as self._linger:
                await read_events(transport, response, self._place, self._take_event)
        self._linger = None
        if self._waiting and self._place.last_id is not None and not self.is_stateless:
            await response.aclose()
            gave_up = await follow(transport, self._place, self._take_event, lambda: not self._waiting)
            if gave_up is not None:
                raise gave_up
        if self._waiting:
            raise ConnectionBrokenError("The connection ended before the answer")

    def _take_event(self, event: bytes | TooLong) -> None:
        self._left -= 1
        if self._left < 0 and not self._message.is_listen:
            raise failure(f"The stream has over {MAX_MESSAGES} messages and no answer", failures.MALFORMED)
        if isinstance(event, TooLong):
            self._transport.refuse(event.head)
            return
        try:
            parts = messages.split_batch(event) if messages.is_batch(event) else [event]
            for part in parts:
                self._deliver(part, messages.parse(part))
        except McpError as error:
            self._transport.refuse(event[: messages.HEAD_BYTES], f"The answer is not a message: {error.message}")

    def _deliver(self, data: bytes, message: Message) -> None:
        """Hand a message on. What `initialize` agreed on is noted first: the next message goes by it."""
        if message.method is UNSET and message.id in self._waiting:
            self._waiting.discard(message.id)
            self._transport.settled(message.id, self)
            if self._message.is_initialize and message.result is not UNSET:
                with suppress(msgspec.DecodeError):
                    self._transport.agree(_initialized.decode(message.result).protocol_version, self._session)
            if not self._waiting and self._linger is not None:
                self._linger.reschedule(asyncio.get_running_loop().time() + LINGER_SECONDS)
        self._transport.deliver(messages.checked(data))

    # What goes wrong

    async def _refused(self, response: httpx2.Response) -> None:
        """A status that is not an answer: its body may be one nevertheless."""
        body = b""
        if content_type(response) == "application/json":
            with suppress(httpx2.TransportError):
                async with aclosing(response.aiter_bytes()) as chunks:
                    async for chunk in chunks:
                        body += chunk
                        if len(body) > failures.ERROR_BODY_BYTES:
                            break
        said = read_refusal(body)
        if said is not None and said[0] in self._waiting:
            self._take_body(body)
        elif self._message.is_initialize and response.status_code in REFUSALS and await self._transport.go_back():
            await self._call()
        elif self._transport.is_session_gone(response) and self._message.version is None:
            self._fail(SessionGoneError())
            await self._transport.lost()
        else:
            raise of_status(response.status_code, response.headers, said[1] if said else None, self._transport.shown)

    def _explain(self, error: httpx2.HTTPError) -> McpError | TransportError:
        where = self._transport.shown
        if isinstance(error, httpx2.ConnectTimeout):
            return ConnectError(f"Cannot reach {where}: no connection in time")
        if isinstance(error, httpx2.ConnectError | httpx2.ProxyError | httpx2.UnsupportedProtocol):
            return ConnectError(f"Cannot reach {where}: {shorten(str(error))}")
        if isinstance(error, httpx2.TimeoutException):
            return ConnectionBrokenError(f"{where} did not take the message in time")
        if isinstance(error, httpx2.DecodingError):
            return failure(f"{where} answers with a body that cannot be unpacked", failures.MALFORMED)
        if isinstance(error, httpx2.LocalProtocolError):
            return failure(f"HTTP cannot carry this: {shorten(str(error))}", failures.REFUSED)
        return ConnectionBrokenError(f"The connection to {where} broke before the answer")

    def _fail(self, error: McpError | TransportError) -> None:
        """Answer what waits; of what nobody waits for, the log has it."""
        if not self._transport.is_connected:
            return
        if not self._message.ids:
            self._transport.dropped += 1
            logger.warning("a message was not taken: %s", error.message)
        waiting, self._waiting = self._waiting, set()
        for request_id in waiting:
            if isinstance(error, TransportError):
                self._transport.deliver(NoAnswer.to(request_id, error))
            else:
                self._transport.deliver(encode_error(request_id, error))
