"""What a view adds to the results of its tool, whatever the tool returns."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import msgspec

from cloche.server.content import ToolResult, blocks

if TYPE_CHECKING:
    from cloche.server.entries import ToolEntry

Finish = Callable[[Any, Any, Any], Any]
"""Makes the result from what the tool returned, its bound arguments `(args, kwargs)`, and the context."""


def wrap_results(entry: ToolEntry, finish: Finish) -> None:
    """Let the tool's own function run as before, and its value go through `finish`."""
    fn, bind = entry.fn, entry.bind

    def bind_all(data: bytes | msgspec.Raw, context: object) -> Any:
        return (bind(data, context), context), {}

    async def finished(call: Any, context: object) -> Any:
        return finish(await fn(*call[0], **call[1]), call, context)

    def finished_now(call: Any, context: object) -> Any:
        return finish(fn(*call[0], **call[1]), call, context)

    entry.bind = bind_all
    entry.fn = finished if entry.is_async else finished_now


def whole(entry: ToolEntry, value: Any) -> ToolResult:
    """What a tool returned as a result to which `_meta` can be added."""
    if isinstance(value, ToolResult):
        return value
    if entry.output.schema is None:
        return ToolResult(blocks(value))
    data = entry.output.encode(value)
    return ToolResult(value if isinstance(value, str) else data.decode(), structured=msgspec.json.decode(data))
