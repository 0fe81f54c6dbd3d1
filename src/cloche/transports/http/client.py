"""`HttpTransport`: a client's side of Streamable HTTP, both eras.

Every message is a POST of its own, and what the server answers to it, one message or a stream of them, is delivered as
it comes. A message says its era itself: with a protocol version in `_meta` it stands alone, and headers repeat parts of
it; without, it belongs to the session that `initialize` began. In a session the server has a stream of its own, which
is opened again when it breaks.

A server that refuses this and has the two addresses of 2024-11-05 instead is spoken to in that way (`legacy_sse.py`).

HTTP has no connection that could end: a request that fails is answered with an error, and the next may succeed. Only a
session that the server no longer knows ends the transport.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Iterable, Mapping
from contextlib import aclosing

from cloche.errors import ClocheError, McpError, MissingExtraError, RegistrationError, TransportClosedError, shorten

try:
    import httpx2
except ImportError:
    raise MissingExtraError("HttpTransport", "client") from None

from cloche.transports.base import TooLong
from cloche.transports.http.bounded_answers import EVENTS
from cloche.transports.http.credentials import TokenSource
from cloche.transports.http.endpoint import CONNECT_TIMEOUT, Endpoint
from cloche.transports.http.legacy_sse import LegacySseStream
from cloche.transports.http.message_headers import Outgoing, basic_headers, read
from cloche.transports.http.posts import Post
from cloche.transports.http.resumption import MAX_FAILURES, follow
from cloche.transports.http.sse_reader import Place
from cloche.transports.pace import Pace
from cloche.transports.requests import RequestTransport
from cloche.transports.tasks import Tasks
from cloche.wire.headers import HeaderParameter, header_parameters
from cloche.wire.json import MAX_ANSWER_BYTES
from cloche.wire.messages import HEAD_BYTES, RequestId, checked, is_valid_message
from cloche.wire.types import Tool

logger = logging.getLogger("cloche.http")

MAX_REQUESTS = 64
"""Requests under way at once, streams that stay open included; `send` waits for room."""

MAX_NOTICES = 16
"""Notifications and answers under way at once. They have room of their own: when every request waits for an answer to
a question, that answer must still get through.
"""

GOODBYE_SECONDS = 2.0
"""How long `close` tries to tell the server that the session is over."""

MAX_LEARNED = 1024
"""Tools whose headers are remembered."""

_SESSION_ID = re.compile(r"[\x21-\x7e]{1,1024}")


class HttpTransport(RequestTransport):
    """A connection to the server at `url`. `auth` is a bearer token, or an async function that gives one; `headers` go
    with every request; `client` is an `httpx2.AsyncClient` of your own, which stays open when the transport is closed.
    An answer over `limit` bytes is an error; a stream that has more to say than `pace` allows is read more slowly.
    """

    def __init__(
        self,
        url: str,
        *,
        headers: Mapping[str, str] | None = None,
        auth: str | TokenSource | None = None,
        limit: int = MAX_ANSWER_BYTES,
        client: httpx2.AsyncClient | None = None,
        connect_timeout: float = CONNECT_TIMEOUT,
        pace: Pace | None = None,
    ) -> None:
        super().__init__(limit=limit)
        self.endpoint = Endpoint(url, headers, auth, client, connect_timeout)
        self.max_failures = MAX_FAILURES
        """Attempts in a row to go on with a stream that broke off."""
        self.pace = pace or Pace()
        """How fast streams are read."""
        self._session: str | None = None
        self._version: str | None = None
        """What `initialize` agreed on."""
        self._modern: str | None = None
        """What requests of the stateless era last named."""
        self._tools: dict[str, tuple[HeaderParameter, ...]] = {}
        self._request_room = asyncio.Semaphore(MAX_REQUESTS)
        self._notice_room = asyncio.Semaphore(MAX_NOTICES)
        self._tasks = Tasks()
        self._posts: dict[RequestId, Post] = {}
        self._place = Place()
        self._legacy: LegacySseStream | None = None
        """The stream of a server that speaks only the HTTP of 2024-11-05."""
        self._listener: asyncio.Task[None] | None = None
        self._wants_stream = False

    @property
    def shown(self) -> str:
        """The URL as errors show it."""
        return self.endpoint.shown

    @property
    def session_id(self) -> str | None:
        """The session that the server keeps for us."""
        return self._session

    async def send(self, data: bytes) -> None:
        """Post one message. Returns when a request is written, or when the server took a notification or answer."""
        if not self.is_connected:
            raise TransportClosedError
        message = read(data, self._tools)
        if message.cancels is not None and self._hang_up(message.cancels):
            return
        room = self._request_room if message.ids else self._notice_room
        await room.acquire()
        await self._start(message, room).on_its_way

    def learn_tools(self, tools: Iterable[Tool]) -> list[Tool]:
        """Remember which arguments of these tools headers repeat. Returns the tools that can be called: one whose
        schema asks for headers that cannot be is left out.
        """
        usable = []
        for tool in tools:
            self._tools.pop(tool.name, None)
            try:
                parameters = header_parameters(tool.input_schema, "a tool")
            except RegistrationError:
                logger.warning("the tool %r asks for headers that cannot be sent: left out", shorten(tool.name))
                continue
            usable.append(tool)
            if parameters and len(self._tools) < MAX_LEARNED:
                self._tools[tool.name] = parameters
        return usable

    async def close(self) -> None:
        """End every request, tell the server that the session is over, and close the connections."""
        self.ended()
        await self._let_go()

    # For posts and streams

    def headers_of(self, message: Outgoing) -> dict[str, str]:
        """The protocol's headers for a message: of its own, or of the session."""
        if message.version is not None:
            self._modern = message.version
            return message.headers
        if message.is_initialize:
            return {}
        if self._version is None and self._modern is not None and message.method is not None:
            return basic_headers(message.method, self._modern)  # a notification, which has no `_meta` to name a version
        return self._session_headers()

    def agree(self, version: str, session: str | None) -> None:
        """`initialize` was answered."""
        self._version = version if version.isascii() and version.isprintable() else None
        self._session = session if session is not None and _SESSION_ID.fullmatch(session) else None

    def reached(self, message: Outgoing) -> None:
        """The server took a message: what had to wait for that follows."""
        if message.cancels is not None:
            self._abandon(message.cancels)
        if message.is_initialized:
            self._wants_stream = self._session is not None
        if self._wants_stream and message.version is None and self._listener is None and self._connected:
            self._listener = self._tasks.spawn(self._listen())

    @property
    def posts_to(self) -> httpx2.URL | None:
        """Where messages are posted, when that is another address than the server's: so it was in 2024-11-05."""
        return None if self._legacy is None else self._legacy.url

    async def go_back(self) -> bool:
        """Whether the server, which refused `initialize`, speaks the HTTP of 2024-11-05; then that is spoken from now
        on, and the stream that it has is the connection.
        """
        legacy = LegacySseStream(self)
        if self._legacy is not None or not await legacy.open():
            return False
        reading = self._tasks.spawn(legacy.run())
        try:
            if await legacy.named():
                self._legacy = legacy
                return True
        finally:
            if self._legacy is None:
                reading.cancel()
        return False

    async def open_events(self, place: Place) -> httpx2.Response:
        """Ask for a session's stream, from a place on."""
        headers = {"accept": EVENTS, "cache-control": "no-store", **self._session_headers()}
        if place.last_id is not None:
            headers["last-event-id"] = place.last_id
        return await self.endpoint.call("GET", headers)

    def is_session_gone(self, response: httpx2.Response) -> bool:
        """Whether a response says that there is no such session."""
        return response.status_code == 404 and "mcp-session-id" in response.request.headers

    async def answers_have_room(self) -> None:
        """Wait while what we have to say waits: a server that asks and never takes answers is not read further."""
        if self._notice_room.locked():
            async with self._notice_room:
                pass

    def settled(self, request_id: RequestId, post: Post) -> None:
        """A request was answered: there is nothing left to give up."""
        if self._posts.get(request_id) is post:
            del self._posts[request_id]

    async def lost(self) -> None:
        """The session is gone, and with it the connection."""
        self._session = None
        self.ended()
        await self._let_go()

    # Inside

    def _start(self, message: Outgoing, room: asyncio.Semaphore) -> Post:
        """Begin to post, in room that was found; the transport may have ended while it was waited for."""
        if not self.is_connected:
            room.release()
            raise TransportClosedError
        post = Post(self, message)
        for request_id in message.ids:
            self._abandon(request_id)  # an id that is used again belongs to the newer request
            self._posts[request_id] = post
        post.task = self._tasks.spawn(post.run())

        def finished(_: asyncio.Task[None]) -> None:
            room.release()
            post.release()
            for request_id in message.ids:
                self.settled(request_id, post)

        post.task.add_done_callback(finished)
        return post

    def _hang_up(self, request_id: RequestId) -> bool:
        """In the stateless era hanging up is how a request is cancelled; there is nothing to post."""
        post = self._posts.get(request_id)
        if self._legacy is not None:
            return False
        if post is None:
            return self._version is None
        if post.is_stateless:
            self._abandon(request_id)
        return post.is_stateless

    def _abandon(self, request_id: RequestId) -> None:
        """Stop to wait for the answer in HTTP, too."""
        post = self._posts.get(request_id)
        if post is not None and post.task is not None and post.task is not asyncio.current_task():
            post.task.cancel()

    def _session_headers(self) -> dict[str, str]:
        known = {"mcp-protocol-version": self._version, "mcp-session-id": self._session}
        return {name: value for name, value in known.items() if value is not None}

    async def _listen(self) -> None:
        """Hear what the server says on its own; given up, it is tried again after the next message that it takes."""
        try:
            gave_up = await follow(self, self._place, self.heard, lambda: not self._connected, max_empty=None)
            if isinstance(gave_up, McpError):
                self._wants_stream = False  # the server said no; 405 is how it says that it has no such stream
            elif gave_up is not None:
                logger.warning("%s", gave_up.message)
        except (ClocheError, httpx2.HTTPError) as error:
            self._wants_stream = False
            logger.warning("the stream from %s is given up: %s", self.shown, shorten(str(error), 200))
        finally:
            self._listener = None

    def heard(self, event: bytes | TooLong) -> None:
        """What the server said on a stream that belongs to no request."""
        if isinstance(event, TooLong):
            self.refuse(event.head)
        elif is_valid_message(event):
            self.deliver(checked(event))
        else:
            self.refuse(event[:HEAD_BYTES], "The answer is not a message")

    async def _let_go(self) -> None:
        await self._tasks.end()
        session = self._session
        if session is not None:
            headers = self._session_headers()
            self._session = None
            try:
                async with asyncio.timeout(GOODBYE_SECONDS), aclosing(await self.endpoint.call("DELETE", headers)):
                    pass
            except (TimeoutError, ClocheError, httpx2.HTTPError):
                logger.debug("%s was not told that the session is over", self.shown)
        await self.endpoint.close()
