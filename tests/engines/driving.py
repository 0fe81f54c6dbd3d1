"""What tests and attacks need of a browser's page, whatever drives it: the little of Playwright's interface that they
use. What an engine's driver cannot do raises `CannotDrive`, and the attack counts as not driven, never as blocked.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Awaitable, Callable
from typing import Any, Protocol

Handler = Callable[..., Any]

STOP_WITHIN = 10.0
"""Seconds that a program gets to end when it is told to."""


class CannotDrive(Exception):
    """This engine's driver has no way to do what the test needs."""


class DriverError(Exception):
    """The driver refused a command; `kind` is the protocol's word for it."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(f"{kind}: {message}")
        self.kind = kind


class Tab(Protocol):
    """One page of an engine."""

    async def goto(self, url: str, **_: Any) -> None:
        """Go to an address."""

    async def reload(self) -> None:
        """Load the page again."""

    async def evaluate(self, function: str, argument: Any = None) -> Any:
        """Call a JavaScript function (its source) in the page, and wait for what it returns."""

    async def evaluate_in(self, path: tuple[int, ...] | None, function: str, argument: Any = None) -> Any:
        """The same in a frame: `(0, 0)` is the first frame of the page's first frame; None is the innermost, which is a
        view's. Firefox shows views deeper than others.
        """

    async def close(self) -> None:
        """Close it."""


class Engine(Protocol):
    """A running browser."""

    name: str
    """The browser and its version."""

    async def new_page(self) -> Any:
        """Open a page."""

    async def close(self) -> None:
        """End the browser."""


class Program:
    """A program with a home of its own, in a process group of its own: it ends with everything that it started."""

    def __init__(self, command: list[str], env: dict[str, str] | None = None, pass_fds: tuple[int, ...] = ()) -> None:
        self.home = tempfile.mkdtemp(prefix="cloche-engine-")
        own = {"HOME": self.home, "XDG_RUNTIME_DIR": self.home}
        self._process = subprocess.Popen(
            command,
            env={**os.environ, **own, **(env or {})},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            pass_fds=pass_fds,
        )

    @property
    def has_ended(self) -> bool:
        """Whether it is gone."""
        return self._process.poll() is not None

    async def close(self) -> None:
        """End it: politely, then by force."""
        for sign in (signal.SIGTERM, signal.SIGKILL):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, sign)
            with contextlib.suppress(subprocess.TimeoutExpired):
                await asyncio.to_thread(self._process.wait, STOP_WITHIN)
        shutil.rmtree(self.home, ignore_errors=True)


class MainFrame:
    """The page itself, as the one who hears of its navigation sees it."""

    url = "about:blank"


class Tasks:
    """Handlers that run beside the page, and end with it."""

    def __init__(self) -> None:
        self._running: set[asyncio.Task[Any]] = set()

    def start(self, work: Awaitable[Any]) -> None:
        """Run it until it is done or everything is closed."""
        task = asyncio.ensure_future(work)
        self._running.add(task)
        task.add_done_callback(self._running.discard)

    async def close(self) -> None:
        """Stop what is left."""
        for task in tuple(self._running):
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)
