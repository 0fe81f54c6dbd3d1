"""One soak: a product, a browser, faults until there were enough, then calm and a look at what everybody recorded."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import signal
import socket
import sys
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2
from playwright.async_api import Browser, Error, Frame, Page, async_playwright

from tests.soak.host.checker import MODEL
from tests.soak.host.history import Began, Ended, History, lines
from tests.soak.host.product import VIEWS
from tests.soak.host.valve import Valve
from tests.support.chromium import FLAGS
from tools.chromium import chromium

WEIGHTS = {
    "kill upstream": 4,
    "reload page": 2,
    "drop socket": 2,
    "navigate view": 3,
    "move frame": 3,
    "restart host": 1,
}
"""How often each fault happens, compared with the others."""

RECOVERY = 40.0
"""Seconds within which every view must work again after a fault."""

POLL = 0.05


@dataclass
class Plan:
    """What to run."""

    seed: int
    faults: int
    dropped_seconds: float = 5.0
    kinds: tuple[str, ...] = tuple(WEIGHTS)
    told: Callable[[str], None] = field(default=lambda _: None)


class Soak:
    """A product that is running, a page that is open, and what can be done to them."""

    def __init__(self, plan: Plan, folder: Path) -> None:
        self.history = History()
        self._plan = plan
        self._folder = folder
        self._random = random.Random(plan.seed)
        self._port = _free_port()
        self._valve = Valve(self._port)
        self._process: asyncio.subprocess.Process | None = None
        self._page: Page | None = None
        self._faults: dict[str, Callable[[], Awaitable[None]]] = {
            "kill upstream": self._kill_upstream,
            "reload page": self._reload,
            "drop socket": self._drop,
            "navigate view": self._navigate,
            "move frame": self._move,
            "restart host": self._restart,
        }

    @property
    def page(self) -> Page:
        assert self._page is not None
        return self._page

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self._valve.port}"

    async def run(self, browser: Browser) -> None:
        """Everything, from the first page to the last look."""
        await self._valve.start()
        await self._start_host()
        context = await browser.new_context()
        await context.expose_binding("journal", lambda _, entry: self.history.journal(entry))
        self._page = await context.new_page()
        model = asyncio.create_task(self._call_on())
        try:
            await self.page.goto(f"{self.origin}/")
            await self._working("the beginning", time.time())
            for number, kind in enumerate(self._schedule(), 1):
                self._plan.told(f"{number}: {kind}")
                await self._one(kind)
            model.cancel()
            await asyncio.gather(model, return_exceptions=True)
            await self._rest()
        finally:
            model.cancel()
            await asyncio.gather(model, return_exceptions=True)
            await context.close()
            await self._end_host(signal.SIGTERM)
            await self._valve.stop()
        self.history.read(self._folder)

    def _schedule(self) -> list[str]:
        """Every kind at least once when there are enough, then by chance."""
        kinds = list(self._plan.kinds)
        weights = [WEIGHTS[kind] for kind in kinds]
        rest = self._random.choices(kinds, weights, k=max(0, self._plan.faults - len(kinds)))
        chosen = [*kinds, *rest][: self._plan.faults]
        self._random.shuffle(chosen)
        return chosen

    async def _one(self, kind: str) -> None:
        await asyncio.sleep(self._random.uniform(0, 0.3))
        since = time.time()
        self.history.faults[kind] += 1
        await self._faults[kind]()
        await self._working(kind, since)

    # Faults, each with what must come of it

    async def _kill_upstream(self) -> None:
        """Calls that run fail at once; the next ones find a new process."""
        for pid in {entry["pid"] for entry in lines(self._folder / "workers.jsonl")}:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    async def _reload(self) -> None:
        """The page's views are new ones, made from the same records."""
        await self.page.reload()

    async def _drop(self) -> None:
        """Views stay, and what was asked meanwhile is answered after it."""
        before = await self._lives()
        await self._valve.shut_for(self._plan.dropped_seconds)
        if not before <= await self._lives():
            self.history.troubles.append("a view did not survive the loss of its socket")

    async def _navigate(self) -> None:
        """The view is taken away, the element says why, and shows it again when asked to."""
        frames = await self._frames()
        frame = self._random.choice(frames)
        how = self._random.choice(
            ["location.reload()", "location = 'about:blank'", "document.write('x'), document.close()"]
        )
        with contextlib.suppress(Error):
            await frame.evaluate(f"void setTimeout(() => {{ {how} }})")
        said = await self._element_in("error")
        if said != "navigated":
            self.history.troubles.append(f"a view that went away by {how} was said to have failed by {said!r}")
        await self.page.evaluate(
            "document.querySelectorAll('mcp-app').forEach((one) => one.state === 'error' && one.reload())"
        )

    async def _move(self) -> None:
        """A moved frame loads again: the view is a new one, and its tool is not called."""
        await self.page.evaluate(
            """() => {
              const [element] = document.querySelectorAll("mcp-app");
              const [main, aside] = ["main", "aside"].map((name) => document.querySelector(name));
              (element.parentNode === main ? aside : main).append(element);
            }"""
        )

    async def _restart(self) -> None:
        """The elements find their views again by themselves, from the records in their tickets."""
        await self._end_host(self._random.choice([signal.SIGKILL, signal.SIGTERM]))
        await self._start_host()

    # The host's process

    async def _start_host(self) -> None:
        command = [sys.executable, "-m", "tests.soak.host.product", str(self._folder), str(self._port), self.origin]
        self._process = await asyncio.create_subprocess_exec(*command)
        async with asyncio.timeout(RECOVERY):
            while not await _listens(self._port):  # noqa: ASYNC110 (another process has no event)
                await asyncio.sleep(POLL)

    async def _end_host(self, how: signal.Signals) -> None:
        if self._process is None or self._process.returncode is not None:
            return
        self.history.host_kills.append(time.time())
        self._process.send_signal(how)
        await self._process.wait()

    # The model's calls

    async def _call_on(self) -> None:
        """One call after the other, past the valve: what becomes of them is known without the browser."""
        async with httpx2.AsyncClient(base_url=f"http://127.0.0.1:{self._port}", timeout=60) as http:
            for number in range(1_000_000):
                call_id = f"{MODEL}-{number}"
                self.history.began.append(Began(call_id, MODEL, time.time()))
                try:
                    outcome = (await http.get("/model", params={"id": call_id})).text
                except asyncio.CancelledError:
                    self.history.ended.append(Ended(call_id, "given up", time.time()))
                    raise
                except httpx2.TransportError:
                    outcome = "no host"
                self.history.ended.append(Ended(call_id, outcome, time.time()))
                await asyncio.sleep(0.05)

    # Looking

    async def _frames(self) -> list[Frame]:
        """The documents of the views that are there."""
        found = []
        for frame in self.page.frames:
            with contextlib.suppress(Error):
                if frame.parent_frame not in (None, self.page.main_frame) and await frame.evaluate("!!window.life"):
                    found.append(frame)
        return found

    async def _lives(self) -> set[str]:
        found = set()
        for frame in await self._frames():
            with contextlib.suppress(Error):
                found.add(str(await frame.evaluate("window.life")))
        return found

    async def _element_in(self, state: str) -> Any:
        """The code of the first element that comes into this state."""
        script = "(state) => [...document.querySelectorAll('mcp-app')].find((one) => one.state === state)?.error?.code"
        try:
            return await (await self.page.wait_for_function(script, arg=state, timeout=15_000)).json_value()
        except Error:
            return None

    async def _working(self, after: str, since: float) -> None:
        """Until each view that should be there has got a result for a call it made since then."""
        deadline = time.time() + RECOVERY
        lives: set[str] = set()
        while time.time() < deadline:
            lives = await self._lives()
            began = {one.id: one.life for one in self.history.began if one.at >= since}
            good = {began[one.id] for one in self.history.ended if one.outcome == "result" and one.id in began}
            if len(lives) == VIEWS and lives <= good:
                return
            await asyncio.sleep(POLL)
        states = await self.page.evaluate(
            "[...document.querySelectorAll('mcp-app')].map((one) => [one.state, one.error])"
        )
        self.history.troubles.append(f"after {after!r} the views do not work again: {sorted(lives)}, {states}")
        await self.page.goto(f"{self.origin}/")

    async def _rest(self) -> None:
        """Let the views stop, and wait until each has heard of all its calls."""
        for frame in await self._frames():
            await frame.evaluate("void (window.stopped = true)")
        self.history.alive = await self._lives()
        deadline = time.time() + RECOVERY
        while time.time() < deadline:
            ended = {one.id for one in self.history.ended}
            if all(one.id in ended for one in self.history.began if one.life in self.history.alive):
                return
            await asyncio.sleep(POLL)


async def run(plan: Plan, folder: Path) -> History:
    """Run one soak and return what happened."""
    soak = Soak(plan, folder)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        try:
            await soak.run(browser)
        finally:
            await browser.close()
    return soak.history


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


async def _listens(port: int) -> bool:
    try:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
    except OSError:
        return False
    writer.close()
    return True
