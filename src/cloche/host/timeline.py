"""The timeline: who did what, when, and who decided it.

Everything a view asks for and everything a call comes to is one entry. Read what is there (`entries`), follow what
comes (`async for entry in timeline.follow()`), write it away as JSON Lines (`log_to`), or export it.
"""

from __future__ import annotations

import asyncio
import csv
import io
from collections import deque
from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime
from typing import Any, Literal, Protocol

import msgspec

from cloche.errors import ConfigurationError, shorten
from cloche.transports.listeners import Listeners

ARGS_TEXT = 500
"""Characters of a request's parameters that an entry keeps."""

FOLLOWING = 1000
"""Entries that wait for somebody who follows; when they come too quickly, the oldest are left out and counted."""

Decision = Literal["allowed", "approved", "denied", "timeout"]
DecisionBy = Literal["policy", "user", "timeout", "gesture"]
Outcome = Literal["done", "failed", "cancelled", "refused"]


class Entry(msgspec.Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """One thing that happened. On the wire the names are in camelCase."""

    timestamp: str
    """When, in UTC, ISO 8601 with milliseconds."""
    user: str
    action: str
    """The method that was asked for, or what happened: "call", "mounted", "closed", "violation" …"""
    server: str | None = None
    tool: str | None = None
    view: str | None = None
    call: str | None = None
    args: str | None = None
    """The parameters as JSON, shortened."""
    decision: Decision | None = None
    decision_by: DecisionBy | None = None
    outcome: Outcome | None = None
    """What came of a request or of a call: there is exactly one such entry for each."""
    code: str | None = None
    """Which problem it was, for programs: "view-silent", "view-failed", …"""
    problem: str | None = None
    """What went wrong, in one sentence."""
    missed: int = 0
    """Entries before this one that somebody who follows was too slow for."""
    duration_ms: float | None = None


class TextSink(Protocol):
    """Something to write lines to, such as an open file."""

    def write(self, text: str, /) -> object:
        """Take some text."""


class Timeline:
    """The last entries of a host, or of one user of it."""

    def __init__(self, keep: int, user: str | None = None, whole: Timeline | None = None) -> None:
        self._entries: deque[Entry] = deque(maxlen=keep)
        self.dropped = 0
        """Entries that were kept and are not any more: there were too many after them."""
        self._listeners = Listeners()
        self._user = user
        self._whole = whole

    def note(self, *, user: str | None = None, args: Any = None, action: str, **fields: Any) -> Entry:
        """Write down what happened, now."""
        entry = Entry(
            timestamp=datetime.now(UTC).isoformat(timespec="milliseconds"),
            user=user if user is not None else self._user or "",
            action=shorten(action),
            args=None if args is None else _shortened(args),
            **fields,
        )
        self._add(entry)
        return entry

    def _add(self, entry: Entry) -> None:
        self.dropped += len(self._entries) == self._entries.maxlen
        self._entries.append(entry)
        self._listeners.tell(entry)
        if self._whole is not None:
            self._whole._add(entry)

    def entries(self, **equal: str) -> list[Entry]:
        """What is kept, oldest first; with `user=`, `server=`, `action=`, `decision=` … only those that are so."""
        for name in equal:
            if name not in Entry.__struct_fields__:
                raise ConfigurationError(f"Entries have no {shorten(name)!r}: {', '.join(Entry.__struct_fields__)}")
        return [one for one in self._entries if all(getattr(one, name) == value for name, value in equal.items())]

    async def follow(self) -> AsyncIterator[Entry]:
        """Every entry from now on, as it comes."""
        waiting = _Waiting()
        stop = self.on_entry(waiting.add)
        try:
            while True:
                yield await waiting.next()
        finally:
            stop()

    def on_entry(self, handler: Callable[[Entry], object]) -> Callable[[], None]:
        """Call `handler` with every entry from now on, until the returned function is called."""
        return self._listeners.add(handler)

    def log_to(self, sink: TextSink) -> Callable[[], None]:
        """Write every entry from now on as a line of JSON, until the returned function is called."""
        return self.on_entry(lambda entry: sink.write(_line(entry)))

    def export(self, kind: Literal["jsonl", "json", "csv"] = "jsonl") -> str:
        """What is kept, as JSON Lines, as a JSON array, or as CSV."""
        if kind == "jsonl":
            return "".join(map(_line, self._entries))
        if kind == "json":
            return msgspec.json.encode(list(self._entries)).decode()
        if kind != "csv":
            raise ConfigurationError(f"There is no export as {shorten(str(kind))!r}: use 'jsonl', 'json' or 'csv'")
        text = io.StringIO()
        names = [field.encode_name for field in msgspec.structs.fields(Entry)]
        table = csv.DictWriter(text, names, restval="")
        table.writeheader()
        table.writerows(
            {key: _cell(value) for key, value in msgspec.to_builtins(entry).items()} for entry in self._entries
        )
        return text.getvalue()


class _Waiting:
    """Entries for somebody who follows."""

    def __init__(self) -> None:
        self._entries: deque[Entry] = deque()
        self._missed = 0
        self._more = asyncio.Event()

    def add(self, entry: Entry) -> None:
        if len(self._entries) >= FOLLOWING:
            self._entries.popleft()
            self._missed += 1
        self._entries.append(entry)
        self._more.set()

    async def next(self) -> Entry:
        while not self._entries:
            self._more.clear()
            await self._more.wait()
        entry, missed = self._entries.popleft(), self._missed
        self._missed = 0
        return msgspec.structs.replace(entry, missed=missed) if missed else entry


def _line(entry: Entry) -> str:
    return msgspec.json.encode(entry).decode() + "\n"


def _cell(value: Any) -> Any:
    """Text that a spreadsheet would take for a formula is kept text (a view chooses what stands here)."""
    return "'" + value if isinstance(value, str) and value[:1] in "=+-@\t\r" else value


def _shortened(args: Any) -> str:
    try:
        text = msgspec.json.encode(args).decode()
    except (TypeError, ValueError, RecursionError, msgspec.MsgspecError):
        text = "?"
    return shorten(text, ARGS_TEXT)
