"""Answers of the test instead of the server's: replaced, failed, or held back."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import msgspec

from cloche.errors import McpError, ToolError
from cloche.wire.types import Json

UNANSWERED = object()
"""What `Answers.meet` gives when the test has nothing to say."""


class Answers:
    """What the test says to a call, by the name of the tool, or of the method for other requests."""

    def __init__(self) -> None:
        self._values: dict[str, Any] = {}
        self._gates: dict[str, asyncio.Event] = {}

    def set(self, name: str, value: Any) -> None:
        """Answer with `value` from now on: a value, an exception, or a function of the arguments."""
        self._values[name] = value

    def forget(self, name: str) -> None:
        """Let the server answer again."""
        self._values.pop(name, None)

    def hold(self, name: str) -> None:
        """Answer nothing until `release`."""
        self._gates.setdefault(name, asyncio.Event())

    def release(self, name: str) -> None:
        """Answer what waits."""
        gate = self._gates.pop(name, None)
        if gate is not None:
            gate.set()

    async def meet(self, name: str, arguments: Json) -> Any:
        """What the test says, after what it holds back; `UNANSWERED` when it says nothing."""
        gate = self._gates.get(name)
        if gate is not None:
            await gate.wait()
        value = self._values.get(name, UNANSWERED)
        if isinstance(value, Callable):  # type: ignore[arg-type]
            value = value(arguments)
        if isinstance(value, McpError):
            raise value
        return value


def as_tool_result(value: Any) -> Json:
    """A test's value as the result of a tool: a whole result as it is, text as text, anything else as data."""
    if isinstance(value, dict) and isinstance(value.get("content"), list):
        return value
    if isinstance(value, ToolError | str):
        result: Json = {"content": [{"type": "text", "text": str(value)}]}
        return {**result, "isError": True} if isinstance(value, ToolError) else result
    plain = msgspec.to_builtins(value)
    text = msgspec.json.encode(plain).decode()
    structured = plain if isinstance(plain, dict) else {"result": plain}
    return {"content": [{"type": "text", "text": text}], "structuredContent": structured}
