"""Writing a cassette, line by line, so that what is written survives whatever happens to the process."""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Sequence
from datetime import UTC, datetime
from html import escape
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import msgspec

from cloche.errors import ConfigurationError, LoadError, shorten
from cloche.testing.cassettes.lines import FORMAT, MAX_LINE, MAX_TOTAL, PASSWORD, AnyLine, Header, LeftOut

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
            f"{shorten(str(path), 80)!r} exists and is no cassette: record to another file"
        ) from None


def _own_version() -> str:
    try:
        return version("cloche")
    except PackageNotFoundError:
        return "unknown"


# What was typed into fields for passwords is taken out of everything that is written.

SHORT = 4
"""A password shorter than this is only recognised where it stands alone: everything contains an "a"."""

LONG = 6
MAX_SECRETS = 200


class Masking:
    """The secrets of one recording."""

    def __init__(self) -> None:
        self._now: dict[tuple[int, str], str] = {}
        self._before: set[str] = set()

    def learn(self, view: int, field: str, value: str) -> None:
        """A field for passwords has this value now. What it had before counts on when it was long enough to be a
        password: the first letter of one must not be taken out of everything.
        """
        before = self._now.pop((view, field), "")
        if len(before) >= LONG and len(self._before) < MAX_SECRETS:
            self._before.add(before)
        if value and len(self._now) < MAX_SECRETS:
            self._now[view, field] = value

    def cleaned(self, value: Any) -> Any:
        """The same without secrets; names of members stay, they are the program's own."""
        secrets = sorted({*self._now.values(), *self._before}, key=len, reverse=True)
        return _clean(value, secrets) if secrets else value


def _clean(value: Any, secrets: list[str]) -> Any:
    if isinstance(value, str):
        return _without(value, secrets)
    if isinstance(value, list):
        return [_clean(item, secrets) for item in value]
    if isinstance(value, dict):
        return {key: _clean(item, secrets) for key, item in value.items()}
    return value


def _without(text: str, secrets: list[str]) -> str:
    for secret in secrets:
        if text == secret:
            return PASSWORD
        if len(secret) >= SHORT:
            for form in (
                secret,
                escape(secret),
                json.dumps(secret)[1:-1],
                json.dumps(secret, ensure_ascii=False)[1:-1],
            ):
                text = text.replace(form, PASSWORD)
    return text
