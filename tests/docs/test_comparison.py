"""docs/comparison.md: every feature has a cell for every tool, and says of Cloche where it is, or why it is not."""

from __future__ import annotations

import importlib.metadata
import re

from cloche.cli.commands import cloche
from tests.support.snippets import ROOT

TEXT = (ROOT / "docs" / "comparison.md").read_text("utf-8")
TABLES = re.findall(r"^\| feature \|.*\n\|[-|]+\n((?:\|.*\n)+)", TEXT, re.M)
ROWS = [[cell.strip() for cell in row.strip("| ").split(" | ")] for table in TABLES for row in table.splitlines()]


def test_every_row_has_every_tool_and_says_something_of_cloche() -> None:
    assert len(ROWS) > 60
    assert [row for row in ROWS if len(row) != 5 or not all(row)] == []
    assert len({row[0] for row in ROWS}) == len(ROWS)


def test_what_is_missing_has_a_reason() -> None:
    assert [row[0] for row in ROWS if row[4] in ("no", "–")] == []


def test_the_version_of_fastmcp_is_the_one_that_the_tests_use() -> None:
    assert f"| `fastmcp dev` | {importlib.metadata.version('fastmcp')} |" in TEXT


def test_the_commands_that_are_named_exist() -> None:
    named = set(re.findall(r"`cloche (\w+)", TEXT))
    assert named - set(cloche.list_commands(None)) == set()  # type: ignore[arg-type]
