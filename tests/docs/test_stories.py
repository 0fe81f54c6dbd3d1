"""docs/stories.md: the tests on the page pass with the stories on it, and `cloche check` says what is shown."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from cloche.testing import StoryFile
from cloche.testing.stories import FIELDS
from tests.support.command import cloche
from tests.support.snippets import ROOT, all_snippets, blocks_of

PAGE = "docs/stories.md"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("weather")
    for snippet in all_snippets():
        if snippet.document == PAGE:
            (folder / snippet.file).write_text(snippet.code, "utf-8")
    (folder / "weather.stories.toml").write_text(blocks_of(PAGE, "toml")[0], "utf-8")
    return folder


def test_the_tests_of_the_page_pass(project: Path) -> None:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-W", "error"]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, "3 passed" in done.stdout) == (0, True), done.stdout


def test_check_says_what_is_shown(project: Path) -> None:
    done = cloche("check", "--patience", "60", "--profile", "strict", "weather.py", folder=project, deadline=300)
    assert done.returncode == 0
    for line in blocks_of(PAGE, "text")[0].splitlines():
        assert line in done.stdout.splitlines()


def test_the_table_has_every_key(project: Path) -> None:
    text = (ROOT / PAGE).read_text("utf-8").split("## The file")[1].split("## In the playground")[0]
    assert all(f"`{key}`" in text for key in FIELDS)
    assert [one.name for one in StoryFile(project / "weather.py").read()][1] == "Nowhere, in the dark, on a phone"
