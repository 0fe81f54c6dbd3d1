"""Dialogs of a page that nobody sees: they stop the page until somebody answers, so they are put away and told."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Coroutine
from typing import TYPE_CHECKING, TypeVar

from cloche.errors import ToolError, shorten
from cloche.webmcp.tools import cleaned

if TYPE_CHECKING:
    from playwright.async_api import Dialog, Page

T = TypeVar("T")

GIVE_UP_SECONDS = 3.0
"""How long a call may go on after a dialog in which the page asked something, or while it opens one after the other."""
TEXT_LIMIT = 200
"""Characters of a dialog that are told."""
MANY = 3
"""Messages of one call that are no more than messages."""

_WORDS = {
    "alert": "said",
    "confirm": "asked",
    "prompt": "asked for",
    "beforeunload": "asked whether it may be left",
}


class PageDialogs:
    """Puts `alert`, `confirm`, `prompt` and `beforeunload` of a page away at once: with no, where it is a question.

    A message is told beside the call's result. A question is not answered for a person who is not there: the call
    fails, and says what was asked. What is under way 3 seconds later is given up.
    """

    def __init__(self, page: Page, seconds: float = GIVE_UP_SECONDS) -> None:
        self._seconds = seconds
        self._calls: set[_SeenByCall] = set()
        page.on("dialog", self._opened)

    async def _opened(self, dialog: Dialog) -> None:
        from playwright.async_api import Error

        text = cleaned(dialog.message, TEXT_LIMIT)
        told = f"the page {_WORDS.get(dialog.type, 'asked')}{f' “{text}”' if text else ''} in a dialog ({dialog.type})"
        for call in self._calls:
            call.saw(told, is_question=dialog.type != "alert")
        with contextlib.suppress(Error):  # the page is gone, and its dialog with it
            await dialog.dismiss()

    async def around(self, call: Coroutine[None, None, T]) -> tuple[T, str]:
        """What a call comes to, and the messages that the page showed meanwhile; raises `ToolError` when it asked."""
        seen = _SeenByCall()
        self._calls.add(seen)
        running = asyncio.ensure_future(call)
        hopeless = asyncio.ensure_future(seen.hopeless(self._seconds))
        try:
            await asyncio.wait([running, hopeless], return_when=asyncio.FIRST_COMPLETED)
            if not running.done():
                raise ToolError(f"{seen.why()} The call was given up {self._seconds:g} s later")
            if seen.asked:
                raise ToolError(seen.why()) from running.exception()
            return running.result(), seen.told()
        finally:
            self._calls.discard(seen)
            for task in (running, hopeless):
                task.cancel()
            await asyncio.gather(running, hopeless, return_exceptions=True)


class _SeenByCall:
    """What one call saw of the page's dialogs."""

    def __init__(self) -> None:
        self.first = ""
        self.asked = ""
        self.count = 0
        self._hopeless = asyncio.Event()

    def saw(self, told: str, *, is_question: bool) -> None:
        """A dialog was opened."""
        self.count += 1
        self.first = self.first or told
        if is_question:
            self.asked = self.asked or told
        if is_question or self.count > MANY:
            self._hopeless.set()

    async def hopeless(self, seconds: float) -> None:
        """Ends when the call has had its time."""
        await self._hopeless.wait()
        await asyncio.sleep(seconds)

    def why(self) -> str:
        """Why the call fails."""
        told = self.asked or f"{self.first}, and {self.count - 1} more"
        return f"{told[:1].upper()}{told[1:]}, and nobody is there to answer: run cloche webmcp with --show to do it."

    def told(self) -> str:
        """The messages, beside the result."""
        if not self.count:
            return ""
        more = f", and {self.count - 1} more" if self.count > 1 else ""
        return shorten(f"{self.first[:1].upper()}{self.first[1:]}{more}.", TEXT_LIMIT + 100)
