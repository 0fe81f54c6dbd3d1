"""What the script in front of a recorded view tells. A view can forge it, so it is checked like all that views say."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from cloche.testing.cassettes.lines import Gesture
from cloche.wire.types import Json

Text = Annotated[str, msgspec.Meta(max_length=250_000)]
Short = Annotated[str, msgspec.Meta(max_length=2000)]
Pixels = Annotated[float, msgspec.Meta(ge=-1_000_000, le=1_000_000)]
Room = Annotated[int, msgspec.Meta(ge=0, le=20_000)]
Moment = Annotated[float, msgspec.Meta(ge=0, le=1e9)]


class Entry(msgspec.Struct, frozen=True, rename="camel", tag_field="kind", kw_only=True, forbid_unknown_fields=True):
    """Any entry."""

    at: Moment


class StartEntry(Entry, tag="start", kw_only=True, frozen=True):
    """The script runs."""

    time: Annotated[float, msgspec.Meta(ge=0, le=8e15)]
    width: Room
    height: Room
    scale: Annotated[float, msgspec.Meta(gt=0, le=16)]
    theme: Literal["light", "dark"]
    locale: Annotated[str, msgspec.Meta(pattern="^[A-Za-z0-9-]{1,64}$")]
    time_zone: Annotated[str, msgspec.Meta(pattern="^[A-Za-z0-9_+/-]{1,64}$")]


class GotEntry(Entry, tag="got", kw_only=True, frozen=True):
    """The view got a message; without it when it is large."""

    id: str | int | None = None
    method: str | None = None
    message: Json | None = None


class UserEntry(Entry, tag="user", kw_only=True, frozen=True):
    """The person did something."""

    event: Gesture
    target: Short | None = None
    x: Pixels | None = None
    y: Pixels | None = None
    button: Annotated[int, msgspec.Meta(ge=0, le=4)] = 0
    count: Annotated[int, msgspec.Meta(ge=1, le=20)] = 1
    value: Text | None = None
    values: list[Text] = []
    key: Annotated[str, msgspec.Meta(max_length=60)] | None = None
    secret: Text | None = None


class DomEntry(Entry, tag="dom", kw_only=True, frozen=True):
    """The document came to rest."""

    text: Text


class ClockEntry(Entry, tag="clock", kw_only=True, frozen=True):
    """When the view looked at the clock."""

    times: Annotated[list[int], msgspec.Meta(max_length=20_000)]


class Batch(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Parameters of one message of the script."""

    entries: Annotated[list[StartEntry | GotEntry | UserEntry | DomEntry | ClockEntry], msgspec.Meta(max_length=5000)]
