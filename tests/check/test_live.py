"""What only shows when a view runs: every rule finds its view, the table says where it renders, tools are spared."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from cloche.check import Report
from cloche.check.table import lines_of
from cloche.cli.loader import load
from cloche.testing.browser import VARIABLE
from tests.check.broken_live import LIVE, RAISES, RAISING, one_server, running
from tests.check.conftest import Run
from tests.support.broken_server import BROKEN
from tests.support.raw_server import RawServer

ROOT = Path(__file__).parent.parent.parent
EXAMPLES = [file for file in sorted(ROOT.glob("examples/*.py")) if not file.name.startswith("host")]


def codes(report: Report) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for finding in report.findings:
        found.setdefault(finding.where.removeprefix("tool "), set()).add(finding.code)
    return found


def test_each_rule_finds_its_view_and_nothing_else(run: Run) -> None:
    report = run(RawServer(one_server({**LIVE, "sound": {"page": running()}})), patience=20.0)
    assert codes(report) == {name: {name} for name in LIVE}
    for finding in report.findings:
        assert finding.fix.endswith("."), finding
        assert len(finding.what) + len(finding.fix) < 900
    said = {finding.code: finding for finding in report.findings}
    assert "posted nothing to `parent`" in said["L01"].what
    assert "(setTimeout(() => { throw new Error('no chart') });) threw this, and nobody caught it: " in said["L02"].what
    assert 'Csp(connect=["https://api.example.com"])' in said["L04"].fix
    assert "connect-src forbids https://api.example.com/a" in said["L04"].what
    assert "(fetch(['https://api', 'example'" in said["L04"].what, "the line that did it"
    assert report.notes == []
    renders = {verdict.tool: verdict.renders for verdict in report.verdicts}
    assert [tool for tool, does in renders.items() if not does] == ["L01", "L07", "L13"]


MISSPELT = """
from cloche import Server
from cloche.views import h

server = Server("dice")


@server.tool(view=lambda dice: h.p(str(dice), h.button("Again", data_tool="rol", data_target="main")))
def roll() -> int:
    \"\"\"Roll.\"\"\"
    return 4
"""


def test_a_misspelt_tool_in_a_python_view_is_found_when_it_runs(run: Run, tmp_path: Path) -> None:
    (tmp_path / "dice.py").write_text(MISSPELT, "utf-8")
    report = run(load(str(tmp_path / "dice.py")).server, tmp_path)
    assert codes(report) == {"roll": {"V20"}}
    assert "did you mean 'roll'?" in report.findings[0].fix


def test_an_exception_of_a_tool_is_found_with_its_line_and_a_refusal_is_none(
    run: Run, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "raising.py").write_text(RAISING, "utf-8")
    (tmp_path / "page.html").write_text("<p>A view.</p>", "utf-8")
    report = run(load(str(tmp_path / "raising.py")).server, tmp_path)
    assert codes(report) == {"average": {RAISES}}
    finding = report.findings[0]
    assert finding.what == "raising.py line 9 (return sum(days) / len(days)): ZeroDivisionError: division by zero"
    assert "raise ToolError(" in finding.fix
    assert caplog.records == []


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: file.stem)
def test_nothing_is_found_in_our_examples_when_they_run(run: Run, file: Path) -> None:
    report = run(load(str(file)).server, calls="own", look=20.0)
    # The example of components has a tool with a view for each of them, and the last one is not run.
    notes = ["21 tools have views; those of the first 20 were run."] if file.stem == "components" else []
    assert (report.findings, report.notes) == ([], notes)
    assert all(verdict.renders for verdict in report.verdicts)


ONLY_STRUCTURED = "onResult = (result) => { document.body.append(String(result.structuredContent.sum)) };"
SUMS = {"content": [{"type": "text", "text": "3"}], "structuredContent": {"sum": 3}}
CASES: dict[str, dict[str, Any]] = {
    "sound": {"page": running(), "tool": {"annotations": {"readOnlyHint": True}}},
    "picky": {"page": running(ONLY_STRUCTURED, body="<i></i>"), "result": SUMS},
    "silent": {"page": LIVE["L01"]["page"], "tool": {"annotations": {"destructiveHint": True}}},
    "caller": {"page": running("onResult = () => send({id: 5, method: 'tools/call', params: {name: 'silent'}});")},
}


def test_the_table_says_where_a_view_renders_and_a_tool_is_called_once(run: Run) -> None:
    server = RawServer(one_server(CASES))
    report = run(server, profiles=["strict", "claude-desktop"], patience=20.0)
    table = {(one.tool, one.profile): one for one in report.verdicts}
    assert [key for key, one in table.items() if not one.renders] == [
        ("picky", "claude-desktop"),
        ("silent", "strict"),
        ("silent", "claude-desktop"),
    ]
    called = [message["params"]["name"] for message in server.asked if message["method"] == "tools/call"]
    assert sorted(called) == ["caller", "picky", "sound"], "each once, and a view cannot call what we would not"
    assert [one.sentence for one in report.calls if not one.was_called] == [
        "Did not call silent: it says that it is destructive."
    ]
    rows = lines_of(report.verdicts)
    assert "emulations of hosts" in rows[0]
    assert rows[1].split() == ["view", "of", "strict", "claude-desktop"]
    assert [row.split()[:3] for row in rows[2:4]] == [["sound", "yes", "yes"], ["picky", "yes", "no"]]
    assert sum("silent everywhere" in row for row in rows) == 1
    assert report.as_json()["renders"][0]["title"] == "Strict"


EMBEDDING = """
from cloche import Server
from cloche.wire.types import EmbeddedResource, TextResourceContents

