"""stdio against everything that is not a well-behaved client: real processes, real pipes."""

from __future__ import annotations

import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.http_client import message, modern
from tests.support.stdio_process import StdioProcess

INFO = {"name": "x", "version": "1"}


def initialize(version: str = "2025-11-25") -> dict[str, Any]:
    return message("initialize", {"protocolVersion": version, "capabilities": {}, "clientInfo": INFO}, "init")


def call(tool: str, request_id: Any = 1, **arguments: Any) -> dict[str, Any]:
    return message("tools/call", {"name": tool, "arguments": arguments}, request_id)


INITIALIZED = message("notifications/initialized", None, None)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[StdioProcess]:
    """A server that has shaken hands."""
    with StdioProcess(tmp_path) as process:
        assert process.ask(initialize())["result"]["protocolVersion"] == "2025-11-25"
        process.send(INITIALIZED)
        yield process


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[StdioProcess]:
    """A server nobody has spoken to."""
    with StdioProcess(tmp_path) as process:
        yield process


def check_alive(server: StdioProcess) -> None:
    assert server.ask(call("echo", "alive", text="still here"))["result"]["content"][0]["text"] == "still here"


def check_leaves_quietly(server: StdioProcess) -> None:
    server.close_input()
    assert server.wait() == 0
    assert server.stderr == ""


GARBAGE = {
    "invalid UTF-8": (b"\xff\xfe\xfd", -32700),
    "invalid UTF-8 in a message": (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"\xff"}}', -32700),
    "half a message": (b'{"jsonrpc":', -32700),
    "NUL": (b"\x00", -32700),
    "BOM": (b'\xef\xbb\xbf{"jsonrpc":"2.0","id":1,"method":"ping"}', -32700),
    "HTTP": (b"GET / HTTP/1.1", -32700),
    "Content-Length as language servers do": (b"Content-Length: 100", -32700),
    "NaN": (b"NaN", -32700),
    "deep": (b"[" * 100_000, -32700),
    "no message": (b"{}", -32600),
    "null": (b"null", -32600),
    "empty batch": (b"[]", -32600),
    "batch": (b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600),
    "id is null": (b'{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600),
    "method twice": (b'{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/call"}', -32700),
}


@pytest.mark.parametrize("case", GARBAGE)
def test_garbage_is_answered_in_one_sentence_and_the_next_line_works(case: str, server: StdioProcess) -> None:
    data, code = GARBAGE[case]
    server.write(data + b"\n")
    answer = server.line()
    assert json.loads(answer)["error"]["code"] == code
    assert len(answer) < 300
    check_alive(server)
    check_leaves_quietly(server)


def test_a_line_of_ten_megabytes_is_skipped_without_being_kept(server: StdioProcess) -> None:
    for line in (b"x" * 10_000_000, json.dumps(call("echo", text="x" * 10_000_000)).encode()):
        server.write(line + b"\n")
        answer = server.read()
        assert answer["error"]["code"] == -32700
        assert "4194304" in answer["error"]["message"]
        assert answer["id"] is None
        check_alive(server)
    memory = Path(f"/proc/{server.process.pid}/status").read_text()
    peak = int(memory.split("VmHWM:")[1].split()[0]) >> 10
    assert peak < 100  # megabytes; with the line kept it would be well over
    long = "y" * 4_000_000
    assert server.ask(call("echo", 2, text=long))["result"]["content"][0]["text"] == long  # just within the limit
    check_leaves_quietly(server)


def test_empty_lines_and_windows_line_ends_are_fine(server: StdioProcess) -> None:
    server.write(b"\n\r\n   \n\t\n" + json.dumps(call("echo", 7, text="crlf")).encode() + b"\r\n\r\n")
    assert server.read()["result"]["content"][0]["text"] == "crlf"
    check_alive(server)
    check_leaves_quietly(server)


def test_a_message_may_come_in_any_pieces(server: StdioProcess) -> None:
    data = json.dumps(call("echo", 1, text="é" * 50), ensure_ascii=False).encode() + b"\n"
    for at in range(0, len(data), 7):
        server.write(data[at : at + 7])
    assert server.read()["result"]["content"][0]["text"] == "é" * 50
    several = [call("echo", number, text=f"{number}") for number in range(3)]
    server.write(b"\n".join(json.dumps(one).encode() for one in several) + b"\n")
    assert sorted(server.read()["id"] for _ in range(3)) == [0, 1, 2]


def test_nobody_reads_any_more(server: StdioProcess) -> None:
    """The client closed its reading end and keeps its writing end: the server ends, with no word."""
    assert server.process.stdout
    server.process.stdout.close()
    server.send(call("echo", 1, text="x"))
    assert server.wait() == 0
    assert server.stderr == ""


