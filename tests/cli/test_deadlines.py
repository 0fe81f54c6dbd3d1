"""H24: connections that are slow, silent, too large or too many, against ours and against plain uvicorn."""

from __future__ import annotations

import select
import signal
import socket
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.command import CLOCHE, DEADLINE, Running, serving, started, write

APP = str(Path(__file__).with_name("slow_app.py"))
REQUEST = b"POST /echo HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n\r\nhi"


@contextmanager
def slow_app(folder: Path, which: str, *options: str) -> Generator[Running, None, None]:
    with started([APP, which, *options], folder) as running:
        yield running


@pytest.fixture(scope="module", params=["httptools", "h11"])
def parser(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def plain(parser: str, tmp_path_factory: pytest.TempPathFactory) -> Generator[Running, None, None]:
    """uvicorn as it is: the control."""
    with slow_app(tmp_path_factory.mktemp("plain"), "plain", parser) as running:
        yield running


@pytest.fixture(scope="module")
def ours(parser: str, tmp_path_factory: pytest.TempPathFactory) -> Generator[Running, None, None]:
    """Ours, with short limits."""
    folder = tmp_path_factory.mktemp("ours")
    with slow_app(folder, "ours", parser, "header_timeout=0.4", "body_timeout=0.6") as running:
        yield running


def drip(sock: socket.socket, drop: bytes) -> bytes:
    """Send a little again and again until the other side answers or hangs up; returns all it said."""
    end = time.monotonic() + DEADLINE
    while time.monotonic() < end:
        readable, _, _ = select.select([sock], [], [], 0.05)
        if readable:
            return read_all(sock)
        if drop:
            sock.sendall(drop)
    raise AssertionError("it is still open")


def read_all(sock: socket.socket) -> bytes:
    """Everything up to the end of the connection."""
    received = b""
    try:
        while data := sock.recv(65536):
            received += data
    except ConnectionResetError:  # bytes of ours that it had not read any more
        pass
    return received


def read_answer(sock: socket.socket, body: bytes) -> bytes:
    """One answer, up to the end of its body."""
    received = b""
    while not received.endswith(b"\r\n\r\n" + body):
        data = sock.recv(65536)
        assert data, received
        received += data
    return received


def is_open(sock: socket.socket) -> bool:
    """Whether the other side has said nothing and not hung up."""
    return not select.select([sock], [], [], 0)[0]


# What begins a request, what is sent again and again, and what would end it.
ATTACKS = {
    "silent": (b"", b"", REQUEST),
    "a header now and then": (b"POST /echo HTTP/1.1\r\nhost: x\r\n", b"x-a: b\r\n", b"content-length: 2\r\n\r\nhi"),
    "a letter now and then": (b"POST /echo", b"o", b" HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n\r\nhi"),
}
EMPTY_LINES = (b"\r\n", b"\r\n", REQUEST)  # h11 calls them an error, httptools skips them


@pytest.mark.parametrize("how", ATTACKS)
def test_H24_slowloris_headers_are_answered_408_and_closed(plain: Running, ours: Running, how: str) -> None:
    beginning, drop, end = ATTACKS[how]
    with plain.connect() as control, ours.connect() as attacked:
        control.sendall(beginning)
        attacked.sendall(beginning)
        answer = drip(attacked, drop)
        assert answer.startswith(b"HTTP/1.1 408 Request Timeout\r\n"), answer
        assert answer.endswith(b"The request's headers were not complete within 0.4 s")
        assert is_open(control)
        control.sendall(drop + end)
        assert read_answer(control, b"hi").startswith(b"HTTP/1.1 200 ")
    with ours.connect() as sock:
        sock.sendall(REQUEST)
        assert read_answer(sock, b"hi").startswith(b"HTTP/1.1 200 ")


@pytest.mark.parametrize("how", ["a header now and then", "a letter now and then"])
def test_H24_slowloris_second_request_of_a_connection(plain: Running, ours: Running, how: str) -> None:
    second_request(plain, ours, *ATTACKS[how])


def test_H24_slowloris_empty_lines_before_a_second_request(parser: str, plain: Running, ours: Running) -> None:
    second_request(plain, ours, *(EMPTY_LINES if parser == "httptools" else ATTACKS["a letter now and then"]))


def second_request(plain: Running, ours: Running, beginning: bytes, drop: bytes, end: bytes) -> None:
    with plain.connect() as control, ours.connect() as attacked:
        for sock in (control, attacked):
            sock.sendall(REQUEST)
            read_answer(sock, b"hi")
            sock.sendall(beginning)
        assert drip(attacked, drop).startswith(b"HTTP/1.1 408 ")
        assert is_open(control)
        control.sendall(drop + end)
        assert read_answer(control, b"hi").startswith(b"HTTP/1.1 200 ")


def test_H24_slowloris_rest_of_a_pipelined_request(ours: Running) -> None:
    with ours.connect() as attacked:
        attacked.sendall(REQUEST + b"POST /echo HTTP/1.1\r\nhost:")
        answers = b""
        while b"HTTP/1.1 408 " not in answers:
            answers += drip(attacked, b"")
        assert answers.startswith(b"HTTP/1.1 200 ")
        assert b"\r\n\r\nhiHTTP/1.1 408 " in answers


def test_H24_slow_body(plain: Running, ours: Running) -> None:
    beginning = b"POST /echo HTTP/1.1\r\nhost: x\r\ncontent-length: 100000\r\n\r\n"
    with plain.connect() as control, ours.connect() as attacked:
        control.sendall(beginning)
        attacked.sendall(beginning)
        answer = drip(attacked, b"x")
        assert answer.startswith(b"HTTP/1.1 408 "), answer
        assert answer.endswith(b"The request's body was not complete within 0.6 s")
        assert is_open(control)


def test_H24_slow_body_after_the_answer(ours: Running) -> None:
    with ours.connect() as attacked:
        attacked.sendall(b"POST /early HTTP/1.1\r\nhost: x\r\ncontent-length: 100000\r\n\r\n")
        read_answer(attacked, b"early")
        assert drip(attacked, b"x") == b""


def test_H24_a_long_answer_is_not_cut(ours: Running) -> None:
    with ours.connect() as patient, ours.connect() as attacker:
        patient.sendall(b"POST /wait HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n\r\nhi")
        assert drip(attacker, b"").startswith(b"HTTP/1.1 408 ")
        assert is_open(patient)
        with ours.connect() as other:
            other.sendall(REQUEST.replace(b"/echo", b"/release"))
            read_answer(other, b"hi")
        assert read_answer(patient, b"hi").startswith(b"HTTP/1.1 200 ")


def test_headers_that_are_too_large(parser: str, tmp_path: Path) -> None:
    with slow_app(tmp_path, "ours", parser) as running, running.connect() as sock:
        sock.sendall(b"POST /echo HTTP/1.1\r\nhost: x\r\n")
        answer = drip(sock, b"x-a: " + b"b" * 8000 + b"\r\n")
        # h11 counts for itself and calls it a bad request.
        assert answer.startswith(b"HTTP/1.1 431 " if parser == "httptools" else b"HTTP/1.1 400 "), answer


def test_H24_connections_of_one_address_are_limited(parser: str, tmp_path: Path) -> None:
    with slow_app(tmp_path, "ours", parser, "connections=3") as running:
        held = [running.connect() for _ in range(3)]
        for sock in held:
            sock.sendall(REQUEST)
            read_answer(sock, b"hi")
        with running.connect() as one_more:
            refused = read_all(one_more)
            assert refused.startswith(b"HTTP/1.1 503 Service Unavailable\r\n")
            assert refused.endswith(b"3 connections from one address is the limit: --max-connections raises it")
        held.pop().close()
        assert eventually_served(running)
        for sock in held:
            sock.close()


def eventually_served(running: Running) -> bool:
    """Whether a place becomes free: the server sees the end of a connection a moment after we closed it."""
    end = time.monotonic() + DEADLINE
    while time.monotonic() < end:
        with running.connect() as sock:
            sock.sendall(REQUEST)
            if sock.recv(65536).startswith(b"HTTP/1.1 200"):
                return True
    return False


def stopping(running: Running, stream: socket.socket, call: socket.socket) -> None:
    """Open a stream and a call, stop the server, and see the stream end at once and the call go on."""
    stream.sendall(b"GET /stream HTTP/1.1\r\nhost: x\r\n\r\n")
    read_answer(stream, b"8\r\n: open\n\n\r\n")
    call.sendall(b"POST /wait HTTP/1.1\r\nhost: x\r\nexpect: 100-continue\r\ncontent-length: 2\r\n\r\n")
    read_answer(call, b"")  # "100 Continue": the application has begun
    call.sendall(b"hi")
    running.process.terminate()
    assert read_all(stream) == b""
    assert is_open(call)


def test_a_stop_ends_streams_at_once_and_lets_calls_finish(parser: str, tmp_path: Path) -> None:
    with slow_app(tmp_path, "ours", parser) as running, running.connect() as stream, running.connect() as call:
        stopping(running, stream, call)
        running.process.send_signal(signal.SIGUSR1)
        assert read_answer(call, b"hi").startswith(b"HTTP/1.1 200 ")
        assert running.process.wait(3.0) == 0


def test_a_stop_does_not_wait_for_a_call_that_never_ends(parser: str, tmp_path: Path) -> None:
    with slow_app(tmp_path, "ours", parser) as running, running.connect() as stream, running.connect() as call:
        stopping(running, stream, call)
        assert read_all(call) == b""
        assert running.process.wait(3.0) == 0
        assert running.process.stderr is not None
        assert running.process.stderr.read() == ""


def test_H24_slowloris_against_the_command(tmp_path: Path) -> None:
    write(tmp_path, CLOCHE)
    with serving("server.py", "--http", "0", "--header-timeout", "0.4", folder=tmp_path) as running:
        with running.connect() as attacked:
            attacked.sendall(b"POST /mcp HTTP/1.1\r\nhost: x\r\n")
            assert drip(attacked, b"x-a: b\r\n").startswith(b"HTTP/1.1 408 ")
        assert running.stop() == 0
