"""One browser for everything that runs views here, the one of the test plugin."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from cloche.check import LiveOptions, Report, examine
from cloche.testing import StoryFile
from tests.check.broken_live import RESPONSES

PATIENCE = 60.0
"""Machines are busy; a view that is sound is far quicker."""

Run: TypeAlias = Callable[..., Report]


@pytest.fixture
def run(_cloche_browser: tuple[Any, Any]) -> Run:
    """`run(server, …)` examines it, without the deadline of async tests; all else are changes of `LiveOptions`."""
    background, chromium = _cloche_browser

    def examined(server: Any, folder: Path | None = None, stories: StoryFile | None = None, **changes: Any) -> Report:
        ready = {"calls": "all", "profiles": ["strict"], "patience": PATIENCE, "look": 3.0, "responses": RESPONSES}
        live = LiveOptions(**{"chromium": chromium, **ready, **changes})
        report: Report = background.run(examine(server, live=live, folder=folder, stories=stories))
        return report

    return examined
