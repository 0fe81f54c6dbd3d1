"""The page about `cloche check`: its server has what it says, in its words."""

from __future__ import annotations

from pathlib import Path

from cloche.check.findings import EXPLANATIONS
from tests.support.command import cloche
from tests.support.snippets import ROOT, all_snippets, blocks_of, save

PAGE = "docs/check.md"


def test_the_page_ends_with_what_the_command_explains() -> None:
    assert (ROOT / PAGE).read_text("utf-8").endswith(EXPLANATIONS.read_text("utf-8"))


def test_the_server_has_the_findings_and_the_table_that_are_shown(tmp_path: Path) -> None:
    save(next(snippet for snippet in all_snippets() if snippet.document == PAGE), tmp_path)
    done = cloche("check", "--patience", "60", "blocked.py", folder=tmp_path, deadline=300)
    assert done.returncode == 1
    assert done.stdout.strip() == blocks_of(PAGE, "text")[0].strip()
