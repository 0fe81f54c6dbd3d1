"""An initial state that takes a while to get: loading, ready, or an error."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any, Generic, Literal

from cloche.errors import InternalError
from cloche.store.state import S

if TYPE_CHECKING:
    from cloche.store.store import Store

logger = logging.getLogger("cloche.store")


class Loading(Generic[S]):
    """Loads a store's state while its server runs."""

    def __init__(self, store: Store[S], load: Callable[[], Awaitable[S]]) -> None:
        self._store = store
        self._load = load
        self._done: asyncio.Event | None = None
        self.status: Literal["loading", "ready", "error"] = "loading"
        self.error: Exception | None = None
        """What went wrong, when the status is `"error"`."""

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Load in the background while this is open."""
        self._done = asyncio.Event()
        self.status, self.error = "loading", None
        task = asyncio.get_running_loop().create_task(self._run(self._done))
        try:
            yield
        finally:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task

    async def _run(self, done: asyncio.Event) -> None:
        version = self._store.version
        try:
            value: Any = await self._load()
            before = self._store.version
            if before != version:
                logger.warning(
                    "the store %s was changed while it was loaded, and what was loaded replaces that: "
                    "await store.ready() before the first change",
                    self._store.name,
                )
            self._store.hydrate({"state": value})
            self._store.take_up_kept()
            self.status = "ready"
        except Exception as error:
            self.status, self.error = "error", error
            logger.exception("the state of the store %s could not be loaded", self._store.name)
        finally:
            done.set()

    async def wait(self) -> None:
        """Wait until loading has ended; raises `InternalError` when it failed."""
        if self.status == "loading" and self._done is not None:
            await self._done.wait()
        self.check()

    def check(self) -> None:
        """Refuse while there is no state."""
        if self.status == "error":
            raise InternalError("The state could not be loaded: the server's log says why")
        if self.status == "loading":
            raise InternalError("The state is still being loaded: try again in a moment")
