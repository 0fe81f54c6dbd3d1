"""Writing a cassette, line by line, so that what is written survives whatever happens to the process."""

from __future__ import annotations

import logging
import os
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import msgspec

from cloche.errors import ConfigurationError, LoadError, shorten
from cloche.testing.cassettes.lines import FORMAT, MAX_LINE, MAX_TOTAL, AnyLine, Header, LeftOut
from cloche.testing.cassettes.password_mask import Masking

logger = logging.getLogger("cloche.testing")


class Tape:
    """A file that lines are added to. An older cassette is replaced; a file that is none is left alone."""

    def __init__(self, path: str | Path, servers: Sequence[str]) -> None:
        self.path = Path(path)
        self.masking = Masking()
        self._left = MAX_TOTAL
        _check_replaceable(self.path)
        try:
            # Arguments and results are in it: nobody else on this machine need read them.
            number = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        except OSError as error:
            raise ConfigurationError(
                f"{shorten(str(path), 80)!r} cannot be written: {error.strerror or error}"
            ) from None
        self._file = os.fdopen(number, "wb", buffering=0)
        made = datetime.now(UTC).isoformat(timespec="seconds")
        self.write(Header(format=FORMAT, made=made, cloche=_own_version(), servers=list(servers)))

    @property
    def is_open(self) -> bool:
        """Whether lines are still taken."""
        return not self._file.closed

    def write(self, line: AnyLine) -> None:
        """Add a line. What is too large is named instead, and when the cassette is full, no more is taken."""
        if not self.is_open:
            return
        try:
            data = msgspec.json.encode(self.masking.cleaned(msgspec.to_builtins(line)))
        except (TypeError, ValueError, RecursionError, msgspec.MsgspecError):
            data = msgspec.json.encode(LeftOut(what=type(line).__name__, bytes=0))
        if len(data) >= MAX_LINE:
            data = msgspec.json.encode(LeftOut(what=type(line).__name__, bytes=len(data)))
        if len(data) >= self._left:
            logger.warning("%s is full: it ends here", self.path)
            self.close()
            return
        self._left -= len(data) + 1
        self._file.write(data + b"\n")

    def close(self) -> None:
        """End the file. May be called twice."""
        self._file.close()


def _check_replaceable(path: Path) -> None:
    from cloche.testing.cassettes.cassette import Cassette

    if not path.exists() or (path.is_file() and path.stat().st_size == 0):
        return
    try:
        Cassette.read_header(path)
    except LoadError:
        raise ConfigurationError(
            f"{shorten(str(path), 80)!r} exists and is not a cassette: record to another file"
        ) from None


def _own_version() -> str:
    try:
        return version("cloche")
    except PackageNotFoundError:
        return "unknown"
