"""The state of a view, kept by its server: a tool that only views call, and a key that travels with each result.

A host that shows an old result again hands the same `_meta` to the view, so the key, and with it the state, is there
again. A key is signed and holds whose it is: nobody can make one up, and nobody can use somebody else's.
"""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Any

import msgspec

from cloche.errors import InvalidParamsError, ToolError
from cloche.server.content import ToolResult
from cloche.server.context import Context
from cloche.server.result_hooks import ToolCall
from cloche.wire.signing import Signer

if TYPE_CHECKING:
    from cloche.server.entries import ToolEntry
    from cloche.server.server import Server

STATE_META_KEY = "cloche/state"
"""Where a result says which tool keeps the state of its view, and under which key."""

MAX_STATE = 64 * 1024
"""Bytes of one view's state, as JSON."""

KEPT_FOR = 30 * 24 * 3600.0
"""Seconds for which a state is kept after it was last set."""

PURPOSE = "view state"


def attach_state(server: Server, entry: ToolEntry) -> None:
    """Send a key along with each result, and register the tool that keeps what is given under it."""
    name = f"{entry.name}-state"
    signer = Signer(server.secret)

    def add_key(value: Any, call: ToolCall) -> ToolResult:
        result = entry.result(value)
        assert call.context is not None
        key = signer.sign(PURPOSE, msgspec.json.encode([entry.name, _owner(call.context), secrets.token_urlsafe(16)]))
        result.meta = {**(result.meta or {}), STATE_META_KEY: {"tool": name, "key": key}}
        return result

    async def state(ctx: Context, key: str, value: Any = None, keep: bool = False) -> dict[str, Any]:
        place = _place(signer, key, entry.name, ctx)
        if not keep:
            found = await server.sessions.get(place)
            return {"value": None if found is None else msgspec.json.decode(found)}
        data = msgspec.json.encode(value)
        if len(data) > MAX_STATE:
            raise ToolError(f"The state has {len(data)} bytes, and at most {MAX_STATE} are kept")
        await server.sessions.put(place, data, KEPT_FOR)
        return {"value": value}

    entry.on_result(add_key, context=True)
    server.register_helper(
        state,
        of=entry,
        name=name,
        timeout=None,
        description=f"The state of a view of {entry.name}. Only views call it.",
    )


def _owner(context: Context) -> str | None:
    principal = context.principal
    return principal.id if principal is not None else None


def _place(signer: Signer, key: str, tool: str, context: Context) -> str:
    """Where in the store the state of a key is."""
    try:
        payload = signer.open(PURPOSE, key)
    except InvalidParamsError:
        raise ToolError("This key is not one that came with a result of this tool") from None
    made_for, owner, number = msgspec.json.decode(payload)
    if (made_for, owner) != (tool, _owner(context)):
        raise ToolError("This key is not one that came with a result of this tool")
    return f"view-state/{number}"
