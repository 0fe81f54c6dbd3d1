"""What a `ClientTask` needs of a client, made of an upstream: it opens broken connections again, and it knows whom
the server's questions are for.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, Protocol

import msgspec
from msgspec import Raw

from cloche.client.results import InputRequired
from cloche.client.server_requests import Answers
from cloche.errors import TransportClosedError, TransportError
from cloche.host.upstreams.base import READ_SECONDS, Upstream
from cloche.host.upstreams.questions import Origin
from cloche.wire.types import Json
from cloche.wire.versions import STATELESS_VERSIONS

FIRST_PAUSE, LONGEST_PAUSE = 0.1, 5.0
"""Seconds between attempts to reach a server that is away."""


class Spawner(Protocol):
    """Keeps what runs beside whoever started it."""

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Run this."""


class TaskRequests:
    """Requests about one task. A server that is away is waited for, for `patience` seconds."""

    is_closed = False

    def __init__(self, upstream: Upstream, user: str, tool: str, patience: float, background: Spawner) -> None:
        self._upstream = upstream
        self._by = Origin(user, None, tool)
        self._patience = patience
        self._background = background

    @property
    def conversation(self) -> TaskRequests:
        """Where things run beside."""
        return self

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Run something beside; it ends with the session."""
        return self._background.spawn(work)

    def call(self, handler: Callable[..., Any], *given: Any) -> None:
        """Tell somebody."""
        handler(*given)

    @property
    def is_stateless(self) -> bool:
        """Which era the connection is of; it has been opened by the request before."""
        return (self._upstream.greeting or {}).get("protocolVersion") in STATELESS_VERSIONS

    async def _ask(self, method: str, params: Json, timeout: float | None = None) -> Raw:
        until = asyncio.get_running_loop().time() + self._patience
        pause = FIRST_PAUSE
        while True:
            try:
                answer = await self._upstream.request(method, params, timeout=timeout or READ_SECONDS, by=self._by)
                return Raw(msgspec.json.encode(answer))
            except TransportClosedError:
                raise
            except TransportError:
                if asyncio.get_running_loop().time() + pause > until:
                    raise
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    async def _answers_to(self, questions: InputRequired, _: Answers | None) -> Json:
        answers = self._upstream.questions.answers(self._by)
        asked = questions.input_requests.items()
        return {key: msgspec.to_builtins(await answers.answer(one.method, one.params)) for key, one in asked}
