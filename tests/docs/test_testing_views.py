"""docs/testing-views.md: the tests on the page are run, and the failure it shows is the one that comes."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest

from cloche.testing import OpenView
from cloche.testing.session import ViewOptions
from tests.support.snippets import ROOT, all_snippets, blocks_of

DOCUMENT = "docs/testing-views.md"
TEXT = (ROOT / DOCUMENT).read_text(encoding="utf-8")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A folder with the files of the page."""
    for snippet in all_snippets():
        if snippet.document == DOCUMENT and snippet.code.startswith("# file:"):
            (tmp_path / snippet.file).write_text(snippet.code, encoding="utf-8")
    return tmp_path


def pytest_in(project: Path, *files: str) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-W", "error", *files],
        cwd=project,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    return done.returncode, done.stdout


def test_the_tests_of_the_page_pass(project: Path) -> None:
    files = ("test_shop.py", "test_hands.py")
    status, output = pytest_in(project, *files)
    written = sum((project / file).read_text().count("\ndef test_") for file in files)
    assert (status, f"{written} passed" in output) == (0, True), output


def test_the_blank_view_fails_as_shown(project: Path) -> None:
    status, output = pytest_in(project, "test_blank.py")
    assert status == 1
    for line in blocks_of(DOCUMENT, "text")[0].splitlines():
        assert line in output


def test_the_table_of_options_is_true_and_complete() -> None:
    rows = re.findall(r"^\| (`[^|]+`) \| ([^|]+) \| [^|]*\|$", TEXT.split("Options of `open_view`")[1], re.MULTILINE)
    defaults = {
        name: default
        for names, shown in rows
        for name, default in zip(re.findall(r"`(\w+)`", names), re.split(r", ", shown), strict=True)
    }
    assert set(defaults) == {field.name for field in fields(ViewOptions)}
    options = ViewOptions()
    for name, shown in defaults.items():
        if shown != "a few":
            assert repr(getattr(options, name)).replace("'", '"') == shown.strip("`"), name


def test_what_a_person_does_is_on_the_page() -> None:
    done = ("click", "fill", "type", "press", "wait_for_text", "evaluate", "locator", "expect", "screenshot")
    assert [name for name in done if not hasattr(OpenView, name) or f"`view.{name}(" not in TEXT] == []


def test_what_a_view_did_is_on_the_page() -> None:
    read = [name for name, member in vars(OpenView).items() if isinstance(member, property)]
    assert [name for name in read if f"`view.{name}" not in TEXT and name not in ("text", "host_context")] == []
