"""A watchdog of the event loop: says which tool blocks it, and where.

An `async def` tool that calls something blocking (`time.sleep`, `requests.get`, a long computation) stops every other
call, and nothing would tell why. A timer of the loop notes the time; a thread looks at the note now and then, and when
it is old, at what the loop is doing. Nothing of it is in the way of a request.
"""

from __future__ import annotations

import asyncio
import linecache
import logging
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

from cloche.errors import shorten
from cloche.server.limits import BLOCKING_SECONDS

logger = logging.getLogger("cloche.server")

ADVICE = ". Write it as a plain `def`, which runs in a thread, or await something that does not block"
PACKAGE = str(Path(__file__).parent.parent)


@contextmanager
def watched(seconds: float = BLOCKING_SECONDS) -> Iterator[None]:
    """Watch the running loop; 0 seconds means not at all. Without threads, as in a browser, nobody could."""
    if seconds <= 0 or sys.platform == "emscripten":
        yield
        return
    watchdog = Watchdog(seconds)
    watchdog.start()
    try:
        yield
    finally:
        watchdog.stop()


class Watchdog:
    """Watches the loop that it is started on."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._stopped = threading.Event()
        self._beat = 0.0
        self._told: tuple[float, str] | None = None
        """The beat after which the loop was said to be blocked, and by what."""
        self._timer: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """Begin; needs a running loop."""
        self._loop = asyncio.get_running_loop()
        self._thread = threading.get_ident()
        self._tick()
        threading.Thread(target=self._watch, name="cloche-watchdog", daemon=True).start()

    def stop(self) -> None:
        """Watch no more."""
        self._stopped.set()
        if self._timer is not None:
            self._timer.cancel()

    def _tick(self) -> None:
        now = time.monotonic()
        if self._told is not None and self._told[0] == self._beat:
            logger.warning("the event loop goes on, after %.1f s", now - self._beat)
        self._beat = now
        self._timer = self._loop.call_later(self._seconds / 4, self._tick)

    def _watch(self) -> None:
        while not self._stopped.wait(self._seconds / 4):
            beat = self._beat
            if time.monotonic() - beat <= self._seconds:
                continue
            # A machine that slept wakes both of us: the loop has had its turn by then.
            if self._stopped.wait(self._seconds / 20) or self._beat != beat:
                continue
            frame = sys._current_frames().get(self._thread)
            if frame is not None:
                self._look(frame, beat)

    def _look(self, frame: FrameType, beat: float) -> None:
        name, text = _told(frame, time.monotonic() - beat)
        if self._told != (beat, name):
            self._told = beat, name
            logger.warning("%s", text)


def _told(innermost: FrameType, seconds: float) -> tuple[str, str]:
    """What the loop is busy with: its name, and a line for the log."""
    found = _busy_with(innermost)
    name, place = found or ("something", innermost)
    where = f"{place.f_code.co_filename} line {place.f_lineno}"
    code = linecache.getline(place.f_code.co_filename, place.f_lineno).strip()
    return name, (
        f"{name} has blocked the event loop for {seconds:.1f} s, and every other call waits: {where}"
        f"{f', {shorten(code, 120)}' if code else ''}{ADVICE if found else ''}"
    )


def _busy_with(innermost: FrameType) -> tuple[str, FrameType] | None:
    """The request that is being answered, as the log names it, and the line of the author's that it is at; None when
    the loop does something else.

    The first frame of ours outside the author's code has the exchange; the author's function is the one next to it.
    """
    place, frame = innermost, innermost.f_back
    while frame is not None:
        if frame.f_code.co_filename.startswith(PACKAGE):
            name = _name_of(frame.f_locals.get("exchange"))
            if name is not None:
                return name, place
        else:
            place = frame
        frame = frame.f_back
    return None


def _name_of(exchange: Any) -> str | None:
    """A request by the name of what it calls; None when this is not a request, or one that has not begun."""
    method = getattr(exchange, "method", None)
    if not isinstance(method, str):
        return None
    entry = getattr(exchange, "entry", None)
    name = getattr(entry, "name", None) or getattr(entry, "uri", None)
    return f"the tool {name}" if method == "tools/call" and name else f"{method} {name or ''}".rstrip()
