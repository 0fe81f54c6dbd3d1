"""The wheels for the browser: downloaded once, never half, at the pinned versions. A script stands in for pip."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools import browser_wheels as tool

DOWNLOADING = """
import pathlib, sys
folder = next(pathlib.Path(one.partition("=")[2]) for one in sys.argv if one.startswith("--dest="))
with (folder.parent / "runs").open("a") as runs:
    print(*[one for one in sys.argv if "==" in one], file=runs)
(folder / "half.whl").touch()
"""
FAILING = DOWNLOADING + "sys.exit('no such wheel')\n"


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache, and beside it the names of packages and their pins."""
    monkeypatch.setenv("CLOCHE_CACHE", str(tmp_path / "cache"))
    (tmp_path / "packages.txt").write_text("# what is needed\nThe_Thing\n\nother\n")
    (tmp_path / "constraints.txt").write_text("# pins\nthe-thing==1.0\nother==2.0\nunused==3.0\n")
    return tmp_path / "cache" / "wheels"


def pretend_pip(monkeypatch: pytest.MonkeyPatch, folder: Path, script: str) -> None:
    """Make `python -m pip` run the script."""
    (folder / "pip").mkdir(exist_ok=True)
    (folder / "pip" / "__init__.py").touch()
    (folder / "pip" / "__main__.py").write_text(script)
    monkeypatch.setenv("PYTHONPATH", str(folder))


def wheels(folder: Path) -> Path:
    return tool.browser_wheels(folder / "packages.txt", folder / "constraints.txt")


def test_a_second_use_downloads_nothing(cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pretend_pip(monkeypatch, tmp_path, DOWNLOADING)
    first = wheels(tmp_path)
    assert (first / "half.whl").exists()
    assert wheels(tmp_path) == first
    assert (cache / "runs").read_text() == "the-thing==1.0 other==2.0\n"


def test_another_pin_is_another_folder(cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pretend_pip(monkeypatch, tmp_path, DOWNLOADING)
    before = wheels(tmp_path)
    (tmp_path / "constraints.txt").write_text("the-thing==1.1\nother==2.0\n")
    assert wheels(tmp_path) != before


def test_a_failed_download_leaves_nothing_and_says_why(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pretend_pip(monkeypatch, tmp_path, FAILING)
    with pytest.raises(SystemExit, match="no such wheel"):
        wheels(tmp_path)
    assert [path.name for path in cache.iterdir()] == ["runs"]
    pretend_pip(monkeypatch, tmp_path, DOWNLOADING)
    assert (wheels(tmp_path) / "half.whl").exists()


@pytest.mark.usefixtures("cache")
def test_a_package_without_a_pin_is_named(tmp_path: Path) -> None:
    (tmp_path / "packages.txt").write_text("other\nnovel\n")
    with pytest.raises(SystemExit, match=r"constraints\.txt has no version of novel"):
        wheels(tmp_path)
