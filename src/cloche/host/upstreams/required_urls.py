"""Error -32042: a server does not answer before its user has been at some addresses.

Each address is shown to the user, who opens it with a click. When the server says that the user is done there, or the
user says so, the request is made once more; a second error of this kind is the answer.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

import msgspec

from cloche.client.server_requests import ElicitRequest
from cloche.errors import McpError, UrlElicitationRequiredError
from cloche.host.upstreams.questions import Asker, Respondent
from cloche.wire.types import Json

COMPLETED = "notifications/elicitation/complete"

MAX_URLS = 3
"""Addresses in one error; an error with more is passed on, and nobody is asked."""


class Visits:
    """The addresses that users are at, until the server says that they are done there."""

    def __init__(self) -> None:
        self._under_way: dict[str, asyncio.Event] = {}

    @contextmanager
    def to(self, request: ElicitRequest) -> Iterator[asyncio.Event]:
        """While this is entered, the event is set when the server says that this elicitation is complete."""
        done = self._under_way.setdefault(str(request.elicitation_id), asyncio.Event())
        try:
            yield done
        finally:
            self._under_way.pop(str(request.elicitation_id), None)

    def completed(self, params: Json) -> None:
        """The server says so."""
        done = self._under_way.get(str(params.get("elicitationId")))
        if done is not None:
            done.set()

    async def made(self, error: UrlElicitationRequiredError, asker: Asker, respondent: Respondent | None) -> bool:
        """Have the user visit every address that a server asks for; whether they did."""
        requests = required_urls(error)
        if respondent is None or not requests:
            return False
        try:
            for request in requests:
                with self.to(request) as done:
                    if not await respondent.visit(asker, request, done):
                        return False
        except McpError:  # an address that must not be opened
            return False
        return True


def required_urls(error: UrlElicitationRequiredError) -> list[ElicitRequest]:
    """What the error asks for; empty when that is nothing that a user can be asked."""
    data = error.data if isinstance(error.data, dict) else {}
    try:
        found = msgspec.convert(data.get("elicitations"), list[ElicitRequest])
    except msgspec.ValidationError:
        return []
    if len(found) > MAX_URLS or any(one.mode != "url" or not one.elicitation_id for one in found):
        return []
    return found
