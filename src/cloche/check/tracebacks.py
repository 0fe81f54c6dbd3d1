"""Exceptions that tools raised, found in what a server writes, with the author's own line."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from cloche.check.findings import Finding, place_of
from cloche.errors import shorten
from cloche.logs import TOOL_FAILED

_TOOL = re.compile(TOOL_FAILED.replace("%s", r"(\S{1,128})") + "$")
_FRAME = re.compile(r'\s+File "([^"]+)", line (\d+)')
_BEGINNING = "Traceback (most recent call last):"
_BETWEEN = ("During handling of the above", "The above exception was")


SERVERS = "cloche.server"
"""The logger of servers in this process."""

FORMAT = "%(levelname)s %(name)s: %(message)s"


class TracebackReader:
    """Reads a server's log line by line; `tell` gets the tool and the finding of each traceback when it is complete."""

    def __init__(self, folder: Path | None, tell: Callable[[str, Finding], None]) -> None:
        self._folder = folder
        self._tell = tell
        self._tool: str | None = None
        self._reading = False
        self._frames: list[tuple[str, int, str]] = []

    def line(self, text: str) -> None:
        """One line of the server's log."""
        named = _TOOL.search(text)
        if named:
            self._tool, self._reading, self._frames = named[1], False, []
        elif self._tool is None:
            return
        elif text.startswith(_BEGINNING):
            self._reading, self._frames = True, []
        elif self._reading:
            self._in_traceback(text)

    def _in_traceback(self, text: str) -> None:
        frame = _FRAME.match(text)
        if frame:
            self._frames.append((frame[1], int(frame[2]), ""))
        elif text.startswith(" "):
            if self._frames and not self._frames[-1][2]:
                file, line, _ = self._frames[-1]
                self._frames[-1] = file, line, text.strip()
        elif text.strip() and not text.startswith(_BETWEEN):
            self._ended(text.strip())

    def _ended(self, error: str) -> None:
        tool, self._tool, self._reading = self._tool or "", None, False
        where = self._place()
        what = f"{where}: {shorten(error, 300)}" if where else shorten(error, 300)
        self._tell(tool, Finding("L15", place_of(tool), what))

    def _place(self) -> str:
        """The innermost line that is the author's, else the innermost."""
        if not self._frames:
            return ""
        own = [frame for frame in self._frames if self._is_own(frame[0])]
        file, line, code = (own or self._frames)[-1]
        return f"{Path(file).name} line {line}" + (f" ({shorten(code, 80)})" if code else "")

    def _is_own(self, file: str) -> bool:
        return self._folder is not None and Path(file).is_relative_to(self._folder) and "site-packages" not in file


@contextmanager
def exceptions_of_tools(folder: Path | None) -> Iterator[list[Finding]]:
    """The exceptions that tools of servers in this process raise inside the `with`; the log does not show them."""
    found: list[Finding] = []
    reader = TracebackReader(folder, lambda _, finding: found.append(finding))
    logger, handler = logging.getLogger(SERVERS), _Lines(reader.line)
    propagated, logger.propagate = logger.propagate, False
    logger.addHandler(handler)
    try:
        yield found
    finally:
        logger.removeHandler(handler)
        logger.propagate = propagated


class _Lines(logging.Handler):
    """Gives every line of every record away."""

    def __init__(self, give: Callable[[str], None]) -> None:
        super().__init__()
        self.setFormatter(logging.Formatter(FORMAT))
        self._give = give

    def emit(self, record: logging.LogRecord) -> None:
        for line in self.format(record).splitlines():
            self._give(line)
