"""Waiting for what an upstream tells, with a deadline."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from cloche.host.upstreams import Upstream

PROGRAM = [sys.executable, str(Path(__file__).with_name("program.py"))]
DEADLINE = 20.0


def text_of(result: dict[str, Any]) -> str:
    assert not result.get("isError"), result
    return "".join(block["text"] for block in result["content"])


class Watched:
    """What changed at an upstream, in order."""

    def __init__(self, upstream: Upstream) -> None:
        self.upstream = upstream
        self.changes: list[str] = []
        self._news = asyncio.Event()
        upstream.on_change(self._changed)

    def _changed(self, what: str) -> None:
        self.changes.append(self.upstream.status if what == "status" else what)
        self._news.set()

    async def until(self, *wanted: str) -> None:
        """Wait until these were told of, in this order, since the last wait."""
        async with asyncio.timeout(DEADLINE):
            while not self._have(wanted):
                self._news.clear()
                await self._news.wait()
        self.changes.clear()

    def _have(self, wanted: tuple[str, ...]) -> bool:
        rest = iter(self.changes)
        return all(name in rest for name in wanted)


@asynccontextmanager
async def closing(upstream: Upstream) -> AsyncIterator[Upstream]:
    async with asyncio.timeout(DEADLINE):
        try:
            yield upstream
        finally:
            await upstream.close()


async def call(upstream: Upstream, tool: str, **arguments: Any) -> str:
    return text_of(await upstream.call_tool(tool, arguments))
