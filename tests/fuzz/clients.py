"""Clients that send good messages and spoiled ones, the same for the same seed.

How much: `CLOCHE_FUZZ` messages (20,000 unless said otherwise). From where: `CLOCHE_FUZZ_SEED`, else a new seed each
time, which stands in every failure.
"""

from __future__ import annotations

import os
import random
import secrets
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings

from tests.fuzz.judge import Judge, request_id_of
from tests.fuzz.traffic import (
    CANARY_PREFIX,
    METHODS,
    NASTY_TEXTS,
    Mutator,
    encode,
    json_values,
    meta,
    params_for,
)
from tests.support.http_client import HOST, LEGACY, MODERN, Answer, message

TOTAL = int(os.environ.get("CLOCHE_FUZZ", "20000"))
SEED = int(os.environ.get("CLOCHE_FUZZ_SEED") or secrets.randbits(32))
DEADLINE = 15.0
"""Seconds after which a request counts as hung."""

SHARES = {"asgi": 0.65, "sockets": 0.1, "stdio": 0.25, "hypothesis": 0.025, "fast path": 0.2}
MOST = {"hypothesis": 1000}
"""Hypothesis makes a hundred messages in the time that mutation makes ten thousand."""


def amount(share: str) -> int:
    return min(max(200, int(TOTAL * SHARES[share])), MOST.get(share, TOTAL))


def made_by_hypothesis() -> list[Any]:
    """A stock of odd values, the same for the same seed."""
    stock: list[Any] = []

    @settings(
        max_examples=400, database=None, deadline=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck)
    )
    @given(json_values)
    def collect(value: Any) -> None:
        stock.append(value)

    collect()
    return stock


FOREIGN = made_by_hypothesis()


class Client:
    """One connection's view of the world: its canary, its random numbers, its requests."""

    def __init__(self, number: int, kind: str) -> None:
        self.rng = random.Random(f"{SEED}-{kind}-{number}")
        self.canary = f"{CANARY_PREFIX}{self.rng.getrandbits(64):016x}"
        self.judge = Judge(self.canary)
        self.mutate = Mutator(self.rng, FOREIGN)
        self.next_id = 0

    def request_id(self) -> Any:
        self.next_id += 1
        return self.next_id if self.rng.random() < 0.7 else f"{self.next_id}-{self.canary}"

    def build(self, *, stateless: bool) -> dict[str, Any]:
        """A good message."""
        method = self.rng.choice(METHODS)
        params = params_for(method, self.canary, self.rng)
        if stateless:
            params["_meta"] = meta(self.rng, self.canary)
        is_notification = method.startswith(("notifications/", "$/"))
        return message(method, params, None if is_notification else self.request_id())

    def spoil(self, built: dict[str, Any]) -> bytes:
        """The message as it goes out: often good, often not."""
        how = self.rng.random()
        if how < 0.3:
            return encode(self.rng, built)
        if how < 0.7:
            return encode(self.rng, self.mutate.members(built))
        if how < 0.95:
            return self.mutate.bytes(encode(self.rng, built))
        return encode(self.rng, [built] * self.rng.randrange(3))


# HTTP


def repeated(built: dict[str, Any]) -> list[tuple[bytes, bytes]]:
    """The headers that repeat parts of a message."""
    params = built.get("params") or {}
    method = built.get("method")
    name = params.get("uri") if method == "resources/read" else params.get("name")
    headers = [(b"mcp-protocol-version", MODERN.encode()), (b"mcp-method", str(method).encode("utf-8", "replace"))]
    if isinstance(name, str):
        headers.append((b"mcp-name", name.encode("utf-8", "replace")))
    return headers


def header_text(text: str) -> bytes:
    """What an HTTP server could hand on as a header's value."""
    return bytes(byte for byte in text.encode("utf-8") if byte >= 32 and byte != 127).strip()


class HttpFuzzer(Client):
    """A client of both eras, and of neither."""

    session: bytes | None = None

    def headers(self, built: dict[str, Any], *, stateless: bool) -> list[tuple[bytes, bytes]]:
        rng = self.rng
        headers = [
            HOST,
            (b"content-type", b"application/json"),
            (b"accept", rng.choice([b"application/json, text/event-stream", b"application/json", b"*/*"])),
        ]
        if stateless:
            headers += repeated(built)
        elif self.session is not None and rng.random() < 0.95:
            headers.append((b"mcp-session-id", self.session))
            if rng.random() < 0.8:
                headers.append((b"mcp-protocol-version", rng.choice([LEGACY, "2025-03-26"]).encode()))
        if rng.random() < 0.15:
            self._spoil_header(headers)
        return headers

    def _spoil_header(self, headers: list[tuple[bytes, bytes]]) -> None:
        rng = self.rng
        at = rng.randrange(1, len(headers))
        name, value = headers[at]
        how = rng.randrange(5)
        if how == 0:
            del headers[at]
        elif how == 1:
            headers.append((name, value))
        elif how == 2:
            headers[at] = name, header_text(rng.choice(NASTY_TEXTS))
        elif how == 3:
            extra = rng.choice([b"last-event-id", b"mcp-param-x", b"origin", b"sec-fetch-site", b"content-encoding"])
            headers.append((extra, header_text(rng.choice(NASTY_TEXTS))))
        else:
            headers[at] = name, self.mutate.bytes(value).translate(None, bytes(range(32)) + b"\x7f").strip()

    def next(self) -> tuple[str, list[tuple[bytes, bytes]], bytes]:
        """A request: method, headers, body."""
        rng = self.rng
        stateless = rng.random() < 0.5
        if not stateless and (self.session is None or rng.random() < 0.02):
            version = rng.choice([LEGACY, LEGACY, "2025-03-26", "2024-11-05"])
            params = {"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "f", "version": "1"}}
            self.session = None
            built = message("initialize", params, self.request_id())
            return "POST", self.headers(built, stateless=False), encode(rng, built)
        built = self.build(stateless=stateless)
        headers = self.headers(built, stateless=stateless)
        method = "POST" if rng.random() < 0.98 else rng.choice(["DELETE", "PUT", "OPTIONS", "HEAD"])
        return method, headers, self.spoil(built)

    def check(self, sent: tuple[str, list[tuple[bytes, bytes]], bytes], answer: Answer) -> None:
        method, _, body = sent
        self.judge.canaries(answer.body + repr(answer.raw_headers).encode())
        assert 200 <= answer.status < 500, answer
        if answer.status == 200 and "mcp-session-id" in answer.headers:
            self.session = answer.headers["mcp-session-id"].encode()
        if method == "DELETE" and answer.status == 204:
            self.session = None
        if not answer.body:
            assert answer.status in (202, 204), answer
            return
        kind = answer.headers["content-type"]
        found = answer.events if kind.startswith("text/event-stream") else answer.json
        for one in found if isinstance(found, list) else [found]:
            self.judge.message(one)
        answers = [one for one in found if "method" not in one] if isinstance(found, list) else [found]
        request_id = request_id_of(body)
        if request_id is not None and method == "POST" and answer.status == 200:
            assert len(answers) == 1, answer
            self.judge.answered(answers[0], request_id)
