"""A recording as one HTML file: every gesture plays in it, nothing in it leaves its place, and mistakes are named."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Browser, Locator, expect

from cloche.cli import main
from cloche.errors import ConfigurationError
from cloche.testing import Cassette
from cloche.testing.cassettes import shared_page as shared_module
from cloche.testing.cassettes.lines import FORMAT, Answer, AnyLine, Ask, Got, Header, PageLine, Question, Start, View
from cloche.testing.cassettes.shared_page import shared_page
from tests.dev.test_page import violations
from tests.support.recording import document_has, recorded
from tests.support.shared_file import Shared, shared_file
from tests.testing.cassettes.commands import refused
from tests.testing.cassettes.gym import make_server

HOSTILE = "</script><script>document.title = 'broken out'</script><!-- <script> \u2028 &lt;"


@pytest.fixture(scope="module")
def gym(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The gym, used in every way, as a shared file."""
    folder = tmp_path_factory.mktemp("shared")
    path = folder / "gym.cassette"
    with recorded(browser, make_server(), "gym", path, name="gym") as recording:
        use(recording.view.locator, path)
    share(str(path))
    return path.with_suffix(".html")


def share(*words: str) -> None:
    """`cloche share …`, which works."""
    with pytest.raises(SystemExit) as ended:
        main(["share", *words])
    assert ended.value.code == 0


def use(find: Any, path: Path) -> None:
    expect(find("#slow")).to_have_text("here")
    find("#count").click()
    find("#twice").dblclick()
    find("#agree").click()
    find("[name=words]").click()
    find("[name=words]").press_sequentially("milk")
    find("[name=user]").fill("Ann")
    find("[name=pass]").fill("a-secret-word")
    find("#login button").click()
    expect(find("#welcome")).to_contain_text("Hello Ann")
    find("#fruit").press("c")
    expect(find("#chosen")).to_have_text("cherry")
    find("#note").fill("call")
    find("#note").press("Enter")
    find("shadow-box button").click()
    document_has(path, '"shadow!"', "[call]")


def as_used(find: Any) -> list[tuple[Locator, str]]:
    return [
        (find("#slow"), "here"),
        (find("#count"), "1"),
        (find("#twice"), "1"),
        (find("#echo"), "MILK"),
        (find("#welcome"), "Hello Ann, cloche-recorded-password is right"),
        (find("#chosen"), "cherry"),
        (find("#sent"), "[call]"),
        (find("shadow-box button"), "shadow!"),
        (find("#stored"), "in storage"),
    ]


def check_all(shared: Shared) -> None:
    for element, text in as_used(shared.view.locator):
        expect(element).to_have_text(text)
    expect(shared.view.locator("#box")).to_be_checked()


def test_every_gesture_is_played_in_the_file(browser: Browser, gym: Path) -> None:
    with shared_file(browser, gym) as shared:
        page = shared.page
        shared.press("End")
        check_all(shared)
        chance = shared.view.locator("#chance").inner_text()
        shared.press("Home")
        expect(page.get_by_text("No view is open at this step.")).to_be_visible()
        page.get_by_role("button", name="Play").click()  # step by step, at the pace of a person
        expect(page.get_by_role("button", name="Pause")).to_be_visible()
        shared.at(shared.steps)
        expect(page.get_by_role("button", name="Play")).to_be_visible()
        check_all(shared)
        expect(shared.view.locator("#chance")).to_have_text(chance)
        shared.view.locator("#count").click()  # it is alive, and goes back to the recording with the next step
        expect(shared.view.locator("#count")).to_have_text("2")
        page.get_by_role("button", name="Back").click()
        shared.at(shared.steps - 1)
        expect(shared.view.locator("#count")).to_have_text("1")
        page.locator("#slider").fill("1")
        shared.at(1)
        click = page.locator("#steps button", has_text="Click").first
        click.click()
        expect(click).to_have_attribute("aria-current", "step")
        expect(shared.view.locator("#count")).to_have_text("1")
        expect(shared.view.locator("#twice")).to_have_text("0")


