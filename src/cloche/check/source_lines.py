"""From a line of a page to the line of the file that its author wrote."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

from cloche.errors import shorten

ENDINGS = (".py", ".html", ".htm", ".js", ".mjs", ".ts", ".tsx", ".jsx", ".css", ".svelte", ".vue")
LEFT_OUT = ("node_modules", "__pycache__", "dist", "build")
MAX_FILES, MAX_BYTES = 200, 1_000_000
MIN_LINE = 8
"""Shorter lines stand in every file."""


class Sources:
    """The files beside a server; without a folder nothing is found."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder

    def place(self, page: str, line: int) -> str:
        """Where line `line` of a page is: in a file when exactly one line of one file is the same, else in the page."""
        text = line_of(page, line)
        found = [(name, at) for name, lines in self._lines.items() for at, one in enumerate(lines, 1) if one == text]
        if len(text) >= MIN_LINE and len(found) == 1:
            name, at = found[0]
            return f"{name} line {at}"
        return f"Line {line}" if line > 0 else "The page"

    def place_of_text(self, text: str) -> str | None:
        """The only line of the files that has the text; None when there is none, or more."""
        found = [(name, at) for name, lines in self._lines.items() for at, one in enumerate(lines, 1) if text in one]
        return f"{found[0][0]} line {found[0][1]}" if len(found) == 1 else None

    @cached_property
    def _lines(self) -> dict[str, list[str]]:
        return {} if self.folder is None else dict(self._read(self.folder))

    def _read(self, folder: Path) -> Iterator[tuple[str, list[str]]]:
        left = MAX_FILES
        for file in sorted(_files(folder)):
            if left == 0:
                return
            left -= 1
            try:
                if file.stat().st_size <= MAX_BYTES:
                    text = file.read_text("utf-8", "replace")
                    yield str(file.relative_to(folder)), [line.strip() for line in text.splitlines()]
            except OSError:
                continue


def _files(folder: Path) -> Iterator[Path]:
    """The folder's own files, and those one folder down, where views often are."""
    for entry in folder.iterdir():
        if entry.is_dir() and not entry.name.startswith(".") and entry.name not in LEFT_OUT:
            yield from (file for file in entry.iterdir() if file.suffix in ENDINGS and file.is_file())
        elif entry.suffix in ENDINGS and entry.is_file():
            yield entry


def line_of(page: str, line: int) -> str:
    """One line of a page, without its indentation."""
    lines = page.splitlines()
    return lines[line - 1].strip() if 0 < line <= len(lines) else ""


def line_with(page: str, text: str) -> int:
    """The first line that has the text; 0 when there is none."""
    at = page.find(text) if text else -1
    return page.count("\n", 0, at) + 1 if at >= 0 else 0


def quoted(page: str, line: int) -> str:
    """A line as it is shown to people; empty when there is none or it is a whole bundle."""
    text = line_of(page, line)
    return f" ({shorten(text, 80)})" if 0 < len(text) <= 200 else ""
