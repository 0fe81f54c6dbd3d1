"""What servers write to their log and standard error, as it comes, and the exceptions in it explained."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from pathlib import Path

from cloche.check.findings import Finding
from cloche.check.tracebacks import FORMAT, SERVERS, TracebackReader
from cloche.errors import shorten

MAX_LINE = 2000


class Output(logging.Handler):
    """Listens to the programs of a host, and to servers in this process. Lines come from other threads too."""

    def __init__(
        self,
        folders: Mapping[str, Path | None],
        line: Callable[[str, str], None],
        raised: Callable[[str, str, Finding], None],
    ) -> None:
        super().__init__(logging.INFO)
        self.setFormatter(logging.Formatter(FORMAT))
        self._loop = asyncio.get_running_loop()
        self._line = line
        self._readers = {name: self._reader(name, folder, raised) for name, folder in folders.items()}
        self._here = self._reader("", None, raised)
        self._loggers = [logging.getLogger(f"cloche.host.{name}") for name in folders]
        for logger in self._loggers:
            logger.setLevel(logging.INFO)
            logger.addHandler(self)
        logging.getLogger(SERVERS).addHandler(self)

    def _reader(self, server: str, folder: Path | None, raised: Callable[[str, str, Finding], None]) -> TracebackReader:
        return TracebackReader(folder, lambda tool, finding: raised(server, tool, finding))

    def emit(self, record: logging.LogRecord) -> None:
        """One line of a program, or one record of a server of this process with its traceback."""
        server = record.name.removeprefix("cloche.host.")
        if server in self._readers:
            self._later(server, [record.getMessage()])
        else:
            self._later("", self.format(record).splitlines())

    def _later(self, server: str, lines: list[str]) -> None:
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._tell, server, lines)

    def _tell(self, server: str, lines: list[str]) -> None:
        reader = self._readers.get(server, self._here)
        for line in lines:
            self._line(server, shorten(line, MAX_LINE))
            reader.line(line)

    def stop(self) -> None:
        """Listen no more."""
        for logger in (*self._loggers, logging.getLogger(SERVERS)):
            logger.removeHandler(self)
