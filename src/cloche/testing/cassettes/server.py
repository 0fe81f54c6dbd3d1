"""`CassetteServer`: a server that says what it said when it was recorded, and nothing else."""

from __future__ import annotations

import asyncio
from collections import defaultdict, deque
from collections.abc import Sequence
from typing import Any

import msgspec

from cloche.errors import TransportClosedError, shorten
from cloche.testing.cassettes.lines import Answer, Ask
from cloche.transports.base import Transport
from cloche.wire.types import Json

NOT_RECORDED = -32000
"""The code of the error for what was not recorded."""

VERSION = "2025-11-25"


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


class CassetteServer:
    """A target for `Client` and `open_view`: requests are found by method and parameters, in the order in which they
    were recorded; the last answer stays. What was not recorded gets an error that says so.
    """

    def __init__(self, name: str, exchanges: Sequence[tuple[Ask, Answer]]) -> None:
        self.name = name
        self._answers: dict[tuple[str, bytes], deque[Answer]] = defaultdict(deque)
        for ask, answer in exchanges:
            self._answers[key_of(ask.method, ask.params)].append(answer)

    async def join(self) -> Transport:
        """The client's end of a connection to it."""
        return _Line(self)

    def answer(self, method: str, params: Any) -> Json:
        """The members of a response: `result`, or `error`."""
        if method == "initialize":
            return {"result": self._greeting(params)}
        if method == "ping":
            return {"result": {}}
        known = self._answers.get(key_of(method, params))
        if not known:
            return {"error": {"code": NOT_RECORDED, "message": f"Not in the recording: {described(method, params)}"}}
        found = known.popleft() if len(known) > 1 else known[0]
        if found.error is not None:
            return {"error": {"code": NOT_RECORDED, "message": found.error}}
        return {"result": found.result or {}}

    def _greeting(self, params: Any) -> Json:
        asked = params.get("protocolVersion") if isinstance(params, dict) else None
        return {
            "protocolVersion": asked if isinstance(asked, str) and asked <= VERSION else VERSION,
            "capabilities": {"tools": {}, "resources": {}, "prompts": {}},
            "serverInfo": {"name": self.name, "version": "recorded"},
        }


class _Line(Transport):
    """A connection that ends at the recording."""

    def __init__(self, server: CassetteServer) -> None:
        super().__init__()
        self._server = server

    async def send(self, data: bytes) -> None:
        """Answer a request; there is nobody to hear notifications."""
        if not self._connected:
            raise TransportClosedError
        message = msgspec.json.decode(data)
        if not isinstance(message, dict) or "id" not in message or "method" not in message:
            return
        outcome = self._server.answer(message["method"], message.get("params"))
        answer = msgspec.json.encode({"jsonrpc": "2.0", "id": message["id"], **outcome})
        asyncio.get_running_loop().call_soon(self.deliver, answer)

    async def close(self) -> None:
        """End the connection."""
        self.ended()
