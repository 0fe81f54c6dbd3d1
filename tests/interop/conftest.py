"""What the interop tests of the Python clients share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.interop.doors import serving
from tests.interop.everything import build


@pytest.fixture(scope="module")
def web() -> Iterator[str]:
    """One web server for all clients of this file, as in real life."""
    with serving(build().asgi(path="/mcp")) as origin:
        yield f"{origin}/mcp"
