"""Write the table of docs/emulated-hosts.md from what `cloche.testing.profiles` has.

`python -m tools.profile_table` rewrites what stands between the two marks in the document; a test compares them.
"""

from __future__ import annotations

from pathlib import Path

from cloche.testing.profiles import PROFILES, EmulatedHost
from tools.host_table import END, between

DOCUMENT = Path(__file__).parent.parent / "docs" / "emulated-hosts.md"
BEGIN = "<!-- made by tools/profile_table.py from src/cloche/views/hosts.json: edit that file -->"


def tables() -> str:
    """Each emulated host with its deviations."""
    return "\n\n".join(section(one) for one in PROFILES.values())


def section(profile: EmulatedHost) -> str:
    """One host: its name for the option, what it is, what it does otherwise."""
    head = [f"### `{profile.name}`", "", profile.about]
    if not profile.deviations:
        return "\n".join(head)
    rows = [f"| {one.what} | {one.source} | {one.dated} |" for one in profile.deviations]
    return "\n".join([*head, "", "| deviation from the specification | source | dated |", "|---|---|---|", *rows])


def with_tables(text: str) -> str:
    """The document with the tables as they are now."""
    return between(BEGIN, END, text, tables(), DOCUMENT)


if __name__ == "__main__":
    DOCUMENT.write_text(with_tables(DOCUMENT.read_text(encoding="utf-8")), encoding="utf-8")
