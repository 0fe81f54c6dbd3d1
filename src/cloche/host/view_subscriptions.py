"""The resources that one view is subscribed to: of its own server, counted, and told no more often than a view can use.

Several views of one user share the server's subscription (`Upstream.follow`); a view that is closed leaves all of its.
"""

from __future__ import annotations

import asyncio
from time import monotonic
from typing import TYPE_CHECKING

from cloche.errors import BudgetError, InvalidParamsError
from cloche.host.upstreams.base import UPDATED, Upstream
from cloche.wire.apps.params import Read
from cloche.wire.types import Json

if TYPE_CHECKING:
    from cloche.host.bridge import MountedView

MAX_URI = 2000

UPDATE_SECONDS = 0.05
"""The shortest time between two reports of one resource; the last change is always told."""


class ViewSubscriptions:
    """Subscribes one view to resources of its own server."""

    def __init__(self, view: MountedView, upstream: Upstream) -> None:
        self._view = view
        self._upstream = upstream
        self._held: set[str] = set()
        self._told_at: dict[str, float] = {}
        self._to_tell: dict[str, asyncio.TimerHandle] = {}

    async def subscribe(self, asked: Read) -> Json:
        """`resources/subscribe`: the view is told when the resource changes."""
        uri = checked_uri("resources/subscribe", asked)
        if uri in self._held:
            return {}
        check_room(len(self._held), self._view.limits.view_subscriptions)
        self._held.add(uri)
        try:
            await self._upstream.follow(uri, self._updated)
        except BaseException:
            self._held.discard(uri)
            raise
        if uri not in self._held:  # the view was closed, or unsubscribed, while the server was asked
            await self._upstream.unfollow(uri, self._updated)
        return {}

    async def unsubscribe(self, asked: Read) -> Json:
        """`resources/unsubscribe`"""
        await self._leave(checked_uri("resources/unsubscribe", asked))
        return {}

    async def close(self) -> None:
        """End every subscription of the view."""
        for uri in tuple(self._held):
            await self._leave(uri)

    async def _leave(self, uri: str) -> None:
        if uri not in self._held:
            return
        self._held.discard(uri)
        self._told_at.pop(uri, None)
        timer = self._to_tell.pop(uri, None)
        if timer is not None:
            timer.cancel()
        await self._upstream.unfollow(uri, self._updated)

    def _updated(self, uri: str) -> None:
        """At once, and then no more often than now and then: a server may say so all the time."""
        if uri not in self._held or uri in self._to_tell:
            return
        pause = self._told_at.get(uri, 0.0) + UPDATE_SECONDS - monotonic()
        if pause <= 0:
            self._tell(uri)
        else:
            self._to_tell[uri] = asyncio.get_running_loop().call_later(pause, self._tell, uri)

    def _tell(self, uri: str) -> None:
        self._to_tell.pop(uri, None)
        self._told_at[uri] = monotonic()
        self._view.tell(UPDATED, {"uri": uri})


def checked_uri(method: str, asked: Read) -> str:
    """The URI that a view names; refuses one that is too long."""
    if len(asked.uri) > MAX_URI:
        raise InvalidParamsError(f"{method}: a URI has at most {MAX_URI} characters")
    return asked.uri


def check_room(held: int, most: int) -> None:
    """Refuse one subscription more than a view may have."""
    if held >= most:
        raise BudgetError(f"A view subscribes to at most {most} resources", "view_subscriptions", most)
