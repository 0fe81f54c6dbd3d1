"""`Tab`: one page that offers a server, from the host's side: our client on the page's line, and the leave to use it.

Nothing that a page says is believed further than its own visitor: answers count only for what was asked, everything
else is limited in rate, and a page that goes on is cut off.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import msgspec

from cloche.client import Client
from cloche.errors import McpError, RemoteProtocolError, TransportClosedError, TransportError, UpstreamError, shorten
from cloche.host.budgets import Bucket
from cloche.host.consent import Consent
from cloche.host.page_line import PageLine
from cloche.host.policy import Request
from cloche.host.upstreams.in_process import hear, own_client
from cloche.wire.json import check_depth, encode
from cloche.wire.messages import encode_error
from cloche.wire.types import Json

if TYPE_CHECKING:
    from cloche.host.session import HostSession
    from cloche.host.upstreams.in_browser import TabUpstream
    from cloche.host.upstreams.remote import InBrowser

Send = Callable[[Json], None]

CHATTER = 100
"""Entries about what one tab did wrong."""

QUESTIONS = 20
"""Questions that may wait for a tab's visitor: a model calls several tools at once."""


class TabTransport(PageLine):
    """The page's line, as our client uses it. What is not an answer to something that was asked needs `may_pass`."""

    def __init__(self, send: Send, depth: int, may_pass: Callable[[], bool]) -> None:
        super().__init__(send, depth)
        self._may_pass = may_pass
        self._asked: set[str | int] = set()

    def put(self, message: Json) -> None:
        """Send one message to the server in the page."""
        if "method" in message and "id" in message:
            self._asked.add(message["id"])
        elif message.get("method") == "notifications/cancelled":
            self._asked.discard(message["params"]["requestId"])
        super().put(message)

    def arrived(self, message: Json) -> None:
        """The page says something."""
        if not self._connected:
            return
        number = message.get("id")
        is_answer = "method" not in message and isinstance(number, str | int) and number in self._asked
        if is_answer:
            self._asked.discard(number)
        elif not self._may_pass() or "method" not in message:  # an answer to nothing, or one that comes too late
            self.dropped += 1
            return
        data = encode(message)
        try:
            check_depth(data, self._depth)
        except McpError as error:
            if not is_answer:
                self.dropped += 1
                return
            data = encode_error(number, RemoteProtocolError(f"The page's answer is not a message: {error.message}"))
        self.deliver(data)

    async def close(self) -> None:
        """End it."""
        self._asked.clear()
        await super().close()


