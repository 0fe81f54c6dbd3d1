"""Starts that fail, each with one sentence, and starts that go another way."""

from __future__ import annotations

import gzip
import io
import json
import shutil
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from cloche.browser.archives import write_packed
from tests.browser.page.conftest import opened
from tests.browser.page.site import PythonSite
from tests.support.file_site import POLICY


def altered(bundle: Path, folder: Path, **manifest: Any) -> Path:
    """A copy of a bundle, with other things in its manifest; large files are links."""
    shutil.copytree(bundle, folder, copy_function=lambda source, target: Path(target).symlink_to(source))
    file = folder / "python.json"
    # Whoever changes a bundle on purpose has to say what its files are now; here that nothing is known of them.
    content = json.loads(file.read_text()) | {"integrity": {}} | manifest
    file.unlink()
    file.write_text(json.dumps(content))
    return folder


def without_engine(packages: Path) -> None:
    """Take a part of Cloche away that every server needs."""
    with zipfile.ZipFile(io.BytesIO(gzip.decompress(packages.read_bytes()))) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    left = {name: content for name, content in files.items() if "cloche/server/" not in name or "engine." not in name}
    assert len(left) == len(files) - 2
    packages.unlink()
    write_packed(packages, left)


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
    newer = altered(todo, folder / "newer", format=3)
    no_object = altered(todo, folder / "no_object", object="count")
    snapshots = json.loads((todo / "python.json").read_text())["snapshots"]
    plain = altered(todo, folder / "plain", snapshots={"switching": snapshots["plain"]})
    for library in (moved := snapshots["switching"])["libraries"]:
        library["place"] += 1
    elsewhere = altered(todo, folder / "elsewhere", snapshots={"switching": moved})
    bare = altered(todo, folder / "bare")
    without_engine(bare / "packages.zip.gz")
    made = (plain, damaged, elsewhere, bare, no_packages, other, newer, no_object)
    return {one.name: one for one in made}


@pytest.fixture(scope="module")
def wrong(browser: Browser, mistakes: dict[str, Path]) -> Iterator[tuple[Page, PythonSite]]:
    with PythonSite(mistakes) as site:
        for page in opened(browser, site.page()):
            yield page, site


def failure(page: Page, **options: Any) -> str:
    """What `ready` is rejected with, and a call that waits for it is answered with."""
    said: str
    answered: Any
    said, answered = page.evaluate(
        """async (options) => {
            lab.start("x", options);
            const call = lab.ask("x", "ping");
            return [await lab.failure("x"), await call];
        }""",
        options,
    )
    assert (answered["error"]["code"], answered["error"]["message"]) == (-32000, said)
    assert page.evaluate("() => lab.servers.x.transport.isConnected") is False
    return said


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("damaged", "Error: snapshots/switching.bin.gz has 18000 bytes instead of "),
        ("elsewhere", "Error: /lib/python3.14/site-packages/msgspec/_core."),
    ],
)
def test_a_snapshot_that_does_not_fit_is_done_without(name: str, reason: str, wrong: tuple[Page, PythonSite]) -> None:
    page, _ = wrong
    page.evaluate("(name) => lab.start(name, {url: `/${name}/`})", name)
    assert page.evaluate("(name) => lab.failure(name)", name) is None
    progress = page.evaluate("(name) => lab.servers[name].kept.progress", name)
    stages = [one["stage"] for one in progress if one["stage"] != "snapshot"]
    assert stages == ["runtime", "runtime", "packages", "import", "ready"]
    notes = [one["note"] for one in progress if "note" in one]
    assert len(notes) == 1
    assert notes[0].startswith(f"the snapshot does not fit, so Python starts without it: {reason}")
    page.evaluate("(name) => lab.connect(name)", name)
    assert page.evaluate("(name) => lab.call(name, 'list')", name)["result"]["structuredContent"] == {"result": []}
    page.evaluate("(name) => lab.servers[name].server.close()", name)


def test_cloche_is_imported_when_the_snapshot_is_made(wrong: tuple[Page, PythonSite]) -> None:
    """Its files are for what a server imports later."""
    page, _ = wrong
    page.evaluate("() => lab.start('bare', {url: '/bare/'})")
    assert page.evaluate("() => lab.failure('bare')") is None
    page.evaluate("() => lab.connect('bare')")
    assert page.evaluate("() => lab.call('bare', 'list')")["result"]["structuredContent"] == {"result": []}
    page.evaluate("() => lab.servers.bare.server.close()")


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
        ("newer", "python.json has format 3, and this script reads 2: bundle the server again"),
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
