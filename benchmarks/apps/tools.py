"""The tools, the resource and the list that every server in the race offers."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

PAGE = '<tr class="row"><td>Überschrift</td><td>"quoted" &amp; plain</td></tr>\n' * 1425
LISTED = 200

Tool = Callable[..., Awaitable[int]]


async def echo(value: int) -> int:
    """Give the number back after letting others run once."""
    await asyncio.sleep(0)
    return value


async def echo_at_once(value: int) -> int:
    """Give the number back. For the race over sockets, where the floor does not wait either."""
    return value


echo_at_once.__name__ = "echo"


def double(value: int) -> int:
    """Work for a thread."""
    return value * 2


def many(count: int) -> list[Tool]:
    """Tools with parameters of the usual kinds, each with a name and a description of its own."""
    return [_numbered(number) for number in range(count)]


def _numbered(number: int) -> Tool:
    async def tool(query: str, limit: int = 10, exact: bool = False) -> int:
        return limit

    tool.__name__ = tool.__qualname__ = f"search_{number}"
    tool.__doc__ = f"Search collection {number} for entries that match the query and return how many there are."
    return tool
