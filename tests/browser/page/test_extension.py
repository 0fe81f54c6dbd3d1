"""Python in a page of an extension: it serves pages that the extension lets in, and Python in such a page asks it.

In the service worker of an extension Python cannot start: modules cannot be imported there once it runs.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from cloche.testing.behaviour import CASES as CASES_OF_PYTHON
from cloche.testing.behaviour.task_cases import TASK_CASES
from tests.browser.page.conftest import TIMEOUT
from tests.browser.page.site import PythonSite
from tests.support.chromium import FLAGS
from tests.support.page_cases import run_cases
from tools.chromium import whole_chromium

MANIFEST = {
    "manifest_version": 3,
    "name": "Python in a page of an extension",
    "version": "1.0.0",
    "background": {"service_worker": "background.js"},
    "content_security_policy": {"extension_pages": "script-src 'self' 'wasm-unsafe-eval'; object-src 'none'"},
    "externally_connectable": {"matches": ["http://127.0.0.1/*", "http://localhost/*"]},
}

PAGE = '<!doctype html><title>starting</title><script type="module" src="python.js"></script>'

SCRIPT = """
import { bootPython } from "./everywhere/web/python/boot.js";

const origins = new URLSearchParams(location.search).getAll("origin");
await bootPython(new URL("./everywhere/", location.href), { config: { origins } });
document.title = "started";
"""


@pytest.fixture(scope="module")
def extended(
    browser: Browser, bundles: dict[str, Path], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[BrowserContext]:
    """A whole Chromium with the extension."""
    folder = tmp_path_factory.mktemp("extended")
    extension = folder / "extension"
    shutil.copytree(bundles["everywhere"], extension / "everywhere")
    (extension / "manifest.json").write_text(json.dumps(MANIFEST))
    (extension / "background.js").write_text("")
    (extension / "python.html").write_text(PAGE)
    (extension / "python.js").write_text(SCRIPT)
    context = browser.browser_type.launch_persistent_context(
        folder / "profile",
        headless=True,
        executable_path=whole_chromium(),
        args=[*FLAGS, f"--load-extension={extension}", f"--disable-extensions-except={extension}"],
    )
    context.set_default_timeout(TIMEOUT)
    if not context.service_workers:
        context.wait_for_event("serviceworker", timeout=TIMEOUT)
    yield context
    context.close()


@pytest.fixture(scope="module")
def served(extended: BrowserContext, site: PythonSite) -> str:
    """The id of the extension, in a page of which Python has started."""
    found = extended.service_workers[0].url.split("/")[2]
    page = extended.new_page()
    page.goto(f"chrome-extension://{found}/python.html?origin={site.url}")
    page.wait_for_function("() => document.title === 'started'")
    return found


def opened(context: BrowserContext, address: str) -> Page:
    page = context.new_page()
    page.goto(address)
    return page


@pytest.mark.requirement(1, 58, 59, 60)
def test_the_javascript_cases_pass_against_python(extended: BrowserContext, served: str, site: PythonSite) -> None:
    run_cases(opened(extended, f"{site.url}/empty.html"), "extension", "extension", id=served)


def test_m07_a_page_that_is_not_listed_is_refused(extended: BrowserContext, served: str, site: PythonSite) -> None:
    ask = """async (id) => {
        const { McpClient } = await import("/src/cloche/web/client.js");
        const { connectToExtension } = await import("/src/cloche/web/transports/extension.js");
        const client = new McpClient(connectToExtension(id), { timeout: 5000 });
        return await client.listTools().then((tools) => tools.length > 0, (error) => error.code);
    }"""
    assert opened(extended, f"{site.url}/empty.html").evaluate(ask, served) is True
    assert opened(extended, f"{site.other_url}/empty.html").evaluate(ask, served) == "TRANSPORT_CLOSED"


def test_python_in_a_page_asks_python_in_the_extension(extended: BrowserContext, served: str, site: PythonSite) -> None:
    page = opened(extended, site.page())
    page.evaluate("async () => (await import('/ways.js')).startFrame('asking')")
    asked = "async (asked) => (await import('/ways.js')).askedByPython(...asked)"
    outcomes = json.loads(page.evaluate(asked, [served, "2026-07-28"]))
    assert [one for one in outcomes if one["failure"] is not None] == []
    assert len(outcomes) == len(CASES_OF_PYTHON) - len(TASK_CASES) - 1
