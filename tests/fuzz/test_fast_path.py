"""The fast path of HTTP answers what the slow one answers, to the byte.

Two apps of the same server get the same requests, one after the other: the first as it is, the second always through
`respond`, which knows no shortcut. Most are calls of tools, good and spoiled, because only these can be fast.
"""

from __future__ import annotations

import asyncio
import re
from typing import Any

import pytest

from cloche.serve.http.app import HttpApp
from cloche.serve.http.fast_path import TELLING_HEADERS
from tests.fuzz.clients import SEED, HttpFuzzer, amount
from tests.fuzz.target import make_server
from tests.fuzz.traffic import meta, params_for
from tests.support.http_client import Answer, HttpClient, message

CALLS = 0.8
"""How many of the messages call a tool."""

SESSION = b"mcp-session-id"

OF_A_TASK = re.compile(rb',?"(taskId|status|statusMessage|createdAt|lastUpdatedAt)":"[^"]*"|,?"pollInterval(Ms)?":\d+')
"""What differs between two tasks that were made alike."""


class CallFuzzer(HttpFuzzer):
    """A client that mostly calls tools, and mostly as the same client."""

    def build(self, *, stateless: bool) -> dict[str, Any]:
        if self.rng.random() > CALLS:
            return super().build(stateless=stateless)
        params = params_for("tools/call", self.canary, self.rng)
        if stateless or self.rng.random() < 0.05:
            params["_meta"] = meta(self.rng, self.canary)
        return message("tools/call", params, self.request_id())


class Pair:
    """Both paths, each with sessions of its own."""

    def __init__(self, *, sessionless: bool) -> None:
        self.fast = make_server().asgi(sessionless=sessionless)
        self.slow = make_server().asgi(sessionless=sessionless)
        assert isinstance(self.fast, HttpApp)
        assert isinstance(self.slow, HttpApp)
        self._slowly = HttpClient(self.respond)
        self._quickly = HttpClient(self.fast)
        self._sessions: dict[bytes, bytes] = {}
        self.taken = 0
        self._count()

    def _count(self) -> None:
        """Count what the fast path takes."""
        reading = self.fast._read

        def counted(*args: Any) -> Any:
            params = reading(*args)
            self.taken += params is not None
            return params

        self.fast._read = counted  # type: ignore[method-assign]

    async def respond(self, scope: Any, receive: Any, send: Any) -> None:
        """The slow path alone."""
        await self.slow.respond(scope, dict(scope["headers"]), receive, send)

    async def send(self, method: str, headers: list[tuple[bytes, bytes]], body: bytes, cut: int) -> Answer:
        """Both answers must be the same; a session that begins has two names."""
        there = [
            (name, self._sessions.get(value, value)) if name == SESSION else (name, value) for name, value in headers
        ]
        quick = await self._answer(self._quickly, method, headers, body, cut)
        slow = await self._answer(self._slowly, method, there, body, cut)
        began, begun = quick.headers.pop("mcp-session-id", None), slow.headers.pop("mcp-session-id", None)
        assert (began is None) == (begun is None)
        if began is not None and begun is not None:
            self._sessions[began.encode()] = begun.encode()
            quick.headers["mcp-session-id"] = began
        assert (quick.status, OF_A_TASK.sub(b"", quick.body)) == (slow.status, OF_A_TASK.sub(b"", slow.body))
        assert {**quick.headers, "mcp-session-id": None} == {**slow.headers, "mcp-session-id": None}
        return quick

    @staticmethod
    async def _answer(
        client: HttpClient, method: str, headers: list[tuple[bytes, bytes]], body: bytes, cut: int
    ) -> Answer:
        call = client.start(method, headers)
        if cut:
            call.feed(body[:cut], more=True)
        call.feed(body[cut:])
        return await call.answer()

    async def close(self) -> None:
        await self.fast.close()  # type: ignore[attr-defined]
        await self.slow.close()  # type: ignore[attr-defined]


@pytest.mark.parametrize("sessionless", [False, True])
def test_both_paths_give_the_same_answers(sessionless: bool) -> None:
    print(f"CLOCHE_FUZZ_SEED={SEED}")  # pytest shows it when the test fails
    asyncio.run(compare(sessionless))  # without the deadline of one test: a long run takes longer


async def compare(sessionless: bool) -> None:
    pair = Pair(sessionless=sessionless)
    fuzzers = [CallFuzzer(number, f"fast-{sessionless}") for number in range(4)]
    number = amount("fast path") // 2
    for turn in range(number):
        fuzzer = fuzzers[turn % len(fuzzers)]
        sent = fuzzer.next()
        cut = fuzzer.rng.randrange(len(sent[2]) + 1) if fuzzer.rng.random() < 0.05 else 0
        try:
            fuzzer.check(sent, await pair.send(*sent, cut))
        except AssertionError as error:
            raise AssertionError(f"seed {SEED}: {error} for {sent}") from error
    assert pair.taken > number // 20, "hardly anything was fast: then nothing was compared"
    assert len(pair.fast.engine.inflight) == len(pair.slow.engine.inflight) == 0  # type: ignore[attr-defined]
    await pair.close()


class Headers(dict[bytes, bytes]):
    """Remembers what was read."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.read: set[bytes] = set()

    def get(self, key: bytes, default: Any = None) -> Any:
        self.read.add(key)
        return super().get(key, default)

    def __getitem__(self, key: bytes) -> bytes:
        self.read.add(key)
        return super().__getitem__(key)

    def __contains__(self, key: object) -> bool:
        self.read.add(key)  # type: ignore[arg-type]
        return super().__contains__(key)


async def test_a_header_that_a_check_reads_is_never_passed_over() -> None:
    app = make_server().asgi()
    assert isinstance(app, HttpApp)
    client = HttpClient(app)
    for origin in ([], [(b"origin", b"http://127.0.0.1:8000")]):
        seen = Headers([*client.headers((b"content-length", b"2")), *origin])
        call = HttpClient(lambda scope, receive, send, seen=seen: app.respond(scope, seen, receive, send)).start(
            "POST", list(seen.items())
        )
        call.feed(b"[]")
        assert (await call.answer()).status == 400
        remembered = {b"host", b"content-type", b"accept", b"content-length"}
        assert {name for name in seen.read if not name.startswith(b"mcp-")} <= {*remembered, *TELLING_HEADERS}
    assert {b"origin", b"content-encoding"} <= seen.read
    await app.close()
