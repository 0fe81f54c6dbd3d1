"""Result hooks: what else happens to the value that a tool returned, before it becomes the answer."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

if TYPE_CHECKING:
    from cloche.server.context import Context
    from cloche.server.entries import ToolEntry
    from cloche.server.schema.arguments import Call


class ToolCall:
    """One call of a tool, as its result hooks see it."""

    __slots__ = ("_args", "_kwargs", "_tool", "context")

    def __init__(self, tool: ToolEntry, call: Call, context: Context[Any] | None) -> None:
        self._tool = tool
        self._args, self._kwargs = call
        self.context = context
        """The call's context; None unless the tool or one of its hooks wants it."""

    @property
    def arguments(self) -> dict[str, Any]:
        """The arguments by parameter name, defaults included and the context left out."""
        return self._tool.arguments.named(self._args, self._kwargs)

    def run(self) -> Any:
        """Call the author's function."""
        return self._tool.fn(*self._args, **self._kwargs)


ResultHook: TypeAlias = Callable[[Any, ToolCall], Any]
"""Gets the value and the call, and returns the value that goes on: to the next hook, then into the answer."""


def bind_call(tool: ToolEntry) -> Callable[[bytes | msgspec.Raw, Any], Call]:
    """How the arguments of a tool with hooks are bound: as one `ToolCall`."""
    bind = tool.arguments.bind
    return lambda data, context: ((ToolCall(tool, bind(data, context), context),), {})


def invocation(tool: ToolEntry) -> Callable[[ToolCall], Any]:
    """What calls a tool with hooks. The hooks run where the function ran: on the loop, or in its worker thread."""

    def finish(value: Any, call: ToolCall) -> Any:
        for hook in tool.hooks:
            value = hook(value, call)
        return value

    async def finish_later(value: Awaitable[Any], call: ToolCall) -> Any:
        return finish(await value, call)

    def invoke(call: ToolCall) -> Any:
        value = call.run()
        return finish_later(value, call) if inspect.isawaitable(value) else finish(value, call)

    return invoke
