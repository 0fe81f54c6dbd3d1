"""Tickets: what a page shows to open a view.

A page names neither server nor tool. It has a ticket, signed here, for one call of one user, that expires. What it
opens is looked up by what was signed, so that nothing that a page invents is ever used.

A page that shows a view gets a new ticket for it, so that it can show the view again later. The new one keeps the birth
of the one that opened the view, and no ticket outlives its birth by more than `HostLimits.ticket_life_seconds`.
"""

from __future__ import annotations

import time
import zlib
from collections.abc import Callable
from typing import Literal, TypeVar

import msgspec

from cloche.errors import InvalidParamsError
from cloche.wire.signing import Signer
from cloche.wire.types import Json

INLINE_BYTES = 32 * 1024
"""A record up to this size travels in its ticket, which then also opens after a restart of the host."""


NAMES = {
    "version": "v",
    "kind": "k",
    "session": "s",
    "user": "u",
    "server": "n",
    "tool": "t",
    "call": "c",
    "born": "b",
    "expires": "e",
    "digest": "r",
    "record": "d",
    "copilot": "p",
}
"""Field names as they are written into a ticket: short, because tickets are part of the page."""


class BaseTicket(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, rename=NAMES):
    """What every ticket says: what for which user a page may have, and how long."""

    version: Literal[1] = 1
    user: str
    server: str
    born: float
    """When the first of its line was made, in seconds of the epoch."""
    expires: int
    """When it expires, in seconds of the epoch."""


class Ticket(BaseTicket, frozen=True, kw_only=True, rename=NAMES):
    """Which call or record of which user a page may show."""

    kind: Literal["call", "record"]
    session: str
    tool: str
    call: str
    digest: str | None = None
    """The digest of the record."""
    record: Json | None = None
    """The record itself, when it is small."""


class OfferTicket(BaseTicket, frozen=True, kw_only=True, rename=NAMES):
    """What a page needs to offer a server that runs in it, for one user."""


class PreloadTicket(BaseTicket, frozen=True, kw_only=True, rename=NAMES):
    """What a page needs to get ready for a view of one user."""

    uri: str
    """The view's."""


class QuestionsTicket(BaseTicket, frozen=True, kw_only=True, rename=NAMES):
    """What a page needs to show the questions of servers to one user; it is for all servers."""


class AgentTicket(BaseTicket, frozen=True, kw_only=True, rename=NAMES):
    """What a page needs to offer one user's tools to browser agents; it is for all servers."""


class CopilotTicket(BaseTicket, frozen=True, kw_only=True, rename=NAMES):
    """What a page needs to have a copilot in a frame, for one user; it is for no server in particular."""

    copilot: str
    """Its name at the host."""


PURPOSES: dict[type[BaseTicket], str] = {
    Ticket: "ticket",
    OfferTicket: "offer",
    PreloadTicket: "preload",
    QuestionsTicket: "questions",
    AgentTicket: "agents",
    CopilotTicket: "copilot",
}
"""What each kind is signed for: one kind is never taken for another."""

AnyTicket = TypeVar("AnyTicket", bound=BaseTicket)


class Tickets:
    """Makes and reads tickets; none lives longer than `life` seconds, however often it is renewed."""

    def __init__(self, signer: Signer, clock: Callable[[], float] = time.time, *, life: float) -> None:
        self._signer = signer
        self._clock = clock
        self._life = life
        self._last = 0.0

    def moment(self) -> float:
        """Now, and later than every moment given before: so it is known what came before a revocation."""
        self._last = max(self._clock(), self._last + 1e-5)
        return self._last

    def make(self, ticket: BaseTicket) -> str:
        """The text of a ticket: letters, digits, `-`, `_` and one dot."""
        return self._signer.sign(PURPOSES[type(ticket)], zlib.compress(msgspec.json.encode(ticket)))

    def expiry(self, seconds: float, born: float) -> int:
        """The `expires` of a ticket that is good for `seconds`, and never longer than its life since `born`."""
        return int(min(self._clock() + seconds, born + self._life))

    def open(self, text: object) -> Ticket:
        """What a ticket says; raises `InvalidParamsError` when it is not ours, was changed or has expired."""
        return self.open_as(Ticket, text)

    def open_as(self, kind: type[AnyTicket], text: object) -> AnyTicket:
        """What a ticket of this kind says; raises `InvalidParamsError` as `open` does."""
        if not isinstance(text, str):
            raise InvalidParamsError("This is not a ticket")
        try:
            # Only what was signed is unpacked, so it is no larger than what was packed here.
            ticket = msgspec.json.decode(zlib.decompress(self._signer.open(PURPOSES[kind], text)), type=kind)
        except (InvalidParamsError, msgspec.DecodeError, zlib.error):
            raise InvalidParamsError(
                "This ticket is not one of this host, or was changed: every process of a product needs the same "
                "Host(secret=…, id=…), and every host a path of its own"
            ) from None
        if min(ticket.expires, ticket.born + self._life) < self._clock():
            raise InvalidParamsError("This ticket has expired: load the page again to get a new one")
        return ticket