server = Server("shop")


@server.tool(annotations={"readOnlyHint": True})
def card() -> EmbeddedResource:
    \"\"\"A page in the result.\"\"\"
    page = '<p>Bread</p><script src="https://cdn.example.org/a.js"></script>'
    return EmbeddedResource(TextResourceContents("ui://shop/card", page, "text/html;profile=mcp-app"))


@server.tool
def careless() -> EmbeddedResource:
    \"\"\"It does not say that it only reads.\"\"\"
    return card()


@server.tool(annotations={"readOnlyHint": True})
def plain() -> str:
    \"\"\"No page.\"\"\"
    return "bread"
"""


def test_a_page_inside_a_result_is_a_view_of_its_tool(run: Run, tmp_path: Path) -> None:
    (tmp_path / "server.py").write_text(EMBEDDING, "utf-8")
    report = run(load(str(tmp_path / "server.py")).server, profiles=["strict"], calls="own", patience=5.0)
    assert [call.tool for call in report.calls] == ["card"]
    assert {verdict.tool for verdict in report.verdicts} == {"card"}
    assert "V06" in codes(report)["card"], "the rules about pages hold for it, too"


def test_without_a_call_a_view_is_run_with_its_input_alone(run: Run) -> None:
    server = RawServer(one_server({"sound": {"page": running()}}))
    report = run(server, calls="read-only")
    assert (report.findings, [one.renders for one in report.verdicts]) == ([], [True])
    assert not any(message["method"] == "tools/call" for message in server.asked)
    assert "--call calls it all the same" in report.calls[0].sentence


def test_what_reading_and_running_find_is_told_once(run: Run, tmp_path: Path) -> None:
    (tmp_path / "view.html").write_text('<p>One</p>\n  <script src="https://cdn.example.org/a.js"></script>\n', "utf-8")
    storage = running("localStorage.length;")
    cdn = running(body='<p>A view.</p>\n<script src="https://cdn.example.org/a.js"></script>')
    said = one_server({"storage": {"page": storage}, "cdn": {"page": cdn}})
    report = run(RawServer(said), tmp_path, patience=20.0)
    assert codes(report) == {"storage": {"L01", "L06"}, "cdn": {"V06"}}
    blocked = next(one for one in report.findings if one.code == "V06")
    assert blocked.what.startswith("view.html line 2 needs https://cdn.example.org/a.js")


class NoPlaywright:
    """An import system in which it is not installed."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> None:
        if name.partition(".")[0] == "playwright":
            raise ModuleNotFoundError("No module named 'playwright'", name="playwright")


@pytest.mark.parametrize(
    ("missing", "said"),
    [("browser", "no-such-browser"), ("package", "cloche[test]"), ("start", "the browser does not start: ")],
)
def test_without_a_browser_the_rest_is_checked(
    missing: str, said: str, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    if missing == "browser":
        monkeypatch.setenv(VARIABLE, "no-such-browser")
    elif missing == "start":
        monkeypatch.setenv(VARIABLE, "true")  # a program that ends at once
    else:
        for name in [name for name in sys.modules if name.partition(".")[0] == "playwright"]:
            monkeypatch.delitem(sys.modules, name)
        monkeypatch.setattr(sys, "meta_path", [NoPlaywright(), *sys.meta_path])
    report = run(RawServer(BROKEN["V11"]), chromium=None)
    assert codes(report) == {"show": {"V11"}}
    assert report.verdicts == []
    assert report.notes[0].startswith("The views were not run: ")
    assert said in report.notes[0]
