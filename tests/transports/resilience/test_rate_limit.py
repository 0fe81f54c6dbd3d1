"""Rate limits: what is over them does not get through, at a bounded cost."""

from __future__ import annotations

import asyncio
import json
import sys
from typing import Any

import pytest

from cloche import Server
from cloche.errors import ConfigurationError, McpError, RateLimitError
from cloche.transports.memory import create_memory_pair
from cloche.transports.resilience import RateLimited, RateLimiter
from cloche.transports.resilience.rate_limit import REFUSALS_WAITING
from tests.conftest import pending_tasks
from tests.support.resilience_peers import greet, turns, until


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def request(number: int = 1) -> bytes:
    return b'{"jsonrpc":"2.0","id":%d,"method":"ping"}' % number


NOTIFICATION = b'{"jsonrpc":"2.0","method":"custom/event"}'
ANSWER = b'{"jsonrpc":"2.0","id":"x","result":{}}'


@pytest.mark.requirement(165)
def test_the_window_slides() -> None:
    clock = Clock()
    limiter = RateLimiter(3, 1.0, clock=clock)
    passed = []
    for tick in range(12):
        clock.now = 1000 + tick / 4
        passed.append(limiter.allow())
    # Three in the first second; then each passes when the one three before it is a second old.
    assert passed == [True, True, True, False] * 3


@pytest.mark.requirement(165)
def test_no_window_ever_holds_more_than_the_limit() -> None:
    """A fixed window would let 2 × 5 through around its edge; this one does not."""
    clock = Clock()
    limiter = RateLimiter(5, 1.0, clock=clock)
    times = []
    for tick in range(1000):
        clock.now = 1000 + tick * 0.0137
        if limiter.allow():
            times.append(clock.now)
    assert all(later - earlier >= 1.0 for earlier, later in zip(times, times[5:], strict=False))
    assert len(times) > 50


def test_retry_after_is_exact() -> None:
    clock = Clock()
    limiter = RateLimiter(2, 1.0, clock=clock)
    assert limiter.retry_after() == 0
    limiter.allow()
    clock.now += 0.25
    limiter.allow()
    assert limiter.retry_after() == 0.75
    assert limiter.retry_after(2) == 1.0
    clock.now += 0.75
    assert limiter.retry_after() == 0
    assert limiter.allow()
    assert not limiter.allow()


@pytest.mark.requirement(165)
def test_on_limit_exceeded_is_called_for_each_refusal() -> None:
    told: list[int] = []
    limiter = RateLimiter(1, 1.0, lambda: told.append(1), clock=Clock())
    assert [limiter.allow() for _ in range(4)] == [True, False, False, False]
    assert len(told) == 3


def test_the_memory_is_constant() -> None:
    clock = Clock()
    limiter = RateLimiter(100, clock=clock)
    sizes = set()
    for _ in range(20_000):
        clock.now += 0.001
        limiter.allow()
        sizes.add(sys.getsizeof(limiter._times))
    assert len(limiter._times) == 100
    assert max(sizes) < 4096


@pytest.mark.parametrize("options", [{"max_requests": 0}, {"window": 0}], ids=str)
def test_limits_that_cannot_work_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(ConfigurationError):
        RateLimiter(**options)


class Limited:
    """A rate-limited end, what came through it, and what the other side got back."""

    def __init__(self, max_requests: int = 2, **options: Any) -> None:
        self.clock = Clock()
        self.near, self.far = create_memory_pair()
        self.transport = RateLimited(self.near, max_requests, clock=self.clock, **options)
        self.through: list[bytes] = []
        self.back: list[Any] = []
        self.transport.on_message(self.through.append)
        self.far.on_message(lambda data: self.back.append(json.loads(data)))


@pytest.mark.requirement(154, 165)
async def test_a_request_over_the_limit_is_answered_with_when_to_try_again() -> None:
    limited = Limited(2)
    for number in (1, 2, 3):
        await limited.far.send(request(number))
    await until(lambda: limited.back)
    assert limited.through == [request(1), request(2)]
    assert limited.back == [
        {
            "jsonrpc": "2.0",
            "id": 3,
            "error": {"code": -32000, "message": "Too many messages: try again in 1 s", "data": {"retryAfter": 1.0}},
        }
    ]
    assert (limited.transport.refused, limited.transport.dropped) == (1, 0)
    limited.clock.now += limited.back[0]["error"]["data"]["retryAfter"]
    await limited.far.send(request(4))
    assert limited.through[2:] == [request(4)]


