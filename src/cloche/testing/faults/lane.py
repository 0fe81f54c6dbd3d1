"""One direction of a faulty connection: a line of messages on their way, and those that let another pass."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable

ROOM = 64
"""Messages on their way before a sender has to wait."""


class Lane:
    """Passes messages on in their order, later. It has a task only while something is on its way."""

    def __init__(self, pass_on: Callable[[bytes], Awaitable[None]]) -> None:
        self._pass_on = pass_on
        self._line: deque[tuple[bytes, float]] = deque()
        self._held: list[tuple[bytes, asyncio.TimerHandle]] = []
        self._worker: asyncio.Task[None] | None = None
        self._moved = asyncio.Event()
        self._closed = False

    @property
    def is_free(self) -> bool:
        """Whether a message may pass at once."""
        return self._worker is None and not self._held

    async def room(self) -> None:
        """Wait until the line is short enough."""
        while len(self._line) >= ROOM and not self._closed:
            self._moved.clear()
            await self._moved.wait()

    def put(self, data: bytes, seconds: float = 0.0) -> None:
        """Pass `data` on after all that is in line, and after so many seconds more; then what it has overtaken."""
        if self._closed:
            return
        self._line.append((data, seconds))
        held, self._held = self._held, []
        for overtaken, timer in held:
            timer.cancel()
            self._line.append((overtaken, 0.0))
        if self._worker is None:
            self._worker = asyncio.get_running_loop().create_task(self._work())

    def hold(self, data: bytes, seconds: float) -> None:
        """Let the next message pass first; when none comes for so many seconds, pass `data` on anyway."""
        if self._closed:
            return
        timer = asyncio.get_running_loop().call_later(seconds, self._release, data)
        self._held.append((data, timer))

    def close(self) -> None:
        """Whatever is still on its way is lost."""
        self._closed = True
        self._line.clear()
        for _, timer in self._held:
            timer.cancel()
        self._held.clear()
        self._moved.set()
        if self._worker is not None and self._worker is not asyncio.current_task():
            self._worker.cancel()

    async def closed(self) -> None:
        """Wait until nothing is left of it."""
        if self._worker is not None and self._worker is not asyncio.current_task():
            await asyncio.gather(self._worker, return_exceptions=True)

    def _release(self, data: bytes) -> None:
        for position, (held, _) in enumerate(self._held):
            if held is data:
                del self._held[position]
                break
        self.put(data)

    async def _work(self) -> None:
        try:
            while self._line:
                data, seconds = self._line.popleft()
                self._moved.set()
                if seconds:
                    await asyncio.sleep(seconds)
                await self._pass_on(data)
        finally:
            self._worker = None
