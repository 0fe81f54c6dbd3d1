"""Fuzzing over HTTP and stdio: many connections, each with its own canary (`tests/fuzz/clients.py` says how much).

What must hold: no crash, no 5xx, no request without its answer or with two, no
canary on another connection, no long error text; and at the end the server still answers.
"""

from __future__ import annotations

import asyncio
import json
import socket
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings

from tests.fuzz.clients import DEADLINE, SEED, Client, HttpFuzzer, amount
from tests.fuzz.judge import cancels, ids_in, request_id_of
from tests.fuzz.target import make_server
from tests.fuzz.traffic import messages_like, meta
from tests.support.http_client import LEGACY, MODERN, Answer, HttpClient, message, modern
from tests.support.live_server import LiveServer
from tests.support.stdio_process import StdioProcess


@pytest.fixture(autouse=True)
def seed_in_every_failure() -> None:
    print(f"CLOCHE_FUZZ_SEED={SEED}")  # pytest shows it when a test fails


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


@pytest.mark.parametrize("sessionless", [False, True])
def test_http_in_process(sessionless: bool) -> None:
    asyncio.run(fuzz_in_process(sessionless))  # without the deadline of one test: a long run takes longer


async def fuzz_in_process(sessionless: bool) -> None:
    client = HttpClient(make_server().asgi(sessionless=sessionless))
    fuzzers = [HttpFuzzer(number, f"asgi-{sessionless}") for number in range(8)]
    share = amount("asgi") * (1 if sessionless else 3) // 4
    per_client = max(1, share // len(fuzzers))
    await asyncio.gather(*(run_asgi(fuzzer, client, per_client) for fuzzer in fuzzers))
    assert all(fuzzer.judge.seen > per_client // 20 for fuzzer in fuzzers)
    session = await client.initialize() if not sessionless else None
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
                sock.close()  # the web server's own answer to what is not HTTP
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
        """How many may: what is not a request beyond doubt may still be answered with its id."""
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
