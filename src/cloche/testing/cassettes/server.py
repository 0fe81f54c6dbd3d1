"""`CassetteServer`: a server that says what it said when it was recorded, and nothing else."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Sequence
from typing import Any

import msgspec

from cloche.errors import McpError, shorten
from cloche.server import Server
from cloche.server.middleware import CallNext, Incoming
from cloche.testing.cassettes.lines import Answer, Ask
from cloche.wire.versions import CONNECTION_METHODS

NOT_RECORDED = -32000
"""The code of the error for what was not recorded."""


def key_of(method: str, params: Any) -> tuple[str, bytes]:
    """What makes two requests the same: the method, and the parameters without what is about the request itself."""
    said = {name: value for name, value in params.items() if name != "_meta"} if isinstance(params, dict) else params
    return method, msgspec.json.encode(said or {}, order="sorted")


def described(method: str, params: Any) -> str:
    """A request in a few words."""
    shown = dict(params) if isinstance(params, dict) else {}
    shown.pop("_meta", None)
    if method == "tools/call":
        method = f"{method} {shown.pop('name', '')}"
        shown = shown.get("arguments") or {}
    return shorten(f"{method} {msgspec.json.encode(shown).decode()}" if shown else method, 200)


class CassetteServer(Server):
    """A target for `Client` and `open_view`: requests are found by method and parameters, in the order in which they
    were recorded; the last answer stays. What was not recorded gets an error that says so.
    """

    def __init__(self, name: str, exchanges: Sequence[tuple[Ask, Answer]]) -> None:
        super().__init__(name, "recorded")
        self._answers: dict[tuple[str, bytes], deque[Answer]] = defaultdict(deque)
        for ask, answer in exchanges:
            self._answers[key_of(ask.method, ask.params)].append(answer)
        self.use(self._replay)

    async def _replay(self, message: Incoming, call_next: CallNext) -> Any:
        """Answer every request from the recording, apart from those about the connection itself."""
        if message.id is None or message.method in CONNECTION_METHODS:
            return await call_next(message)
        known = self._answers.get(key_of(message.method, message.params))
        if not known:
            raise McpError(f"Not in the recording: {described(message.method, message.params)}", code=NOT_RECORDED)
        found = known.popleft() if len(known) > 1 else known[0]
        if found.error is not None:
            raise McpError(found.error, code=NOT_RECORDED)
        return dict(found.result or {})
