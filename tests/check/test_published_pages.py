"""`cloche build --check`: every rule about published pages finds its folder, and a folder that is none is refused."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from cloche.browser import write_site
from cloche.check import Report
from cloche.check.published import PublishedOptions, check_published
from cloche.errors import ConfigurationError
from tests.support.made_wheels import COMPILED, write_distribution, write_wheel
from tools.npm_tools import node_modules

Check: TypeAlias = Callable[[Path], Report]
PUBLISHED_RULES = {"P01", "P02", "P03", "P04", "P05"}
SECONDS = 300
SERVER = '''
import sys
from typing import Annotated

from msgspec import Meta

from cloche import Server

server = Server("shop", version="1")
READ_ONLY = {"readOnlyHint": True}


@server.tool(annotations=READ_ONLY)
def price(item: Annotated[str, Meta(examples=["bread"])]) -> str:
    """What something costs."""
    return {"bread": "2.40"}[item]


@server.tool
def buy(item: str) -> str:
    """Nothing that may be called to try it."""
    raise SystemExit(item)
'''


@pytest.fixture(scope="module")
def runtime() -> Path:
    return node_modules(Path(__file__).parents[1] / "browser" / "core" / "node") / "pyodide"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory, runtime: Path) -> Path:
    """A site in which nothing is wrong."""
    folder = tmp_path_factory.mktemp("built")
    (folder / "server.py").write_text(SERVER)
    return write_site(folder / "server.py", folder / "site", runtime=runtime).folder


@pytest.fixture
def check(_cloche_browser: tuple[Any, Any]) -> Check:
    background, chromium = _cloche_browser

    def checked(folder: Path) -> Report:
        found: Report = background.run(check_published(folder, PublishedOptions(chromium=chromium)))
        return found

    return checked


def codes(report: Report) -> set[str]:
    return {finding.code for finding in report.findings}


def test_nothing_is_found_in_a_site_that_is_sound(built: Path, check: Check) -> None:
    report = check(built)
    assert report.findings == []
    assert [(call.tool, call.was_called, call.note) for call in report.calls] == [
        ("price", True, ""),
        ("buy", False, "it does not say that it only reads (readOnlyHint); --call calls it all the same"),
    ]


def test_a_file_that_was_changed_and_one_that_is_gone_are_found(built: Path, check: Check, tmp_path: Path) -> None:
    changed = shutil.copytree(built, tmp_path / "changed")
    packages = changed / "python" / "sources.zip"
    packages.write_bytes(packages.read_bytes().replace(b"server.py", b"Server.py"))
    report = check(changed)
    assert "P01" in codes(report)
    assert "python/sources.zip has been changed on its host since it was published" in report.findings[0].what
    gone = shutil.copytree(built, tmp_path / "gone")
    for picture in (gone / "python" / "snapshots").iterdir():
        picture.unlink()
    report = check(gone)
    assert [(one.code, one.what) for one in report.findings] == [("P03", "It did not arrive: 404.")]
    assert report.findings[0].where.startswith("python/snapshots/")


def test_tools_that_are_not_there_or_fail_in_the_browser_are_found(check: Check, tmp_path: Path, runtime: Path) -> None:
    (tmp_path / "server.py").write_text(
        SERVER
        + '''

if sys.platform != "emscripten":

    @server.tool
    def only_here() -> str:
        """The build's Python has it alone."""
        return "here"


@server.tool(annotations=READ_ONLY)
async def rate() -> str:
    """Fetches from where it may not."""
    from pyodide.http import pyfetch

    return str(await pyfetch("https://rates.example/today"))
'''
    )
    report = check(write_site(tmp_path / "server.py", tmp_path / "site", runtime=runtime).folder)
    found = {(one.code, one.where) for one in report.findings}
    assert found == {("P02", "tool only_here"), ("P04", "the page"), ("P05", "tool rate")}
    (blocked,) = (one.what for one in report.findings if one.code == "P04")
    assert "https://rates.example/today" in blocked


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (None, "{folder!r} has no mcp.json, so no build wrote it: name the folder of `cloche build FILE -o FOLDER`"),
        ("{", "mcp.json in {folder!r} is damaged: build the site again"),
        ("[]", "mcp.json in {folder!r} is damaged: build the site again"),
    ],
)
async def test_a_wrong_folder_is_one_sentence(content: str | None, sentence: str, tmp_path: Path) -> None:
    if content is not None:
        (tmp_path / "mcp.json").write_text(content)
    with pytest.raises(ConfigurationError) as refused:
        await check_published(tmp_path)
    assert str(refused.value) == sentence.format(folder=str(tmp_path))


def test_the_command_builds_with_dependencies_and_says_what_it_found(tmp_path: Path, runtime: Path) -> None:
    """Inline metadata and a distribution, all the way into the browser."""
    code = "def double(number):\n    return 2 * number\n"
    wheel = write_wheel(tmp_path / "dist", "numbers_of_c", "2.0", code, tag=COMPILED)
    write_distribution(tmp_path / "dist", [wheel])
    # The build imports the server's file as well, so the package has to be here too.
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "numbers_of_c.py").write_text(code)
    (tmp_path / "server.py").write_text(
        '# /// script\n# dependencies = ["numbers_of_c"]\n# ///\nimport numbers_of_c\n'
        + SERVER
        + '''

@server.tool(annotations=READ_ONLY)
def double(number: int = 21) -> int:
    """Twice as much."""
    return numbers_of_c.double(number)
'''
    )
    words = [sys.executable, "-m", "cloche", "build", "server.py", "-o", "site", "--check", "--pyodide", "dist"]

    def run() -> subprocess.CompletedProcess[str]:
        given = [*words, "--runtime", str(runtime)]
        environment = {**os.environ, "PYTHONPATH": "here", "NO_COLOR": "1"}
        return subprocess.run(
            given, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=SECONDS, check=False
        )

    done = run()
    assert done.returncode == 0, done.stderr
    assert "Called double with {}." in done.stdout
    assert "site: no problems found" in done.stdout
    assert done.stdout.splitlines()[-1] == "site"
    # The same for a folder that is there already.
    again = [sys.executable, "-m", "cloche", "check", "site", "--no-call", "--json"]
    checked = subprocess.run(again, cwd=tmp_path, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert checked.returncode == 0, checked.stderr
    told = json.loads(checked.stdout)
    assert (told["findings"], {call["note"] for call in told["calls"]}) == ([], {"--no-call"})
    assert json.loads((tmp_path / "site" / "python" / "python.json").read_text())["wheels"][-1] == wheel.name
    # What is in the browser alone is found there.
    (tmp_path / "server.py").write_text(
        (tmp_path / "server.py").read_text() + 'if sys.platform == "emscripten":\n    raise RuntimeError("not here")\n'
    )
    done = run()
    assert (done.returncode, "P01 error: the page: the published page does not start" in done.stdout) == (1, True)
    assert "server.py cannot be imported in the browser: RuntimeError: not here" in done.stdout
