"""What the tests of the official Python client share: versions, and a client's side of a conversation."""

from __future__ import annotations

import asyncio
from typing import Any
from uuid import uuid4

import mcp_types as types

DEADLINE = 20.0
LEGACY, MODERN = "legacy", "2026-07-28"
VERSIONS = {LEGACY: "2025-11-25", MODERN: MODERN, "auto": MODERN}


class Inbox:
    """What the server said on its own; `await inbox.next(kind)` waits for one."""

    def __init__(self) -> None:
        self.queue: asyncio.Queue[Any] = asyncio.Queue()

    async def __call__(self, message: Any) -> None:
        self.queue.put_nowait(message)

    async def next(self, kind: type) -> Any:
        while True:
            message = await self.queue.get()
            if isinstance(message, Exception):
                raise message
            if isinstance(message, kind):
                return message


def text_of(result: types.CallToolResult) -> str:
    assert not result.is_error, result
    content = result.content[0]
    assert isinstance(content, types.TextContent)
    return content.text


def new_key() -> str:
    return uuid4().hex


class User:
    """Answers what the server asks, one form after the other."""

    def __init__(self, *answers: types.ElicitResult) -> None:
        self.answers = list(answers)
        self.asked: list[str] = []

    async def __call__(self, context: Any, params: types.ElicitRequestParams) -> types.ElicitResult:
        assert isinstance(params, types.ElicitRequestFormParams)
        self.asked.append(params.message)
        return self.answers.pop(0)


def accepted(**content: Any) -> types.ElicitResult:
    return types.ElicitResult(action="accept", content=content)
