"""Which browser is used, and what is said when there is none."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from cloche.errors import ConfigurationError, MissingExtraError
from cloche.testing.browser import Chromium, find_chromium, launch_flags


@pytest.fixture
def nothing_installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CLOCHE_CHROMIUM", raising=False)
    return tmp_path


def program(path: Path) -> str:
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return str(path)


def test_the_variable_comes_first(nothing_installed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(nothing_installed / "chromium")
    named = program(nothing_installed / "mine")
    monkeypatch.setenv("CLOCHE_CHROMIUM", named)
    assert find_chromium() == named


def test_a_variable_that_leads_nowhere_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLOCHE_CHROMIUM", "nowhere/chromium")
    with pytest.raises(ConfigurationError, match="CLOCHE_CHROMIUM is 'nowhere/chromium', and no program is there"):
        find_chromium()


def test_playwrights_own_comes_before_the_systems(nothing_installed: Path) -> None:
    installed = program(nothing_installed / "chromium")
    own = program(nothing_installed / "own")
    assert find_chromium(own) == own
    assert find_chromium(str(nothing_installed / "missing")) == installed


@pytest.mark.usefixtures("nothing_installed")
def test_without_a_browser_one_sentence_says_what_to_do() -> None:
    with pytest.raises(ConfigurationError) as refusal:
        find_chromium("nowhere/chromium")
    assert str(refusal.value) == (
        "Views are tested in a real browser and none was found here: run `playwright install chromium`, "
        "or install Chromium or Chrome, or set CLOCHE_CHROMIUM to the path of one."
    )


async def test_without_playwright_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == "playwright"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(sys, "path", [])
    monkeypatch.setattr(sys, "meta_path", [NoPlaywright, *sys.meta_path])
    with pytest.raises(MissingExtraError, match=r"pip install 'cloche\[test\]'"):
        await Chromium().browser()


class NoPlaywright:
    """A place where Playwright is not."""

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> None:
        if name.partition(".")[0] == "playwright":
            raise ModuleNotFoundError(f"No module named {name!r}", name="playwright")


def test_the_browsers_own_sandbox_is_given_up_only_as_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 0)
    assert "--no-sandbox" in launch_flags()
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    assert "--no-sandbox" not in launch_flags()
