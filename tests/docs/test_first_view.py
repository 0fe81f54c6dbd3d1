"""docs/first-view.md: its page works in a real browser, its test passes, and its mistakes are told as it says."""

from __future__ import annotations

import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from cloche import Csp, Server, View
from cloche.errors import RegistrationError
from cloche.testing.open_view import ViewOpener
from tests.support.snippets import all_snippets, blocks_of, run, save

PAGE = "docs/first-view.md"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """What somebody has who saved everything that has a name on the page."""
    for snippet in all_snippets():
        if snippet.document == PAGE:
            save(snippet, tmp_path)
    (tmp_path / "snippet.py").unlink()
    return tmp_path


def message(containing: str) -> str:
    (found,) = [text for text in blocks_of(PAGE, "text") if containing in text]
    return found.removesuffix("\n")


def test_the_saved_files_are_those_of_the_page(folder: Path) -> None:
    assert sorted(path.name for path in folder.iterdir()) == ["dice.html", "server.py", "test_dice.py"]


def test_the_test_of_the_page_passes_and_sees_a_broken_page(folder: Path) -> None:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *block_of_pytest()]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, check=False)
    assert "1 passed" in done.stdout, done.stdout
    page = folder / "dice.html"
    page.write_text(page.read_text("utf-8").replace("{ count }", "{ cuont: count }"), "utf-8")
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, check=False)
    assert "1 failed" in done.stdout, done.stdout


def block_of_pytest() -> list[str]:
    (command,) = [text for text in blocks_of(PAGE, "sh") if text.startswith("pytest")]
    return command.split()[1:]


def test_the_page_shows_the_dice(folder: Path, open_view: ViewOpener) -> None:
    (snippet,) = [one for one in all_snippets() if one.document == PAGE and one.file == "server.py"]
    server = run(snippet, folder)["server"]
    view = open_view(server, "roll", {"count": 4})
    view.expect("#total").not_to_be_empty()
    dice = [int(one) for one in view.locator("#dice").inner_text().split()]
    assert len(dice) == 4
    assert view.locator("#total").inner_text() == str(sum(dice))
    view.click("button")
    call = view.wait_for("call")
    assert (call.name, call.arguments) == ("roll", {"count": 4})
    view.check()


def test_a_file_that_is_somewhere_else_is_told_as_shown(folder: Path) -> None:
    (folder / "dice.html").unlink()
    with pytest.raises(RegistrationError) as failure:
        runpy.run_path(str(folder / "server.py"), run_name="server")
    shown = message("does not exist").replace("/projects/dice", str(folder.resolve()))
    assert f"RegistrationError: {failure.value}" == shown
    (folder / "pages").mkdir()
    (folder / "pages" / "dice.html").write_text("<p>dice</p>", "utf-8")
    code = (folder / "server.py").read_text("utf-8").replace('"dice.html"', '"pages/dice.html"')
    (folder / "server.py").write_text(code, "utf-8")
    runpy.run_path(str(folder / "server.py"), run_name="server")


def fetching(csp: Csp | None) -> Server:
    server = Server("fetching")
    page = "<button onclick=\"fetch('https://api.example.com').catch(() => {})\">Fetch</button>"
    server.register_tool(lambda: "x", name="show", view=View(page, csp=csp))
    return server


def test_a_fetch_is_blocked_as_shown_until_its_origin_is_listed(open_view: ViewOpener) -> None:
    view = open_view(fetching(None), "show")
    view.click("button")
    view.wait_for("violation")
    log = view.wait_for("log")
    assert message("Blocked by") in str(log.data)
    assert view.requests == []
    view = open_view(fetching(Csp(connect=["api.example.com"])), "show")
    view.click("button")
    assert view.wait_for("request").startswith("https://api.example.com")
    assert view.violations == []
