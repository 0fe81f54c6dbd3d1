"""Fuzzing over HTTP and stdio: many connections, each with its own canary.

How much: `CLOCHE_FUZZ` messages (20,000 unless said otherwise). From where: `CLOCHE_FUZZ_SEED`, else a new seed each
time, which stands in every failure. What must hold: no crash, no 5xx, no request without its answer or with two, no
canary on another connection, no long error text; and at the end the server still answers.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import secrets
import socket
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings

from tests.fuzz.judge import Judge, cancels, ids_in, request_id_of
from tests.fuzz.target import make_server
from tests.fuzz.traffic import (
    CANARY_PREFIX,
    METHODS,
    NASTY_TEXTS,
    Mutator,
    encode,
    json_values,
    messages_like,
    meta,
    params_for,
)
from tests.support.http_client import HOST, LEGACY, MODERN, Answer, HttpClient, message, modern
from tests.support.live_server import LiveServer
from tests.support.stdio_process import StdioProcess

TOTAL = int(os.environ.get("CLOCHE_FUZZ", "20000"))
SEED = int(os.environ.get("CLOCHE_FUZZ_SEED") or secrets.randbits(32))
DEADLINE = 15.0
"""Seconds after which a request counts as hung."""

SHARES = {"asgi": 0.65, "sockets": 0.1, "stdio": 0.25, "hypothesis": 0.025}
MOST = {"hypothesis": 1000}
"""Hypothesis makes a hundred messages in the time that mutation makes ten thousand."""


def amount(share: str) -> int:
    return min(max(200, int(TOTAL * SHARES[share])), MOST.get(share, TOTAL))


@pytest.fixture(autouse=True)
def seed_in_every_failure() -> None:
    print(f"CLOCHE_FUZZ_SEED={SEED}")  # pytest shows it when a test fails


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


async def run_asgi(fuzzer: HttpFuzzer, client: HttpClient, number: int) -> None:
    for _ in range(number):
        sent = fuzzer.next()
        call = client.start(sent[0], sent[1])
        cut = fuzzer.rng.randrange(len(sent[2]) + 1) if fuzzer.rng.random() < 0.1 else 0
        if cut:
            call.feed(sent[2][:cut], more=True)
        if cut and fuzzer.rng.random() < 0.1:
            call.hang_up()
            await asyncio.wait_for(call.task, DEADLINE)
            continue
        call.feed(sent[2][cut:])
        try:
            answer = await call.answer()
        except BaseException as error:
            raise AssertionError(f"seed {SEED}: {error!r} for {sent}") from error
        try:
            fuzzer.check(sent, answer)
        except AssertionError as error:
            raise AssertionError(f"seed {SEED}: {error} for {sent}") from error


@pytest.mark.parametrize("stateless", [False, True])
def test_http_in_process(stateless: bool) -> None:
    asyncio.run(fuzz_in_process(stateless))  # without the deadline of one test: a long run takes longer


async def fuzz_in_process(stateless: bool) -> None:
    client = HttpClient(make_server().asgi(stateless=stateless))
    fuzzers = [HttpFuzzer(number, f"asgi-{stateless}") for number in range(8)]
    share = amount("asgi") * (1 if stateless else 3) // 4
    per_client = max(1, share // len(fuzzers))
    await asyncio.gather(*(run_asgi(fuzzer, client, per_client) for fuzzer in fuzzers))
    assert all(fuzzer.judge.seen > per_client // 20 for fuzzer in fuzzers)
    session = await client.initialize() if not stateless else None
    if session is not None:
        assert (await session.call("echo", text="still here")).text == "still here"
    assert (await client.call("echo", text="still here")).text == "still here"
    assert len(client.app.engine.inflight) == 0  # type: ignore[attr-defined]
    await client.app.close()  # type: ignore[attr-defined]
    await end_what_is_left()


async def end_what_is_left() -> None:
    """Cancel what a hung-up request may still have under way."""
    left = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
    for task in left:
        task.cancel()
    await asyncio.gather(*left, return_exceptions=True)


def test_http_with_messages_made_by_hypothesis() -> None:
    made: list[bytes] = []

    @settings(
        max_examples=amount("hypothesis"),
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(messages_like)
    def collect(built: Any) -> None:
        made.append(json.dumps(built).encode())

    collect()
    assert len(made) >= amount("hypothesis") // 2
    asyncio.run(send_all(made))


async def send_all(made: list[bytes]) -> None:
    client = HttpClient(make_server().asgi())
    session = await client.initialize("2025-03-26")
    fuzzer = HttpFuzzer(0, "hypothesis")
    for number, body in enumerate(made):
        headers = session.own if number % 2 else [(b"mcp-protocol-version", MODERN.encode())]
        sent = ("POST", client.headers(*headers), body)
        try:
            fuzzer.check(sent, await client.raw(*sent))
        except AssertionError as error:
            raise AssertionError(f"seed {SEED}: {error} for {body!r}") from error
    assert (await session.call("echo", text="still here")).text == "still here"


# HTTP over sockets

LIVE = "from tests.fuzz.target import make_server\napp = make_server().asgi()\n"


def read_http(sock: socket.socket, *, head_only: bool) -> Answer:
    """One answer of a connection that stays open."""
    data = b""
    while b"\r\n\r\n" not in data:
        part = sock.recv(65536)
        assert part, "the server closed without an answer"
        data += part
    head, _, rest = data.partition(b"\r\n\r\n")
    status, *lines = head.split(b"\r\n")
    headers = []
    for line in lines:
        name, _, value = line.partition(b":")
        headers.append((name.strip().lower(), value.strip()))
    found = dict(headers)
    if head_only or status.split()[1] == b"204":
        return Answer(int(status.split()[1]), headers, b"")
    if found.get(b"transfer-encoding") == b"chunked":
        while not rest.endswith(b"0\r\n\r\n"):
            part = sock.recv(65536)
            assert part
            rest += part
        body = b""
        while rest:
            size, _, rest = rest.partition(b"\r\n")
            body += rest[: int(size, 16)]
            rest = rest[int(size, 16) + 2 :]
        return Answer(int(status.split()[1]), headers, body)
    length = int(found.get(b"content-length", b"0"))
    while len(rest) < length:
        part = sock.recv(65536)
        assert part
        rest += part
    return Answer(int(status.split()[1]), headers, rest)


def run_socket(fuzzer: HttpFuzzer, server: LiveServer, number: int, failures: list[BaseException]) -> None:
    sock = server.connect(DEADLINE)
    try:
        for _ in range(number):
            method, headers, body = sent = fuzzer.next()
            lines = [f"{method} /mcp HTTP/1.1".encode(), b"Host: 127.0.0.1:%d" % server.port]
            lines += [name + b": " + value for name, value in headers if name not in (b"host", b"content-length")]
            lines.append(b"Content-Length: %d" % len(body))
            data = b"\r\n".join(lines) + b"\r\n\r\n" + body
            if fuzzer.rng.random() < 0.02:
                sock.sendall(data[: fuzzer.rng.randrange(len(data))])
                sock.close()
                sock = server.connect(DEADLINE)
                continue
            sock.sendall(data)
            answer = read_http(sock, head_only=method == "HEAD")
            if answer.status == 400 and answer.body.startswith(b"Invalid HTTP"):
                sock.close()  # the web server's own answer to what is no HTTP
                sock = server.connect(DEADLINE)
                continue
            try:
                if method != "HEAD":
                    fuzzer.check(sent, answer)
            except AssertionError as error:
                raise AssertionError(f"seed {SEED}: {error} for {sent}") from error
            if answer.headers.get("connection") == "close":
                sock.close()
                sock = server.connect(DEADLINE)
    except BaseException as error:
        failures.append(error)
    finally:
        sock.close()


def test_http_over_sockets(tmp_path: Path) -> None:
    root = str(Path(__file__).parent.parent.parent)
    with LiveServer(tmp_path, f"import sys\nsys.path.insert(0, {root!r})\n{LIVE}") as server:
        fuzzers = [HttpFuzzer(number, "sockets") for number in range(4)]
        failures: list[BaseException] = []
        per_client = amount("sockets") // len(fuzzers)
        threads = [
            threading.Thread(target=run_socket, args=(fuzzer, server, per_client, failures)) for fuzzer in fuzzers
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if failures:
            raise failures[0]
        assert all(fuzzer.judge.seen for fuzzer in fuzzers)
        still = modern("tools/call", {"name": "echo", "arguments": {"text": "still here"}})
        assert b"still here" in server.modern(still)[2]
        assert server.process.poll() is None
    assert "Traceback" not in server.stderr, server.stderr[-3000:]


# stdio


class StdioFuzzer(Client):
    """A client that writes lines without waiting, and keeps account of what must come back."""

    def __init__(self, number: int, *, stateless: bool) -> None:
        super().__init__(number, "stdio")
        self.stateless = stateless
        self.expected: Counter[Any] = Counter()
        """How many answers must come for an id."""
        self.allowed: Counter[Any] = Counter()
        """How many may: what is no request beyond doubt may still be answered with its id."""
        self.answered: Counter[Any] = Counter()
        self.cancellable: set[Any] = set()

    def line(self) -> bytes:
        built = self.build(stateless=self.stateless)
        data = self.spoil(built).replace(b"\n", b" ").replace(b"\r", b" ")
        request_id = request_id_of(data)
        if request_id is not None:
            self.expected[request_id] += 1
        self.allowed.update(ids_in(data))
        self.cancellable.update(cancels(data))
        return data + b"\n"

    def take(self, data: bytes) -> None:
        """One line of the server."""
        self.judge.canaries(data)
        found = json.loads(data)
        for one in found if isinstance(found, list) else [found]:
            self.judge.message(one)
            if "method" not in one and one["id"] is not None:
                self.answered[one["id"]] += 1

    def missing(self) -> dict[Any, int]:
        """Requests that must still be answered: those that nobody cancelled."""
        missing = self.expected - self.answered
        return {key: number for key, number in missing.items() if key not in self.cancellable}

    def surplus(self) -> dict[Any, int]:
        """Ids that were answered more often than asked."""
        surplus = self.answered - self.allowed
        return {key: number for key, number in surplus.items() if not str(key).startswith("mark-")}


def run_stdio(fuzzer: StdioFuzzer, folder: Path, number: int, failures: list[BaseException]) -> None:
    folder.mkdir()
    root = str(Path(__file__).parent.parent.parent)
    code = f"import sys\nsys.path.insert(0, {root!r})\nfrom tests.fuzz.target import make_server\nmake_server().run()\n"
    try:
        with StdioProcess(folder, code=code) as server:
            if not fuzzer.stateless:
                params = {"protocolVersion": LEGACY, "capabilities": {}, "clientInfo": {"name": "f", "version": "1"}}
                server.send(message("initialize", params, "first"), message("notifications/initialized", None, None))
                assert "result" in server.read()
            talk(fuzzer, server, number)
            server.close_input()
            for left in server.rest():
                fuzzer.take(json.dumps(left).encode())
            assert server.wait() == 0
            assert "Traceback" not in server.stderr, server.stderr[-2000:]
    except BaseException as error:
        failures.append(error)


def talk(fuzzer: StdioFuzzer, server: StdioProcess, number: int) -> None:
    """Rounds of lines, each closed by a request whose answer must come."""
    sent = 0
    while sent < number:
        lines = [fuzzer.line() for _ in range(fuzzer.rng.randrange(1, 40))]
        sent += len(lines)
        mark = f"mark-{sent}"
        built = message("tools/call", {"name": "echo", "arguments": {"text": fuzzer.canary}}, mark)
        if fuzzer.stateless:
            built["params"]["_meta"] = meta(fuzzer.rng, fuzzer.canary)
        server.write(b"".join(lines) + json.dumps(built).encode() + b"\n")
        deadline = time.monotonic() + DEADLINE
        marked = False
        while not marked or fuzzer.missing():
            if time.monotonic() > deadline:
                raise AssertionError(f"seed {SEED}: no answer to {fuzzer.missing()} after {lines}")
            data = server.line()
            try:
                fuzzer.take(data)
            except AssertionError as error:
                raise AssertionError(f"seed {SEED}: {error} after {lines}") from error
            marked = marked or (data.startswith(b"{") and json.loads(data).get("id") == mark)


def test_stdio(tmp_path: Path) -> None:
    fuzzers = [StdioFuzzer(number, stateless=bool(number % 2)) for number in range(4)]
    failures: list[BaseException] = []
    per_client = amount("stdio") // len(fuzzers)
    threads = [
        threading.Thread(target=run_stdio, args=(fuzzer, tmp_path / str(number), per_client, failures))
        for number, fuzzer in enumerate(fuzzers)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]
    assert all(fuzzer.judge.seen for fuzzer in fuzzers)
    for fuzzer in fuzzers:
        assert fuzzer.surplus() == {}, f"seed {SEED}: answered more than once"
