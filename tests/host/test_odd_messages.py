"""Thousands of odd messages and reports: each request is answered once, nothing raises, and the host goes on."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from typing import Any

import pytest

from cloche.host import HostLimits, Policy
from cloche.host.page_events import PageEvents
from cloche.wire.apps.methods import LEGACY, TO_HOST
from cloche.wire.apps.peer import is_message
from tests.host.servers import Weather
from tests.support.host_page import hosting, opened

METHODS = [
    *TO_HOST, *LEGACY, "nothing", "", "__proto__", "ui/foo",
]  # fmt: skip
KEYS = [
    "name", "arguments", "_meta", "cursor", "uri", "url", "contents", "role", "content", "structuredContent", "merge",
    "mode", "value", "model", "level", "data", "context", "requestId", "type", "resource", "text", "blob", "args",
    "message", "tools", "progressToken", "__proto__", "height", "width", "params", "query", "count", "theme", "styles",
]  # fmt: skip
VALUES: list[Any] = [
    None, True, False, 0, -1, 1.5, 2**60, float("inf"), "", "x", "refresh", "user", "fullscreen", "https://example.com",
    "javascript:alert(1)", "x" * 5000, "\x00", "resource", "weather://stations", [], {}, "info", "dark",
]  # fmt: skip
EVENTS = ["size", "context", "violation", "display-mode"]
SEEDS = range(2)
MESSAGES = 1500


class Odd:
    """Makes odd things, the same ones for the same seed."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def value(self, depth: int = 0) -> Any:
        kind = self._random.random()
        if depth > 3 or kind < 0.5:
            return self._random.choice(VALUES)
        if kind < 0.65:
            return [self.value(depth + 1) for _ in range(self._random.randrange(4))]
        return {self._random.choice(KEYS): self.value(depth + 1) for _ in range(self._random.randrange(5))}

    def params(self) -> dict[str, Any]:
        return {self._random.choice(KEYS): self.value(1) for _ in range(self._random.randrange(5))}

    def message(self, number: int) -> Any:
        if self._random.random() < 0.1:
            return self.value()
        message = {
            "jsonrpc": "2.0",
            "id": f"odd-{number}",
            "method": self._random.choice(METHODS),
            "params": self.params(),
        }
        for key in list(message):
            if self._random.random() < 0.05:
                del message[key]
            elif self._random.random() < 0.05:
                message[key] = self.value()
        return message


def is_request(message: Any) -> bool:
    return is_message(message) and "method" in message and str(message.get("id")).startswith("odd-")


@pytest.mark.requirement(153)
@pytest.mark.parametrize("seed", SEEDS)
async def test_odd_messages_are_answered_once_and_do_no_harm(seed: int, caplog: pytest.LogCaptureFixture) -> None:
    odd = Odd(seed)
    limits = HostLimits(rate=1e6, burst=10**6, display_seconds=0.001, pending=10_000, refusals=10**6)
    policy = Policy(link="allow", download="allow", sampling="allow", seconds=0.01)
    async with hosting({"weather": Weather().server}, limits=limits, policy=policy) as host:
        host.on_message(lambda view, message: message.text)
        host.on_sampling(lambda view, params: {"role": "assistant"})
        page = await opened(host, "weather.forecast", {"city": "Paris"})
        answers, waiting, quiet = Counter[str](), set[str](), asyncio.Event()

        def heard(frame: dict[str, Any]) -> None:
            message = frame.get("message", {})
            if "method" not in message and "id" in message:
                answers[message["id"]] += 1
                waiting.discard(message["id"])
                if not waiting:
                    quiet.set()

        page.view.attach(heard)
        for number in range(MESSAGES):
            message = odd.message(number)
            if isinstance(message, dict) and message.get("method") in ("ui/close", "notifications/cancelled"):
                continue  # they end something, rightly
            if is_request(message):
                waiting.add(message["id"])
                quiet.clear()
            page.say(message)
            page.view.event(EVENTS[number % len(EVENTS)], odd.params())
            if number % 50 == 0:
                await asyncio.sleep(0)
        await asyncio.wait_for(quiet.wait(), 30)
        page.view.attach(page.send)
        assert len(answers) > MESSAGES / 2
        assert {count for name, count in answers.items() if str(name).startswith("odd-")} == {1}
        assert page.view.closed is None
        assert await page.result("tools/call", {"name": "refresh"})
        assert [record.getMessage() for record in caplog.records if record.levelname == "ERROR"] == []


@pytest.mark.parametrize("seed", SEEDS)
async def test_odd_reports_of_a_page_do_no_harm(seed: int) -> None:
    odd = Odd(seed)
    async with hosting({"weather": Weather().server}) as host:
        page = await opened(host, "weather.forecast", {"city": "Paris"})
        names = [name for name in PageEvents(page.view)._handlers if name not in ("navigated", "flood", "unresponsive")]
        for number in range(300):
            page.view.event(names[number % len(names)], odd.params())
            page.view.answered(odd.value(), odd.value())
        assert await page.result("tools/call", {"name": "refresh"})