def test_everything_of_an_exchange_can_be_read_and_handshakes_are_hidden(browser: Browser, gym: Path) -> None:
    with shared_file(browser, gym) as shared:
        page, few = shared.page, shared.steps
        page.locator("#steps button", has_text="login").last.click()
        detail = page.locator("#detail")
        expect(detail).to_contain_text('user: "Ann"')
        expect(detail).to_contain_text("Hello Ann, cloche-recorded-password is right")
        page.get_by_label("Handshakes and lists").check()
        expect(page.locator("#steps")).to_contain_text("tools/list")
        assert shared.steps > few
        expect(page.locator("#steps [aria-current]")).to_contain_text("login")


@pytest.mark.parametrize(("width", "theme"), [(1280, "light"), (360, "dark")])
def test_axe_finds_nothing_and_nothing_sticks_out(browser: Browser, gym: Path, width: int, theme: Any) -> None:
    size = {"width": width, "height": 740}
    with shared_file(browser, gym, viewport=size, color_scheme=theme, bypass_csp=True) as shared:
        for key in ("Home", "ArrowRight", "End"):
            shared.press(key)
            assert violations(shared.page) == []
        assert shared.page.evaluate("document.documentElement.scrollWidth") <= width


# What is in the file


class Blocks(HTMLParser):
    """The script elements of a page, as a browser divides them."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self._inside = False
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._inside = tag == "script"
        if self._inside:
            self.found.append("")

    def handle_endtag(self, tag: str) -> None:
        self._inside = False

    def handle_data(self, data: str) -> None:
        if self._inside:
            self.found[-1] += data


def written(path: Path, *lines: AnyLine, format_: int = FORMAT) -> Path:
    """A cassette with these lines."""
    header = Header(format=format_, made="2026-11-18T12:00:00+00:00", cloche="1.0", servers=["lab"])
    path.write_bytes(b"".join(msgspec.json.encode(line) + b"\n" for line in (header, *lines)))
    return path


def call(result: Any, **params: Any) -> tuple[Ask, Answer]:
    ask = Ask(time=1.0, server="lab", exchange=1, method="tools/call", params={"name": "look", **params})
    return ask, Answer(time=1.5, server="lab", exchange=1, result=result)


def of(path: Path) -> tuple[str, dict[str, Any]]:
    """The file of a cassette, and what it knows of the recording."""
    html = shared_page(Cassette.read(path))
    setup, recording, _ = Blocks(html).found
    assert set(msgspec.json.decode(setup)) == {"room", "policy"}
    return html, msgspec.json.decode(recording)


def test_nothing_in_a_recording_leaves_its_place(tmp_path: Path) -> None:
    lines = call({"content": [{"type": "text", "text": HOSTILE}]}, _meta={"token": "t0ken"}, note=HOSTILE)
    page = PageLine(hash="x", html=f"<!doctype html><title>{HOSTILE}</title>")
    view = View(number=0, server="lab", tool=HOSTILE, uri="ui://lab/x", page="x")
    html, recording = of(written(tmp_path / "a", *lines, page, view))
    step = recording["moments"][0]
    assert step["result"]["content"][0]["text"] == step["request"]["note"] == HOSTILE
    assert (step["milliseconds"], "t0ken" in html) == (500, False)
    assert html.count("broken out") == html.count("\\u003cscript\\u003edocument.title = 'broken out'") + 2
    assert "<title>&lt;/script&gt;" in html
    shared = recording["pages"][0]
    assert shared["before"] + shared["after"] == page.html


def test_the_page_of_a_view_keeps_its_policy_and_loses_every_address(tmp_path: Path) -> None:
    csp = {"connectDomains": ["https://api.example.com"], "resourceDomains": ["https://cdn.example.com"]}
    more = {"script-src": ["'unsafe-eval'", "https://evil.example"], 'x"y': ["blob:"]}
    page = PageLine(hash="x", html="<p>", csp=csp, more=more)
    view = View(number=0, server="lab", tool="look", uri="ui://lab/x", page="x")
    _, recording = of(written(tmp_path / "a", page, view))
    policy = recording["pages"][0]["policy"]
    assert "script-src 'unsafe-inline' 'unsafe-eval';" in policy
    assert "connect-src 'none';" in policy
    assert not re.search(r'https?:|[<>"&]|frame-ancestors', policy)


def test_a_request_and_its_answer_are_one_step_and_a_page_is_there_once(tmp_path: Path) -> None:
    html = "<p>" + "page " * 1000 + "the end"
    ask = Ask(time=1.0, server="lab", exchange=1, method="resources/read", params={"uri": "ui://lab/x"})
    answer = Answer(time=1.1, server="lab", exchange=1, result={"contents": [{"uri": "ui://lab/x", "text": html}]})
    start = Start(view=0, at=0, time=2000, width=400, height=300)
    question = Question("tools/call", {"name": "buy", "_meta": {"progressToken": 1}})
    got = Got(view=0, at=50, message={"jsonrpc": "2.0", "id": 7, "result": {}}, question=question)
    said = '{"kind":"said","view":0,"message":{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"buy"}}}\n'
    page, view = PageLine(hash="x", html=html), View(number=0, server="lab", tool="look", uri="ui://lab/x", page="x")
    path = written(tmp_path / "a", ask, answer, page, view, start)
    with path.open("ab") as file:
        file.write(said.encode() + msgspec.json.encode(got) + b"\n")
    text, recording = of(path)
    steps = [(step["kind"], step.get("method"), step["at"]) for step in recording["moments"]]
    assert steps == [("server", "resources/read", 1000), ("opened", None, 1100), ("got", "tools/call", 2050)]
    assert recording["moments"][2]["request"] == {"name": "buy"}
    assert text.count("page the end") == 1


def test_what_is_too_much_or_nothing_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ConfigurationError, match="nothing to share"):
        shared_page(Cassette.read(written(tmp_path / "a")))
    monkeypatch.setattr(shared_module, "MAX_SHARED", 1 << 20)
    large = call({"content": [{"type": "text", "text": "x" * (2 << 20)}]})
    with pytest.raises(ConfigurationError, match="would have 2 MB, and at most 1 MB can be shared: record again"):
        shared_page(Cassette.read(written(tmp_path / "b", *large)))


# The command


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_command_writes_a_file_and_replaces_its_own_only(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    written(folder / "run.cassette", *call({"content": []}))
    (folder / "notes.html").write_text("<p>milk", "utf-8")
    for _ in range(2):
        share("run.cassette")
        assert capsys.readouterr().out == "run.html: 0 views, 1 exchange, 0.1 MB\n"
    why = "'notes.html' exists and is not a shared recording: name another file with -o"
    assert refused(capsys, "share", "run.cassette", "-o", "notes.html") == why
    assert (folder / "notes.html").read_text("utf-8") == "<p>milk"
    with (folder / "run.cassette").open("ab") as file:
        file.write(b'{"kind":"ask","ti')
    share("run.cassette", "-o", "cut.html")
    interrupted, told = capsys.readouterr().out.splitlines()
    assert interrupted == "The recording was interrupted: it is shared as far as it goes."
    assert told.startswith("cut.html: ")


def test_mistakes_are_explained(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    written(folder / "newer.cassette", format_=FORMAT + 1)
    written(folder / "older.cassette", format_=0)
    written(folder / "empty.cassette")
    (folder / "notes.txt").write_text("milk\n", "utf-8")
    (folder / "broken.cassette").write_bytes(written(folder / "x", *call({})).read_bytes() + b"nonsense\n{}\n")
    assert refused(capsys, "share", "newer.cassette").endswith("of format 2, and this version reads 1: update Cloche")
    assert refused(capsys, "share", "older.cassette").endswith("of format 0, and this version reads 1: record it again")
    assert "There is nothing to share" in refused(capsys, "share", "empty.cassette")
    assert refused(capsys, "share", "notes.txt") == "'notes.txt' is not a cassette: cloche dev --record FILE makes one"
    assert refused(capsys, "share", "missing") == "'missing' cannot be read: No such file or directory"
    assert "line 4 of 'broken.cassette' is not one of a cassette" in refused(capsys, "share", "broken.cassette")
    written(folder / "run.cassette", *call({}))
    assert "cannot be written" in refused(capsys, "share", "run.cassette", "-o", "no/such/folder.html")
