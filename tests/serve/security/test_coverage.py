"""Every numbered attack is a test, or stands here with the reason why it cannot apply."""

from __future__ import annotations

import ast
import re
from pathlib import Path

TESTS = Path(__file__).parents[2]

CASES = {f"H{number:02}" for number in range(1, 32)}

NOT_APPLICABLE: dict[str, str] = {}
"""None: a server that speaks HTTP and opens files meets them all. H32 is the client's, and comes with the client."""


def attacks_tested() -> dict[str, list[str]]:
    """Number -> the tests named after it, over every file that pytest collects."""
    found: dict[str, list[str]] = {}
    for path in sorted(TESTS.rglob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                named = re.match(r"test_(H\d\d)_", node.name)
                if named:
                    found.setdefault(named[1], []).append(f"{path.name}::{node.name}")
    return found


def test_every_attack_is_a_test_or_has_a_reason() -> None:
    names = set(attacks_tested())
    assert CASES - names - set(NOT_APPLICABLE) == set(), "these attacks have neither a test nor a reason"
    assert names & set(NOT_APPLICABLE) == set(), "these are tested, so they apply"
    assert names <= CASES, "these are no numbers of the catalogue"
