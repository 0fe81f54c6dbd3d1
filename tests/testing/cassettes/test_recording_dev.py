"""A person records in the playground, and it is played with no server: `cloche dev --record` and `cloche replay`."""

from __future__ import annotations

import json
import os
import re
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from cloche.testing import Cassette, ViewError, ViewOpener
from tests.support.command import Running, environment
from tests.support.playground import Screen, opened, until
from tests.support.published_servers import NODE
from tests.support.recording import document_has, lines_of
from tests.support.shared_file import shared_file
from tests.testing.cassettes.commands import refused
from tools.npm_tools import node_modules

ROOT = Path(__file__).parents[3]
PUBLISHED = node_modules(NODE) / "@modelcontextprotocol" / "server-basic-vanillajs" / "dist" / "index.js"


DEADLINE = 90.0
"""Seconds: two servers, a host and a browser start at once, on whatever machine this is."""


@contextmanager
def command(*arguments: str, folder: Path) -> Iterator[Running]:
    """`cloche …` as a process, killed at the end."""
    process = subprocess.Popen(
        [sys.executable, "-m", "cloche", *arguments],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
    )
    watchdog = threading.Timer(4 * DEADLINE, process.kill)
    watchdog.start()
    try:
        yield Running(process, [])
    finally:
        watchdog.cancel()
        process.kill()
        process.communicate()


def replayed(path: Path, *options: str) -> tuple[int, str]:
    """How `cloche replay` ended, and what it said."""
    with command("replay", path.name, *options, folder=path.parent) as running:
        assert running.process.stdout is not None
        said = running.process.stdout.read()
        return running.process.wait(DEADLINE), said


