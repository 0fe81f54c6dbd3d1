"""`cloche new`: what it makes runs, is sound, and its tests pass; the commands it prints work."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from cloche.cli.new import PLACEHOLDER, TEMPLATES
from tests.support.chromium import FLAGS
from tests.support.command import cloche, environment, refusal, serving, started
from tools.chromium import chromium

TESTS = 90.0
"""Seconds for the tests of a new project: they open a browser."""

WAIT = 30_000
"""Milliseconds for what a page shows."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        made = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        yield made
        made.close()


def made(template: str, folder: Path) -> list[list[str]]:
    """Make a project; the commands that come next, without what is said about them."""
    done = cloche("new", "my-server", "--template", template, folder=folder)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    files = [file for file in (folder / "my-server").rglob("*") if file.is_file()]
    assert not any(PLACEHOLDER in file.read_text("utf-8") for file in files)
    commands = [line.split("#")[0].split() for line in done.stderr.splitlines() if line.startswith("  ")]
    assert commands[0] == ["cd", "my-server"]
    assert commands[2] == ["pytest"]
    return commands


@pytest.mark.parametrize("template", TEMPLATES)
def test_a_new_folder_is_a_project(template: str, tmp_path: Path) -> None:
    made(template, tmp_path)
    folder = tmp_path / "my-server"
    project = tomllib.loads((folder / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["name"] == "my-server"
    assert any(one.startswith("cloche[") for one in project["dependencies"])
    assert ".venv/" in (folder / ".gitignore").read_text("utf-8").splitlines()
    readme = (folder / "README.md").read_text("utf-8")
    assert readme.startswith("# my-server\n")
    for named in re.findall(r"^\| `([\w.]+\.\w+)` \|", readme, re.MULTILINE):
        assert (folder / named).exists(), named
    for line in re.findall(r"^cloche (call .*)$", readme, re.MULTILINE):
        done = cloche(*line.split(), folder=folder)
        assert done.returncode == 0, done.stderr


def check_tests(folder: Path, count: int) -> None:
    """The tests of a new project pass."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(folder)]
    done = subprocess.run(
        command, cwd=folder, env=environment(), capture_output=True, text=True, timeout=TESTS, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{count} passed" in done.stdout


@pytest.mark.parametrize("template", [name for name in TEMPLATES if name != "host"])
def test_a_new_server_runs_is_sound_and_tests_itself(template: str, tmp_path: Path) -> None:
    commands = made(template, tmp_path)
    folder = tmp_path / "my-server"
    assert commands[1] == ["cloche", "dev", "server.py"]
    with started(["-m", *commands[1], "--port", "0", "--no-open"], folder) as running:
        assert running.said[0] == "Playground: my-server"
    with serving("server.py", "--http", "0", folder=folder) as running:
        assert running.said[0].startswith("my-server: ")
    assert cloche("check", "server.py", "--strict", "--static", folder=folder).returncode == 0
    check_tests(folder, 1)


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context()
    opened = context.new_page()
    opened.set_default_timeout(WAIT)
    expect.set_options(timeout=WAIT)
    yield opened
    context.close()


def test_a_new_product_shows_a_view_takes_its_messages_and_asks(tmp_path: Path, page: Page) -> None:
    commands = made("host", tmp_path)
    folder = tmp_path / "my-server"
    assert commands[1] == ["uvicorn", "app:app", "--reload"]
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("console", lambda said: problems.append(said.text) if said.type == "error" else None)
    # Without --reload, which is another process that nobody would end.
    with started(["-m", *commands[1][:2], "--port", "0"], folder, until="INFO:     Uvicorn running on") as running:
        address = running.url.split()[4].replace("127.0.0.1", "localhost")
        page.goto(address)
        view = page.frame_locator("mcp-app >> iframe").frame_locator("iframe")
        view.get_by_role("button", name="Order Vegetable curry").click()
        expect(view.locator("li").nth(1)).to_contain_text("1")
        view.get_by_role("button", name="Tell the team").click()
        expect(page.locator("#messages li")).to_have_text(["lunch: 1 × Vegetable curry"])
        expect(page.locator("#empty")).to_be_hidden()
        view.get_by_role("button", name="Clear").click()
        page.get_by_role("button", name="Don't allow").click()
        expect(view.get_by_role("status")).not_to_be_empty()
        expect(view.locator("li").nth(1)).to_contain_text("1")
        view.get_by_role("button", name="Clear").click()
        page.get_by_role("button", name="Run").click()
        expect(view.get_by_text("Cleared.")).to_be_visible()
        page.reload()
        expect(page.locator("#messages li")).to_have_count(1)
        expect(view.locator("li").nth(1)).to_contain_text("0")
    assert problems == []


def test_a_new_product_is_sound_tests_itself_and_says_when_its_server_is_gone(tmp_path: Path, page: Page) -> None:
    made("host", tmp_path)
    folder = tmp_path / "my-server"
    assert cloche("check", "server.py", "--strict", "--static", folder=folder).returncode == 0
    check_tests(folder, 2)
    app = (folder / "app.py").read_text("utf-8")
    (folder / "app.py").write_text(app.replace('{"lunch": lunch}', '{"lunch": ["no-such-program"]}'), "utf-8")
    with started(["-m", "uvicorn", "app:app", "--port", "0"], folder, until="INFO:     Uvicorn running on") as running:
        page.goto(running.url.split()[4])
        said = "The server 'lunch' did not start: The command 'no-such-program' was not found: check its name, and PATH"
        expect(page.get_by_role("alert")).to_have_text(said)


def test_mistakes_are_explained_and_nothing_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "taken").mkdir()
    (tmp_path / "taken" / "server.py").write_text("mine", "utf-8")
    assert "there is something in 'taken' already" in refusal("new", "taken", folder=tmp_path)
    assert (tmp_path / "taken" / "server.py").read_text("utf-8") == "mine"
    assert "is not a name for a server" in refusal("new", "../elsewhere", folder=tmp_path)
    assert "is not a name for a server" in refusal("new", "9 lives", folder=tmp_path)
    assert "is not a name for a server" in refusal("new", "dash-", folder=tmp_path)
    assert "minimal" in refusal("new", "one", "--template", "huge", folder=tmp_path)
    assert [one.name for one in tmp_path.iterdir()] == ["taken"]