@pytest.mark.requirement(154, 165)
async def test_a_notification_over_the_limit_is_dropped_and_counted() -> None:
    limited = Limited(2)
    for _ in range(5):
        await limited.far.send(NOTIFICATION)
    await turns()
    assert (limited.through, limited.transport.dropped, limited.back) == ([NOTIFICATION] * 2, 3, [])


@pytest.mark.requirement(165)
async def test_answers_to_our_own_requests_always_pass() -> None:
    limited = Limited(1)
    asked = [asyncio.create_task(limited.transport.request("tools/list")) for _ in range(5)]
    await until(lambda: len(limited.back) == 5)
    await limited.far.send(NOTIFICATION)
    await limited.far.send(NOTIFICATION)
    for message in limited.back:
        await limited.far.send(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": {}}).encode())
    assert await asyncio.gather(*asked) == [{}] * 5
    assert limited.transport.dropped == 1


async def test_a_request_dressed_up_as_an_answer_counts() -> None:
    limited = Limited(1)
    disguised = b'{"jsonrpc":"2.0","id":7,"method":"tools/call","result":{}}'
    for _ in range(4):
        await limited.far.send(disguised)
    assert limited.through == [disguised]


async def test_a_batch_counts_as_many_as_are_in_it() -> None:
    limited = Limited(3)
    batch = b"[" + b",".join([request(1), request(2), NOTIFICATION, ANSWER]) + b"]"
    await limited.far.send(batch)
    await limited.far.send(batch)
    await until(lambda: limited.back)
    assert limited.through == [batch]
    assert [answer["id"] for answer in limited.back[0]] == [1, 2]
    assert (limited.transport.refused, limited.transport.dropped) == (2, 1)


async def test_what_cannot_be_read_counts_too() -> None:
    limited = Limited(2)
    for _ in range(4):
        await limited.far.send(b"nonsense")
        await limited.far.send(b"[]")
    assert len(limited.through) == 2
    assert limited.transport.dropped == 6


@pytest.mark.requirement(154)
async def test_a_flood_from_a_peer_that_does_not_read_costs_a_bounded_amount() -> None:
    limited = Limited(1)
    stuck = asyncio.Event()

    async def full(data: bytes) -> None:
        await stuck.wait()

    limited.near.send = full  # type: ignore[method-assign]
    for number in range(10_000):
        await limited.far.send(request(number))
    await turns()
    assert limited.transport.refused == 9_999
    assert len(limited.transport._refusals) <= REFUSALS_WAITING
    assert len(pending_tasks()) == 1
    await limited.transport.close()
    assert not pending_tasks()


async def test_the_end_of_the_connection_is_passed_on_and_leaves_no_task() -> None:
    limited, told = Limited(1), []
    limited.transport.on_close(lambda: told.append(1))
    await limited.far.send(request(1))
    await limited.far.send(request(2))
    await limited.far.close()
    assert (told, limited.transport.is_connected) == ([1], False)
    await turns()
    assert not pending_tasks()


async def test_closing_it_closes_what_is_under_it() -> None:
    limited = Limited()
    await limited.transport.close()
    await limited.transport.close()
    assert not limited.near.is_connected


@pytest.mark.requirement(154, 165)
async def test_a_flood_reaches_a_server_without_the_limit_and_does_not_with_it() -> None:
    """The attack, with and without the protection."""
    calls = {"open": 0, "limited": 0}
    for name in ("open", "limited"):
        server = Server("s")

        @server.tool
        async def cost(name: str = name) -> str:
            calls[name] += 1
            return "done"

        ours, theirs = create_memory_pair()
        await server.connect(RateLimited(theirs, 100, clock=Clock()) if name == "limited" else theirs)
        await greet(ours)
        flood = [ours.request("tools/call", {"name": "cost", "arguments": {}}) for _ in range(200)]
        outcomes = await asyncio.gather(*flood, return_exceptions=True)
        refused = [one for one in outcomes if isinstance(one, McpError)]
        assert len(refused) == 200 - calls[name]
        await server.close()
    # initialize and initialized are messages, too
    assert calls == {"open": 200, "limited": 98}


def test_the_wait_is_rounded_up_so_that_it_suffices() -> None:
    error = RateLimitError(0.12301)
    assert error.retry_after == 0.124
    assert error.to_json_rpc_error() == {
        "code": -32000,
        "message": "Too many messages: try again in 0.124 s",
        "data": {"retryAfter": 0.124},
    }
