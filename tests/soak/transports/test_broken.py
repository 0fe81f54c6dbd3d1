"""The soak can fail: clients that are broken on purpose are caught."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest

from cloche.client import Client
from cloche.client.subscriptions import Listening
from cloche.transports.requests import Pending
from cloche.wire.messages import Message
from cloche.wire.types import SubscriptionFilter
from tests.soak.transports.soak import Plan, run

RATES = {"delay": 0.02, "close": 0.02}
eras = pytest.mark.parametrize("era", ["handshake", "stateless"])


class Adjusted(Client):
    """Breaks itself once it is connected."""

    async def connect(self) -> None:
        await super().connect()
        self.breaks()

    def breaks(self) -> None:
        raise NotImplementedError


class ForgetsAnswers(Pending):
    """Every tenth answer is taken and given to nobody."""

    __slots__ = ("_count",)

    def __init__(self) -> None:
        super().__init__()
        self._count = itertools.count(1)

    def settle(self, message: Message) -> bool:
        if next(self._count) % 10 == 0:
            self._waiting.pop(message.id, None)  # type: ignore[arg-type]
            return True
        return super().settle(message)


class MixesUpAnswers(Pending):
    """Now and then two requests that wait get each other's answers."""

    __slots__ = ()

    def settle(self, message: Message) -> bool:
        others = [waiting for waiting in self._waiting if waiting != message.id]
        if message.id in self._waiting and len(others) > 3 and self._is_twentieth(message.id):
            mine, its = message.id, others[-1]
            self._waiting[mine], self._waiting[its] = self._waiting[its], self._waiting[mine]
        return super().settle(message)

    @staticmethod
    def _is_twentieth(request_id: object) -> bool:
        return isinstance(request_id, str) and request_id.rpartition("-")[2].endswith(("00", "20", "40", "60", "80"))


class LosesOutcomes(Adjusted):
    def breaks(self) -> None:
        self.conversation.pending = ForgetsAnswers()
        self.conversation.pending._ids = itertools.count(1000)


class MixesUp(Adjusted):
    def breaks(self) -> None:
        self.conversation.pending = MixesUpAnswers()
        self.conversation.pending._ids = itertools.count(1000)


class ForgetfulListening(Listening):
    """On a new connection it does not ask for the resources again."""

    _forgot = False

    async def restore(self) -> None:
        self._forgot = True
        self._stream = None

    def _wanted(self) -> SubscriptionFilter | None:
        wanted = super()._wanted()
        if wanted is not None and self._forgot:
            wanted.resource_subscriptions = None
        return wanted


class ForgetsSubscriptions(Adjusted):
    def breaks(self) -> None:
        self._listening = ForgetfulListening(self)


class SendsAgain(Adjusted):
    """Sends each call twice, as a client that repeats itself after a reconnect would."""

    def breaks(self) -> None:
        transport: Any = self.transport
        send, numbers = transport.send, itertools.count(1_000_000)

        async def twice(data: bytes) -> None:
            await send(data)
            if b'"echo"' in data and data.startswith(b'{"jsonrpc":"2.0","id":'):
                rest = data[len(b'{"jsonrpc":"2.0","id":') :].partition(b",")[2]
                await send(b'{"jsonrpc":"2.0","id":%d,%s' % (next(numbers), rest))

        transport.send = twice


class LeavesATask(Adjusted):
    def breaks(self) -> None:
        self.left = asyncio.get_running_loop().create_task(asyncio.sleep(3600))


class GivesUp(Adjusted):
    """Closes for good when the first connection is lost."""

    def breaks(self) -> None:
        transport: Any = self.transport
        transport.max_attempts = 0


class NeverCloses(Adjusted):
    """Waits for ever when it is to close, also when it is cancelled once."""

    def breaks(self) -> None:
        close = self.close

        async def hang() -> None:
            for _ in range(2):
                with suppress(asyncio.CancelledError):
                    await asyncio.Event().wait()
            await close()

        self.close = hang  # type: ignore[method-assign]


def caught(make_client: Callable[..., Client], era: str, faults: int = 30) -> str:
    """What is wrong. On a busy machine a run may be too short for a mistake to show, so there are three."""
    wrong: list[str] = []
    for seed in (1, 2, 3):
        plan = Plan("memory", era, seed, faults=faults, seconds=2, patience=1.5, margin=2)
        plan.make_client, plan.rates = make_client, RATES
        history, wrong = run(plan)
        assert sum(history.faults.values()) > 0
        if wrong or make_client is Client:
            break
    return "\n".join(wrong)


@eras
def test_an_answer_that_reaches_nobody_is_caught(era: str) -> None:
    assert "has no outcome" in caught(LosesOutcomes, era)


@eras
def test_an_answer_that_reaches_another_is_caught(era: str) -> None:
    assert "got the answer of another" in caught(MixesUp, era)


@eras
def test_a_subscription_that_is_not_made_again_is_caught(era: str) -> None:
    assert "was lost: it did not hear of" in caught(ForgetsSubscriptions, era)


@eras
def test_a_request_that_is_sent_again_is_caught(era: str) -> None:
    assert "was carried out 2 times, and sent 1 times" in caught(SendsAgain, era)


def test_a_task_that_is_left_is_caught() -> None:
    assert "left behind: task" in caught(LeavesATask, "handshake")


def test_a_client_that_gives_up_is_caught() -> None:
    assert "the client closed for good" in caught(GivesUp, "handshake")


def test_a_client_that_never_closes_is_caught_and_does_not_hang_the_soak() -> None:
    assert "left behind: the soak itself, which did not end" in caught(NeverCloses, "handshake")


@eras
def test_the_same_plan_with_a_client_that_is_not_broken_is_fine(era: str) -> None:
    assert caught(Client, era) == ""
