"""Answers of plain HTTP."""

from __future__ import annotations

from collections.abc import Iterable

from cloche.asgi import Send
from cloche.errors import InvalidRequestError
from cloche.wire.messages import encode_error

JSON = (b"content-type", b"application/json")


async def reply(send: Send, status: int, body: bytes, headers: Iterable[tuple[bytes, bytes]] = ()) -> None:
    """A whole answer at once."""
    head = [(b"content-length", b"%d" % len(body)), *headers]
    await send({"type": "http.response.start", "status": status, "headers": head})
    await send({"type": "http.response.body", "body": body})


async def refuse(send: Send, status: int, text: str, headers: Iterable[tuple[bytes, bytes]] = ()) -> None:
    """A refusal in one sentence, in the form that MCP clients show: a JSON-RPC error without an id."""
    await reply(send, status, encode_error(None, InvalidRequestError(text)), [JSON, *headers])
