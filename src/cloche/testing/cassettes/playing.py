"""Playing every view of a cassette, one after the other, each in a page of its own."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

from cloche.testing.cassettes.cassette import Cassette, RecordedView
from cloche.testing.cassettes.differences import Difference
from cloche.testing.cassettes.session import PlayedSession

if TYPE_CHECKING:
    from playwright.async_api import Browser


async def play_all(
    cassette: Cassette, browser: Browser, numbers: list[int] | None = None
) -> AsyncIterator[tuple[RecordedView, Difference | None]]:
    """Each view with the first difference, if there is one."""
    chosen = cassette.views if numbers is None else [cassette.view(number) for number in numbers]
    for view in chosen:
        session = PlayedSession(view)
        try:
            await session.start(browser)
            yield view, await session.play()
        finally:
            await session.close()
