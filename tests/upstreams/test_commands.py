"""Programs as upstreams: started on first use, ended with the host, and back after a kill."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from cloche.errors import InvalidParamsError, TransportClosedError, TransportError, UpstreamError
from cloche.host.upstreams import Command, open_upstream, supervised
from tests.soak.leftovers import Process
from tests.upstreams.watching import PROGRAM, Watched, call, closing


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


async def test_a_program_is_started_on_first_use_and_ended_without_a_trace() -> None:
    async with closing(open_upstream("warm", PROGRAM)) as warm:
        await warm.tools()  # what the first use of the official client leaves in the process is not ours
    before = Process()
    upstream = open_upstream("program", PROGRAM)
    assert upstream.status == "idle"
    assert Process().left_since(before) == []
    pid = int(await call(upstream, "pid"))
    assert (upstream.status, upstream.problem) == ("ready", None)
    assert upstream.server_info == {"name": "program", "version": "2.0"}
    assert is_alive(pid)
    await upstream.close()
    assert not is_alive(pid)
    assert Process().left_since(before) == []


async def test_many_requests_at_once_start_one_program() -> None:
    async with closing(open_upstream("program", PROGRAM)) as upstream:
        pids = await asyncio.gather(*(call(upstream, "pid") for _ in range(10)))
        assert len(set(pids)) == 1
        assert await call(upstream, "announced") == "true"
        with pytest.raises(InvalidParamsError, match="Unknown tool"):
            await upstream.call_tool("nope", {})
        result = await upstream.call_tool("pid", {})
        assert result.keys() <= {"content", "structuredContent", "isError"}
        assert [tool["name"] for tool in await upstream.tools()][:2] == ["pid", "hang"]


async def test_killed_in_the_middle_of_a_call_the_call_fails_at_once_and_the_next_one_works() -> None:
    async with closing(open_upstream("program", PROGRAM)) as upstream:
        watched = Watched(upstream)
        pid = int(await call(upstream, "pid"))
        await upstream.tools()
        began = asyncio.Event()
        pending = asyncio.create_task(upstream.call_tool("hang", {}, on_progress=lambda _: began.set()))
        await began.wait()
        watched.changes.clear()
        os.kill(pid, signal.SIGKILL)
        killed = time.monotonic()
        with pytest.raises(UpstreamError, match="broke before it answered") as caught:
            await pending
        assert time.monotonic() - killed < 2.0
        assert isinstance(caught.value, TransportError)
        assert int(await call(upstream, "pid")) != pid
        await watched.until("failed", "connecting", "ready", "tools", "resources", "prompts")
        assert upstream.problem is None


async def test_killed_while_nobody_asks_it_comes_back_by_itself() -> None:
    async with closing(open_upstream("program", PROGRAM)) as upstream:
        watched = Watched(upstream)
        pid = int(await call(upstream, "pid"))
        assert await call(upstream, "grow") == "grown"
        await watched.until("ready", "tools")
        assert "late" in {tool["name"] for tool in await upstream.tools()}
        os.kill(pid, signal.SIGKILL)
        await watched.until("failed", "connecting", "ready", "tools")
        assert "late" not in {tool["name"] for tool in await upstream.tools()}


async def test_a_program_that_breaks_again_and_again_is_given_pauses() -> None:
    async with closing(open_upstream("program", PROGRAM)) as upstream:
        watched = Watched(upstream)
        starts = []
        for _ in range(2):
            os.kill(int(await call(upstream, "pid")), signal.SIGKILL)
            await watched.until("failed", "connecting", "ready")
            starts.append(time.monotonic())
        assert starts[1] - starts[0] > 1.0  # the second pause; the first is none


async def test_cancelling_the_caller_tells_the_program() -> None:
    async with closing(open_upstream("program", PROGRAM)) as upstream:
        began = asyncio.Event()
        pending = asyncio.create_task(upstream.call_tool("hang", {}, on_progress=lambda _: began.set()))
        await began.wait()
        pending.cancel()
        with pytest.raises(asyncio.CancelledError):
            await pending
        assert await call(upstream, "pid")


async def test_closing_in_the_middle_of_a_call_and_of_a_start() -> None:
    upstream = open_upstream("program", PROGRAM)
    began = asyncio.Event()
    pending = asyncio.create_task(upstream.call_tool("hang", {}, on_progress=lambda _: began.set()))
    await asyncio.wait_for(began.wait(), 10)
    await upstream.close()
    with pytest.raises(TransportClosedError):
        await pending
    before = Process()
    starting = open_upstream("program", PROGRAM)
    watched = Watched(starting)
    waiting = asyncio.create_task(starting.tools())
    await watched.until("connecting")
    await starting.close()
    with pytest.raises(TransportClosedError):
        await waiting
    assert Process().left_since(before) == []


async def test_a_rest_ends_the_program_and_the_next_request_starts_it() -> None:
    async with closing(open_upstream("program", PROGRAM)) as upstream:
        watched = Watched(upstream)
        pid = int(await call(upstream, "pid"))
        await upstream.rest()
        assert upstream.status == "idle"
        assert not is_alive(pid)
        assert int(await call(upstream, "pid")) != pid
        await watched.until("ready", "idle", "connecting", "ready", "tools")


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        (["no-such-program-anywhere"], "there is no program 'no-such-program-anywhere'"),
        ([*PROGRAM, "--broken"], "it ended; it said: there is no database here"),
        (["/"], "may not be run"),
    ],
    ids=["missing", "broken", "forbidden"],
)
async def test_why_a_program_does_not_start_is_told(command: list[str], sentence: str) -> None:
    async with closing(open_upstream("tool", command)) as upstream:
        with pytest.raises(UpstreamError, match=sentence):
            await upstream.tools()
        assert upstream.status == "failed"
        assert upstream.problem is not None
        assert sentence in upstream.problem


async def test_a_program_that_does_not_start_is_not_started_all_the_time() -> None:
    async with closing(open_upstream("tool", [*PROGRAM, "--broken"])) as upstream:
        watched = Watched(upstream)
        for _ in range(20):
            with pytest.raises(UpstreamError, match="it said"):
                await upstream.tools()
        assert watched.changes.count("connecting") == 2  # the first try, and one more; then there are pauses


async def test_the_environment_is_what_it_was_given(monkeypatch: Any) -> None:
    monkeypatch.setenv("HOST_SECRET", "the host's own")
    command = Command(PROGRAM, env={"GIVEN": "for the program"})
    async with closing(open_upstream("program", command)) as upstream:
        assert await call(upstream, "environment", name="GIVEN") == "for the program"
        assert await call(upstream, "environment", name="HOST_SECRET") == ""


SILENT = [sys.executable, "-c", "import sys; sys.stdin.read()"]


async def test_a_program_that_says_nothing_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervised, "CONNECT_SECONDS", 0.2)
    async with closing(open_upstream("silent", SILENT)) as upstream:
        with pytest.raises(UpstreamError, match="did not start: no answer within"):
            await upstream.tools()
        assert upstream.status == "failed"


async def test_who_waits_for_an_attempt_does_not_wait_for_all_of_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = tmp_path / "broken"
    program = f"import pathlib, runpy, sys; sys.exit('gone') if pathlib.Path({str(broken)!r}).exists() else None; "
    program += f"runpy.run_path({PROGRAM[1]!r}, run_name='__main__')"
    async with closing(open_upstream("program", [sys.executable, "-c", program])) as upstream:
        watched = Watched(upstream)
        pid = int(await call(upstream, "pid"))
        broken.touch()
        watched.changes.clear()
        os.kill(pid, signal.SIGKILL)
        await watched.until("failed", "connecting")
        with pytest.raises(UpstreamError, match="it said: gone"):
            await upstream.tools()
        broken.unlink()
        await watched.until("failed", "connecting", "ready")
        assert int(await call(upstream, "pid")) != pid


async def test_who_gives_up_waiting_for_the_end_gets_the_end_all_the_same() -> None:
    upstream = open_upstream("program", PROGRAM)
    watched = Watched(upstream)
    pid = int(await call(upstream, "pid"))
    began = asyncio.Event()
    pending = asyncio.create_task(upstream.call_tool("hang", {}, on_progress=lambda _: began.set()))
    await began.wait()
    closing_it = asyncio.create_task(upstream.close())
    await watched.until("closed")
    closing_it.cancel()
    with pytest.raises(TransportClosedError):
        await pending
    await upstream.close()
    assert upstream.status == "closed"
    assert not is_alive(pid)
