"""What is said of servers that other people published is true: each line here was compared with the page by hand."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

from cloche.check import LiveOptions, Report, examine
from tests.host_interop.servers import NODE
from tools.npm_tools import node_modules

HOSTS = ("strict", "claude-desktop")


def check(command: list[str], hosts: tuple[str, ...] = HOSTS) -> Report:
    live = LiveOptions(calls="all", personalities=hosts, patience=60.0, look=20.0)
    return asyncio.run(examine(command, live=live))


def rows(report: Report) -> list[tuple[str, str, bool, str]]:
    return [(one.tool, one.personality, one.renders, one.reason) for one in report.verdicts]


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
def test_the_example_servers_of_ext_apps(name: str, tool: str, there: str) -> None:
    folder = node_modules(NODE) / "@modelcontextprotocol" / f"server-{name}"
    report = check(["node", str(folder / "dist" / "index.js"), "--stdio"])
    # No storage, no eval, nothing from elsewhere in their pages, and results with text.
    assert (report.findings, report.notes) == ([], [])
    assert rows(report) == [(tool, "strict", True, ""), (tool, "claude-desktop", True, there)]
    assert [(call.tool, call.was_called, call.note) for call in report.calls] == [(tool, True, "")]


def test_an_app_of_fastmcp_with_prefab() -> None:
    report = check([sys.executable, str(Path(__file__).with_name("prefab_server.py"))], ("strict",))
    # Seven megabytes it is; the rest of what its bundle names (storage, @import, window.open) it does not do.
    assert [(one.code, one.where) for one in report.findings] == [("V09", "tool greeting")]
    assert rows(report) == [("greeting", "strict", True, "")]
