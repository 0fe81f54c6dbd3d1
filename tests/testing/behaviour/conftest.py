"""What the cases share."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest


@pytest.fixture(scope="session", autouse=True)
def hall() -> Iterator[None]:
    """The web server, if any case wanted one, ends with the last test. In the browser there is none to import."""
    yield
    listening = sys.modules.get("tests.support.behaviour.listening")
    if listening is not None:
        listening.close_hall()
