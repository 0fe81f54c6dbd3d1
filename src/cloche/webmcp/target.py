"""What one process of the browser has of a page: its documents and their tools, over the browser's own protocol."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cloche.webmcp.documents import Document
from cloche.wire.types import Json

if TYPE_CHECKING:
    from playwright.async_api import CDPSession

FORM_SECONDS = 10.0
"""How long the page that a form led to may take to answer the call."""
MOST_TOOLS = 1000
"""Tools of one document that are kept, and answers that may come before the call is known."""


@dataclass(eq=False)
class _Call:
    """A call of a tool of the browser's own; the answer is None when the document went away."""

    document: Document
    is_form: bool
    answer: asyncio.Future[Json | None]

    def settle(self, answer: Json | None) -> None:
        if not self.answer.done():
            self.answer.set_result(answer)


class Target:
    """A session of the browser's protocol with one process. `on_change` is called when tools may have changed."""

    def __init__(self, session: CDPSession, on_change: Callable[[], None]) -> None:
        from playwright.async_api import Error

        self.failures = Error
        """What Playwright raises when the browser does not do as it is told."""
        self._session = session
        self._on_change = on_change
        self.main_frame = ""
        self.documents: dict[str, Document] = {}
        """By frame."""
        self.urls: dict[str, str] = {}
        """What each frame shows."""
        self.is_closed = False
        self.on_document: Callable[[Document], None] = lambda document: None
        self._arrivals: dict[str, int] = {}
        self._moved: asyncio.Event = asyncio.Event()
        self._early: list[Json] = []
        """Tools whose document the browser has not told yet."""
        self.last_error = ""
        """What the last tool that failed had to say."""
        self._calls: dict[str, _Call] = {}
        self._starting = 0
        self._answers: dict[str, Json] = {}
        """Answers to calls that are just being started."""
        self._beside: set[asyncio.Task[Any]] = set()

    async def open(self, *, is_main: bool) -> None:
        """Begin to listen."""
        session = self._session
        session.on("Runtime.executionContextCreated", self._created)
        session.on("Runtime.executionContextDestroyed", self._destroyed)
        session.on("Runtime.executionContextsCleared", lambda _: self._cleared())
        session.on("Page.frameNavigated", self._navigated)
        session.on("Page.navigatedWithinDocument", self._moved_within)
        session.on("Page.frameDetached", self._detached)
        session.on("WebMCP.toolsAdded", self._added)
        session.on("WebMCP.toolsRemoved", self._removed)
        session.on("WebMCP.toolResponded", self._responded)
        await self.send("Page.enable")
        tree = (await self.send("Page.getFrameTree"))["frameTree"]
        if is_main:
            self.main_frame = tree["frame"]["id"]
        self._read_urls(tree)
        await self.send("Runtime.enable")
        with contextlib.suppress(self.failures):  # a Chromium of before WebMCP
            await self.send("WebMCP.enable")

    def _read_urls(self, tree: Json) -> None:
        self.urls[tree["frame"]["id"]] = tree["frame"]["url"]
        for child in tree.get("childFrames", ()):
            self._read_urls(child)

    async def send(self, method: str, **params: Any) -> Json:
        """One command."""
        return await self._session.send(method, params)

    async def catch_up(self) -> None:
        """Wait until everything is known that the browser had told by now."""
        with contextlib.suppress(self.failures):
            await self.send("Page.getFrameTree")

    def later(self, work: Coroutine[Any, Any, Any]) -> None:
        """Do something that nobody waits for."""
        self.leave(asyncio.ensure_future(work))

    def leave(self, task: asyncio.Task[Any]) -> None:
        """Let a task run on that nobody waits for."""
        self._beside.add(task)
        task.add_done_callback(self._forget)

    def _forget(self, task: asyncio.Task[Any]) -> None:
        self._beside.discard(task)
        if not task.cancelled():
            task.exception()

    def end(self) -> None:
        """The process, or the page, is gone: what waits learns that."""
        self.is_closed = True
        self._cleared()
        self._move()
        for call in self._calls.values():
            call.settle(None)

    async def close(self) -> None:
        """Stop listening."""
        was_closed = self.is_closed
        watchers = [one.watcher for one in self.documents.values() if one.watcher is not None]
        self.end()
        await asyncio.gather(*watchers, return_exceptions=True)
        for task in self._beside:
            task.cancel()
        await asyncio.gather(*self._beside, return_exceptions=True)
        if not was_closed:
            with contextlib.suppress(self.failures):
                await self._session.detach()

    # Where frames are

    def came(self, document: Document) -> bool:
        """Whether another document came into its frame since."""
        return self._arrivals.get(document.frame, 0) > document.arrival

    async def moved(self) -> None:
        """Wait until some frame shows something else."""
        await self._moved.wait()

    def _move(self) -> None:
        self._moved.set()
        self._moved = asyncio.Event()

    def _navigated(self, event: Json) -> None:
        frame = event["frame"]
        self.urls[frame["id"]] = frame["url"]
        self._arrivals[frame["id"]] = self._arrivals.get(frame["id"], 0) + 1
        self._move()

    def _detached(self, event: Json) -> None:
        self.urls.pop(event["frameId"], None)
        self._arrivals.pop(event["frameId"], None)
        self._end(event["frameId"])
        self._move()

    def _moved_within(self, event: Json) -> None:
        self.urls[event["frameId"]] = event["url"]
        document = self.documents.get(event["frameId"])
        if document is not None:
            document.url = event["url"]

    def _created(self, event: Json) -> None:
        context = event["context"]
        about = context.get("auxData", {})
        frame = about.get("frameId")
        if not about.get("isDefault") or not isinstance(frame, str):
            return
        self._end(frame)
        document = Document(self, frame, context["uniqueId"], context["origin"])
        document.arrival = self._arrivals.get(frame, 0)
        self.documents[frame] = document
        early, self._early = self._early, []
        self._added({"tools": early})
        self.on_document(document)
        self._on_change()

    def _destroyed(self, event: Json) -> None:
        for frame, document in list(self.documents.items()):
            if document.context == event.get("executionContextUniqueId"):
                self._end(frame)

    def _cleared(self) -> None:
        for frame in list(self.documents):
            self._end(frame)
        self._early.clear()

    def _end(self, frame: str) -> None:
        document = self.documents.pop(frame, None)
        if document is None:
            return
        document.end()
        self._on_change()
        for call in self._calls.values():
            if call.document is document:
                # The answer of a form may be the page that it leads to.
                delay = FORM_SECONDS if call.is_form and not self.is_closed else 0
                asyncio.get_running_loop().call_later(delay, call.settle, None)

    # The browser's own tools

    async def invoke(self, document: Document, name: str, arguments: Json, *, is_form: bool) -> Json | None:
        """Call a tool of the browser's own: what it answered, or None when the document or the tool is gone."""
        self._starting += 1
        starting = asyncio.ensure_future(
            self.send("WebMCP.invokeTool", frameId=document.frame, toolName=name, input=arguments)
        )
        try:
            number = (await asyncio.shield(starting))["invocationId"]
        except self.failures:
            return None
        except asyncio.CancelledError:
            self.later(self._give_up(starting))
            raise
        finally:
            self._starting -= 1
        answers, self._answers = self._answers, self._answers if self._starting else {}
        if number in answers:
            return answers.pop(number)
        call = self._calls[number] = _Call(document, is_form, asyncio.get_running_loop().create_future())
        if document.has_ended() and not is_form:
            call.settle(None)
        try:
            return await call.answer
        except asyncio.CancelledError:
            self.later(self._give_up(starting))
            raise
        finally:
            del self._calls[number]

    async def _give_up(self, starting: asyncio.Future[Json]) -> None:
        with contextlib.suppress(self.failures):
            await self.send("WebMCP.cancelInvocation", invocationId=(await starting)["invocationId"])

    def _added(self, event: Json) -> None:
        for tool in event["tools"]:
            document = self.documents.get(tool["frameId"])
            if document is None and len(self._early) < MOST_TOOLS:
                self._early.append(tool)
            elif document is not None and len(document.native) < MOST_TOOLS:
                document.native[tool["name"]] = tool
        self._on_change()

    def _removed(self, event: Json) -> None:
        for tool in event["tools"]:
            document = self.documents.get(tool["frameId"])
            if document is not None:
                document.native.pop(tool["name"], None)
        self._on_change()

    def _responded(self, event: Json) -> None:
        call = self._calls.get(event["invocationId"])
        said = event.get("exception", {}).get("description")
        if isinstance(said, str):
            self.last_error = said
        if call is not None:
            call.settle(event)
        elif self._starting and len(self._answers) < MOST_TOOLS:
            self._answers[event["invocationId"]] = event
