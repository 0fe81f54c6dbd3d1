"""docs/names.md: what it calls available is there."""

from __future__ import annotations

import importlib
import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest

import cloche
from tests.support.snippets import ROOT

ROW = re.compile(r"^\| `(?P<name>[^`]+)` \| (?P<source>[^|]+) \| (?:`(?P<ours>[^`]+)`|–) \| (?P<status>[^|]+) \|$")
STATUS = re.compile(r"available|not built: \S.+")
MISSING = object()


@dataclass(frozen=True)
class Name:
    """One row of the table."""

    name: str
    ours: str | None
    status: str

    def __str__(self) -> str:
        return self.name


def rows() -> list[Name]:
    text = (ROOT / "docs" / "names.md").read_text(encoding="utf-8")
    table = [line for line in text.splitlines() if line.startswith("| `")]
    parsed = [ROW.match(line) for line in table]
    assert None not in parsed, [line for line, found in zip(table, parsed, strict=True) if not found]
    return [Name(found["name"], found["ours"], found["status"]) for found in parsed if found]


def resolve(ours: str) -> object:
    """What a path names, or MISSING."""
    return resolve_script(*ours.split("#")) if "#" in ours else resolve_python(ours)


def resolve_python(path: str) -> object:
    parts = path.split(".")
    for length in range(len(parts), 0, -1):
        module = ".".join(parts[:length])
        try:
            thing: object = importlib.import_module(module)
        except ModuleNotFoundError as error:
            if not module.startswith(error.name or ""):
                raise  # ours is there and fails to import something else
            continue
        for attribute in parts[length:]:
            thing = getattr(thing, attribute, MISSING)
        return thing
    return MISSING


def resolve_script(file: str, export: str) -> object:
    path = Path(cloche.__file__).parent / file
    if not path.is_file():
        return MISSING
    exported = rf"^export\b[^\n]*\b{re.escape(export)}\b"
    return path if re.search(exported, path.read_text(encoding="utf-8"), re.MULTILINE) else MISSING


ROWS = rows()


def test_every_name_stands_there_once() -> None:
    assert len(ROWS) > 150
    assert [name for name, times in Counter(row.name for row in ROWS).items() if times > 1] == []


def test_the_history_of_our_names_is_no_page_for_users() -> None:
    for page in (ROOT / "README.md", ROOT / "docs" / "README.md"):
        assert "names.md" not in page.read_text(encoding="utf-8")


def test_every_status_is_one_that_the_document_explains() -> None:
    assert [row.name for row in ROWS if not STATUS.fullmatch(row.status)] == []
    assert [row.name for row in ROWS if (row.ours is None) != row.status.startswith("not built")] == []


@pytest.mark.parametrize("row", [row for row in ROWS if row.status == "available"], ids=str)
def test_an_available_name_resolves(row: Name) -> None:
    assert row.ours
    assert resolve(row.ours) is not MISSING


def test_resolving_tells_what_is_there_from_what_is_not() -> None:
    assert resolve("cloche.errors.McpError.code") == -32603
    assert resolve("cloche.errors.McpError.colour") is MISSING
    assert resolve("cloche.nothing.at.all") is MISSING
    assert resolve("web/nothing.js#x") is MISSING
