"""The demos, built once by `cloche build`: each server under an origin of its own, served by `python -m http.server`,
and the client's page under another.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Playwright, expect, sync_playwright

from tests.support.chromium import MICROPHONE as CAMERA
from tests.support.chromium import steady
from tools.chromium import chromium
from tools.demos import DEMOS, build_client, build_demo
from tools.npm_tools import node_modules

TIMEOUT = 60_000
"""Milliseconds; a machine may be busy with other tests."""
RUNTIME = Path(__file__).parents[1] / "core" / "node"


@dataclass
class Places:
    """Where everything is."""

    client: str
    servers: dict[str, str]
    """The address of each demo's page, by its name."""
    folder: Path
    """What was built, by the same names."""


@pytest.fixture(scope="package")
def driver() -> Iterator[Playwright]:
    """What starts browsers; there can be one only."""
    expect.set_options(timeout=TIMEOUT)  # Python starts in these pages
    with sync_playwright() as started:
        yield started


@pytest.fixture(scope="package")
def browser(driver: Playwright) -> Iterator[Browser]:
    made = steady(driver, chromium(), *CAMERA)
    yield made
    made.close()


@pytest.fixture(scope="package")
def demos(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Places]:
    folder = tmp_path_factory.mktemp("demos")
    runtime = node_modules(RUNTIME) / "pyodide"
    with ExitStack() as stack:
        for name in ("client", *(demo.name for demo in DEMOS)):
            (folder / name).mkdir()
        client = stack.enter_context(static_host(folder / "client"))
        servers = {}
        for demo in DEMOS:
            site = build_demo(demo, folder, client, runtime)
            servers[demo.name] = stack.enter_context(static_host(site)) + "/"
        build_client(folder / "client", servers)
        yield Places(f"{client}/", servers, folder)


@contextmanager
def static_host(folder: Path) -> Iterator[str]:
    """`python -m http.server` for a folder; gives its origin."""
    words = [sys.executable, "-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "--directory", str(folder)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
        assert server.stdout is not None
        told = server.stdout.readline()
        found = re.search(r"port (\d+)", told)
        assert found, told
        yield f"http://127.0.0.1:{found[1]}"
        server.terminate()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page in a context of its own."""
    context = browser.new_context()
    made = context.new_page()
    made.set_default_timeout(TIMEOUT)
    yield made
    context.close()
