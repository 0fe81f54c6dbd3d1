"""What a program writes to its standard error: into the log, and the end of it kept for the error message."""

from __future__ import annotations

import asyncio
import contextlib
import os
import threading
from collections import deque
from typing import TextIO

from cloche.errors import shorten
from cloche.logs import guarded

KEPT_LINES = 5
DRAIN_SECONDS = 0.5
"""How long the rest is waited for, once the program has ended; a program that it started may hold the pipe for long."""

LINE_CHARACTERS = 500


class ErrorOutput:
    """The reading end of a program's standard error. A thread reads it, which works on every loop and system."""

    def __init__(self, name: str) -> None:
        self._lines: deque[str] = deque(maxlen=KEPT_LINES)
        self._log = guarded(f"cloche.host.{name}")
        reading, writing = os.pipe()
        self.writing: TextIO = os.fdopen(writing, "w")
        """What the program is given."""
        self._loop = asyncio.get_running_loop()
        self._ended = asyncio.Event()
        threading.Thread(target=self._read, args=(reading,), name=f"stderr of {name}", daemon=True).start()

    def _read(self, reading: int) -> None:
        with os.fdopen(reading, encoding="utf-8", errors="replace") as lines:
            while line := lines.readline(LINE_CHARACTERS):
                text = line.rstrip()
                if text:
                    self._lines.append(text)
                    self._log.info("%s", text)
        with contextlib.suppress(RuntimeError):  # the loop may be over
            self._loop.call_soon_threadsafe(self._ended.set)

    async def close(self) -> None:
        """The program has ended: take what is still in the pipe."""
        self.writing.close()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(DRAIN_SECONDS):
                await self._ended.wait()

    def last_words(self) -> str:
        """The end of what it said, to be put behind a sentence; nothing when it said nothing."""
        said = " | ".join(self._lines)
        return f"; it said: {shorten(said, 300)}" if said else ""
