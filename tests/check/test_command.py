"""`cloche check` as a person runs it."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from cloche.check.findings import RULES, explanation
from tests.support.broken_server import BROKEN, SOUND
from tests.support.command import CLOCHE, FASTMCP, MCP, cloche, refusal, write

RAW = Path(__file__).parents[1] / "support" / "raw_server.py"


@pytest.mark.parametrize("text", [CLOCHE, MCP, FASTMCP], ids=["cloche", "mcp", "fastmcp"])
def test_files_of_every_kind_are_checked(text: str, tmp_path: Path) -> None:
    documented = text.replace("-> int:\n", '-> int:\n    """Add two numbers."""\n')
    done = cloche("check", "--static", write(tmp_path, documented), folder=tmp_path, deadline=180)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    assert done.stdout.splitlines()[-1] == "server.py: no problems found"


def test_a_command_with_an_error_says_where_what_and_how(tmp_path: Path) -> None:
    (tmp_path / "said.json").write_text(json.dumps(BROKEN["V06"]), "utf-8")
    done = cloche("check", "--static", "--", sys.executable, str(RAW), "said.json", folder=tmp_path)
    assert (done.returncode, done.stderr) == (1, ""), done
    lines = done.stdout.splitlines()
    assert lines[0] == "V06 error: tool show: the page loads something that its CSP blocks"
    assert "https://cdn.example.com/chart.js (script)" in lines[1]
    assert 'Csp(resources=["https://cdn.example.com"])' in lines[2]
    assert lines[-1].endswith(": 1 error, 0 warnings")


def test_json_is_for_programs_and_warnings_fail_only_when_asked(tmp_path: Path) -> None:
    (tmp_path / "said.json").write_text(json.dumps(BROKEN["V10"]), "utf-8")
    command = [sys.executable, str(RAW), "said.json"]
    done = cloche("check", "--static", "--json", "--", *command, folder=tmp_path)
    found = json.loads(done.stdout)["findings"]
    assert (done.returncode, [one["code"] for one in found]) == (0, ["V10"])
    assert found[0]["explain"] == "cloche check --explain V10"
    assert cloche("check", "--static", "--strict", "--", *command, folder=tmp_path).returncode == 1
    (tmp_path / "said.json").write_text(json.dumps(SOUND["plain"]), "utf-8")
    assert cloche("check", "--static", "--strict", "--", *command, folder=tmp_path).returncode == 0


def test_a_finding_is_explained_without_a_server_or_a_network(tmp_path: Path) -> None:
    for code in RULES:
        assert explanation(code), code
    assert "](" not in "".join(map(explanation, RULES))
    done = cloche("check", "--explain", "v06", folder=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    title, text = done.stdout.split("\n", 1)
    assert title == "V06 error: the page loads something that its CSP blocks"
    assert text.strip() == explanation("V06")
    assert text.startswith("The page loads something that its CSP blocks. A view reaches nothing that it did not")
    assert "###" not in text


def test_a_server_that_does_not_answer_is_a_finding(tmp_path: Path) -> None:
    done = cloche("check", "--", sys.executable, "-c", "raise SystemExit('no database')", folder=tmp_path)
    assert done.returncode == 1
    assert "S01 error: server: the server does not answer" in done.stdout
    assert "no database" in done.stdout
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "cloche check server.py"),
        (["sever.py"], "there is no file 'sever.py'"),
        (["npx"], "cloche check -- npx"),
        (["--profile", "nowhere", "https://example.com/"], "no host 'nowhere' is emulated: there are strict, claude,"),
        (["--host", "nowhere", "https://example.com/mcp"], "no host 'nowhere' is emulated: there are strict, claude,"),
        (["--explain", "V99"], "there is no finding 'V99': there are V01, V02,"),
        (["http://127.0.0.1:9/mcp", "more"], "leave out what follows"),
    ],
    ids=str,
)
def test_mistakes_are_explained(arguments: list[str], said: str, tmp_path: Path) -> None:
    assert said in refusal("check", *arguments, folder=tmp_path)
