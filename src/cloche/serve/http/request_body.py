"""The body of a POST: what its head says of it, and how much of it is read."""

from __future__ import annotations

from collections.abc import MutableMapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cloche.asgi import Receive


class HungUpError(Exception):
    """The client went away before its message was complete."""


def refusal(headers: dict[bytes, bytes], limit: int) -> tuple[int, str] | None:
    """Why a body is refused before it is read: its kind, or the size that it says it has; None when it is not."""
    kind = headers.get(b"content-type")
    if kind is None or kind.split(b";")[0].strip().lower() != b"application/json":
        return 415, "Send the message as Content-Type: application/json"
    if headers.get(b"content-encoding", b"identity") != b"identity":
        return 415, "Compressed bodies are not read: send the message without Content-Encoding"
    length = headers.get(b"content-length", b"0")
    if not length.isdigit() or len(length) > 18:
        return 400, "The header content-length is not a number"
    if int(length) > limit:
        return 413, too_large(limit)
    accept = headers.get(b"accept", b"*/*")
    if not any(kind in accept for kind in (b"application/json", b"text/event-stream", b"*/*", b"application/*")):
        return 406, "Send Accept: application/json, text/event-stream"
    return None


def too_large(limit: int) -> str:
    """What the client of a body over the limit is told."""
    return f"The message is larger than {limit} bytes"


async def read(receive: Receive, limit: int, part: MutableMapping[str, Any] | None) -> bytes | None:
    """The whole body, of which `part` was read already; None when it is larger than the limit."""
    parts, size = [], 0
    while True:
        part = part or await receive()
        if part["type"] == "http.disconnect":
            raise HungUpError
        parts.append(part.get("body", b""))
        size += len(parts[-1])
        if size > limit:
            return None
        if not part.get("more_body"):
            return b"".join(parts)
        part = None
