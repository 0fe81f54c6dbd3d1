"""`StdioTransport` against real processes: those that behave, those that print, hang, ignore signals and die."""

from __future__ import annotations

import asyncio
import gc
import json
import os
import signal
import sys
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import uvloop

from cloche.errors import (
    ConfigurationError,
    InvalidRequestError,
    RequestTimeoutError,
    ServerExitedError,
    TransportClosedError,
)
from cloche.transports.outlet import ASKED_WHILE_FULL
from cloche.transports.stdio import client as stdio_client
from cloche.transports.stdio.client import INHERITED_VARIABLES, StdioTransport
from tests.support.stdio_process import CODE as SERVER

ECHO = """
import sys
for line in sys.stdin.buffer:
    sys.stdout.buffer.write(line)
    sys.stdout.buffer.flush()
"""
DEAF = "import signal; signal.pause()"
STUBBORN = """
import signal, sys
signal.signal(signal.SIGTERM, signal.SIG_IGN)
sys.stdout.write('{"jsonrpc": "2.0", "method": "x"}\\n'); sys.stdout.flush()
while True: signal.pause()
"""
INITIALIZE = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}


def python(code: str) -> list[str]:
    return [sys.executable, "-c", code]


@asynccontextmanager
async def started(code: str, **options: Any) -> AsyncIterator[StdioTransport]:
    transport = await StdioTransport.start(python(code), **options)
    try:
        yield transport
    finally:
        await transport.close()


@asynccontextmanager
async def serving() -> AsyncIterator[StdioTransport]:
    """A server of ours that has shaken hands."""
    async with started(SERVER) as transport:
        await transport.request("initialize", INITIALIZE)
        await transport.notify("notifications/initialized")
        yield transport


async def call(transport: StdioTransport, tool: str, **arguments: Any) -> str:
    result = await transport.request("tools/call", {"name": tool, "arguments": arguments})
    text: str = result["content"][0]["text"]
    return text


async def until(condition: Callable[[], Any], seconds: float = 10.0) -> None:
    """Wait for what has no event of its own: the system's view of processes, threads and descriptors."""
    async with asyncio.timeout(seconds):
        while not condition():  # noqa: ASYNC110
            await asyncio.sleep(0.01)


def messages(transport: StdioTransport) -> asyncio.Queue[bytes]:
    queue: asyncio.Queue[bytes] = asyncio.Queue()
    transport.on_message(queue.put_nowait)
    return queue


def exists(pid: int) -> bool:
    return os.path.exists(f"/proc/{pid}")


def descriptors() -> set[str]:
    return {f"{one}:{os.readlink(f'/proc/self/fd/{one}')}" for one in os.listdir("/proc/self/fd") if _is_open(one)}


def _is_open(descriptor: str) -> bool:
    return os.path.lexists(f"/proc/self/fd/{descriptor}")


# Talking


async def test_requests_are_answered() -> None:
    async with serving() as server:
        assert await call(server, "echo", text="hello é") == "hello é"
        texts = [str(number) for number in range(200)]
        assert await asyncio.gather(*(call(server, "echo", text=text) for text in texts)) == texts
        assert len(await call(server, "big", size=3_000_000)) == 3_000_000
    assert server.returncode == 0


async def test_what_prints_between_the_messages_is_counted_and_dropped() -> None:
    code = """
import sys
print("Listening on stdio"); print(); print("   "); print("[1] ready"); print("> ", end="\\n\\n")
sys.stdout.buffer.write(b"\\xff\\xfe\\n")
for line in sys.stdin:
    print("got a line"); print("{'a': 1}")
    print('{"jsonrpc": "2.0", "id": "request-1", "result": {"ok": true}}', flush=True)
"""
    async with started(code) as server:
        assert await server.request("ping", request_id="request-1") == {"ok": True}
        assert server.dropped == 6
        assert server.is_connected


async def test_an_answer_that_is_too_long_becomes_an_error_and_the_next_one_arrives() -> None:
    code = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": "x" * asked["params"]["size"]}), flush=True)
"""
    async with started(code, limit=1000) as server:
        for size in (2_000, 3_000_000):
            with pytest.raises(InvalidRequestError, match="over 1000 bytes"):
                await server.request("x", {"size": size})
        assert await server.request("x", {"size": 900}) == "x" * 900
        assert server.dropped == 2


async def test_a_message_with_line_breaks_is_still_one_line() -> None:
    async with started(ECHO) as server:
        heard = messages(server)
        await server.send(b'{\r\n  "jsonrpc": "2.0",\n  "method": "x"\n}')
        assert json.loads(await heard.get()) == {"jsonrpc": "2.0", "method": "x"}


async def test_a_message_may_come_in_any_pieces() -> None:
    code = """