class Tab:
    """One page that offers a server. Made by the host when a page connects."""

    def __init__(self, session: HostSession, upstream: TabUpstream, *, page_origin: str, send: Send) -> None:
        self.id = secrets.token_urlsafe(12)
        self.key = secrets.token_urlsafe(18)
        """What the page must know to go on after its socket was lost."""
        self.session = session
        self.server = upstream.name
        self.page_origin = page_origin
        self.attached = True
        host = session.host
        self.consent = Consent(host.policy, session.timeline, self.send, QUESTIONS)
        self._limits = host.limits
        self._upstream = upstream
        self._send = send
        self._transport = self.line()
        self._greeting: asyncio.Task[Client] | None = None
        self._gone = asyncio.Event()
        self._bucket = Bucket(host.limits.rate, host.limits.burst)
        self._refused = 0

    def line(self) -> TabTransport:
        """A line to a server in the page that nobody has greeted yet."""
        return TabTransport(self.send, self._limits.message_depth, self._may_pass)

    # For whoever asks the server

    async def connected(self) -> Client:
        """Our client at this tab. On first use it greets the server, which cannot be greeted again: so that goes on
        when whoever wanted it gives up. Raises `UpstreamError`.
        """
        if self._gone.is_set():
            raise TransportClosedError
        if self._greeting is None:
            self._greeting = asyncio.get_running_loop().create_task(self._greet())
            self._greeting.add_done_callback(lambda done: done.cancelled() or done.exception())
        return await asyncio.shield(self._greeting)

    async def _greet(self) -> Client:
        client = own_client(self._transport, **self._upstream.questions.functions())
        try:
            await client.connect()
        except TransportClosedError:
            raise
        except (McpError, TransportError) as error:
            text = f"The server {self.server!r} in the page cannot be greeted: {error.message}"
            self.end(text, "silent")
            raise UpstreamError(text) from None
        await hear(client, self._upstream)
        self._upstream.server_info = msgspec.to_builtins(client.server_info)
        for uri in tuple(self._upstream.subscribed):
            with contextlib.suppress(McpError, TransportError):  # this page's server does not have it
                await client.subscribe_resource(uri)
        return client

    async def allowed(self, tool: Json, arguments: object, spec: InBrowser) -> None:
        """Return when the tool may run here; raises `PolicyDeniedError`, `UserDeclinedError`, or
        `UpstreamError` when the tab goes while its visitor is asked.
        """
        details = {
            "name": tool.get("name"),
            "arguments": arguments if isinstance(arguments, dict) else {},
            "annotations": tool.get("annotations"),
            "ask": spec.asks(tool),
            "lasting": spec.ask != "always",
        }
        request = Request("tab-tool", self.session.user, self.server, str(tool.get("name")), self.id, details)
        asking = asyncio.ensure_future(self.consent.obtain(request))
        gone = asyncio.ensure_future(self._gone.wait())
        try:
            await asyncio.wait({asking, gone}, return_when=asyncio.FIRST_COMPLETED)
            if not asking.done():
                page = f"The page that offered {self.server!r}"
                raise UpstreamError(f"{page} was closed while its visitor was asked; the tool did not run")
            asking.result()
        finally:
            asking.cancel()
            gone.cancel()
            await asyncio.gather(asking, gone, return_exceptions=True)

    # For the page (as a mounted view, see `web/mounts.py`)

    def packet(self) -> Json:
        """What the page needs to know."""
        return {"id": self.id, "key": self.key, "server": self.server}

    def receive(self, message: Json, gesture: int = 0) -> None:
        """A message of the server in the page. Never raises."""
        self._transport.arrived(message)

    def event(self, name: str, value: Json) -> None:
        """Something happened in the page. Never raises."""
        if self._may_pass() and name == "visible":
            self._upstream.seen(self)

    def answered(self, number: object, value: object) -> None:
        """The visitor answered a question in the page: whether a tool may run, or one of a server's."""
        if not self.session.questions.answered(number, value):
            self.consent.answered(number, value)

    def attach(self, send: Send) -> None:
        """The page is back on another socket."""
        self._send, self.attached = send, True
        self.note("attached")
        self._upstream.settle()

    def detach(self) -> None:
        """The socket is gone; what there is to say is kept by whoever made `send`, and calls go on."""
        self.attached = False
        self.note("detached")
        self._upstream.settle()

    def send(self, frame: Json) -> None:
        """Send a frame to the page."""
        self._send(frame)

    def start(self, *, visible: bool) -> None:
        """From now on the server can be used."""
        self.session.tabs[self.id] = self
        self.session.questions.joined(self)
        self.note("offered", args={"page": self.page_origin})
        self._upstream.add(self, visible=visible)

    # The end

    def end(self, reason: str, code: str = "closed") -> None:
        """Tell the page that it is over, which ends the tab."""
        self._send({"error": {"code": code, "message": reason}})

    async def close(self, reason: str, *, gone: bool = True) -> None:
        """The page is gone, or was told that it is over: what is under way fails."""
        if self._gone.is_set():
            return
        self._gone.set()
        self.session.tabs.pop(self.id, None)
        self.session.questions.left()
        self._upstream.remove(self)
        self.note("offer-ended", problem=shorten(reason, 300))
        await self._transport.close()
        if self._greeting is not None:
            with contextlib.suppress(McpError, TransportError):
                await (await self._greeting).close()

    def _may_pass(self) -> bool:
        """Whether one more message that nobody asked for is taken; a page that goes on is cut off."""
        if self._bucket.take():
            return True
        self._refused += 1
        if self._refused <= CHATTER:
            self.note("misbehaved", problem="The page sends more than it may")
        if self._refused == self._limits.refusals:
            self.end("The page sent too many messages that nobody asked for", "flood")
        return False

    def note(self, action: str, **fields: Any) -> None:
        """Write down what happened to this tab."""
        self.session.timeline.note(action=action, server=self.server, view=self.id, **fields)
