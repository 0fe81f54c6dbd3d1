"""The lines of a cassette. Each is one JSON object whose `kind` says which of these it is.

A cassette begins with `Header`. What was said between host and servers comes as `Ask`, `Answer` and `Tell`. A view
begins with `PageLine` (once for all views that show it) and `View`; then come, in the order in which the view itself
went through them, `Start`, `Got`, `User` and `Dom`, and beside them what it said and what the page reported of it.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from cloche.wire.types import Json

FORMAT = 1
"""The number in the header; what has another one is not read."""

MAX_LINE = 32 << 20
"""Bytes of one line."""

MAX_TOTAL = 256 << 20
"""Bytes of a cassette."""

PASSWORD = "cloche-recorded-password"
"""What stands in a cassette for whatever was typed into a field for passwords, and is typed there when it is played."""

Gesture = Literal[
    "click", "down", "drag", "up", "move", "leave", "input", "choose", "key", "scroll", "resize", "scheme"
]  # fmt: skip
"""What a person does, and what happens to the room that the view has."""


class Line(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, rename="camel", tag_field="kind"):
    """Any line."""


class Header(Line, tag="cassette", kw_only=True, frozen=True):
    """The first line."""

    format: int
    made: str
    """When, in ISO 8601."""
    cloche: str
    """The version that made it."""
    servers: list[str]


class Ask(Line, tag="ask", kw_only=True, frozen=True):
    """The host asked a server something."""

    time: float
    server: str
    exchange: int
    method: str
    params: Json = {}


class Answer(Line, tag="answer", kw_only=True, frozen=True):
    """A server answered, with a result or with an error's text."""

    time: float
    server: str
    exchange: int
    result: Json | None = None
    error: str | None = None


class Tell(Line, tag="tell", kw_only=True, frozen=True):
    """A server said something unasked."""

    time: float
    server: str
    method: str
    params: Json = {}


class PageLine(Line, tag="page", kw_only=True, frozen=True):
    """The page of a view, as it was given to the sandbox."""

    hash: str
    html: str
    csp: dict[str, list[str]] = {}
    more: dict[str, list[str]] = {}
    """What the host's profile added to the policy, by directive."""
    permissions: list[str] = []


class View(Line, tag="view", kw_only=True, frozen=True):
    """A view was opened. `number` counts from 0."""

    number: int
    server: str
    tool: str
    uri: str
    page: str
    """The hash of its page."""
    arguments: Json | None = None
    seed: int = 0
    """Where its chance begins."""


class OfView(Line, kw_only=True, frozen=True):
    """A line about one view; `at` counts milliseconds since its first script ran."""

    view: int
    at: float = 0.0


class Start(OfView, tag="start", kw_only=True, frozen=True):
    """The view's first script runs, in these surroundings."""

    time: float
    """Milliseconds since the epoch."""
    width: int
    height: int
    scale: float = 1.0
    theme: Literal["light", "dark"] = "light"
    locale: str = "en-US"
    time_zone: str = "UTC"


class Question(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a view asked."""

    method: str
    params: Any = None


class Got(OfView, tag="got", kw_only=True, frozen=True):
    """The view got a message; with `question` when it is the answer to one that the host knows of."""

    message: Json
    question: Question | None = None


class User(OfView, tag="user", kw_only=True, frozen=True):
    """The person did something."""

    event: Gesture
    target: str | None = None
    """A selector, where it is about an element."""
    x: float | None = None
    y: float | None = None
    """In the element, where there is one; else in the view."""
    button: int = 0
    count: int = 1
    """2 for the second click of a double click."""
    value: str | None = None
    values: list[str] = []
    key: str | None = None
    secret: bool = False
    """Whether the value is not here because the field is for passwords."""


class Dom(OfView, tag="dom", kw_only=True, frozen=True):
    """The document came to rest, and looked like this."""

    text: str


class Clock(OfView, tag="clock", kw_only=True, frozen=True):
    """When the view looked at the clock, in milliseconds since its start."""

    times: list[int]


class Said(OfView, tag="said", kw_only=True, frozen=True):
    """The view said something to the host."""

    message: Any


class Report(OfView, tag="report", kw_only=True, frozen=True):
    """The page told of the view: its first words, its size, what was blocked."""

    event: str
    value: Json = {}


class LeftOut(Line, tag="left-out", kw_only=True, frozen=True):
    """Something was too large to be kept."""

    what: str
    bytes: int


Step = Start | Got | User | Dom
"""What a view goes through, in order."""

AnyLine = (
    Header | Ask | Answer | Tell | PageLine | View | Start | Got | User | Dom | Clock | Said | Report | LeftOut
)  # fmt: skip

decoder: msgspec.json.Decoder[AnyLine] = msgspec.json.Decoder(AnyLine)
"""Reads one line."""
