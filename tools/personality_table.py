"""Write the table of docs/personalities.md from what `cloche.testing.personalities` has.

`python -m tools.personality_table` rewrites what stands between the two marks in the document; a test compares them.
"""

from __future__ import annotations

from pathlib import Path

from cloche.testing.personalities import PERSONALITIES, Personality
from tools.host_table import END, between

DOCUMENT = Path(__file__).parent.parent / "docs" / "personalities.md"
BEGIN = "<!-- made by tools/personality_table.py from src/cloche/views/hosts.json: edit that file -->"


def tables() -> str:
    """Each emulated host with its deviations."""
    return "\n\n".join(section(one) for one in PERSONALITIES.values())


def section(personality: Personality) -> str:
    """One host: its name for the option, what it is, what it does otherwise."""
    head = [f"### `{personality.name}`", "", personality.about]
    if not personality.deviations:
        return "\n".join(head)
    rows = [f"| {one.what} | {one.source} | {one.dated} |" for one in personality.deviations]
    return "\n".join([*head, "", "| deviation from the specification | source | dated |", "|---|---|---|", *rows])


def with_tables(text: str) -> str:
    """The document with the tables as they are now."""
    return between(BEGIN, END, text, tables(), DOCUMENT)


if __name__ == "__main__":
    DOCUMENT.write_text(with_tables(DOCUMENT.read_text(encoding="utf-8")), encoding="utf-8")
