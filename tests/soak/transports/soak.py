"""One soak: a client that is taken care of, a workload, faults until there were enough, then calm and a look around."""

from __future__ import annotations

import asyncio
import gc
import tempfile
import time
from collections.abc import Callable, Coroutine
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cloche.client import Client
from cloche.errors import McpError, RequestTimeoutError, TransportClosedError
from cloche.testing.faults import Fault, Schedule
from cloche.transports.resilience.heartbeat import Heartbeat
from cloche.transports.resilience.reconnection import CLOSE_TIMEOUT, Reconnecting
from cloche.transports.resilience.subscriptions import ResourceSubscriptions
from tests.soak.transports.checker import violations
from tests.soak.transports.history import (
    ClosedForGood,
    Delivered,
    History,
    Left,
    Published,
    Reconnected,
    Subscribed,
    Unsubscribed,
)
from tests.soak.transports.server import URIS, Journal
from tests.soak.transports.ways import WAYS, Way
from tests.soak.transports.workload import CALLERS, LISTS, Workload, fill_in, think
from tests.support import leftovers

ERAS = {"handshake": "2025-11-25", "stateless": "2026-07-28"}

CALM_SECONDS = 20.0
"""How long it may take until everything works again after the last fault."""

CANCELLATIONS = 100
"""How often a soak that does not end is cancelled: each cancellation gets it out of one thing that it waits for."""

RATES: dict[str, dict[str, float]] = {
    "memory": {"drop": 0.01, "delay": 0.02, "duplicate": 0.01, "reorder": 0.02, "close": 0.006, "kill": 0.004},
    "stdio": {"drop": 0.01, "delay": 0.02, "duplicate": 0.01, "reorder": 0.02, "close": 0.004, "kill": 0.004},
    "websocket": {"drop": 0.01, "delay": 0.02, "duplicate": 0.01, "reorder": 0.02, "close": 0.004, "kill": 0.003},
}
"""Chances per message. A new process takes a while to start, so there are fewer ends where one is needed."""

MakeClient = Callable[..., Client]


@dataclass
class Plan:
    """What to run."""

    way: str
    era: str
    seed: int
    faults: int = 200
    seconds: float = 600.0
    """When the faults end, however many there were."""
    heartbeat: bool = True
    """Without one, a connection that is mute is only noticed by what happens to be asked."""
    patience: float = CALM_SECONDS
    margin: float = 30.0
    """What the whole may take beyond that, in seconds."""
    make_client: MakeClient = Client
    rates: dict[str, float] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """Way, era and seed: enough to run it again."""
        return f"{self.way} {self.era}{'' if self.heartbeat else ' without a heartbeat'} seed {self.seed}"


