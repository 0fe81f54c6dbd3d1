"""Starts that fail, each with one sentence, and starts that go another way."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.serving import POLICY
from tests.python_in_page.conftest import opened
from tests.python_in_page.site import PythonSite


def altered(bundle: Path, folder: Path, **manifest: Any) -> Path:
    """A copy of a bundle, with other things in its manifest; large files are links."""
    shutil.copytree(bundle, folder, copy_function=lambda source, target: Path(target).symlink_to(source))
    file = folder / "python.json"
    content = json.loads(file.read_text()) | manifest
    file.unlink()
    file.write_text(json.dumps(content))
    return folder


@pytest.fixture(scope="module")
def mistakes(bundles: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Bundles that something is wrong with."""
    folder, todo = tmp_path_factory.mktemp("mistakes"), bundles["todo"]
    damaged = altered(todo, folder / "damaged")
    for picture in (damaged / "snapshots").iterdir():
        picture.unlink()
        picture.write_bytes(b"no snapshot at all" * 1000)
    no_packages = altered(todo, folder / "no_packages", packages="gone.zip.gz")
    other = altered(todo, folder / "other", pyodide="0.1.0")
    newer = altered(todo, folder / "newer", format=2)
    no_object = altered(todo, folder / "no_object", object="count")
    plain = altered(todo, folder / "plain", snapshots={"switching": "snapshots/plain.bin.gz"})
    made = (plain, damaged, no_packages, other, newer, no_object)
    return {one.name: one for one in made}


@pytest.fixture(scope="module")
def wrong(browser: Browser, mistakes: dict[str, Path]) -> Iterator[tuple[Page, PythonSite]]:
    with PythonSite(mistakes) as site:
        for page in opened(browser, site.page()):
            yield page, site


def failure(page: Page, **options: Any) -> str:
    """What `ready` is rejected with, and a call that waits for it is answered with."""
    page.evaluate("(options) => lab.start('x', options)", options)
    said: str
    answered: Any
    said, answered = page.evaluate(
        "async () => { const call = lab.ask('x', 'ping'); return [await lab.failure('x'), await call]; }"
    )
    assert (answered["error"]["code"], answered["error"]["message"]) == (-32000, said)
    assert page.evaluate("() => lab.servers.x.transport.isConnected") is False
    return said


def test_a_snapshot_that_does_not_fit_is_done_without(wrong: tuple[Page, PythonSite]) -> None:
    page, _ = wrong
    page.evaluate("() => lab.start('damaged', {url: '/damaged/'})")
    assert page.evaluate("() => lab.failure('damaged')") is None
    progress = page.evaluate("() => lab.servers.damaged.kept.progress")
    assert [one["stage"] for one in progress] == ["runtime", "snapshot", "runtime", "packages", "import", "ready"]
    assert progress[2]["note"].startswith("the snapshot does not fit, so Python starts without it: ")
    page.evaluate("() => lab.connect('damaged')")
    assert page.evaluate("() => lab.call('damaged', 'list')")["result"]["structuredContent"] == {"result": []}
    page.evaluate("() => lab.servers.damaged.server.close()")


def test_the_snapshot_for_browsers_that_cannot_switch_stacks_is_one_too(wrong: tuple[Page, PythonSite]) -> None:
    page, _ = wrong
    page.evaluate("() => lab.start('plain', {url: '/plain/'})")
    assert page.evaluate("() => lab.failure('plain')") is None
    stages = page.evaluate("() => lab.servers.plain.kept.progress.map((one) => one.stage)")
    assert stages == ["runtime", "snapshot", "packages", "import", "ready"]
    page.evaluate("() => lab.connect('plain')")
    assert page.evaluate("() => lab.call('plain', 'list')")["result"]["structuredContent"] == {"result": []}
    page.evaluate("() => lab.servers.plain.server.close()")


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        (
            "nothing",
            "{url}/nothing/web/python/worker.js could not be started as a worker: is it there, and do ",
        ),
        ("no_packages", "{url}/no_packages/gone.zip.gz could not be loaded: 404"),
        ("other", "{url}/other/pyodide/ has Pyodide 314.0.7, and the server was bundled for 0.1.0"),
        ("newer", "python.json has format 2, and this script reads 1: bundle the server again"),
        ("no_object", "todo.py:count is of type count, not a cloche Server"),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(name: str, sentence: str, wrong: tuple[Page, PythonSite]) -> None:
    page, site = wrong
    assert failure(page, url=f"/{name}/").startswith(sentence.format(url=site.url))


def test_where_webassembly_is_forbidden_the_missing_word_is_named(browser: Browser, bundles: dict[str, Path]) -> None:
    with PythonSite({"todo": bundles["todo"]}, POLICY.replace(" 'wasm-unsafe-eval'", "")) as site:
        for page in opened(browser, site.page()):
            assert failure(page, url="/todo/") == (
                "WebAssembly is forbidden here: add 'wasm-unsafe-eval' to script-src in the Content-Security-Policy"
            )


def test_a_start_that_says_nothing_is_given_up(page: Page) -> None:
    """The watchdog: the manifest never comes."""
    page.route("**/silent/python.json", lambda route: None)
    page.route("**/silent/web/**", lambda route: route.continue_(url=route.request.url.replace("/silent/", "/todo/")))
    assert failure(page, url="/silent/", bootTimeout=2_000) == (
        "Python did not start: nothing was heard for 2 s after runtime. Either a file does not arrive, or WebAssembly "
        "is forbidden: script-src in the Content-Security-Policy needs 'wasm-unsafe-eval'"
    )
    page.unroute_all(behavior="ignoreErrors")
