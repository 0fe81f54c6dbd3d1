"""The pages of views, read from their servers: once for all views that want the same page at about the same time."""

from __future__ import annotations

import asyncio
import time
import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING

from msgspec.structs import replace

from cloche.errors import ViewUnavailableError
from cloche.host.view_resource import ViewSource, read_view
from cloche.wire.json import encode

if TYPE_CHECKING:
    from cloche.host.session import HostSession

FRESH_SECONDS = 3.0
"""A page that was asked for so recently is not read again: a chat that is loaded shows many views of one kind."""

MAX_PAGES = 20


class Sources:
    """The pages that views were opened with, each kept once, and only as long as somebody shows it."""

    def __init__(self) -> None:
        self._known: weakref.WeakValueDictionary[bytes, ViewSource] = weakref.WeakValueDictionary()

    def shared(self, source: ViewSource) -> ViewSource:
        """The page, or the same one that somebody shows already."""
        return self._known.setdefault(encode(replace(source, html="")), source)


class Pages:
    """The pages that a session has just read or is reading."""

    def __init__(self, session: HostSession, clock: Callable[[], float] = time.monotonic) -> None:
        self._session = session
        self._clock = clock
        self._reading: dict[tuple[str, str], tuple[asyncio.Task[ViewSource], float]] = {}

    async def read(self, server: str, uri: str) -> ViewSource:
        """The page; raises `ViewUnavailableError`. Cancelling one waiter does not cancel the read for others."""
        task, waiting = self._task(server, uri), asyncio.current_task()
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            if waiting is None or waiting.cancelling() or not task.cancelled():
                raise
            raise ViewUnavailableError("The session was closed while the view was being opened") from None

    def prefetch(self, server: str, uri: str) -> None:
        """Begin to read, so that the page is there when somebody asks for it.

        Elements are also made elsewhere than on the loop that the connections belong to: in threads, or on the loop of
        a framework's own. Then the page is read when it is asked for.
        """
        if self._session.host._is_at_home:
            self._task(server, uri)

    def _task(self, server: str, uri: str) -> asyncio.Task[ViewSource]:
        self._forget_old()
        found = self._reading.get((server, uri))
        if found is not None:
            return found[0]
        session = self._session
        limit = session.host.limits.html_bytes
        reading = read_view(server, session.upstream(server).request, uri, limit, session.profile)
        task = asyncio.get_running_loop().create_task(reading)
        self._reading[server, uri] = task, self._clock()
        task.add_done_callback(lambda done: self._done(server, uri, done))
        return task

    def _done(self, server: str, uri: str, task: asyncio.Task[ViewSource]) -> None:
        """A failure is told to those who wait, and tried again by the next."""
        asyncio.get_running_loop().call_later(FRESH_SECONDS, self._forget_old)
        if task.cancelled() or task.exception() is not None:
            found = self._reading.get((server, uri))
            if found is not None and found[0] is task:
                del self._reading[server, uri]

    def _forget_old(self) -> None:
        now = self._clock()
        for key, (task, since) in list(self._reading.items()):
            if task.done() and (now - since >= FRESH_SECONDS or len(self._reading) >= MAX_PAGES):
                del self._reading[key]

    def forget(self, server: str) -> None:
        """The server's pages may have changed: the next view reads its own."""
        for key in [key for key in self._reading if key[0] == server]:
            del self._reading[key]

    async def close(self) -> None:
        """Stop reading."""
        tasks = [task for task, _ in self._reading.values()]
        self._reading.clear()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
