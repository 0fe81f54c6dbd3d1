"""A server by URL, as an upstream of the user whose page has it in a frame.

The page loads the server, sets it up and connects to it (`<mcp-server>`); its messages travel over the page's socket,
as those of a server that the page offers itself. What is different: the page has to be told the URL and the last setup,
and the server can be asked only between the page's `connected` and `lost`.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any

import msgspec

from cloche.client import Client
from cloche.errors import McpError, TransportError, UpstreamError, shorten
from cloche.host.upstreams.frame_setups import FrameSetup, read_setup
from cloche.host.upstreams.in_browser import TabUpstream
from cloche.host.upstreams.remote import InFrame
from cloche.host.upstreams.tab import Send, Tab, TabTransport
from cloche.transports.tasks import Tasks
from cloche.wire.types import Json

if TYPE_CHECKING:
    from cloche.host.session import HostSession

NEWS = ("setup", "connected", "lost", "removed")
"""What a page tells of the server in its frame."""


class FrameUpstream(TabUpstream):
    """What one user's pages have in a frame under one name."""

    def __init__(self, name: str, spec: InFrame) -> None:
        super().__init__(name, spec)
        self.place = spec
        self.open: list[FrameTab] = []
        """The pages with an element for this server, connected to it or not."""
        self._saving = asyncio.Lock()

    @property
    def is_watched(self) -> bool:
        """What a page shows is not forgotten while the page is there."""
        return bool(self.open) or super().is_watched

    async def opened(self, session: HostSession, *, page_origin: str, send: Send) -> FrameTab:
        """A page that has an element for the server, and is told how the user has set it up."""
        async with self._saving:  # what another page of the user has just said comes first
            given = await self.place.setups.get(session.user, self.place.url)
        setup = read_setup(given, self.place.origin)
        return FrameTab(session, self, setup, page_origin=page_origin, send=send)

    async def save(self, user: str, setup: FrameSetup | None) -> None:
        """Keep a setup, or forget it."""
        async with self._saving:
            await self.place.setups.put(user, self.place.url, None if setup is None else msgspec.to_builtins(setup))

    def make_room(self, most: int) -> None:
        """Let go of the oldest page when there are too many."""
        if len(self.open) >= most:
            self.open[0].end(f"{most} other pages show the same server", "limit")

    def _missing(self) -> UpstreamError:
        if not self.open:
            return UpstreamError(
                f"No page of this user shows {self.name!r} at the moment: open one that has "
                f"session.server_element({self.name!r})"
            )
        return UpstreamError(f"The server {self.name!r} cannot be used in the user's page: {self.open[-1].problem}")


class FrameTab(Tab):
    """One page that has the server in a frame, or is about to. Made by the host when a page connects."""

    def __init__(
        self, session: HostSession, upstream: FrameUpstream, setup: FrameSetup | None, *, page_origin: str, send: Send
    ) -> None:
        super().__init__(session, upstream, page_origin=page_origin, send=send)
        self.problem = "it is being loaded" if setup is not None else "the user has not set it up"
        """Why it cannot be asked, after a colon."""
        self._shows = upstream
        self._setup = setup
        self._visible = True
        self._saving = Tasks()

    def packet(self) -> Json:
        """What the page needs to know."""
        return {**super().packet(), "url": self._shows.place.url, "setup": msgspec.to_builtins(self._setup)}

    def start(self, *, visible: bool) -> None:
        """From now on the page says what becomes of the server; it can be used when the page has connected to it."""
        self._visible = visible
        self.session.tabs[self.id] = self
        self.session.questions.joined(self)
        self._shows.open.append(self)
        self.note("frame-opened", args={"page": self.page_origin, "url": self._shows.place.url})

    def event(self, name: str, value: Json) -> None:
        """Something happened in the page. Never raises."""
        if name not in NEWS:
            super().event(name, value)
        elif self._may_pass():
            if name == "setup":
                self._set_up(value.get("setup"))
            elif name == "connected":
                self._connected()
            elif name == "lost":
                self._lost(_sentence(value.get("message")))
            else:
                self._lost("the user removed it")
                self._save(None)

    def _set_up(self, given: object) -> None:
        setup = read_setup(given, self._shows.place.origin)
        if setup is None:
            self.note("misbehaved", problem=f"The page sent no setup of a server at {self._shows.place.origin}")
            return
        self.note("frame-set-up", args={"display_name": setup.display_name})
        self._save(setup)

    def _save(self, setup: FrameSetup | None) -> None:
        self._setup = setup
        self._saving.spawn(self._saved(setup))

    async def _saved(self, setup: FrameSetup | None) -> None:
        try:
            await self._shows.save(self.session.user, setup)
        except Exception:  # the product's store
            self.session.host.logger.exception("The setup of the server %s could not be stored", self.server)

    def _connected(self) -> None:
        if self not in self._shows.tabs:
            self.note("offered", args={"page": self.page_origin})
            self._shows.add(self, visible=self._visible)

    def _lost(self, problem: str) -> None:
        """The frame's server is gone; the next one is another server, which is greeted anew."""
        self.problem = problem
        self.note("frame-lost", problem=problem)
        self._shows.remove(self)
        over = _ended(self._transport, self._greeting)
        self._transport, self._greeting = self.line(), None
        self._saving.spawn(over)

    async def close(self, reason: str, *, gone: bool = True) -> None:
        """The page is gone, or was told that it is over."""
        if self in self._shows.open:
            self._shows.open.remove(self)
        await super().close(reason, gone=gone)
        await asyncio.gather(*self._saving, return_exceptions=True)


def _ended(transport: TabTransport, greeting: asyncio.Task[Client] | None) -> Coroutine[Any, Any, None]:
    async def end() -> None:
        await transport.close()
        if greeting is not None:
            with contextlib.suppress(McpError, TransportError):
                await (await greeting).close()

    return end()


def _sentence(given: object) -> str:
    """What a page says of a failure, on one line: the server itself may have written it."""
    said = " ".join(given.split()) if isinstance(given, str) else ""
    return shorten(said, 300) or "the connection to it ended"