def plans(ways: list[str], eras: list[str], seed: int, faults: int) -> list[Plan]:
    """A plan for each way and era, in memory also without a heartbeat; together they have so many faults."""
    found = [
        Plan(way, era, seed, heartbeat=heartbeat)
        for way in ways
        for era in eras
        for heartbeat in ((True, False) if way == "memory" else (True,))
    ]
    for plan in found:
        plan.faults = -(-faults // len(found))
    return found


def run(plan: Plan) -> tuple[History, list[str]]:
    """Run one soak on a loop of its own; returns what happened and what is wrong with it."""
    before = leftovers.Process()
    history = History()
    with tempfile.TemporaryDirectory(prefix="soak-") as folder:
        asyncio.run(_soak(plan, Path(folder), history))
        history.effects = Journal(Path(folder)).effects()
    gc.collect()
    for left in leftovers.Process().left_since(before):
        history.add(left)
    return history, violations(history)


async def _soak(plan: Plan, folder: Path, history: History) -> None:
    def on_fault(fault: Fault, data: bytes) -> None:
        history.fault(fault.kind, fault.direction, data)

    schedule = Schedule(f"{plan.way}/{plan.era}/{plan.seed}", **(plan.rates or RATES[plan.way]))  # type: ignore[arg-type]
    schedule.enabled = False
    way = WAYS[plan.way](folder, schedule, on_fault)
    await way.start()
    try:
        await _in_time(_cared_for(plan, way, history), plan.seconds + 3 * plan.patience + plan.margin, history)
    finally:
        await way.stop()
    for left in await leftovers.in_the_loop():
        history.add(left)
    for transport in await leftovers.in_memory(way.opened):
        history.add(Left("connection in memory", repr(transport)))


async def _in_time(work: Coroutine[Any, Any, None], seconds: float, history: History) -> None:
    """A client that is stuck must not make the soak hang: it is cancelled, as often as it takes to get it out."""
    task = asyncio.create_task(work)
    await asyncio.wait({task}, timeout=seconds)
    if task.done():
        await task
        return
    history.add(Left("the soak itself,", f"which did not end within {seconds:.0f} s"))
    for _ in range(CANCELLATIONS):
        task.cancel()
        done, _ = await asyncio.wait({task}, timeout=0.2)
        if done:
            return


async def _cared_for(plan: Plan, way: Way, history: History) -> None:
    """A client with everything that keeps it connected."""
    transport = Reconnecting(way.open, max_attempts=float("inf"), base_delay=0.01, max_delay=0.2, open_timeout=10)
    await _first_connection(transport)
    client = plan.make_client(
        transport,
        version=ERAS[plan.era],
        timeout=CALM_SECONDS,  # for the greeting: its server may only just have been started
        sampling=think,
        elicitation=fill_in,
        on_log=lambda _: None,
    )

    def missed(_: Exception) -> None:
        transport.drop()
        heartbeat.start()

    async with client, AsyncExitStack() as stack:
        client.timeout = 1.0
        heartbeat = Heartbeat(client, interval=0.2, timeout=0.5, on_timeout=missed)
        stack.callback(client.on_reconnected(lambda: history.add(Reconnected())))
        stack.callback(client.on_close(lambda: history.add(ClosedForGood())))
        if plan.heartbeat:
            await stack.enter_async_context(heartbeat)
        subscriptions = await stack.enter_async_context(ResourceSubscriptions(client))
        workload = Workload(client, subscriptions, history, str(way.schedule.seed))
        stack.callback(workload.hear_of_lists())
        await _busy(plan, way, workload)
        await _calm(plan, client, workload, history)
        await _until_quiet(client, transport)
        for left in _tables(client, transport):
            history.add(left)


async def _first_connection(transport: Reconnecting) -> None:
    """A server that has just been started may need a moment."""
    deadline = time.monotonic() + CALM_SECONDS
    while True:
        try:
            await transport.connect()
            return
        except Exception:
            if time.monotonic() > deadline:
                raise
            await asyncio.sleep(0.05)


async def _busy(plan: Plan, way: Way, workload: Workload) -> None:
    schedule = way.schedule
    for uri in URIS:
        for listener in ("one", "two"):
            await workload.subscribe(f"{listener} of {uri}", uri)
    end = time.monotonic() + plan.seconds

    def is_over() -> bool:
        return schedule.injected.total() >= plan.faults or time.monotonic() > end

    schedule.enabled = True
    callers = [asyncio.create_task(workload.call_on(number, is_over)) for number in range(CALLERS)]
    callers.append(asyncio.create_task(workload.come_and_go(is_over)))
    callers.append(asyncio.create_task(workload.come_and_go_to_lists(is_over)))
    callers.append(asyncio.create_task(workload.visit(way.open, is_over)))
    try:
        await asyncio.wait(callers, return_when=asyncio.FIRST_COMPLETED, timeout=plan.seconds + plan.patience)
        schedule.enabled = False
        await asyncio.wait(callers, timeout=plan.patience)
    finally:
        schedule.enabled = False
        for caller in callers:
            caller.cancel()
        for outcome in await asyncio.gather(*callers, return_exceptions=True):
            if isinstance(outcome, Exception):
                raise outcome


async def _calm(plan: Plan, client: Client, workload: Workload, history: History) -> None:
    """After the last fault: publish a last state of everything and wait until every listener has heard of it."""
    deadline = time.monotonic() + plan.patience
    while time.monotonic() < deadline:
        try:
            await client.ping(timeout=1.0)
            break
        except (McpError, RequestTimeoutError, TransportClosedError):
            await asyncio.sleep(0.05)
    for uri in (*URIS, LISTS):
        for number in range(5):
            if await workload.publish_last(uri, number):
                break
    while time.monotonic() < deadline and _waited_for(history):  # noqa: ASYNC110 (listeners have no event in common)
        await asyncio.sleep(0.02)


def _waited_for(history: History) -> set[str]:
    listening = {event.listener: event.uri for event in history.of(Subscribed)}
    for event in history.of(Unsubscribed):
        listening.pop(event.listener, None)
    last = {event.uri: event.value for event in history.of(Published) if event.final}
    heard = {(event.listener, event.value) for event in history.of(Delivered)}
    return {listener for listener, uri in listening.items() if (listener, last.get(uri)) not in heard}


async def _until_quiet(client: Client, transport: Reconnecting) -> None:
    """Let what is beside the calls come to its end: reads of resources, connections and processes that close."""
    deadline = time.monotonic() + CLOSE_TIMEOUT + 1
    while time.monotonic() < deadline and _tables(client, transport):  # noqa: ASYNC110 (tables have no events)
        await asyncio.sleep(0.02)


def _streams(client: Client) -> int:
    return 1 if client.is_stateless else 0


def _tables(client: Client, transport: Reconnecting) -> list[Left]:
    """What must be empty while the client is idle: else it grows with every fault."""
    conversation: Any = client.conversation
    tables: dict[str, tuple[int, int]] = {
        "requests that wait": (len(conversation.pending), _streams(client) + 1),  # a heartbeat may be under way
        "progress handlers": (len(conversation._progress), 0),
        "questions": (len(conversation._questions), 0),
        "tasks beside": (len(conversation._tasks), _streams(client) + 2),
        "connections that close": (len(transport._closing), 0),
    }
    return [Left("in a table:", f"{count} {name}") for name, (count, most) in tables.items() if count > most]
