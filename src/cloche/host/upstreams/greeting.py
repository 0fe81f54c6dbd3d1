"""What a server says of itself when a connection is opened, in one shape for every kind of connection."""

from __future__ import annotations

from typing import Any

from cloche.errors import shorten
from cloche.wire.json import encode
from cloche.wire.types import Json

MAX_INSTRUCTIONS = 20_000
"""Characters of a server's instructions that are kept."""

MAX_CAPABILITIES = 64 * 1024
"""Bytes of a server's capabilities that are kept; larger ones are as if it had none."""


def greeting(version: str, capabilities: Any, instructions: Any) -> Json:
    """`protocolVersion`, `capabilities` and `instructions`, no larger than they may be."""
    known = capabilities if isinstance(capabilities, dict) and len(encode(capabilities)) <= MAX_CAPABILITIES else {}
    text = shorten(instructions, MAX_INSTRUCTIONS) if isinstance(instructions, str) else None
    return {"protocolVersion": version, "capabilities": known, "instructions": text}
