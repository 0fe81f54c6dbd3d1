"""`cloche replay CASSETTE`: plays recorded views without their server, and says whether they come out the same."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cloche.cli.call_progress import CallProgress
from cloche.errors import ConfigurationError
from cloche.terminal import report

if TYPE_CHECKING:
    from cloche.testing.cassettes import RecordedView

DIFFERENT = 1
"""The exit code when a view came out differently."""

PACE = 1.0
"""Seconds that at most pass between two steps when somebody looks on."""


@click.command()
@click.argument("file", metavar="CASSETTE", type=click.Path(path_type=Path))
@click.option("--view", "number", type=click.IntRange(min=0), help="Play only this view, counted from 0.")
@click.option("--show", is_flag=True, help="Play in a visible window, at human speed; close it when you are done.")
def replay(file: Path, number: int | None, show: bool) -> int:
    """Play recorded views without their server, and compare the result with the recording.

    cloche dev --record FILE makes a recording.
    """
    from cloche.testing.cassettes import Cassette

    if show and not _has_display():
        raise ConfigurationError("there is no display to show a window on: leave --show out")
    cassette = Cassette.read(file)
    if cassette.is_cut_off:
        report("The recording was interrupted: it is played as far as it goes.", "yellow")
    views = cassette.views if number is None else [cassette.view(number)]
    if not views:
        raise ConfigurationError(f"nothing can be played: no view was opened while {file.name} was recorded")
    return DIFFERENT if asyncio.run(_play(views, show)) else 0


async def _play(views: list[RecordedView], show: bool) -> int:
    """How many came out differently."""
    from cloche.testing.browser import Chromium
    from cloche.testing.cassettes.played_view import play_all

    chromium = Chromium(headless=not show)
    differences = 0
    begun = [view for view in views if view.start is not None]
    for view in views:
        if view.start is None:
            report(f"{view.name}: nothing was recorded of it, it was closed before it began", "yellow")
    try:
        browser = await chromium.browser()
        with CallProgress("Playing the views …") as progress:
            played = 0
            async for view, difference in play_all(begun, browser, pace=PACE if show else 0.0, keep=show):
                played += 1
                progress.update(played, len(begun), None)
                with progress.hidden():
                    report(f"{view.name}: same DOM" if difference is None else str(difference), _colour(difference))
                differences += difference is not None
    finally:
        await chromium.close()
    return differences


def _colour(difference: object) -> str:
    return "green" if difference is None else "red"


def _has_display() -> bool:
    return not sys.platform.startswith("linux") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
