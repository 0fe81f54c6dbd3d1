"""`{at}/socket`: the one WebSocket of a page, which carries all its views.

A browser lets any page open a WebSocket to anybody and asks nobody before: so Origin is checked before the connection
is accepted, and after that only a ticket opens anything. What a page sends is limited in size, depth and rate; a frame
that is none ends the connection with its reason.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from typing import TYPE_CHECKING, Any, TypeAlias

from cloche.asgi import Receive, Send
from cloche.errors import BudgetError, ClocheError, InvalidParamsError, InvalidRequestError, McpError, shorten
from cloche.host.bridge import MountedView
from cloche.host.budgets import Bucket, Visitor
from cloche.host.users import is_anonymous, new_visitor
from cloche.host.web import socket_frames
from cloche.host.web.mounts import Mount, Mounts
from cloche.problems import Problem
from cloche.wire.json import encode
from cloche.wire.types import Json

if TYPE_CHECKING:
    from cloche.host.host import Host
    from cloche.host.preloads import PreloadedView
    from cloche.host.web.connected_pages import Sockets
    from cloche.host.web.routes import PageRequest
    from cloche.host.web.sandbox_urls import SandboxUrls

SUBPROTOCOL = "cloche.1"
"""What page and host agree on in the handshake."""

GOING_AWAY, NOT_TEXT, NOT_ALLOWED, BUSY = 1001, 1003, 1008, 1013
"""Why a connection is closed (RFC 6455)."""

HELLO_SECONDS = 10.0
"""A connection that says nothing is closed."""

CLOSE_SECONDS = 5.0
"""How long a page that does not read may keep the goodbye from being sent."""

MAX_WAITING = 20_000
"""Frames that wait for a page that does not read."""

logger = logging.getLogger("cloche.host")

FAILED: dict[type[socket_frames.Frame], str] = {
    socket_frames.Offer: "The server could not be offered",
    socket_frames.Preload: "The page could not be made ready for a view",
    socket_frames.Listen: "The page could not be connected for questions",
    socket_frames.Agents: "The page could not offer tools to agents",
    socket_frames.Copilots: "The page could not be given its copilot",
}

Opening: TypeAlias = (
    socket_frames.Open
    | socket_frames.OpenTool
    | socket_frames.Offer
    | socket_frames.Preload
    | socket_frames.Listen
    | socket_frames.Agents
    | socket_frames.Copilots
)


class PageSocket:
    """One connection with one page, which asked for it with `request`."""

    def __init__(
        self, host: Host, mounts: Mounts, sandbox_urls: SandboxUrls, sockets: Sockets, request: PageRequest
    ) -> None:
        assert request.page is not None
        self.page, self.at_url = request.page, request.address
        """The page's origin, and how it reaches this host."""
        self.address = request.visitor
        self._host, self._mounts, self._sandbox_urls, self._sockets = host, mounts, sandbox_urls, sockets
        self._limits = host.limits
        self._idling: asyncio.TimerHandle | None = None
        self._views: dict[int, Mount] = {}
        self._opening: dict[int, asyncio.Task[None]] = {}
        self._out: deque[bytes] = deque()
        self._wake = asyncio.Event()
        self._end: tuple[int, str] | None = None
        self._overdue = asyncio.Event()
        self._greeted = False
        self._users: set[str] = set()
        """Whose tickets this page has shown."""
        self._visitor = new_visitor()
        """Whose calls those are that this page starts by itself."""

    async def run(self, receive: Receive, send: Send) -> None:
        """Serve the connection until either side ends it."""
        work: list[asyncio.Task[Any]] = [
            asyncio.create_task(self._write_all(send)),
            asyncio.create_task(self._read_all(receive)),
            asyncio.create_task(self._overdue.wait()),
        ]
        try:
            await asyncio.wait(work, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in work:
                task.cancel()
            self._let_go()
            await asyncio.gather(*work, return_exceptions=True)
        for task in work:
            if not task.cancelled() and (error := task.exception()) is not None:
                logger.error("the socket of a page failed", exc_info=error)

    def put(self, data: bytes) -> None:
        """Send a frame."""
        if len(self._out) >= MAX_WAITING:
            self.end(BUSY, "The page does not read")
            return
        self._out.append(data)
        self._wake.set()

    def forget(self, mount: Mount) -> None:
        """The view is over, or another socket has it."""
        if self._views.get(mount.number) is mount:
            del self._views[mount.number]
            self._emptied()

    def _emptied(self) -> None:
        """One view less. A ticket that opened nothing leaves the time for a better one as it was."""
        if not self._views and self._sockets.emptied(self) and self._end is None:
            self._wait_for_view(self._limits.idle_seconds)

    def end(self, code: int, reason: str) -> None:
        """Close the connection after what is to be sent has been sent. What is only being opened is given up."""
        if self._end is None:
            self._end = code, shorten(reason, 100)
            asyncio.get_running_loop().call_later(CLOSE_SECONDS, self._overdue.set)
        for task in tuple(self._opening.values()):
            task.cancel()
        self._wake.set()

    def hang_up(self, user: str, reason: str) -> None:
        """The session of a user is over: end the connection, unless it has something of somebody else's."""
        if user in self._users and not self._views:
            self.end(NOT_ALLOWED, reason)

    def _belongs(self, mount: Mount, user: str) -> None:
        """It is known now whose it is."""
        mount.user = user
        self._users.add(user)

    async def _write_all(self, send: Send) -> None:
        try:
            while True:
                while self._out:
                    await send({"type": "websocket.send", "text": self._out.popleft().decode()})
                if self._end is not None:
                    code, reason = self._end
                    await send({"type": "websocket.close", "code": code, "reason": reason})
                    return
                self._wake.clear()
                await self._wake.wait()
        except OSError:  # what ASGI says when the page is gone
            return

    async def _read_all(self, receive: Receive) -> None:
        loop = asyncio.get_running_loop()
        bucket = Bucket(self._limits.frame_rate, self._limits.frame_burst)
        hurry = loop.call_later(HELLO_SECONDS, self._check_hello)
        self._wait_for_view(self._limits.unopened_seconds)
        try:
            while self._end is None:
                event = await receive()
                if event["type"] != "websocket.receive":
                    return
                self._take(event.get("text"), bucket.take())
            await asyncio.Event().wait()  # the writer says goodbye, and that ends the connection
        finally:
            hurry.cancel()
            self._stop_waiting()

    def _check_hello(self) -> None:
        if not self._greeted:
            self.end(NOT_ALLOWED, "The page did not complete the handshake")

    def _wait_for_view(self, seconds: float) -> None:
        """Close a connection that shows nothing for so long: pages close such a one themselves, much sooner."""
        self._stop_waiting()
        self._idling = asyncio.get_running_loop().call_later(seconds, self._check_idleness)

    def _check_idleness(self) -> None:
        if not self._views:
            self.end(GOING_AWAY, "No view is open")

    def _stop_waiting(self) -> None:
        if self._idling is not None:
            self._idling.cancel()

    def _admitted(self) -> None:
        """The page has shown a ticket, or may open what it wants without one. Raises `BudgetError`."""
        self._sockets.opened(self)
        self._stop_waiting()

    def _take(self, text: str | None, in_time: bool) -> None:
        if text is None:
            self.end(NOT_TEXT, "Frames are text")
        elif not in_time:
            self.end(NOT_ALLOWED, "The page sends too much")
        else:
            try:
                self._handle(socket_frames.read_frame(text))
            except McpError as error:
                self.end(NOT_ALLOWED, error.message)

    def _handle(self, frame: socket_frames.Frame) -> None:
        if not self._greeted:
            if not isinstance(frame, socket_frames.Hello) or frame.hello != 1:
                raise InvalidRequestError('The first frame is {"hello": 1}')
            self._greeted = True
        elif isinstance(frame, Opening):
            self._open(frame)
        elif isinstance(frame, socket_frames.Resume):
            self._resume(frame)
        elif isinstance(frame, socket_frames.Close):
            self._close(frame.close)
        elif isinstance(frame, socket_frames.Got):
            if (mount := self._views.get(frame.view)) is not None:
                mount.acknowledge(frame.got)
        elif isinstance(frame, socket_frames.MessageFrame | socket_frames.Event | socket_frames.Answer):
            self._deliver(frame)
        else:
            raise InvalidRequestError("Hello is said once")

    def _deliver(self, frame: socket_frames.MessageFrame | socket_frames.Event | socket_frames.Answer) -> None:
        mount = self._views.get(frame.view)
        # A view that was just closed may still have frames under way.
        if mount is None or not mount.channel.take(frame.n):
            return
        mount.took()
        if mount.view is None:  # the page only gets ready for it: nothing is said or heard
            return
        if isinstance(frame, socket_frames.MessageFrame):
            mount.view.receive(frame.message, frame.gesture)
        elif isinstance(frame, socket_frames.Event):
            mount.view.event(frame.event, frame.value)
        else:
            mount.view.answered(frame.answer, frame.value)

    def _resume(self, frame: socket_frames.Resume) -> None:
        self._check_free(frame.open)
        try:
            mount = self._mounts.find(frame.resume, frame.key, self.page)
            self._admitted()
        except (InvalidParamsError, BudgetError) as error:
            self._refuse(frame.open, "gone" if isinstance(error, InvalidParamsError) else "limit", error.message)
            return
        mount.hang_on(self, frame.open)
        self._views[frame.open] = mount
        self._belongs(mount, mount.user)
        mount.resume(frame.got)

    def _open(self, frame: Opening) -> None:
        self._check_free(frame.open)
        if len(self._views) >= self._limits.page_views:
            error = BudgetError("A page shows no more views", "page_views", self._limits.page_views)
            self._refuse(frame.open, "limit", self._host.budgets.exceeded(error, self.address).message)
            return
        mount = Mount(self._mounts, self.page)
        mount.hang_on(self, frame.open)
        self._views[frame.open] = mount
        task = self._opening[frame.open] = self._mounts.spawn(self._begin(mount, frame))
        task.add_done_callback(lambda _: self._opening.pop(frame.open, None))

    async def _begin(self, mount: Mount, frame: Opening) -> None:
        """Open what the page wants, in a task of its own: a slow server holds up nobody."""
        try:
            if isinstance(frame, socket_frames.Offer):
                await self._take_offer(mount, frame)
            elif isinstance(frame, socket_frames.Listen):
                await self._listen(mount, frame)
            elif isinstance(frame, socket_frames.Agents):
                await self._offer_to_agents(mount, frame)
            elif isinstance(frame, socket_frames.Copilots):
                await self._frame_copilot(mount, frame)
            elif isinstance(frame, socket_frames.Preload):
                view = await self._host._preload_view(frame.preload, admitted=self._admitted)
                mount.holder = view.user
                self._belongs(mount, view.user)
                self._opened(mount, view)
            else:
                await self._mount(mount, frame)
        except ClocheError as error:
            if isinstance(mount.view, MountedView):
                mount.view.failed(Problem("view-unavailable", reason=str(error)))
            mount.fail(_word(error), str(error))
        except Exception:
            what = FAILED.get(type(frame), "The view could not be opened")
            logger.exception("%s", what)
            mount.fail("failed", f"{what}: the host's log says why")

    async def _mount(self, mount: Mount, frame: socket_frames.Open | socket_frames.OpenTool) -> None:
        view = mount.view = await self._find(mount, frame)
        mount.holder = f"visitors at {self.address}" if is_anonymous(view.user) else view.user
        self._belongs(mount, view.user)
        await view.ready()  # may ask the person something, through this socket
        self._opened(mount, view)

    def _opened(self, mount: Mount, view: MountedView | PreloadedView) -> None:
        if not mount.is_over:
            mount.opened(self._sandbox_urls.complete(view, mount, self.page, self.at_url))

    async def _take_offer(self, mount: Mount, frame: socket_frames.Offer) -> None:
        """Take up the server that the page offers."""
        tab = await self._host._open_tab(frame.offer, page_origin=self.page, send=mount.send)
        self._admitted()
        if not mount.is_over:  # else the page is gone already
            mount.view, mount.holder = tab, tab.session.user
            self._belongs(mount, tab.session.user)
            mount.opened(tab.packet())
            tab.start(visible=frame.visible)

    async def _listen(self, mount: Mount, frame: socket_frames.Listen) -> None:
        """Show the user's questions on this page."""
        page = await self._host._open_questions(
            frame.questions, page_origin=self.page, send=mount.send, admitted=self._admitted
        )
        if not mount.is_over:
            mount.view, mount.holder = page, page.session.user
            self._belongs(mount, page.session.user)
            mount.opened(page.packet())
            page.start()

    async def _offer_to_agents(self, mount: Mount, frame: socket_frames.Agents) -> None:
        """Offer the user's tools on this page."""
        page = await self._host._open_agents(
            frame.agents, page_origin=self.page, send=mount.send, admitted=self._admitted, views=mount.views_beside
        )
        if not mount.is_over:
            mount.view, mount.holder = page, page.session.user
            self._belongs(mount, page.session.user)
            mount.opened(page.packet())
            page.start()

    async def _frame_copilot(self, mount: Mount, frame: socket_frames.Copilots) -> None:
        """Give the user's tools to the copilot in a frame of this page."""
        page = await self._host._open_copilot(
            frame.copilot, page_origin=self.page, send=mount.send, admitted=self._admitted
        )
        if not mount.is_over:
            mount.view, mount.holder = page, page.session.user
            mount.opened(page.packet())
            page.start()

    @property
    def shown(self) -> list[MountedView]:
        """The views on this page."""
        return [mount.view for mount in self._views.values() if isinstance(mount.view, MountedView)]

    async def _find(self, mount: Mount, frame: socket_frames.Open | socket_frames.OpenTool) -> MountedView:
        given: Json = {"context": frame.context, "page_origin": self.page, "at_url": self.at_url, "send": mount.send}
        if isinstance(frame, socket_frames.Open):
            return await self._host.open_view(frame.ticket, admitted=self._admitted, **given)
        visitor = Visitor(self._visitor, self.address, self._admitted)
        return await self._host.open_page_tool(frame.server, frame.tool, frame.arguments, visitor=visitor, **given)

    def _close(self, number: int) -> None:
        opening = self._opening.get(number)
        if opening is not None:
            opening.cancel()
        mount = self._views.pop(number, None)
        if mount is not None:
            mount.close("The element left the page")
            self._emptied()

    def _check_free(self, number: int) -> None:
        if number in self._views:
            raise InvalidRequestError(f"View {number} is open already")

    def _refuse(self, number: int, code: str, message: str) -> None:
        self.put(encode({"view": number, "error": {"code": code, "message": message}}))

    def _let_go(self) -> None:
        """The connection is over. A view that is only being opened has no key yet that could ask it back."""
        for task in tuple(self._opening.values()):
            task.cancel()
        views, self._views = self._views, {}
        for mount in views.values():
            if mount.key:
                mount.let_go()
            else:
                mount.close("The page is gone")


def _word(error: ClocheError) -> str:
    """The word by which the page's element knows what happened."""
    given: Any = getattr(error, "word", None)
    if isinstance(given, str):
        return given
    if isinstance(error, BudgetError):
        return "limit"
    return "ticket" if isinstance(error, InvalidParamsError) else "failed"
