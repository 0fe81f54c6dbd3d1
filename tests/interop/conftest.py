"""What the interop tests share."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.doors import serving
from tests.support.everything import build
from tools.npm_tools import node_modules

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def web() -> Iterator[str]:
    """One web server for all clients of this file, as in real life."""
    with serving(build().asgi(path="/mcp")) as origin:
        yield f"{origin}/mcp"


@pytest.fixture(scope="module")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The scripts beside the packages that they import: Node looks for these in the folders above a script."""
    folder = tmp_path_factory.mktemp("typescript")
    for script in (HERE / "node").glob("*.mjs"):
        shutil.copy(script, folder)
    (folder / "node_modules").symlink_to(node_modules(HERE / "node"), target_is_directory=True)
    return folder