import sys
data = '{"jsonrpc": "2.0", "method": "é"}\\r\\n\\n{"jsonrpc": "2.0", "method": "b"}'.encode()
for at in range(len(data)):
    sys.stdout.buffer.write(data[at : at + 1]); sys.stdout.buffer.flush()
sys.stdout.buffer.write(b"\\n"); sys.stdout.buffer.flush()
sys.stdin.read()
"""
    async with started(code) as server:
        heard = messages(server)
        assert [json.loads(await heard.get())["method"] for _ in range(2)] == ["é", "b"]


# Room


async def test_a_server_that_does_not_read_makes_send_wait() -> None:
    async with started(DEAF) as server:
        data = b'{"jsonrpc": "2.0", "method": "%s"}' % (b"x" * 60_000)
        sending = [asyncio.create_task(server.send(data)) for _ in range(100)]
        _, waiting = await asyncio.wait(sending, timeout=0.3)
        assert len(waiting) > 90, "the system's buffers take a few"
        os.kill(server.pid, signal.SIGKILL)
        outcomes = await asyncio.gather(*sending, return_exceptions=True)
        assert {type(one) for one in outcomes if one} <= {TransportClosedError, ServerExitedError}
        assert len([one for one in outcomes if one]) == len(waiting)


async def test_what_waited_for_room_arrives_in_order() -> None:
    async with started(ECHO) as server:
        heard = messages(server)
        body = "x" * 20_000
        names = [str(number) for number in range(200)]
        lines = [json.dumps({"jsonrpc": "2.0", "method": name, "params": [body]}).encode() for name in names]
        await asyncio.gather(*(server.send(line) for line in lines))
        assert [json.loads(await heard.get())["method"] for _ in lines] == names


async def test_asking_much_at_once_and_being_answered_much_does_not_lock_up() -> None:
    """Both sides have more to write than pipes hold: one of them must go on reading, and that is the client."""
    async with serving() as server:
        text = "x" * 50_000
        answers = await asyncio.gather(*(call(server, "echo", text=text) for _ in range(200)))
        assert answers == [text] * 200


async def test_a_server_that_asks_and_never_reads_is_read_no_further() -> None:
    code = """
import sys
request = b'{"jsonrpc": "2.0", "id": %d, "method": "roots/list", "params": {"x": "' + b"y" * 10_000 + b'"}}\\n'
for number in range(20_000):
    sys.stdout.buffer.write(request % number)
    print(number, file=sys.stderr, flush=True)
"""
    async with started(code, stderr="collect") as server:
        taken = 0

        def answer(data: bytes) -> None:
            nonlocal taken
            taken += 1
            answering.append(asyncio.ensure_future(server.send(b"z" * 10_000)))

        answering: list[asyncio.Future[None]] = []
        server.on_message(answer)
        output: Any = server._process.get_pipe_transport(1)
        await until(lambda: not output.is_reading())
        assert taken < ASKED_WHILE_FULL + 200, "what was in the pipes when reading stopped"
        assert sum(not one.done() for one in answering) >= ASKED_WHILE_FULL
        await server.close()
        await asyncio.gather(*answering, return_exceptions=True)


# The end


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
async def test_the_death_of_the_process_ends_the_connection_once(number: int) -> None:
    async with serving() as server:
        ends: list[str] = []
        server.on_close(lambda: ends.append("end"))
        hanging = asyncio.create_task(call(server, "hang"))
        assert await call(server, "echo", text="under way") == "under way"
        os.kill(server.pid, number)
        with pytest.raises(TransportClosedError, match=r"^Transport is closed$"):
            await hanging
        assert (ends, server.is_connected) == (["end"], False)
        with pytest.raises(TransportClosedError):
            await server.send(b"{}")
        await server.close()
        server.on_close(lambda: ends.append("late"))
    assert ends == ["end", "late"]
    assert not exists(server.pid)


async def test_the_last_words_of_a_server_are_heard() -> None:
    code = """
import sys
sys.stdin.readline()
sys.stdout.write('{"jsonrpc": "2.0", "id": "request-1", "result": "' + "x" * 3_000_000 + '"}\\n')
"""
    async with started(code) as server:
        assert len(await server.request("bye", request_id="request-1")) == 3_000_000


async def test_a_server_that_closes_its_output_and_stays_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stdio_client, "CLOSE_SECONDS", 0.1)
    code = """
import os, signal
print('{"jsonrpc": "2.0", "method": "x"}', flush=True)
os.close(1)
signal.pause()
"""
    async with started(code) as server:
        over = asyncio.Event()
        server.on_close(over.set)
        async with asyncio.timeout(10):
            await over.wait()
        await until(lambda: not exists(server.pid) and server.returncode is not None)
        assert server.returncode == -signal.SIGTERM


async def test_a_grandchild_that_holds_the_pipes_does_not_hold_up_the_end() -> None:
    code = """
