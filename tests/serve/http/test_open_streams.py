"""A stream that was opened with a token does not outlive it: the token expires, or whoever gave it takes it back."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from cloche import Principal, Server
from cloche.auth import Auth
from tests.support.http_client import LEGACY, Call, HttpClient, modern, modern_headers

TOKEN = (b"authorization", b"Bearer of-ann")


class Tokens:
    """Verifies one token, until it is told otherwise; says when it was asked."""

    def __init__(self) -> None:
        self.answer: Callable[[], Principal | None] = lambda: Principal("ann", scopes=frozenset({"read"}))
        self.asked = 0
        self._changed = asyncio.Event()

    async def __call__(self, token: str) -> Principal | None:
        self.asked += 1
        self._changed.set()
        return self.answer()

    async def until_asked(self, times: int) -> None:
        async with asyncio.timeout(20):
            while self.asked < times:
                self._changed.clear()
                await self._changed.wait()


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


async def listening(client: HttpClient) -> Call:
    body = modern("subscriptions/listen", {"notifications": {"toolsListChanged": True}})
    call = client.open(body, *modern_headers(body), TOKEN)
    await call.events(1)
    return call


async def standing(client: HttpClient) -> Call:
    session = await client.initialize(LEGACY, None, TOKEN)
    call = session.get()
    await call.until(lambda: call.body)
    return call


OPENING = {"subscriptions/listen": listening, "GET": standing}


@pytest.mark.parametrize("kind", OPENING)
@pytest.mark.parametrize("why", ["revoked", "another principal", "scope taken away", "expired", "verifier fails"])
async def test_a_stream_ends_with_its_token(kind: str, why: str) -> None:
    tokens, clock = Tokens(), Clock()
    if why == "expired":
        tokens.answer = lambda: Principal("ann", scopes=frozenset({"read"}), expires_at=2000.0)
    server = Server("private")
    auth = Auth(tokens, scopes=["read"], recheck_seconds=0.01, clock=clock)
    call = await OPENING[kind](HttpClient(server.asgi(auth=auth)))
    await tokens.until_asked(tokens.asked + 3)  # it is looked at again and again, and stays open
    assert not call.complete
    if why == "expired":
        clock.now = 2000.0
    else:
        tokens.answer = {
            "revoked": lambda: None,
            "another principal": lambda: Principal("bob", scopes=frozenset({"read"})),
            "scope taken away": lambda: Principal("ann"),
            "verifier fails": lambda: 1 / 0,
        }[why]  # type: ignore[assignment]
    answer = await call.answer()
    assert answer.status == 200
    assert call.complete
    before = call.body
    server.tool(lambda: "more", name="more")  # what happens from now on is not told
    await asyncio.sleep(0)
    assert call.body == before


@pytest.mark.parametrize("kind", OPENING)
async def test_a_token_is_not_asked_about_when_its_stream_is_over(kind: str) -> None:
    tokens = Tokens()
    server = Server("private")
    client = HttpClient(server.asgi(auth=Auth(tokens, recheck_seconds=0.01)))
    call = await OPENING[kind](client)
    call.hang_up()
    async with asyncio.timeout(20):
        await asyncio.wait({call.task})
    names = {task.get_coro().__qualname__ for task in asyncio.all_tasks()}  # type: ignore[union-attr]
    assert not [name for name in names if "lapse" in name]


async def test_without_auth_nothing_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    async def lapse(*_: Any) -> str:
        raise AssertionError("there is no token")

    monkeypatch.setattr(Auth, "lapse", lapse)
    server = Server("open")
    call = await listening(HttpClient(server.asgi()))
    server.tool(lambda: "more", name="more")
    await call.events(2)
    call.hang_up()
