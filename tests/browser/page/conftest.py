"""One browser and a few bundles for the folder. A Python takes seconds to start, so tests share pages."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from cloche.browser import write_bundle
from tests.browser.page.site import ANYBODY, DATA_WORKERS, HERE, ISOLATION, PythonSite
from tests.support.chromium import launched
from tools.chromium import chromium
from tools.npm_tools import node_modules

ROOT = HERE.parents[2]
TIMEOUT = 60_000
"""Milliseconds; a machine may be busy with other tests."""


@pytest.fixture(scope="package")
def runtime() -> Path:
    """Pyodide, from the cache that other tests use too."""
    return node_modules(HERE.parent / "core" / "node") / "pyodide"


@pytest.fixture(scope="package")
def bundles(tmp_path_factory: pytest.TempPathFactory, runtime: Path) -> dict[str, Path]:
    """A bundle per server, written once for all processes of a run: each takes seconds of a core."""
    root = tmp_path_factory.getbasetemp()
    folder = (root.parent if "PYTEST_XDIST_WORKER" in os.environ else root) / "bundles"
    folder.mkdir(exist_ok=True)
    with (folder.with_suffix(".lock")).open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not any(folder.iterdir()):
            write_bundle(ROOT / "examples" / "todo.py", folder / "todo", runtime=runtime)
            for name in ("lab", "everywhere", "asking", "shared", "kept"):
                write_bundle(HERE / f"{name}.py", folder / name, runtime=runtime, whole=True)
    return {made.name: made for made in folder.iterdir()}


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    with launched(chromium()) as started:
        yield started


@pytest.fixture(scope="package")
def site(bundles: dict[str, Path]) -> Iterator[PythonSite]:
    """The strict policy; no page is isolated."""
    with PythonSite(bundles) as made:
        yield made


@pytest.fixture(scope="package")
def isolated_site(bundles: dict[str, Path]) -> Iterator[PythonSite]:
    """The same, where memory can be shared with a worker."""
    with PythonSite(bundles, headers=ISOLATION) as made:
        yield made


@pytest.fixture(scope="package")
def open_site(bundles: dict[str, Path]) -> Iterator[PythonSite]:
    """Files for anybody, and workers from `data:` URLs."""
    with PythonSite(bundles, DATA_WORKERS, ANYBODY) as made:
        yield made


def opened(browser: Browser, url: str) -> Iterator[Page]:
    """A page in a context of its own."""
    context = browser.new_context()
    page = context.new_page()
    page.set_default_timeout(TIMEOUT)
    page.goto(url)
    page.wait_for_function("() => globalThis.lab")
    yield page
    context.close()


@pytest.fixture(scope="package")
def page(browser: Browser, site: PythonSite) -> Iterator[Page]:
    """A page in which nothing is started yet; tests start servers under names of their own."""
    yield from opened(browser, site.page())