def test_nobody_reads_while_much_is_written(server: StdioProcess) -> None:
    assert server.process.stdout
    server.send(*(call("big", number, size=1_000_000) for number in range(5)))
    server.process.stdout.close()
    assert server.wait() == 0
    assert server.stderr == ""


def test_input_ends_while_a_tool_runs(server: StdioProcess) -> None:
    server.send(call("slow", 1), call("echo", 2, text="quick"))
    server.close_input()
    assert {answer["id"] for answer in server.rest()} == {1, 2}
    assert server.wait() == 0
    assert server.stderr == ""


def test_input_ends_in_the_middle_of_a_line(server: StdioProcess) -> None:
    server.write(b'{"jsonrpc":"2.0","id":1,"meth')
    server.close_input()
    assert [answer["error"]["code"] for answer in server.rest()] == [-32700]
    assert server.wait() == 0
    assert server.stderr == ""


def test_input_ends_while_a_tool_hangs(server: StdioProcess) -> None:
    server.send(call("hang", 1), call("echo", 2, text="x"))
    assert server.read()["id"] == 2
    server.close_input()
    assert server.wait() == 0
    assert server.stderr == "hanging\n"


@pytest.mark.parametrize("size", [10, 5_000, 300_000, 3_000_000])
@pytest.mark.parametrize("end", [b"\n", b""])
def test_input_ends_right_after_a_request_which_is_still_answered_whole(
    size: int, end: bytes, fresh: StdioProcess
) -> None:
    body = modern("tools/call", {"name": "big", "arguments": {"size": size}})
    fresh.write(json.dumps(body).encode() + end)
    fresh.close_input()
    (answer,) = fresh.rest()
    assert len(answer["result"]["content"][0]["text"]) == size
    assert fresh.wait() == 0
    assert fresh.stderr == ""


def test_what_tools_print_goes_to_stderr_and_never_into_the_protocol(server: StdioProcess) -> None:
    answer = server.ask(call("noisy", 1))
    assert answer["result"]["content"][0]["text"] == "quiet '' b''"  # nor can a tool read the protocol's input
    check_alive(server)
    server.close_input()
    assert server.rest() == []
    assert server.wait() == 0
    assert sorted(server.stderr.splitlines()) == [
        "echoed",
        "printed",
        "printed by a child",
        "printed to the original",
        "written",
        "written to 1",
    ]


def test_without_that_protection_a_print_corrupts_the_stream(tmp_path: Path) -> None:
    """The control: what a tool prints would stand between the messages."""
    code = "import sys\nprint('printed', flush=True)\nprint('{}', flush=True)\nsys.stdin.read()\n"
    with StdioProcess(tmp_path, code=code) as naive, pytest.raises(json.JSONDecodeError):
        naive.read()


def test_stdin_may_be_a_file(tmp_path: Path) -> None:
    file = tmp_path / "requests.jsonl"
    requests = [modern("tools/call", {"name": "echo", "arguments": {"text": f"{n}"}}, n) for n in range(200)]
    file.write_text("\n".join(json.dumps(request) for request in requests))
    with file.open("rb") as stdin, StdioProcess(tmp_path, stdin=stdin) as server:
        assert sorted(answer["id"] for answer in server.rest()) == list(range(200))
        assert server.wait() == 0
        assert server.stderr == ""


@pytest.mark.parametrize("stdin", [subprocess.DEVNULL, "closed"])
def test_without_input_it_ends_at_once(stdin: Any, tmp_path: Path) -> None:
    if stdin == "closed":
        reader, writer = os.pipe()
        os.close(writer)
        stdin = reader
    with StdioProcess(tmp_path, stdin=stdin) as server:
        assert server.rest() == []
        assert server.wait() == 0
        assert server.stderr == ""


def test_input_and_output_may_be_one_socket(tmp_path: Path) -> None:
    ours, theirs = socket.socketpair()
    with ours, StdioProcess(tmp_path, stdin=theirs.fileno(), stdout=theirs.fileno()) as server:
        theirs.close()
        ours.settimeout(20)
        ours.sendall(
            json.dumps(modern("tools/call", {"name": "big", "arguments": {"size": 3_000_000}})).encode() + b"\n"
        )
        data = b""
        while not data.endswith(b"\n"):
            part = ours.recv(1 << 20)
            assert part, server.stderr
            data += part
        assert len(json.loads(data)["result"]["content"][0]["text"]) == 3_000_000
        ours.shutdown(socket.SHUT_WR)
        assert server.wait() == 0