@pytest.fixture(scope="module")
def cassette(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An example of ours and a published server from npm, both clicked."""
    folder = tmp_path_factory.mktemp("recorded")
    path = folder / "run.cassette"
    path.write_bytes(b"")
    targets = [str(ROOT / "examples" / "todo_view.py"), "--", "node", str(PUBLISHED), "--stdio"]
    with command("dev", "--no-open", "--port", "0", "--record", "run.cassette", *targets, folder=folder) as running:
        running.url = running.line(starting="http://")
        assert any(line.startswith("Recording to run.cassette") for line in running.said)
        with opened(browser, running.url) as screen:
            screen.page.set_default_timeout(1000 * DEADLINE)
            use_the_list(screen, path)
            use_the_published_one(screen, path)
    return path  # the process was killed: what was written is there


def use_the_list(screen: Screen, path: Path) -> None:
    view = screen.view()  # of the first tool, which the page calls by itself
    for title in ("Milk", "Bread"):
        view.locator("input[name=title]").click()  # a view that takes the keyboard by itself loses it
        view.locator("input[name=title]").fill(title)
        view.locator("input[name=title]").press("Enter")
        view.get_by_label(title, exact=True).wait_for()
    view.locator("label").first.click()
    view.locator("li.done").wait_for()
    document_has(path, "To do, 1 left", '"Bread"')  # a quick machine would be at the next deed before it came to rest
    view.get_by_role("button", name="Remove Bread").click()
    view.locator("li").nth(1).wait_for(state="detached")
    document_has(path, '"Milk"', ":checked")


def use_the_published_one(screen: Screen, path: Path) -> None:
    screen.choose("get-time")
    screen.call()
    until(lambda: len(lines_of(path, "start")) == 2, "the second view")
    view = screen.view()
    view.get_by_role("button", name="Get Server Time").click()
    view.get_by_role("textbox").first.click()  # a view that takes the keyboard by itself loses it
    view.get_by_role("textbox").first.fill("How late is it?")
    view.get_by_role("button", name="Send Message").click()
    said = lambda: [line for line in lines_of(path, "said") if line["message"].get("method") == "ui/message"]  # noqa: E731
    until(said, "the message")
    document_has(path, "How late is it?")


def changed(cassette: Path, folder: Path, kind: str, before: str, after: str) -> Path:
    """The cassette with something else in its lines of one kind."""
    path = folder / "changed.cassette"
    lines = cassette.read_text("utf-8").splitlines(keepends=True)
    told = [line.replace(before, after) if line.startswith(f'{{"kind":"{kind}"') else line for line in lines]
    assert told != lines
    path.write_text("".join(told), "utf-8")
    return path


def test_everything_is_in_the_file(cassette: Path) -> None:
    header = lines_of(cassette)[0]
    assert (header["kind"], header["format"]) == ("cassette", 1)
    assert len(header["servers"]) == 2
    asked = {line["method"] for line in lines_of(cassette, "ask")}
    assert {"tools/list", "tools/call", "resources/read"} <= asked
    read = Cassette.read(cassette)
    assert [view.opened.tool for view in read.views] == ["todos", "get-time"]
    assert stat.S_IMODE(os.stat(cassette).st_mode) == stat.S_IMODE(os.stat(cassette).st_mode) & 0o666
    calls = [
        line["message"]["params"]["name"]
        for line in lines_of(cassette, "said")
        if "name" in line["message"].get("params", {})
    ]
    assert calls == ["add", "add", "toggle", "remove", "get-time"]


def test_both_views_are_played_to_the_same_document_with_no_server(cassette: Path) -> None:
    code, said = replayed(cassette)
    assert code == 0, said
    name = json.loads(cassette.read_text("utf-8").splitlines()[0])["servers"][1]
    assert said == f"view 0 (todo-view.todos): same DOM\nview 1 ({name}.get-time): same DOM\n"


def test_both_views_are_played_in_a_shared_file(cassette: Path, tmp_path: Path, browser: Browser) -> None:
    with command("share", cassette.name, "-o", str(tmp_path / "run.html"), folder=cassette.parent) as running:
        assert running.process.wait(DEADLINE) == 0
    with shared_file(browser, tmp_path / "run.html") as shared:
        shared.press("End")  # the published view, of @modelcontextprotocol/ext-apps
        expect(shared.view.get_by_role("textbox").first).to_have_value("How late is it?")
        expect(shared.view.locator("#server-time")).to_have_text(re.compile(r"\d{4}-\d\d-\d\dT"))
        shared.page.locator("#steps button", has_text="remove").last.click()
        expect(shared.view.locator("li")).to_have_count(1)
        expect(shared.view.locator("li.done")).to_contain_text("Milk")
        expect(shared.page.locator("#note")).to_be_empty()


def test_an_interrupted_recording_is_played_as_far_as_it_goes_and_a_changed_result_is_found(
    cassette: Path, tmp_path: Path
) -> None:
    path = changed(cassette, tmp_path, "got", "To do, 1 left", "To do, 5 left")
    data = path.read_bytes()
    second = next(line for line in data.splitlines() if line.startswith(b'{"kind":"view"') and b'"get-time"' in line)
    place = data.index(second) + len(second) // 2
    path.write_bytes(data[:place])
    code, said = replayed(path)
    assert code == 1
    first, difference, recorded, now = said.splitlines()
    assert first == "The recording was interrupted: it is played as far as it goes."
    assert difference.startswith("view 0 (todo-view.todos), ")
    assert "the document differs in line" in difference
    assert (recorded, now) == ('    recorded: "To do, 1 left"', '    now:      "To do, 5 left"')


def test_a_changed_deed_is_found(cassette: Path, tmp_path: Path, open_view: ViewOpener) -> None:
    path = changed(cassette, tmp_path, "user", '"Bread"', '"Beer"')
    with pytest.raises(ViewError, match=r'not in the recording: tools/call add \{"title":"Beer"\}'):
        open_view.replay(path)


def test_a_page_that_was_changed_since_is_played_against_the_recording(cassette: Path, open_view: ViewOpener) -> None:
    html = Cassette.read(cassette).views[1].page.html
    with pytest.raises(ViewError, match=r"recorded: .*Get Server Time"):
        open_view.replay(cassette, 1, html=html.replace("Get Server Time", "Get the Time"))


def test_mistakes_are_explained(
    cassette: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    notes = tmp_path / "notes.txt"
    notes.write_text("milk\n", "utf-8")
    wrong = "'notes.txt' is not a cassette: cloche dev --record FILE makes one"
    assert refused(capsys, "replay", "notes.txt") == wrong
    assert refused(capsys, "replay", "missing") == "'missing' cannot be read: No such file or directory"
    assert "has no view 7: it has 0 to 1" in refused(capsys, "replay", str(cassette), "--view", "7")
    assert "there is no display" in refused(capsys, "replay", str(cassette), "--show")
    assert "exists and is not a cassette" in refused(capsys, "dev", "--record", "notes.txt")
    assert notes.read_text("utf-8") == "milk\n"
    assert "cannot be written" in refused(capsys, "dev", "--record", "no/such/folder")
