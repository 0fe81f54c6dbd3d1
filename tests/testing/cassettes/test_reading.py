"""What a cassette is, read and written without a browser."""

from __future__ import annotations

import stat
from pathlib import Path
from typing import Any

import msgspec
import pytest

from cloche.errors import ConfigurationError, LoadError
from cloche.testing import Cassette
from cloche.testing.cassettes import writer
from cloche.testing.cassettes.differences import compared
from cloche.testing.cassettes.lines import PASSWORD, Answer, Ask, Dom, Got, LeftOut, PageLine, Said, Start, View
from cloche.testing.cassettes.password_mask import Masking
from cloche.testing.cassettes.writer import Tape


def made(path: Path, *lines: Any) -> Path:
    tape = Tape(path, ["shop"])
    for line in lines:
        tape.write(line)
    tape.close()
    return path


PAGE = PageLine(hash="p", html="<p>hello")
VIEW = View(number=0, server="shop", tool="look", uri="ui://shop/look", page="p", seed=7)
START = Start(view=0, time=1.0, width=300, height=200)


def test_what_is_written_is_read(tmp_path: Path) -> None:
    ask = Ask(time=1.0, server="shop", exchange=1, method="tools/list")
    answer = Answer(time=2.0, server="shop", exchange=1, result={"tools": []})
    got, dom = Got(view=0, message={"jsonrpc": "2.0", "id": 1, "result": {}}), Dom(view=0, at=5.0, text="<html>")
    said = Said(view=0, message={"jsonrpc": "2.0", "id": 1, "method": "ping"})
    cassette = Cassette.read(made(tmp_path / "a.cassette", ask, answer, PAGE, VIEW, START, said, got, dom))
    assert cassette.exchanges == [(ask, answer)]
    (view,) = cassette.views
    assert (view.opened, view.page, view.start, view.steps, view.said) == (VIEW, PAGE, START, [START, got, dom], [said])
    assert view.name == "view 0 (shop.look)"
    assert not cassette.is_cut_off


def test_it_is_readable_by_its_owner_alone(tmp_path: Path) -> None:
    assert stat.S_IMODE(made(tmp_path / "a.cassette").stat().st_mode) == 0o600


def test_a_cassette_is_replaced_and_another_file_is_not(tmp_path: Path) -> None:
    path = made(tmp_path / "a.cassette", PAGE, VIEW)
    assert Cassette.read(made(path)).views == []
    other = tmp_path / "notes.txt"
    other.write_text("milk\n", "utf-8")
    with pytest.raises(ConfigurationError, match="exists and is not a cassette"):
        Tape(other, [])
    assert other.read_text("utf-8") == "milk\n"


@pytest.mark.parametrize("cut", [1, 30, 200], ids=str)
def test_one_that_was_cut_off_is_read_up_to_there(tmp_path: Path, cut: int) -> None:
    path = made(tmp_path / "a.cassette", PAGE, VIEW, START, Dom(view=0, text="x" * 500))
    path.write_bytes(path.read_bytes()[:-cut])
    cassette = Cassette.read(path)
    assert cassette.is_cut_off
    assert cassette.views[0].steps == [START]


WRONG = {
    "nothing": (b"", "is not a cassette"),
    "another-text": (b"{}\n", "is not a cassette"),
    "binary": (b"\x00\xff\xfe" * 100, "is not a cassette"),
    "json-of-something-else": (b'{"kind":"ask","server":"x"}\n', "is not a cassette"),
    "deep": (b"[" * 100_000 + b"\n", "is not a cassette"),
    "newer": (b'{"kind":"cassette","format":2,"made":"x","cloche":"9","servers":[]}\n', "is a cassette of format 2"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_file_gets_one_sentence(tmp_path: Path, name: str) -> None:
    data, reason = WRONG[name]
    path = tmp_path / "wrong"
    path.write_bytes(data)
    with pytest.raises(LoadError, match=reason) as refused:
        Cassette.read(path)
    assert len(str(refused.value)) < 250
    assert "\n" not in str(refused.value)


def test_damage_is_named_by_its_line(tmp_path: Path) -> None:
    path = made(tmp_path / "a.cassette", PAGE, VIEW, START)
    lines = path.read_bytes().splitlines(keepends=True)
    for broken, where in (
        ([lines[0], b"nonsense\n", *lines[2:]], "line 2"),
        ([lines[0], *lines[2:]], "line 2 of .* opens a view whose page is not there"),
        ([*lines[:2], lines[3]], "line 3 of .* is about a view that was not opened"),
    ):
        path.write_bytes(b"".join(broken))
        with pytest.raises(LoadError, match=where):
            Cassette.read(path)


def test_what_is_too_large_is_named_and_a_full_cassette_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(writer, "MAX_LINE", 1000)
    monkeypatch.setattr(writer, "MAX_TOTAL", 2000)
    path = made(tmp_path / "a.cassette", *[Dom(view=0, text="x" * size) for size in (1100, 800, 800, 800)])
    decoded = [msgspec.json.decode(line) for line in path.read_bytes().splitlines()]
    assert decoded[1] == msgspec.to_builtins(LeftOut(what="Dom", bytes=decoded[1]["bytes"]))
    assert len(decoded) == 4
    assert path.stat().st_size < 2000
    assert "is full" in caplog.text


def test_masking() -> None:
    masking = Masking()
    assert masking.cleaned({"a": "p"}) == {"a": "p"}
    for end in range(1, 9):
        masking.learn(0, "#pass", 'pa"sword'[:end])
    told = {"args": ['pa"sword', "p"], "html": "<i>pa&quot;sword</i>", "json": '{"x":"pa\\"sword"}', "p": "pa"}
    cleaned = masking.cleaned(told)
    assert cleaned["args"] == [PASSWORD, "p"], "the first letters are not taken out of everything"
    assert cleaned["html"] == f"<i>{PASSWORD}</i>"
    assert cleaned["json"] == f'{{"x":"{PASSWORD}"}}'
    assert cleaned["p"] == "pa"
    masking.learn(0, "#pass", "x")
    assert masking.cleaned(["x", "xx", 'pa"sword']) == [PASSWORD, "xx", PASSWORD], "what was there before still counts"


def test_the_first_difference_is_shown_where_it_is() -> None:
    long = 'a="1" ' * 50
    assert compared(f"<p>\n <i {long}x>", f"<p>\n <i {long}y>").splitlines()[0].endswith("line 2 of its text")
    assert compared(f"<i {long}x>", f"<i {long}y>").splitlines()[1].endswith("x>")
    assert "now:      nothing" in compared("<p>\n <b>", "<p>")