def test_a_client_that_writes_much_before_it_reads_is_answered_in_full(server: StdioProcess) -> None:
    number = 2000
    server.send(*(call("echo", n, text="x" * 100) for n in range(number)))
    answers = [server.read() for _ in range(number)]
    assert sorted(answer["id"] for answer in answers if "result" in answer) == list(range(number))
    check_alive(server)
    check_leaves_quietly(server)


def test_a_client_that_never_reads_makes_the_server_stop_reading_not_grow(server: StdioProcess) -> None:
    """Back-pressure: our writes come to a stop long before everything is answered into memory."""
    assert server.process.stdin
    pipe = server.process.stdin.fileno()
    os.set_blocking(pipe, False)
    most = 3000
    waiting = b"".join(json.dumps(call("echo", n, text="x" * 20_000)).encode() + b"\n" for n in range(most))
    size, sent = len(waiting), 0
    while select.select([], [pipe], [], 1.0)[1] and sent < size:
        sent += os.write(pipe, waiting[sent : sent + 65536])
    assert sent < size // 2
    status = Path(f"/proc/{server.process.pid}/status").read_text()
    assert int(status.split("VmHWM:")[1].split()[0]) >> 10 < 100
    # Once it reads, nothing was lost.
    os.set_blocking(pipe, True)
    writer = threading.Thread(target=server.write, args=(waiting[sent:],))
    writer.start()
    assert {server.read()["id"] for _ in range(most)} == set(range(most))
    writer.join()
    check_alive(server)


def test_batches_are_where_2025_03_26_allows_them(fresh: StdioProcess) -> None:
    assert fresh.ask([message("ping")])["error"]["code"] == -32600  # before initialize there is no version yet
    assert fresh.ask(initialize("2025-03-26"))["result"]["protocolVersion"] == "2025-03-26"
    fresh.send(INITIALIZED)
    batch = [call("echo", 1, text="a"), INITIALIZED, call("nope", 2), 5, {"jsonrpc": "2.0", "id": 3}, initialize()]
    answers = fresh.ask(batch)
    assert [answer["id"] for answer in answers] == [1, 2, None, 3, "init"]
    assert [answer["error"]["code"] for answer in answers[1:]] == [-32602, -32600, -32600, -32600]
    fresh.send([message("notifications/x", None, None)])  # nothing to answer
    check_alive(fresh)
    assert fresh.ask([message("ping")] * 101)["error"]["code"] == -32600
    check_leaves_quietly(fresh)


def test_before_initialize_only_ping_is_answered(fresh: StdioProcess) -> None:
    for method, params in (("tools/list", {}), ("tools/call", {"name": "echo"}), ("resources/read", {"uri": "x://y"})):
        answer = fresh.ask(message(method, params, method))
        assert answer == {
            "jsonrpc": "2.0",
            "id": method,
            "error": {"code": -32600, "message": "Connection not initialized"},
        }
    fresh.send(
        INITIALIZED,
        message("notifications/cancelled", {"requestId": 1}, None),
        {"jsonrpc": "2.0", "id": 1, "result": {}},
    )
    assert fresh.ask(message("ping"))["result"] == {}
    assert "result" in fresh.ask(initialize())
    fresh.send(INITIALIZED)
    assert fresh.ask(initialize())["error"]["message"] == "Already initialized"
    check_alive(fresh)
    check_leaves_quietly(fresh)


def test_an_id_in_flight_is_refused_and_the_first_goes_on(server: StdioProcess) -> None:
    server.send(call("slow", 1), call("echo", 1, text="second"))
    first, second = server.read(), server.read()
    assert (first["id"], first["error"]["code"]) == (1, -32600)
    assert second["result"]["content"][0]["text"] == "slow"
    check_leaves_quietly(server)


@pytest.mark.parametrize("busy", [False, True])
def test_an_interrupt_ends_it_quietly(busy: bool, server: StdioProcess) -> None:
    if busy:
        server.send(call("hang", 1))
    check_alive(server)
    server.process.send_signal(signal.SIGINT)
    assert server.wait() == 0
    assert server.stderr in ("", "hanging\n")


def test_what_a_file_prints_at_import_is_not_between_the_messages(tmp_path: Path) -> None:
    file = tmp_path / "server.py"
    file.write_text(
        "from cloche import Server\nserver = Server('chatty')\nprint('printed at import')\n"
        "if __name__ == '__main__':\n    server.run()\n",
        "utf-8",
    )
    ping = '{"jsonrpc": "2.0", "id": 1, "method": "ping"}\n'
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    done = subprocess.run(
        [sys.executable, str(file)],
        input=ping,
        capture_output=True,
        text=True,
        timeout=30,
        check=True,
        env=environment,
    )
    assert [json.loads(line)["id"] for line in done.stdout.splitlines()] == [1]
    assert done.stderr == "printed at import\n"
