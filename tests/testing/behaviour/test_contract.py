"""The contract of transports, on every transport whose both ends can be held in one process."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

import pytest

from cloche.testing.behaviour import CONTRACT, name_of, run_case
from cloche.transports.event import create_linked_pair
from cloche.transports.memory import create_memory_pair
from cloche.transports.requests import RequestTransport

LIMIT = 4 * 1024 * 1024

Ends = tuple[RequestTransport, RequestTransport]


@asynccontextmanager
async def memory() -> AsyncIterator[Ends]:
    client, server = create_memory_pair(limit=LIMIT)
    yield client, server
    await client.close()


@asynccontextmanager
async def event() -> AsyncIterator[Ends]:
    client, server = create_linked_pair(limit=LIMIT)
    yield client, server
    await client.close()


WAYS: list[Callable[[], AbstractAsyncContextManager[Ends]]] = [memory, event]


@pytest.mark.requirement(27, 28, 29, 30, 37, 38)
@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
@pytest.mark.parametrize("case", CONTRACT, ids=name_of)
async def test_the_contract(case: Any, way: Callable[[], AbstractAsyncContextManager[Ends]]) -> None:
    await run_case(case, way)