import subprocess, sys
child = subprocess.Popen([sys.executable, "-c", "import signal; signal.pause()"])
print('{"jsonrpc": "2.0", "method": "%d"}' % child.pid, flush=True)
sys.stdin.read(1)
"""
    async with started(code) as server:
        heard = messages(server)
        child = int(json.loads(await heard.get())["method"])
        over = asyncio.Event()
        server.on_close(over.set)
        try:
            await server.notify("leave")
            async with asyncio.timeout(10):
                await over.wait()
                await server.close()
        finally:
            os.kill(child, signal.SIGKILL)


async def test_close_ends_a_server_that_waits_for_its_input() -> None:
    server = await StdioTransport.start(python(ECHO))
    await server.close()
    await server.close()
    assert (server.returncode, exists(server.pid)) == (0, False)


@pytest.mark.parametrize(
    ("code", "ended_by"), [(DEAF, signal.SIGTERM), (STUBBORN, signal.SIGKILL)], ids=["deaf", "ignores SIGTERM"]
)
async def test_close_ends_a_server_that_does_not_want_to(
    code: str, ended_by: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stdio_client, "CLOSE_SECONDS", 0.2)
    monkeypatch.setattr(stdio_client, "TERMINATE_SECONDS", 0.2)
    server = await StdioTransport.start(python(code))
    if code is STUBBORN:
        await messages(server).get()  # its handler is in place
    await server.close()
    assert (server.returncode, exists(server.pid)) == (-ended_by, False)


async def test_close_ends_what_the_command_has_started_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stdio_client, "CLOSE_SECONDS", 0.2)
    code = """
import subprocess, sys
child = subprocess.Popen([sys.executable, "-c", "import signal; signal.pause()"])
print('{"jsonrpc": "2.0", "method": "%d"}' % child.pid, flush=True)
child.wait()
"""
    server = await StdioTransport.start(python(code))
    child = int(json.loads(await messages(server).get())["method"])
    await server.close()
    await until(lambda: not exists(child) or "Z" in Path(f"/proc/{child}/stat").read_text().rsplit(")")[1])


async def test_close_that_is_cancelled_kills() -> None:
    server = await StdioTransport.start(python(STUBBORN))
    await messages(server).get()
    closing = asyncio.create_task(server.close())
    await asyncio.sleep(0)
    closing.cancel()
    async with asyncio.timeout(1):  # far less than the steps would take
        with pytest.raises(asyncio.CancelledError):
            await closing
    assert (server.returncode, exists(server.pid)) == (-signal.SIGKILL, False)


async def test_close_while_messages_wait_for_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stdio_client, "CLOSE_SECONDS", 0.2)
    server = await StdioTransport.start(python(DEAF))
    sending = [asyncio.create_task(server.send(b"x" * 100_000)) for _ in range(50)]
    await asyncio.wait(sending, timeout=0.2)
    await server.close()
    outcomes = await asyncio.gather(*sending, return_exceptions=True)
    assert any(isinstance(one, TransportClosedError) for one in outcomes)
    assert not exists(server.pid)


async def lives_of_servers() -> None:
    """Every way a server can end."""
    for kill in (False, True):
        async with serving() as server:
            assert await call(server, "echo", text="x") == "x"
            if kill:
                os.kill(server.pid, signal.SIGKILL)
    with pytest.raises(ConfigurationError):
        await StdioTransport.start(["no-such-command"])
    server = await StdioTransport.start(python(STUBBORN), stderr="collect")
    closing = asyncio.create_task(server.close())
    await asyncio.sleep(0)
    closing.cancel()
    await asyncio.wait([closing])


def children() -> set[str]:
    """The processes that this one started, those included that ended and were not waited for."""
    tasks = Path("/proc/self/task").iterdir()
    return {child for task in tasks for child in (task / "children").read_text().split()}


@pytest.mark.parametrize("run", [asyncio.run, uvloop.run], ids=["asyncio", "uvloop"])
def test_nothing_is_left_behind(run: Callable[[Awaitable[None]], None]) -> None:
    others = children()  # another test's browser may be among them

    async def twice() -> None:
        await lives_of_servers()
        gc.collect()
        before, threads = descriptors(), threading.active_count()
        await lives_of_servers()
        gc.collect()
        await until(lambda: (descriptors() == before) and threading.active_count() <= threads)
        assert asyncio.all_tasks() == {asyncio.current_task()}

    run(twice())
    assert children() <= others  # none of ours, dead or alive


# Starting


@pytest.mark.parametrize(
    ("command", "says"),
    [
        (["no-such-command-anywhere"], "^The command 'no-such-command-anywhere' was not found: check its name,"),
        ([str(Path(__file__))], "may not be executed: check its permissions"),
        (["/"], "may not be executed"),
        (["a\0b"], "cannot be started"),
        (["x" * 5000], "cannot be started"),
        ([], "a list of texts"),
        ([sys.executable, 5], "a list of texts"),
        ("python server.py", r"a list of the program and its arguments: \['python', 'server.py'\]"),
    ],
    ids=["unknown", "not executable", "folder", "NUL", "long", "empty", "number", "text"],
)
async def test_what_cannot_be_started_is_said_in_a_sentence(command: Any, says: str) -> None:
    with pytest.raises(ConfigurationError, match=says) as failure:
        await StdioTransport.start(command)
    assert len(str(failure.value)) < 300


async def test_a_folder_that_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="no such folder"):
        await StdioTransport.start(python(ECHO), cwd=tmp_path / "nowhere")
    code = """import os; print('{"jsonrpc": "2.0", "method": "%s"}' % os.getcwd())"""
    async with started(code, cwd=tmp_path) as one:
        assert json.loads(await messages(one).get())["method"] == str(tmp_path)


async def test_a_server_that_dies_at_start_says_why() -> None:
    code = "import sys; sys.exit('no database: ' + 'x' * 10_000 + ' set DATABASE_URL')"
    async with started(code, stderr="collect") as server:
        says = "The server exited with code 1 before it answered anything; it said: xxx"
        with pytest.raises(ServerExitedError, match=says) as why:
            await server.request("initialize", INITIALIZE)
        assert str(why.value).endswith("set DATABASE_URL")
        assert (why.value.code, why.value.returncode, len(str(why.value)) < 700) == ("TRANSPORT_CLOSED", 1, True)
        assert len(server.stderr_tail) == stdio_client.STDERR_TAIL
    async with started("import os; os.kill(os.getpid(), 9)", stderr=-3) as server:
        with pytest.raises(ServerExitedError, match="ended by signal 9 before it answered anything; look at"):
            await server.request("initialize", INITIALIZE)


async def test_last_words_that_come_after_the_end_are_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Output and process may be over before stderr was read: here something the server started says why, later."""
    monkeypatch.setattr(stdio_client, "LAST_WORDS_SECONDS", 30.0)
    code = """
import os, subprocess, sys
sys.stdin.readline()
later = "import time, sys; time.sleep(0.3); sys.stderr.write('set DATABASE_URL')"
subprocess.Popen([sys.executable, "-c", later], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
os._exit(1)
"""
    async with started(code, stderr="collect") as server:
        with pytest.raises(ServerExitedError, match="it said: set DATABASE_URL"):
            await server.request("initialize", INITIALIZE)


