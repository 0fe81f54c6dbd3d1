"""What the clients of the soak do: calls of every kind, by many callers at once, chosen by a seed."""

from __future__ import annotations

import asyncio
import itertools
import random
from collections.abc import Awaitable, Callable
from typing import Any

from cloche.client import CallToolResult, Client, ElicitRequest, SampleRequest
from cloche.errors import ConnectError, McpError, RequestCancelledError, RequestTimeoutError, TransportClosedError
from cloche.transports.base import Transport
from cloche.transports.resilience.cancellation import CancellationTokenSource
from cloche.transports.resilience.subscriptions import ResourceSubscriptions, Subscription
from tests.soak.transports.history import Delivered, History, Progressed, Published, Subscribed, Unsubscribed
from tests.soak.transports.server import URIS

CALLERS = 12
"""Callers that are busy at the same time."""

CALL_SECONDS = 0.6
"""How long a call may take."""

PAUSE_SECONDS = 0.01
"""The longest pause between two calls of one caller."""

VISIT_SECONDS = 0.1
"""The pause between two visitors."""

LISTS = "the list of tools"
"""Stands where a resource stands, for who listens to changed lists."""


def fill_in(request: ElicitRequest) -> dict[str, str]:
    """The client's user: gives the nonce back."""
    return {"nonce": request.message}


def think(request: SampleRequest) -> str:
    """The client's model: repeats the nonce."""
    return request.text


