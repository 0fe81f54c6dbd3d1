"""How long a page's main thread waited for a processor: that part of a stall is the machine's, the rest the page's."""

from __future__ import annotations

import threading
import time
from bisect import bisect_left, bisect_right
from pathlib import Path
from types import TracebackType

from playwright.async_api import Browser, Page

SAMPLE_EVERY = 0.005
"""Seconds."""

PROBE = "() => { const end = performance.now() + 300; while (performance.now() < end); }"


class Waiting:
    """Reads what Linux counts for the main thread of a process: the time for which it was ready to run and did not."""

    def __init__(self, pid: int) -> None:
        self._path = Path(f"/proc/{pid}/schedstat")
        self._times: list[float] = []
        self._waited: list[float] = []
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._sample, daemon=True)

    def __enter__(self) -> Waiting:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._stop.set()
        self._thread.join()

    def between(self, start: float, end: float) -> float:
        """Milliseconds of waiting between two moments of the clock, in milliseconds; of the samples around them."""
        first = max(0, bisect_right(self._times, start) - 1)
        last = min(len(self._times) - 1, bisect_left(self._times, end))
        return self._waited[last] - self._waited[first]

    def _sample(self) -> None:
        while not self._stop.wait(SAMPLE_EVERY):
            try:
                waited = int(self._path.read_text().split()[1])
            except OSError:  # the process has ended
                return
            self._times.append(time.time() * 1000)
            self._waited.append(waited / 1_000_000)


async def renderer_of(browser: Browser, page: Page) -> int:
    """The process that a page runs in: nothing in the protocol says it, so it is the one that works when told to."""
    session = await browser.new_browser_cdp_session()

    async def times() -> dict[int, float]:
        found = (await session.send("SystemInfo.getProcessInfo"))["processInfo"]
        return {one["id"]: one["cpuTime"] for one in found if one["type"] == "renderer"}

    before = await times()
    await page.evaluate(PROBE)
    after = await times()
    await session.detach()
    return max(after, key=lambda pid: after[pid] - before.get(pid, 0.0))
