"""Playing every view of a cassette, one after the other, each in a page of its own."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from typing import TYPE_CHECKING

from cloche.testing.cassettes.cassette import RecordedView
from cloche.testing.cassettes.differences import Difference
from cloche.testing.cassettes.played_view import PlayedSession

if TYPE_CHECKING:
    from playwright.async_api import Browser


async def play_all(
    views: Iterable[RecordedView], browser: Browser, *, pace: float = 0.0, keep: bool = False
) -> AsyncIterator[tuple[RecordedView, Difference | None]]:
    """Each view with the first difference, if there is one. With `pace` the time between two steps passes, up to so
    many seconds; with `keep` each page stays until it is closed by hand.
    """
    for view in views:
        session = PlayedSession(view, pace=pace)
        try:
            await session.start(browser)
            yield view, await session.play()
            if keep:
                await session.stage.page.wait_for_event("close", timeout=0)
        finally:
            await session.close()
