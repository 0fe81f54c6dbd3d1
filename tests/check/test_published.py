"""What is said of servers that other people published is true: each line here was compared with the page by hand."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from cloche.check import Report
from tests.check.conftest import Run
from tests.support.published_servers import NODE
from tools.npm_tools import node_modules

HOSTS = ("strict", "claude-desktop")


def rows(report: Report) -> list[tuple[str, str, bool, str]]:
    return [(one.tool, one.profile, one.renders, one.reason) for one in report.verdicts]


NO_TEMPLATES = (
    "but a script failed: Cannot destructure property 'templates' of 'd.structuredContent' as it is undefined."
)
"""Its view reads result.structuredContent, which Claude Desktop was reported to take away (ext-apps issue 696)."""


@pytest.mark.parametrize(
    ("name", "tool", "there"),
    [
        ("basic-vanillajs", "get-time", ""),
        ("budget-allocator", "get-budget-data", ""),
        ("scenario-modeler", "get-scenario-data", NO_TEMPLATES),
    ],
)
def test_the_example_servers_of_ext_apps(run: Run, name: str, tool: str, there: str) -> None:
    folder = node_modules(NODE) / "@modelcontextprotocol" / f"server-{name}"
    report = run(["node", str(folder / "dist" / "index.js"), "--stdio"], profiles=HOSTS, look=20.0)
    # No storage, no eval, nothing from elsewhere in their pages, and results with text.
    assert (report.findings, report.notes) == ([], [])
    assert rows(report) == [(tool, "strict", True, ""), (tool, "claude-desktop", True, there)]
    assert [(call.tool, call.was_called, call.note) for call in report.calls] == [(tool, True, "")]


def test_an_app_of_fastmcp_with_prefab(run: Run) -> None:
    report = run([sys.executable, str(Path(__file__).with_name("prefab_server.py"))], look=20.0)
    # Seven megabytes it is; the rest of what its bundle names (storage, @import, window.open) it does not do.
    assert [(one.code, one.where) for one in report.findings] == [("V09", "tool greeting")]
    assert rows(report) == [("greeting", "strict", True, "")]
