"""What only shows when a view runs: every rule finds its view, the table says where it renders, tools are spared."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any

import pytest

from cloche.check import Finding, LiveOptions, Report, examine
from cloche.check.table import lines_of
from cloche.cli.loading import load
from cloche.testing.browser import VARIABLE, Chromium
from tests.check.broken import BROKEN
from tests.check.broken_live import LIVE, RESPONSES, one_server, running
from tests.check.raw_server import RawServer

PATIENCE = 30.0
EXAMPLES = [file for file in sorted(Path(__file__).parent.parent.parent.glob("examples/*.py")) if "host" not in file.name]


def options(**changes: Any) -> LiveOptions:
    ready: dict[str, Any] = {"calls": "all", "personalities": ["strict"], "patience": PATIENCE, "look": 3.0}
    return LiveOptions(**{**ready, "responses": RESPONSES, **changes})


def run(server: Any, folder: Path | None = None, **changes: Any) -> Report:
    """All of them in one browser, without the deadline of an `async def` test: machines are busy."""
    return asyncio.run(examine(server, live=options(**changes), folder=folder))


def codes(report: Report) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for finding in report.findings:
        found.setdefault(finding.where.removeprefix("tool "), set()).add(finding.code)
    return found


def test_each_rule_finds_its_view_and_nothing_else() -> None:
    report = run(RawServer(one_server({**LIVE, "sound": {"page": running()}})))
    assert codes(report) == {name: {name} for name in LIVE}
    for finding in report.findings:
        assert finding.fix.endswith("."), finding
        assert len(finding.what) + len(finding.fix) < 900
    said = {finding.code: finding for finding in report.findings}
    assert "posted nothing to `parent`" in said["L01"].what
    assert "no chart" in said["L02"].what
    assert 'Csp(resources=["https://img.example.com"])' in said["L04"].fix
    assert "img-src forbids https://img.example.com/a.png" in said["L04"].what
    assert "new Image().src" in said["L04"].what, "the line that did it"
    assert report.notes == []
    renders = {verdict.tool: verdict.renders for verdict in report.verdicts}
    assert [tool for tool, does in renders.items() if not does] == ["L01", "L07", "L13"]


def test_nothing_is_found_in_our_examples_when_they_run() -> None:
    async def all_of_them() -> dict[str, list[Finding]]:
        chromium = Chromium()
        try:
            live = options(calls="own", chromium=chromium)
            return {file.stem: (await examine(load(str(file)).server, live=live)).findings for file in EXAMPLES}
        finally:
            await chromium.close()

    assert asyncio.run(all_of_them()) == {file.stem: [] for file in EXAMPLES}


ONLY_STRUCTURED = "onResult = (result) => { document.body.append(String(result.structuredContent.sum)) };"
SUMS = {"content": [{"type": "text", "text": "3"}], "structuredContent": {"sum": 3}}
CASES: dict[str, dict[str, Any]] = {
    "sound": {"page": running(), "tool": {"annotations": {"readOnlyHint": True}}},
    "picky": {"page": running(ONLY_STRUCTURED, body="<i></i>"), "result": SUMS},
    "silent": {"page": LIVE["L01"]["page"], "tool": {"annotations": {"destructiveHint": True}}},
    "caller": {"page": running("onResult = () => send({id: 5, method: 'tools/call', params: {name: 'silent'}});")},
}


def test_the_table_says_where_a_view_renders_and_a_tool_is_called_once() -> None:
    server = RawServer(one_server(CASES))
    report = run(server, personalities=["strict", "claude-desktop"], patience=10.0)
    table = {(one.tool, one.personality): one for one in report.verdicts}
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


def test_without_a_call_a_view_is_run_with_its_input_alone() -> None:
    server = RawServer(one_server({"sound": {"page": running()}}))
    report = run(server, calls="read-only")
    assert (report.findings, [one.renders for one in report.verdicts]) == ([], [True])
    assert not any(message["method"] == "tools/call" for message in server.asked)
    assert "--call calls it all the same" in report.calls[0].sentence


def test_what_reading_and_running_find_is_told_once() -> None:
    storage = running("localStorage.length;")
    cdn = running(body='<p>A view.</p>\n<script src="https://cdn.example.org/a.js"></script>')
    report = run(RawServer(one_server({"storage": {"page": storage}, "cdn": {"page": cdn}})), patience=5.0)
    assert codes(report) == {"storage": {"L01", "L06"}, "cdn": {"V06"}}


@pytest.mark.parametrize("missing", ["browser", "package"])
def test_without_a_browser_the_rest_is_checked(missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if missing == "browser":
        monkeypatch.setenv(VARIABLE, "no-such-browser")
    else:
        monkeypatch.setitem(sys.modules, "playwright", None)
        monkeypatch.delitem(sys.modules, "playwright.async_api", raising=False)
    report = run(RawServer(BROKEN["V11"]))
    assert codes(report) == {"show": {"V11"}}
    assert report.verdicts == []
    assert report.notes[0].startswith("The views were not run: ")
    assert ("no-such-browser" if missing == "browser" else "cloche[test]") in report.notes[0]
