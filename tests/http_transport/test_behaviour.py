"""The behaviour cases over HTTP: with sessions, without, and in the stateless era; over sockets and in this process."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
import pytest

from cloche.testing.behaviour import CASES, Link, connect, name_of, reference_server, run_case
from cloche.transports.http.client import HttpTransport
from tests.interop.doors import ASGI_URL, AsgiDoor, closing, serving


@asynccontextmanager
async def socket(version: str | None) -> AsyncIterator[Link]:
    with serving(reference_server().asgi(path="/mcp")) as origin:
        async with connect(HttpTransport(f"{origin}/mcp"), version=version) as link:
            yield link


@asynccontextmanager
async def asgi(version: str | None) -> AsyncIterator[Link]:
    async with (
        closing(reference_server().asgi(path="/mcp")) as app,
        httpx2.AsyncClient(transport=AsgiDoor(app)) as http,
        connect(HttpTransport(ASGI_URL, client=http), version=version) as link,
    ):
        yield link


@asynccontextmanager
async def sessionless(version: str | None) -> AsyncIterator[Link]:
    async with (
        closing(reference_server().asgi(path="/mcp", stateless=True)) as app,
        httpx2.AsyncClient(transport=AsgiDoor(app)) as http,
        connect(HttpTransport(ASGI_URL, client=http), version=version, asks=False, pushes=False) as link,
    ):
        yield link


WAYS: list[Any] = [
    *((socket, version) for version in ("2025-11-25", "2026-07-28")),
    *((asgi, version) for version in ("2025-03-26", "2025-11-25", "2026-07-28", None)),
    (sessionless, "2025-11-25"),
]

NO_NOTIFICATIONS = {"handles_notifications_to_the_server"}
"""The stateless era defines none from client to server over HTTP: servers take them, and drop them."""

NO_CANCELLATION = {"cancels_with_the_callers_task", "cancels_by_token", "times_out_alone"}
"""Without a session a notification belongs to nobody, so in the handshake era a tool runs until its own deadline."""


def excluded(way: Any, version: str | None) -> set[str]:
    """What this way cannot do, by its protocol."""
    if way is sessionless:
        return NO_CANCELLATION
    return NO_NOTIFICATIONS if version in (None, "2026-07-28") else set()


RUNS = [(case, *way) for case in CASES for way in WAYS if case.__name__ not in excluded(*way)]


@pytest.mark.parametrize(
    ("case", "way", "version"), RUNS, ids=[f"{name_of(case)}-{way.__name__}-{version}" for case, way, version in RUNS]
)
async def test_the_case(case: Any, way: Any, version: str | None) -> None:
    await run_case(case, lambda: way(version))


def test_every_exception_is_a_case() -> None:
    assert {case.__name__ for case in CASES} >= NO_NOTIFICATIONS | NO_CANCELLATION