class Workload:
    """Callers and listeners around one client; everything they do is in the history."""

    def __init__(self, client: Client, subscriptions: ResourceSubscriptions, history: History, seed: str) -> None:
        self._client = client
        self._subscriptions = subscriptions
        self._history = history
        self._seed = seed
        self._values = itertools.count(1)
        self._kinds: list[tuple[int, Callable[[str, random.Random], Awaitable[Any]]]] = [
            (6, self._echo),
            (4, self._work),
            (3, self._steps),
            (2, self._fail),
            (2, self._ask),
            (2, self._think),
            (1, self._log),
            (1, self._flip),
            (3, self._publish),
            (2, self._run_out_of_time),
            (2, self._cancel_by_token),
            (2, self._cancel_by_task),
        ]

    async def call_on(self, caller: int, is_over: Callable[[], bool]) -> None:
        """One caller: call after call until it is over."""
        chance = random.Random(f"{self._seed}/caller/{caller}")
        weights = [weight for weight, _ in self._kinds]
        for number in itertools.count():
            if is_over():
                return
            ((_, kind),) = chance.choices(self._kinds, weights)
            await self.recorded(f"{caller}-{number}", kind, chance)
            await asyncio.sleep(chance.uniform(0, PAUSE_SECONDS))

    async def come_and_go(self, is_over: Callable[[], bool]) -> None:
        """A listener that subscribes and unsubscribes all the time; it stays subscribed at the end when it can."""
        chance = random.Random(f"{self._seed}/fickle")
        for number in itertools.count():
            if is_over():
                return
            subscription = await self.subscribe(f"fickle-{number}", chance.choice(URIS))
            await asyncio.sleep(chance.uniform(0, 0.2))
            if subscription is not None and chance.random() < 0.95:
                self._history.add(Unsubscribed(f"fickle-{number}"))
                try:
                    await subscription.unsubscribe()
                except (McpError, RequestTimeoutError, TransportClosedError):
                    continue  # said to the listener; it hears nothing more in any case

    def hear_of_lists(self) -> Callable[[], None]:
        """A listener to changed lists. What it hears carries no state: it counts as the last that was published."""

        def changed(_: Any) -> None:
            last = [event.value for event in self._history.of(Published) if event.uri == LISTS]
            if last:
                self._history.add(Delivered("listener to lists", LISTS, last[-1]))

        self._history.add(Subscribed("listener to lists", LISTS))
        return self._client.on_notification("notifications/tools/list_changed", changed)

    async def come_and_go_to_lists(self, is_over: Callable[[], bool]) -> None:
        """A second listener to changed lists that comes and goes, so that the stream is opened anew."""
        chance = random.Random(f"{self._seed}/lists")
        while not is_over():
            stop = self._client.on_notification("notifications/prompts/list_changed", lambda _: None)
            await asyncio.sleep(chance.uniform(0, 0.3))
            stop()

    async def visit(self, open_transport: Callable[[], Awaitable[Transport]], is_over: Callable[[], bool]) -> None:
        """Clients that come for one call, on connections of their own that have faults from the first message on."""
        for number in itertools.count():
            if is_over():
                return
            await asyncio.sleep(VISIT_SECONDS)
            try:
                transport = await open_transport()
            except ConnectError:
                continue  # the server was killed and is not back yet: nothing was asked

            async def visit(nonce: str, _: random.Random, transport: Transport = transport) -> CallToolResult:
                async with Client(transport, version=self._client.protocol_version, timeout=0.5) as client:
                    return await client.call_tool("echo", {"nonce": nonce})

            await self.recorded(f"visitor-{number}", visit, random.Random())

    async def subscribe(self, listener: str, uri: str) -> Subscription | None:
        """A listener, recorded when the subscription is made."""

        def changed(changed_uri: str, contents: list[Any]) -> None:
            self._history.add(Delivered(listener, changed_uri, int(contents[0].text)))

        try:
            subscription = await self._subscriptions.subscribe(uri, changed)
        except (McpError, RequestTimeoutError, TransportClosedError):
            return None
        self._history.add(Subscribed(listener, uri))
        return subscription

    async def recorded(
        self, nonce: str, kind: Callable[[str, random.Random], Awaitable[Any]], chance: random.Random
    ) -> str:
        """Make one call and record its outcome."""
        self._history.began(nonce, kind.__name__.strip("_"))
        try:
            result: CallToolResult = await kind(nonce, chance)
        except (McpError, RequestTimeoutError, RequestCancelledError, TransportClosedError) as error:
            outcome = _outcome_of(error)
            self._history.ended(nonce, outcome, detail=str(error))
        except asyncio.CancelledError:
            task: Any = asyncio.current_task()
            if task.cancelling():  # the caller itself is given up: that is not an outcome of the call
                raise
            outcome = "task cancelled"
            self._history.ended(nonce, outcome)
        except Exception as error:
            outcome = type(error).__name__
            self._history.ended(nonce, outcome, detail=repr(error))
        else:
            outcome = "tool error" if result.is_error else "result"
            self._history.ended(nonce, outcome, _echo_in(result))
        return outcome

    async def publish_last(self, uri: str, number: int) -> bool:
        """Publish a state that every listener must hear of; False when the call failed."""
        value = next(self._values)
        nonce = f"last-{uri.rpartition('/')[2].replace(' ', '-')}-{number}"

        async def publish(nonce: str, _: random.Random) -> CallToolResult:
            if uri == LISTS:
                return await self._call("flip", nonce)
            return await self._call("publish", nonce, uri=uri, value=value)

        self._history.add(Published(uri, value, final=True))
        return await self.recorded(nonce, publish, random.Random()) == "result"

    # Kinds of calls

    async def _call(self, tool: str, nonce: str, *, timeout: float = CALL_SECONDS, **arguments: Any) -> CallToolResult:
        return await self._client.call_tool(tool, {"nonce": nonce, **arguments}, timeout=timeout)

    async def _echo(self, nonce: str, _: random.Random) -> CallToolResult:
        return await self._call("echo", nonce)

    async def _work(self, nonce: str, chance: random.Random) -> CallToolResult:
        return await self._call("work", nonce, seconds=chance.uniform(0, 0.1))

    async def _fail(self, nonce: str, _: random.Random) -> CallToolResult:
        return await self._call("fail", nonce)

    async def _ask(self, nonce: str, _: random.Random) -> CallToolResult:
        return await self._call("ask", nonce)

    async def _think(self, nonce: str, _: random.Random) -> CallToolResult:
        return await self._call("think", nonce)

    async def _log(self, nonce: str, _: random.Random) -> CallToolResult:
        return await self._call("log", nonce)

    async def _flip(self, nonce: str, _: random.Random) -> CallToolResult:
        return await self._call("flip", nonce)

    async def _publish(self, nonce: str, chance: random.Random) -> CallToolResult:
        uri, value = chance.choice(URIS), next(self._values)
        self._history.add(Published(uri, value))
        return await self._call("publish", nonce, uri=uri, value=value)

    async def _run_out_of_time(self, nonce: str, chance: random.Random) -> CallToolResult:
        return await self._call("work", nonce, timeout=chance.uniform(0.001, 0.05), seconds=5.0)

    async def _steps(self, nonce: str, chance: random.Random) -> CallToolResult:
        def note(_: float, __: float | None, message: str | None) -> None:
            self._history.add(Progressed(nonce, message))

        arguments = {"nonce": nonce, "count": chance.randint(1, 4)}
        return await self._client.call_tool("steps", arguments, timeout=CALL_SECONDS, progress=note)

    async def _cancel_by_token(self, nonce: str, chance: random.Random) -> CallToolResult:
        source = CancellationTokenSource()
        timer = asyncio.get_running_loop().call_later(chance.uniform(0, 0.05), source.cancel)
        arguments = {"nonce": nonce, "seconds": chance.uniform(0, 0.08)}
        try:
            return await self._client.call_tool("work", arguments, timeout=CALL_SECONDS, token=source.token)
        finally:
            timer.cancel()

    async def _cancel_by_task(self, nonce: str, chance: random.Random) -> CallToolResult:
        call = asyncio.ensure_future(self._call("work", nonce, seconds=chance.uniform(0, 0.08)))
        timer = asyncio.get_running_loop().call_later(chance.uniform(0, 0.05), call.cancel)
        try:
            return await call
        finally:
            timer.cancel()
            call.cancel()


def _outcome_of(error: Exception) -> str:
    for kind in (McpError, TransportClosedError):  # of which there are more special ones
        if isinstance(error, kind):
            return kind.__name__
    return type(error).__name__


def _echo_in(result: CallToolResult) -> str:
    return result.text.strip()
