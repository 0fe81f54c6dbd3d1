"""The frames that a page may send over its socket (not iframes): what is not one of these ends the connection."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from cloche.errors import InvalidRequestError, ParseError, shorten
from cloche.wire.json import check_depth, check_text
from cloche.wire.types import Json

MAX_BYTES = 1024 * 1024
"""The longest frame."""

MAX_FRAME_DEPTH = 128
"""The deepest nesting in one."""

Number = Annotated[int, msgspec.Meta(ge=1, le=2**53)]
Count = Annotated[int, msgspec.Meta(ge=0, le=2**53)]
Id = Annotated[str, msgspec.Meta(max_length=200)]


class Frame(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """Any frame of a page."""


class Hello(Frame):
    """The first one."""

    hello: int


class Open(Frame):
    """Show the call that a ticket stands for."""

    open: Number
    ticket: Annotated[str, msgspec.Meta(max_length=65536)]
    context: Json = {}
    origin: str | None = None


class Offer(Frame):
    """Offer the server that runs in the page."""

    open: Number
    offer: Annotated[str, msgspec.Meta(max_length=4096)]
    visible: bool = True


class Preload(Frame):
    """Get ready for the view of a ticket of `session.preload`."""

    open: Number
    preload: Annotated[str, msgspec.Meta(max_length=4096)]


class Listen(Frame):
    """Show what servers ask the user of a ticket of `session.questions_element`."""

    open: Number
    questions: Annotated[str, msgspec.Meta(max_length=4096)]


class Agents(Frame):
    """Offer tools to browser agents, of the user of a ticket of `session.agent_tools_element`."""

    open: Number
    agents: Annotated[str, msgspec.Meta(max_length=4096)]


class Copilots(Frame):
    """Have a copilot in a frame, of a ticket of `session.copilot_element`."""

    open: Number
    copilot: Annotated[str, msgspec.Meta(max_length=4096)]


class OpenTool(Frame):
    """Call a tool that pages may call, and show it."""

    open: Number
    server: Id
    tool: Id
    arguments: Json = {}
    context: Json = {}
    origin: str | None = None


class Resume(Frame):
    """Go on with a view whose socket broke."""

    open: Number
    resume: Id
    key: Id
    got: Count


class MessageFrame(Frame):
    """What a view said."""

    view: Number
    n: Number
    message: Json
    gesture: Count = 0
    """The number of the click, tap or key in the view just before; 0 without one. The view cannot write it."""


class Answer(Frame):
    """What the person said to a question."""

    view: Number
    n: Number
    answer: Any
    value: Any = None


class Got(Frame):
    """The page has everything up to a number."""

    view: Number
    got: Count


class Close(Frame):
    """The element left the page for good."""

    close: Number


class Event(Frame):
    """Something happened to a view."""

    view: Number
    n: Number
    event: Annotated[str, msgspec.Meta(pattern="^[a-z-]{1,40}$")]
    value: Json


# A frame's kind is given by the first of these keys that it contains, in this order.
_KINDS: tuple[tuple[str, type[Frame]], ...] = (
    ("ticket", Open),
    ("offer", Offer),
    ("preload", Preload),
    ("questions", Listen),
    ("agents", Agents),
    ("copilot", Copilots),
    ("resume", Resume),
    ("open", OpenTool),
    ("message", MessageFrame),
    ("answer", Answer),
    ("got", Got),
    ("close", Close),
    ("hello", Hello),
)


def read_frame(text: str) -> Frame:
    """One frame, checked; raises `McpError`."""
    data = text.encode()
    if len(data) > MAX_BYTES:
        raise ParseError(f"The frame is longer than {MAX_BYTES} bytes")
    check_text(data)
    check_depth(data, MAX_FRAME_DEPTH)
    try:
        found = msgspec.json.decode(data)
    except (msgspec.DecodeError, RecursionError):
        raise ParseError("The frame is not JSON") from None
    if not isinstance(found, dict):
        raise InvalidRequestError("A frame is an object")
    try:
        return _convert(found)
    except msgspec.ValidationError as error:
        raise InvalidRequestError(f"The frame is not one that a page may send: {shorten(str(error), 60)}") from None


def _convert(found: Json) -> Frame:
    if "event" in found:
        named: Json = {key: found.pop(key) for key in ("view", "n", "event") if key in found}
        return msgspec.convert({**named, "value": found}, Event)
    for key, kind in _KINDS:
        if key in found:
            return msgspec.convert(found, kind)
    raise InvalidRequestError("The frame is not one that a page may send")
