"""What the cases share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.behaviour.listening import close_hall


@pytest.fixture(scope="session", autouse=True)
def hall() -> Iterator[None]:
    """The web server ends with the last test."""
    yield
    close_hall()
