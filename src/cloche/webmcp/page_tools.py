"""`PageTools`: list and call the tools of a web page from Python."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterable
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeAlias

from cloche.errors import (
    ConfigurationError,
    LocalProtocolError,
    PageGoneError,
    RequestTimeoutError,
    ToolError,
    UnknownNameError,
    shorten,
)
from cloche.webmcp.argument_check import check_arguments
from cloche.webmcp.calls import call_native, call_page, check_size, decoded, name_of
from cloche.webmcp.documents import Document
from cloche.webmcp.limits import PageLimits
from cloche.webmcp.origins import checked_origin, is_opaque, origin_of
from cloche.webmcp.target import Target
from cloche.webmcp.tools import LeftOutError, PageTool, PageToolResult, read_tool
from cloche.wire.types import Json

if TYPE_CHECKING:
    from playwright.async_api import Frame, Page

MOST_LEFT_OUT = 20

# `PageTools.list` hides the type of that name.
_Tools: TypeAlias = list[PageTool]
_Texts: TypeAlias = list[str]
_Documents: TypeAlias = list[Document]


class PageTools:
    """The tools of a page of Playwright, in Chromium: those of the browser's own WebMCP and those of polyfills.

    `async with PageTools(page) as tools` begins to read. Frames count when they are of the page's own origin, or of one
    in `origins`. Nothing that a page says is trusted: names, schemas and sizes are checked, and arguments are checked
    against the whole schema before the page sees them.
    """

    def __init__(self, page: Page, *, origins: Iterable[str] = (), limits: PageLimits | None = None) -> None:
        if isinstance(origins, str):
            raise ConfigurationError(f"origins is one text: give a list, such as [{shorten(origins)!r}]")
        self.page = page
        self.limits = limits or PageLimits()
        self.left_out: _Texts = []
        """Why tools of the last list were not taken."""
        self._origins = frozenset(checked_origin(one) for one in origins)
        self._main: Target | None = None
        self._frames: dict[Frame, Target] = {}
        self._listed: dict[str, PageTool] = {}
        self._listeners: list[Callable[[], object]] = []
        self._changed = asyncio.Event()
        self._teller: asyncio.Task[None] | None = None
        self._under_way = 0
        self._closed = ""

    async def __aenter__(self) -> PageTools:
        from playwright.async_api import Error

        if self.page.is_closed():
            raise PageGoneError("The page was closed", "PAGE_CLOSED")
        try:
            session = await self.page.context.new_cdp_session(self.page)
        except Error as error:
            raise ConfigurationError(
                f"PageTools needs a page of Chromium, and this one cannot be read: {shorten(error.message, 200)}"
            ) from None
        self._main = Target(session, self._changed.set)
        self._main.on_document = self._watch
        self.page.on("close", self._page_closed)
        self.page.on("crash", self._page_closed)
        self.page.on("framenavigated", self._frame_came)
        self.page.on("framedetached", self._frame_went)
        await self._main.open(is_main=True)
        for frame in self.page.frames:
            await self._open_frame(frame)
        self._teller = asyncio.create_task(self._tell())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Stop reading. The page stays as it is."""
        if self._main is None:
            return
        main, self._main = self._main, None
        for event, heard in (
            ("close", self._page_closed),
            ("crash", self._page_closed),
            ("framenavigated", self._frame_came),
            ("framedetached", self._frame_went),
        ):
            self.page.remove_listener(event, heard)
        if self._teller is not None:
            self._teller.cancel()
            await asyncio.gather(self._teller, return_exceptions=True)
        for target in (*self._frames.values(), main):
            await target.close()
        self._frames.clear()

    def on_change(self, listener: Callable[[], object]) -> Callable[[], None]:
        """Call `listener` when tools may have come, gone or changed; returns how to stop that. However often a page
        changes them, it is called a few times in a second at most.
        """
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    async def list(self) -> _Tools:
        """The tools that the page offers now, the page's own before those of its frames."""
        main = self._open_main()
        for target in (main, *self._frames.values()):
            await target.catch_up()
        documents = [one for one in self.documents() if self.admits(one)]
        read = await asyncio.gather(*map(self._read, documents[: self.limits.documents]))
        self._open_main()
        left_out = [why for _, whys in read for why in whys]
        found = [tool for tools, _ in read for tool in tools]
        if len(found) > self.limits.tools:
            left_out.append(f"the page has {len(found)} tools, and {self.limits.tools} are taken")
        self.left_out = left_out[:MOST_LEFT_OUT]
        found = found[: self.limits.tools]
        self._listed = {}
        for tool in found:
            self._listed.setdefault(tool.name, tool)
        return found

    async def call(
        self, tool: PageTool | str, arguments: Json | None = None, *, timeout: float | None = None
    ) -> PageToolResult:
        """Call a tool that was listed; by name, the first one in the list that has it.

        `ToolError`: the arguments do not fit, the tool changed since it was listed, or it failed. `PageGoneError`: the
        page navigated, was reloaded, or closed. `RequestTimeoutError`: it took longer than `timeout` seconds. Whoever
        cancels the call cancels it in the page, too.
        """
        self._open_main()
        found = tool if isinstance(tool, PageTool) else await self._find(tool)
        given = {} if arguments is None else arguments
        check_size(found, given, self.limits)
        if found.document.has_ended():
            raise await found.document.why_gone()
        if self._under_way >= self.limits.calls:
            raise ToolError(f"{self.limits.calls} calls of this page are under way: wait until one is over")
        self._under_way += 1
        try:
            await check_arguments(found.name, found.input_schema, given, self.limits.check_seconds)
            async with asyncio.timeout(self.limits.call_seconds if timeout is None else timeout):
                return await (call_page if found.listed else call_native)(found, given, self.limits)
        except TimeoutError:
            raise RequestTimeoutError(f"{found.name} of {found.origin}") from None
        finally:
            self._under_way -= 1

    def admits(self, document: Document) -> bool:
        """Whether tools of a document are taken: it is the page, of its origin, or of one that was named."""
        main = self._main.documents.get(self._main.main_frame) if self._main is not None else None
        if document is main:
            return True
        if document.origin in self._origins:
            return True
        return main is not None and document.origin == main.origin and not is_opaque(main.origin)

    # Reading

    def _open_main(self) -> Target:
        if self._closed:
            raise PageGoneError(self._closed, "PAGE_CLOSED")
        if self._main is None:
            raise LocalProtocolError("These PageTools are not open: use `async with PageTools(page) as tools`")
        return self._main

    def documents(self) -> _Documents:
        """The documents of the page and its frames, the page's own first; see `admits`."""
        main = self._open_main()
        found = [one for target in (main, *self._frames.values()) for one in target.documents.values()]
        return sorted(found, key=lambda one: not one.is_main)

    async def _read(self, document: Document) -> tuple[_Tools, _Texts]:
        """The tools of a document, and why others are left out."""
        limits = self.limits
        try:
            async with asyncio.timeout(limits.list_seconds):
                told = await document.page_tools(limits.tools, limits.tools * limits.schema_bytes)
        except TimeoutError:
            told = []
        except PageGoneError:
            return [], []
        left_out: _Texts = []
        found: dict[str, PageTool] = {}
        texts = {name_of(one): text for text in told if isinstance(text, str) for one in [decoded(text)]}
        # A call through the document can reach no other one. Forms take their answer from the page that they lead to.
        native = [
            (one, True, "" if "backendNodeId" in one else texts.pop(name, "")) for name, one in document.native.items()
        ]
        for one, is_native, listed in [*native, *((decoded(text), False, text) for text in texts.values())]:
            try:
                tool = read_tool(one, document, limits, is_native=is_native, listed=listed)
            except LeftOutError as error:
                left_out.append(str(error))
                continue
            found.setdefault(tool.name, tool)
        return list(found.values()), left_out

    async def _find(self, name: str) -> PageTool:
        if not self._listed:
            await self.list()
        if name not in self._listed:
            some = ", ".join(shorten(one, 40) for one in [*self._listed][:8])
            raise UnknownNameError("tool", name, f"the page has {some}" if some else "the page has none")
        return self._listed[name]

    # Changes

    async def _tell(self) -> None:
        """Call the listeners, with a pause after each time."""
        while True:
            await self._changed.wait()
            self._changed.clear()
            for listener in [*self._listeners]:
                listener()
            await asyncio.sleep(1 / self.limits.changes_per_second)

    def _watch(self, document: Document) -> None:
        document.watcher = asyncio.ensure_future(self._watch_page(document))
        document.watcher.add_done_callback(lambda task: task.cancelled() or task.exception())

    async def _watch_page(self, document: Document) -> None:
        """Hear of changes of a polyfill's tools. The page is asked again only after a pause, whatever it says."""
        seen: Any = 0
        while isinstance(seen, int) and not document.has_ended():
            with contextlib.suppress(PageGoneError):
                seen = await document.run("nextChange", seen)
                self._changed.set()
            await asyncio.sleep(1 / self.limits.changes_per_second)

    def _page_closed(self, _: object) -> None:
        self._closed = "The page was closed"
        for target in (self._main, *self._frames.values()):
            if target is not None:
                target.end()
        self._changed.set()

    # Frames in processes of their own

    def _frame_came(self, frame: Frame) -> None:
        if self._main is not None and self._needs_session(frame):
            self._main.later(self._open_frame(frame))

    def _frame_went(self, frame: Frame) -> None:
        target = self._frames.pop(frame, None)
        if target is not None:
            target.end()
            self._changed.set()

    def _needs_session(self, frame: Frame) -> bool:
        return frame is not self.page.main_frame and (frame in self._frames or origin_of(frame.url) in self._origins)

    async def _open_frame(self, frame: Frame) -> None:
        if not self._needs_session(frame):
            return
        from playwright.async_api import Error

        self._frame_went(frame)
        try:
            session = await self.page.context.new_cdp_session(frame)
        except Error:
            return  # it is in a process that is read already
        target = Target(session, self._changed.set)
        target.on_document = self._watch
        self._frames[frame] = target
        with contextlib.suppress(Error):
            await target.open(is_main=False)
        self._changed.set()