async def test_a_message_that_finds_the_pipe_broken_waits_for_the_last_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """The pipe to a program that ends breaks first: what it wrote to stderr may not have been read by then."""
    monkeypatch.setattr(stdio_client, "LAST_WORDS_SECONDS", 30.0)
    code = "import os, time; os.close(0); time.sleep(0.3); os.write(2, b'out of flour'); os._exit(1)"
    async with started(code, stderr="collect") as server:
        await until(server._stdin.is_closing)
        with pytest.raises(ServerExitedError, match="it said: out of flour"):
            await server.request("initialize", INITIALIZE)


async def test_no_secret_of_ours_is_in_the_servers_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also the control: what is given on purpose arrives."""
    monkeypatch.setenv("CLOUD_SECRET", "hunter2")
    monkeypatch.setenv("TERM", "() { :; }; echo owned")
    code = """
import json, os
print(json.dumps({"jsonrpc": "2.0", "method": "env", "params": dict(os.environ)}), flush=True)
"""
    for given in (None, {"CLOUD_SECRET": "given", "EXTRA": "1"}):
        async with started(code, env=given) as server:
            seen = json.loads(await messages(server).get())["params"]
        assert seen.get("CLOUD_SECRET") == (given or {}).get("CLOUD_SECRET")
        assert "TERM" not in seen
        assert set(seen) - {"LC_CTYPE"} <= {*INHERITED_VARIABLES, *(given or {})}
        assert seen["PATH"] == os.environ["PATH"]


async def test_a_request_that_is_never_answered_times_out() -> None:
    async with started("import sys; sys.stdin.read()") as server:
        with pytest.raises(RequestTimeoutError):
            await server.request("x", timeout=0.05)


@pytest.mark.requirement(188)
def test_the_defaults_are_public() -> None:
    assert (stdio_client.CLOSE_SECONDS, stdio_client.TERMINATE_SECONDS) == (2.0, 2.0)
    assert (stdio_client.LAST_WORDS_SECONDS, stdio_client.STDERR_TAIL, ASKED_WHILE_FULL) == (0.5, 4096, 256)
