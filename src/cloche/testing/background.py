"""An event loop in a thread, so that plain `def` tests can use what is asynchronous."""

from __future__ import annotations

import asyncio
import inspect
import threading
from collections.abc import Coroutine
from typing import Any, TypeVar

from cloche.errors import LocalProtocolError

T = TypeVar("T")

START_DEADLINE = 10.0
"""Seconds until a thread that did not start counts as stuck."""


class BackgroundLoop:
    """A loop that runs until `close`; whoever calls `run` waits for the outcome."""

    def __init__(self, name: str = "cloche-testing") -> None:
        self._started = threading.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop: asyncio.Event | None = None
        self._thread = threading.Thread(target=lambda: asyncio.run(self._main()), name=name, daemon=True)
        self._thread.start()
        if not self._started.wait(START_DEADLINE):
            raise LocalProtocolError("The thread for the event loop did not start")

    @property
    def loop(self) -> asyncio.AbstractEventLoop:
        """The loop itself."""
        assert self._loop is not None
        return self._loop

    async def _main(self) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        self._started.set()
        await self._stop.wait()

    def run(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """Run `coroutine` on the loop and return what it returns, or raise what it raises."""
        __tracebackhide__ = True
        if threading.current_thread() is self._thread or not self._thread.is_alive():
            coroutine.close()
            reason = "would wait for itself" if self._thread.is_alive() else "is closed"
            raise LocalProtocolError(f"The event loop {reason}: call this from the test itself, while it runs")
        future = asyncio.run_coroutine_threadsafe(coroutine, self.loop)
        try:
            return future.result()
        except BaseException:  # Ctrl+C: what runs must not go on without the test
            future.cancel()
            raise

    def close(self) -> None:
        """End the loop; what still runs is cancelled. May be called twice."""
        if self._thread.is_alive() and self._stop is not None:
            self.loop.call_soon_threadsafe(self._stop.set)
            self._thread.join()


class Blocking:
    """Stands for an object that lives on the loop: methods wait for their outcome, and what they give is the same.

    `note` is added to expectations that are not met.
    """

    def __init__(self, inner: Any, background: BackgroundLoop, note: str | None = None) -> None:
        self._inner = inner
        self._background = background
        self._note = note

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._inner!r}>"

    def __getattr__(self, name: str) -> Any:
        member = getattr(self._inner, name)
        if not callable(member):
            return self._wrapped(member)

        def call(*args: Any, **options: Any) -> Any:
            try:
                return self._wrapped(self._background.run(_outcome(member, args, options)))
            except AssertionError as error:
                if self._note is not None:
                    error.add_note(self._note)
                raise

        return call

    def _wrapped(self, value: Any) -> Any:
        if isinstance(value, list):
            return [self._wrapped(item) for item in value]
        of_playwright = type(value).__module__.startswith("playwright.")
        return Blocking(value, self._background) if of_playwright else value


async def _outcome(member: Any, args: tuple[Any, ...], options: dict[str, Any]) -> Any:
    plain = [arg._inner if isinstance(arg, Blocking) else arg for arg in args]
    value = member(*plain, **options)
    return await value if inspect.isawaitable(value) else value
