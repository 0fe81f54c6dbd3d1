"""Write the tables of docs/which-host-supports-what.md from src/cloche/views/hosts.json.

`python -m tools.host_table` rewrites what stands between the two marks in the document; a test compares them.
"""

from __future__ import annotations

from pathlib import Path

from cloche.views.hosts import KnownHost, known_hosts

DOCUMENT = Path(__file__).parent.parent / "docs" / "which-host-supports-what.md"
BEGIN = "<!-- made by tools/host_table.py from src/cloche/views/hosts.json: edit that file -->"
END = "<!-- end of what is made -->"


def tables() -> str:
    """The overview, then each host's quirks."""
    known = known_hosts()
    hosts = "\n\n".join(section(host) for host in known.hosts)
    return f"As of {known.as_of}.\n\n{hosts}"


def section(host: KnownHost) -> str:
    """One host: its name, what it speaks, its quirks."""
    speaks = f"Speaks {' and '.join(host.speaks)}." if host.speaks else "Whatever the host speaks."
    rows = [
        f"| {one.topic} | {one.what} | {one.answer} | {one.source} | {one.dated or ''} | {'yes' * one.emulated} |"
        for one in host.quirks
    ]
    head = ["| topic | what it does | what follows | source | dated | emulated |", "|---|---|---|---|---|---|"]
    return "\n".join([f"### {host.name}", "", speaks, "", *head, *rows])


def with_tables(text: str) -> str:
    """The document with the tables as they are now."""
    return between(BEGIN, END, text, tables(), DOCUMENT)


def between(begin: str, end: str, text: str, made: str, document: Path) -> str:
    """The text of a document with what was made between its two marks."""
    before, first, rest = text.partition(begin)
    _, last, after = rest.partition(end)
    if not first or not last:
        raise SystemExit(f"{document} has lost one of its marks: {begin} … {end}")
    return f"{before}{begin}\n\n{made}\n\n{end}{after}"


if __name__ == "__main__":
    DOCUMENT.write_text(with_tables(DOCUMENT.read_text(encoding="utf-8")), encoding="utf-8")
