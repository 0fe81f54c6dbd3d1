"""What a view did, in the order it did it, and waiting for what it does next."""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from cloche.wire.types import Json

Event = Literal[
    "initialized", "input", "result", "call", "answered", "message", "context", "link", "download", "log", "size",
    "display_mode", "teardown_request", "tools_changed", "violation", "console", "error", "problem", "request",
    "loaded", "stray", "state",
]  # fmt: skip
"""What can be waited for."""

_LINE = re.compile(r"about:srcdoc:(\d+):\d+")

EVENTS: tuple[str, ...] = get_args(Event)


@dataclass
class Call:
    """A tool that the view called; `result` or `error` is there when it was answered."""

    name: str
    arguments: Json
    result: Json | None = None
    error: Json | None = None


@dataclass(frozen=True)
class Message:
    """What the view said to the conversation, in the user's name."""

    content: list[Json]
    role: str = "user"

    @property
    def text(self) -> str:
        """All text of the content."""
        return text_of(self.content)


@dataclass(frozen=True)
class ModelContext:
    """What the view wants the model to know."""

    content: list[Json] = field(default_factory=list)
    structured_content: Json | None = None

    @property
    def text(self) -> str:
        """All text of the content."""
        return text_of(self.content)


@dataclass(frozen=True)
class Log:
    """A line of the view's log."""

    level: str
    data: Any
    logger: str | None = None


@dataclass(frozen=True)
class Size:
    """How large the view says it is, in pixels."""

    width: float | None = None
    height: float | None = None


@dataclass(frozen=True)
class Violation:
    """Something that the view's policy forbade."""

    directive: str
    blocked: str
    source: str = ""
    line: int = 0

    def __str__(self) -> str:
        where = f" (line {self.line} of {self.source})" if self.source else ""
        return f"{self.directive} forbids {self.blocked}{where}"


class ScriptError(str):
    """What a script threw and nobody caught; `line` is that of the view's page, 0 when it is not known."""

    line: int

    def __new__(cls, text: str, stack: str = "") -> ScriptError:
        """The text, with the line that the browser's stack names first."""
        made = super().__new__(cls, text)
        found = _LINE.search(stack)
        made.line = int(found[1]) if found else 0
        return made


@dataclass(frozen=True)
class ConsoleLine:
    """A line of the browser's console."""

    kind: str
    text: str

    def __str__(self) -> str:
        return f"{self.kind}: {self.text}"


def text_of(content: list[Json]) -> str:
    """All text of content blocks."""
    return "\n".join(block["text"] for block in content if isinstance(block.get("text"), str))


class Record:
    """Lists by kind of event. Written on the event loop; read from anywhere."""

    def __init__(self) -> None:
        self._lists: dict[str, list[Any]] = {event: [] for event in EVENTS}
        self._given: dict[str, int] = dict.fromkeys(EVENTS, 0)
        self._changed: dict[str, asyncio.Event] = {event: asyncio.Event() for event in EVENTS}

    def add(self, event: Event, value: Any = None) -> None:
        """It happened."""
        self._lists[event].append(value)
        self._changed[event].set()

    def all(self, event: Event) -> list[Any]:
        """Everything of this kind so far."""
        return list(self._lists[event])

    def last(self, event: Event) -> Any:
        """The latest of this kind, or None."""
        return self._lists[event][-1] if self._lists[event] else None

    async def next(self, event: Event, timeout: float) -> Any:
        """The first of this kind that was not asked for before; waits for it. Raises `TimeoutError`."""
        async with asyncio.timeout(timeout):
            while self._given[event] >= len(self._lists[event]):
                self._changed[event].clear()
                await self._changed[event].wait()
        self._given[event] += 1
        return self._lists[event][self._given[event] - 1]
