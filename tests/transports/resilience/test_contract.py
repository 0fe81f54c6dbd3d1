"""Transports around transports keep the contract of transports themselves."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

import pytest

from cloche.testing.behaviour import CONTRACT, name_of, run_case
from cloche.transports.base import Transport
from cloche.transports.memory import create_memory_pair
from cloche.transports.requests import RequestTransport
from cloche.transports.resilience import RateLimited, Reconnecting

LIMIT = 4 * 1024 * 1024

Ends = tuple[RequestTransport, RequestTransport]


@asynccontextmanager
async def reconnecting() -> AsyncIterator[Ends]:
    """Without attempts: the end of its connection is its own."""
    ours, theirs = create_memory_pair(limit=LIMIT)

    async def open_ours() -> Transport:
        return ours

    client = Reconnecting(open_ours, max_attempts=0, limit=LIMIT)
    await client.connect()
    yield client, theirs
    await client.close()


@asynccontextmanager
async def rate_limited() -> AsyncIterator[Ends]:
    ours, theirs = create_memory_pair(limit=LIMIT)
    client, server = RateLimited(ours, 1000), RateLimited(theirs, 1000)
    yield client, server
    await client.close()
    await server.close()


@asynccontextmanager
async def both() -> AsyncIterator[Ends]:
    """One in the other."""
    ours, theirs = create_memory_pair(limit=LIMIT)

    async def open_limited() -> Transport:
        return RateLimited(ours, 1000)

    client = Reconnecting(open_limited, max_attempts=0, limit=LIMIT)
    await client.connect()
    yield client, RateLimited(theirs, 1000)
    await client.close()


@pytest.mark.requirement(27, 28, 30)
@pytest.mark.parametrize("way", [reconnecting, rate_limited, both], ids=lambda way: way.__name__)
@pytest.mark.parametrize("case", CONTRACT, ids=name_of)
async def test_the_contract(case: Any, way: Callable[[], AbstractAsyncContextManager[Ends]]) -> None:
    await run_case(case, way)
