"""Files, modules, URLs and commands: what a person types after `cloche check` and `cloche dev`."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from cloche.cli.targets import ServerWords, parse_server, parse_servers
from cloche.errors import ConfigurationError, LoadError
from tests.support.broken_server import SOUND
from tests.support.command import cloche

RAW = Path(__file__).parents[1] / "support" / "raw_server.py"


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("server.py").write_text("", "utf-8")
    Path("pantry.py").write_text("", "utf-8")
    Path("folder").mkdir()


def what(words: ServerWords) -> tuple[str, object]:
    if words.target is not None:
        return ("file" if words.target.file else "module", words.target.text)
    return ("url", words.url) if words.url else ("command", words.command)


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("server.py", [("file", "server.py")]),
        ("server.py:app", [("file", "server.py:app")]),
        ("server.py pantry.py", [("file", "server.py"), ("file", "pantry.py")]),
        ("package.module:app", [("module", "package.module:app")]),
        ("package.module", [("module", "package.module")]),
        ("pantry", [("module", "pantry")]),
        ("https://example.com/mcp", [("url", "https://example.com/mcp")]),
        ("WSS://example.com/mcp", [("url", "WSS://example.com/mcp")]),
        ("npx -y some-server", [("command", ("npx", "-y", "some-server"))]),
        ("-- npx", [("command", ("npx",))]),
        ("-- node -- server.py", [("command", ("node", "--", "server.py"))]),
        ("server.py -- npx -y other.py", [("file", "server.py"), ("command", ("npx", "-y", "other.py"))]),
        ("server.py npx -y other", [("file", "server.py"), ("command", ("npx", "-y", "other"))]),
        ("./run.sh --port 1", [("command", ("./run.sh", "--port", "1"))]),
        ("", []),
    ],
    ids=str,
)
def test_words_are_told_apart(typed: str, found: list[tuple[str, object]], tmp_path: Path) -> None:
    seen = [what(words) for words in parse_servers(typed.split(), "check")]
    assert seen == [(kind, f"{tmp_path}/{value}" if kind == "file" else value) for kind, value in found]


@pytest.mark.parametrize(
    ("typed", "said", "kind"),
    [
        ("", "cloche check server.py, a URL, or two dashes and a command", ConfigurationError),
        ("--", "there is no command after the two dashes", ConfigurationError),
        ("sever.py", "there is no file 'sever.py': check the path", LoadError),
        ("server", "is a folder", LoadError),
        ("folder", "is a folder", LoadError),
        ("server.py:1", "'1' is not the name of an object", LoadError),
        ("npx", "a command goes after two dashes: cloche check -- npx …", LoadError),
        ("ftp://example.com", "begins with http:// or https://", ConfigurationError),
        ("server.py pantry.py", "one server at a time: leave out what follows", ConfigurationError),
        ("http://127.0.0.1:9/mcp more", "one server at a time", ConfigurationError),
    ],
    ids=str,
)
def test_mistakes_get_a_sentence(typed: str, said: str, kind: type[Exception]) -> None:
    if typed == "server":
        Path("server").mkdir()
    with pytest.raises(kind) as caught:
        parse_server(typed.split(), "check")
    assert said in str(caught.value)


def test_a_forgotten_ending_is_offered() -> None:
    Path("with-dash.py").write_text("", "utf-8")
    with pytest.raises(LoadError, match=r"did you mean with-dash\.py\?"):
        parse_server(["with-dash"], "check")


def test_a_file_is_started_as_a_person_would(tmp_path: Path) -> None:
    words = parse_server(["server.py:app"], "dev")
    assert words.process == [sys.executable, "-m", "cloche", "run", f"{tmp_path / 'server.py'}:app"]
    assert parse_server(["--", "npx", "x"], "dev").process == ["npx", "x"]
    assert parse_server(["http://a.example"], "dev").process == []


def test_a_command_of_one_word_is_run(tmp_path: Path) -> None:
    import json

    (tmp_path / "said.json").write_text(json.dumps(SOUND["plain"]), "utf-8")
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\nexec {sys.executable} {RAW} said.json\n", "utf-8")
    program.chmod(0o755)
    done = cloche("check", "--static", "--", str(program), folder=tmp_path)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, f"{program}: no problems found"), done.stderr
