"""One document of a page, as long as it is there: what the browser and its polyfill say of its tools."""

from __future__ import annotations

import asyncio
import contextlib
from functools import cache
from importlib.resources import files
from itertools import count
from typing import TYPE_CHECKING, Any

import msgspec

from cloche.errors import PageGoneError
from cloche.wire.types import Json

if TYPE_CHECKING:
    from cloche.webmcp.target import Target

GONE_SECONDS = 1.0
"""How long the browser may take to say why a document is gone."""

_numbers = count(1)


@cache
def _reader() -> str:
    """The script that runs in each document, as one expression."""
    text = (files("cloche.web") / "webmcp" / "reader.js").read_text("utf-8").replace("export ", "")
    return f"(() => {{ {text}\nreturn {{ nextChange, listTools, callTool, cancelCall }} }})()"


class Document:
    """A document in a frame. When the frame shows another one this is over, and every use of it fails."""

    def __init__(self, target: Target, frame: str, context: str, origin: str) -> None:
        self.target = target
        self.frame = frame
        """The browser's id of the frame."""
        self.context = context
        """The browser's id of the document's world; no other document ever gets it."""
        self.origin = origin
        self.url = target.urls.get(frame, "")
        self.arrival = 0
        """How many documents the browser had told of in this frame."""
        self.is_main = frame == target.main_frame
        self.native: dict[str, Json] = {}
        """Tools of the browser's own WebMCP, by name."""
        self._over = asyncio.get_running_loop().create_future()
        self.watcher: asyncio.Task[None] | None = None
        """What waits for changes of a polyfill's tools."""
        self._reader: asyncio.Future[str] | None = None

    def end(self) -> None:
        """The document is gone."""
        if not self._over.done():
            self._over.set_result(None)
        if self.watcher is not None:
            self.watcher.cancel()

    def has_ended(self) -> bool:
        """Whether the document is gone."""
        return self._over.done()

    async def run(self, function: str, *given: Any) -> Any:
        """Call a function of `reader.js` here; raises `PageGoneError` when the document goes away."""
        if self._reader is None:
            self._reader = asyncio.ensure_future(self._install())
        running = asyncio.ensure_future(self._run(function, given, self._reader))
        try:
            await asyncio.wait([running, self._over], return_when=asyncio.FIRST_COMPLETED)
            if not running.done():
                raise await self.why_gone()
            return running.result()
        except self.target.failures:
            raise await self.why_gone() from None
        finally:
            if not running.done():
                self.target.leave(running)

    async def _run(self, function: str, given: tuple[Any, ...], reader: asyncio.Future[str]) -> Any:
        answer = await self.target.send(
            "Runtime.callFunctionOn",
            objectId=await asyncio.shield(reader),
            functionDeclaration=f"function (...given) {{ return this.{function}(...given) }}",
            arguments=[{"value": one} for one in given],
            awaitPromise=True,
            returnByValue=True,
        )
        return None if "exceptionDetails" in answer else answer["result"].get("value")

    async def _install(self) -> str:
        answer = await self.target.send("Runtime.evaluate", expression=_reader(), uniqueContextId=self.context)
        return str(answer["result"].get("objectId", ""))

    async def page_tools(self, most: int, limit: int) -> list[Any]:
        """The tools that a polyfill tells, as it tells them; those of the browser's own are among them."""
        text = await self.run("listTools", most, limit)
        if not isinstance(text, str) or not text.startswith("="):
            return []
        with contextlib.suppress(msgspec.DecodeError, UnicodeError, RecursionError):
            found = msgspec.json.decode(text[1:])
            return found if isinstance(found, list) else []
        return []

    async def call_page(self, name: str, listed: str, arguments: Json, limit: int) -> str:
        """Call a polyfill's tool: what `callTool` of `reader.js` says."""
        number = next(_numbers)
        try:
            said = await self.run("callTool", number, name, listed, msgspec.json.encode(arguments).decode(), limit)
        except asyncio.CancelledError:
            self.target.later(self.run("cancelCall", number))
            raise
        return said if isinstance(said, str) else "!it said nothing"

    async def why_gone(self) -> PageGoneError:
        """Why the document is not there any more, once the browser has said where the frame went."""
        target = self.target
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(GONE_SECONDS):
                while not target.is_closed and target.urls.get(self.frame, "") == self.url and not target.came(self):
                    await target.moved()
        if target.is_closed:
            return PageGoneError("The page was closed", "PAGE_CLOSED")
        if not target.came(self):
            return PageGoneError("The frame that had the tool is gone: list the tools again")
        where = target.urls.get(self.frame, "")
        if where == self.url:
            return PageGoneError("The page was reloaded: list its tools again", "PAGE_RELOADED")
        return PageGoneError(f"The page navigated to {where[:300]}: list its tools again")
