"""The views that are open on pages. A view outlives the socket it came over: the page that has its key gets it back."""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any

from cloche.errors import BudgetError, InvalidParamsError
from cloche.host.web.bodies import Bodies, Encoded
from cloche.host.web.channel import ChannelFullError, ResumableChannel
from cloche.transports.tasks import Tasks
from cloche.wire.json import encode
from cloche.wire.types import Json

if TYPE_CHECKING:
    from cloche.host.agent_tools import AgentPage
    from cloche.host.bridge import MountedView
    from cloche.host.copilot_page import CopilotPage
    from cloche.host.page_questions import QuestionPage
    from cloche.host.upstreams.tab import Tab
    from cloche.host.web.socket import PageSocket

KEEP_SECONDS = 60.0
"""How long a view without a socket is kept."""

BODY_BYTES = 64 * 1024
"""Messages over this size are fetched, not sent over the socket."""

TICK = 1.0
"""A page hears within this many seconds what has arrived of it."""


class Mount:
    """One view on one page: the numbered channel to it, and the socket that it hangs on at the moment."""

    def __init__(self, mounts: Mounts, page: str) -> None:
        self.page = page
        """The origin of the page it was opened on."""
        self.holder = ""
        """Whose what it keeps for the page is: a user, or the address of somebody without a name."""
        self.user = ""
        """Whose session it is of; empty before it is known."""
        self.view: MountedView | Tab | QuestionPage | AgentPage | CopilotPage | None = None
        """Whom messages are for: a view that the page shows, or a server that it offers; nobody while it is opened, and
        for a view that the page only gets ready for.
        """
        self.id = self.key = ""
        """What the page must know to ask it back; empty before it is open."""
        self.channel = ResumableChannel()
        self.number = 0
        """What the page calls it."""
        self._mounts = mounts
        self._outlet: PageSocket | None = None
        self._html: str | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._closing: asyncio.Task[None] | None = None

    @property
    def is_over(self) -> bool:
        """Whether it has been closed."""
        return self._closing is not None

    def views_beside(self) -> list[MountedView]:
        """The views on the same page, while it is connected."""
        return [] if self._outlet is None else self._outlet.shown

    def hang_on(self, outlet: PageSocket, number: int) -> None:
        """Use this socket from now on, and no other."""
        if self._outlet is not None and self._outlet is not outlet:
            self._outlet.forget(self)
        self._outlet, self.number = outlet, number
        self._stop_timer()

    def opened(self, packet: Json) -> None:
        """The view is ready: tell the page what to show. From now on the page can ask it back."""
        self.id, self.key = packet["id"], packet["key"]
        self._mounts.by_id[self.id] = self
        self._put(encode({"view": self.number, "mount": packet}))

    def hold_html(self, html: str) -> str:
        """The path at which the page fetches the view's HTML."""
        self._html, path = self._mounts.bodies.put(self.holder, html)
        return path

    def resume(self, got: int) -> None:
        """The page is back and has everything up to `got`: say what we have, and send the rest again."""
        self.acknowledge(got)
        self.channel.told()
        self._put(encode({"view": self.number, "resumed": self.channel.received}))
        for kept in self.channel.kept:
            self._put(self._framed(kept.number, kept.payload))
        if self.view is not None:
            self.view.attach(self.send)

    def send(self, frame: Json) -> None:
        """Send a frame of the view's host side: `{"message": …}`, `{"ask": …}`, `{"do": …}` and the like."""
        if self.is_over:
            return
        if "error" in frame:  # the last word
            self._put(encode({"view": self.number, **frame}))
            self.close("The view failed")
            return
        try:
            self._send_numbered(frame)
        except (ChannelFullError, BudgetError) as error:
            self.fail("overload", error.message)

    def _send_numbered(self, frame: Json) -> None:
        payload, size, body = self._packed(frame)
        try:
            kept = self.channel.number(payload, size=size, body=body)
        except ChannelFullError:
            self._mounts.bodies.drop(body)
            raise
        self._put(self._framed(kept.number, kept.payload))

    def _packed(self, frame: Json) -> tuple[bytes, int, str | None]:
        """A frame as it is sent, what it takes in memory, and the name of its body, when it has one."""
        if list(frame) != ["message"]:
            data = encode(frame)
            return data, len(data), None
        data = self._mounts.encoded.of(frame["message"])
        if len(data) <= BODY_BYTES:
            return b'{"message":%b}' % data, len(data), None
        name, path = self._mounts.bodies.put(self.holder, data)
        # An answer may be overtaken by what is said later; everything else keeps its order.
        return encode({"body": path, "free": "method" not in frame["message"]}), len(data), name

    def fail(self, code: str, message: str) -> None:
        """Tell the page that this view is over, and why."""
        self.send({"error": {"code": code, "message": message}})

    def acknowledge(self, got: int) -> None:
        """The page has everything up to this number."""
        for kept in self.channel.acknowledged(got):
            self._mounts.bodies.drop(kept.body)

    def took(self) -> None:
        """A frame of the page was taken: tell it, soon or at once."""
        if self.channel.must_tell:
            self._tell()
        elif self._timer is None and self._outlet is not None:
            self._timer = asyncio.get_running_loop().call_later(TICK, self._tell)

    def _tell(self) -> None:
        self._stop_timer()
        got = self.channel.told() if self._outlet is not None else None
        if got is not None:
            self._put(encode({"view": self.number, "got": got}))

    def let_go(self) -> None:
        """The socket is gone: keep the view for a while."""
        self._outlet = None
        self._stop_timer()
        if self.is_over:
            return
        if self.view is not None:
            self.view.detach()
        self._timer = asyncio.get_running_loop().call_later(
            self._mounts.keep_seconds, self.close, "The page was gone for too long"
        )

    def close(self, reason: str) -> None:
        """End the view. Its own goodbyes take a moment and are waited for by `Mounts.close`."""
        if self.is_over:
            return
        self._stop_timer()
        self._mounts.bodies.drop(self._html)
        for kept in self.channel.kept:
            self._mounts.bodies.drop(kept.body)
        if self._outlet is not None:
            self._outlet.forget(self)
        self._closing = self._mounts.spawn(self._end(reason))

    async def _end(self, reason: str) -> None:
        self._mounts.by_id.pop(self.id, None)
        if self.view is not None:
            await self.view.close(reason, gone=True)
        self._outlet = None

    def _put(self, data: bytes) -> None:
        if self._outlet is not None:
            self._outlet.put(data)

    def _framed(self, number: int, payload: bytes) -> bytes:
        return b'{"view":%d,"n":%d,' % (self.number, number) + payload[1:]

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


class Mounts:
    """Every open view of a host, and the tasks that end some."""

    def __init__(self, bodies: Bodies, encoded: Encoded) -> None:
        self.bodies = bodies
        self.encoded = encoded
        self.keep_seconds = KEEP_SECONDS
        self.by_id: dict[str, Mount] = {}
        self._tasks = Tasks()

    def find(self, mount_id: str, key: str, page: str) -> Mount:
        """The view that a page asks back: it must know the key, and be of the same origin."""
        mount = self.by_id.get(mount_id)
        if mount is None or not hmac.compare_digest(mount.key.encode(), key.encode()) or mount.page != page:
            raise InvalidParamsError("This view is not open any more")
        return mount

    def hang_up(self, user: str, reason: str) -> None:
        """End everything that is open for a user: each page hears why."""
        for mount in tuple(self.by_id.values()):
            if mount.user == user:
                mount.fail("closed", reason)

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Run something whose end is waited for when the host closes."""
        return self._tasks.spawn(work)

    async def close(self) -> None:
        """End every view."""
        for mount in tuple(self.by_id.values()):
            mount.close("The host is closing")
        if self._tasks:
            await asyncio.wait(tuple(self._tasks))
