"""Programs as upstreams: started on first use, ended with the host, and back after a kill."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cloche.errors import InvalidParamsError, TransportClosedError, TransportError, UpstreamError
from cloche.host.upstreams import Command, Upstream, open_upstream, supervised
from tests.host.upstreams.watching import PROGRAM, Watched, call, closing
from tests.support.leftovers import Process

Start = Callable[..., Upstream]


@pytest.fixture(params=[False, True], ids=["official", "ours"])
def start(request: pytest.FixtureRequest) -> Start:
    """Both clients that speak to programs, which nobody should be able to tell apart."""

    def make(words: list[str] = PROGRAM, **options: Any) -> Upstream:
        return open_upstream("program", Command(words, ours=request.param, **options))

    return make


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


async def test_a_program_is_started_on_first_use_and_ended_without_a_trace(start: Start) -> None:
    async with closing(start()) as warm:
        await warm.tools()  # what the first use of the official client leaves in the process is not ours
    before = Process()
    upstream = start()
    assert upstream.status == "idle"
    assert Process().left_since(before) == []
    pid = int(await call(upstream, "pid"))
    assert (upstream.status, upstream.problem) == ("ready", None)
    assert upstream.server_info == {"name": "program", "version": "2.0"}
    assert is_alive(pid)
    await upstream.close()
    assert not is_alive(pid)
    assert Process().left_since(before) == []


async def test_many_requests_at_once_start_one_program(start: Start) -> None:
    async with closing(start()) as upstream:
        pids = await asyncio.gather(*(call(upstream, "pid") for _ in range(10)))
        assert len(set(pids)) == 1
        assert await call(upstream, "announced") == "true"
        with pytest.raises(InvalidParamsError, match="Unknown tool"):
            await upstream.call_tool("nope", {})
        result = await upstream.call_tool("pid", {})
        assert result.keys() <= {"content", "structuredContent", "isError"}
        assert [tool["name"] for tool in await upstream.tools()][:2] == ["pid", "hang"]


async def test_killed_in_the_middle_of_a_call_the_call_fails_at_once_and_the_next_one_works(start: Start) -> None:
    async with closing(start()) as upstream:
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


async def test_killed_while_nobody_asks_it_comes_back_by_itself(start: Start) -> None:
    async with closing(start()) as upstream:
        watched = Watched(upstream)
        pid = int(await call(upstream, "pid"))
        assert await call(upstream, "grow") == "grown"
        await watched.until("ready", "tools")
        assert "late" in {tool["name"] for tool in await upstream.tools()}
        os.kill(pid, signal.SIGKILL)
        await watched.until("failed", "connecting", "ready", "tools")
        assert "late" not in {tool["name"] for tool in await upstream.tools()}


async def test_a_program_that_breaks_again_and_again_is_given_pauses(start: Start) -> None:
    async with closing(start()) as upstream:
        watched = Watched(upstream)
        starts = []
        for _ in range(2):
            os.kill(int(await call(upstream, "pid")), signal.SIGKILL)
            await watched.until("failed", "connecting", "ready")
            starts.append(time.monotonic())
        assert starts[1] - starts[0] > 1.0  # the second pause; the first is none


async def test_cancelling_the_caller_tells_the_program(start: Start) -> None:
    async with closing(start()) as upstream:
        began = asyncio.Event()
        pending = asyncio.create_task(upstream.call_tool("hang", {}, on_progress=lambda _: began.set()))
        await began.wait()
        pending.cancel()
        with pytest.raises(asyncio.CancelledError):
            await pending
        assert await call(upstream, "pid")


async def test_closing_in_the_middle_of_a_call_and_of_a_start(start: Start) -> None:
    upstream = start()
    began = asyncio.Event()
    pending = asyncio.create_task(upstream.call_tool("hang", {}, on_progress=lambda _: began.set()))
    await asyncio.wait_for(began.wait(), 10)
    await upstream.close()
    with pytest.raises(TransportClosedError):
        await pending
    before = Process()
    starting = start()
    watched = Watched(starting)
    waiting = asyncio.create_task(starting.tools())
    await watched.until("connecting")
    await starting.close()
    with pytest.raises(TransportClosedError):
        await waiting
    assert Process().left_since(before) == []


async def test_a_rest_ends_the_program_and_the_next_request_starts_it(start: Start) -> None:
    async with closing(start()) as upstream:
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
        (["no-such-program-anywhere"], "'no-such-program-anywhere'( was not found|$)"),
        ([*PROGRAM, "--broken"], "it ended; it said: there is no database here"),
        (["/"], "'/' may not be (run|executed)"),
    ],
    ids=["missing", "broken", "forbidden"],
)
async def test_why_a_program_does_not_start_is_told(command: list[str], sentence: str, start: Start) -> None:
    async with closing(start(command)) as upstream:
        with pytest.raises(UpstreamError, match=sentence):
            await upstream.tools()
        assert upstream.status == "failed"
        assert upstream.problem is not None
        assert re.search(sentence, upstream.problem)


async def test_a_program_that_does_not_start_is_not_started_all_the_time(start: Start) -> None:
    async with closing(start([*PROGRAM, "--broken"])) as upstream:
        watched = Watched(upstream)
        for _ in range(20):
            with pytest.raises(UpstreamError, match="it said"):
                await upstream.tools()
        assert watched.changes.count("connecting") == 2  # the first try, and one more; then there are pauses


async def test_a_resource_is_followed_and_followed_again_after_a_kill(start: Start) -> None:
    async with closing(start()) as upstream:
        watched = Watched(upstream)
        updates: asyncio.Queue[str] = asyncio.Queue()
        await upstream.follow("note://one", updates.put_nowait)
        await call(upstream, "write", text="first")
        assert await updates.get() == "note://one"
        os.kill(int(await call(upstream, "pid")), signal.SIGKILL)
        await watched.until("failed", "connecting", "ready")
        assert await updates.get() == "note://one"  # something may have been missed
        while updates.empty():  # a stream of the stateless era may open a moment later than the connection
            await call(upstream, "write", text="second")
            await asyncio.sleep(0.05)
        assert await updates.get() == "note://one"
        await upstream.unfollow("note://one", updates.put_nowait)
        assert upstream.subscribed == set()


async def test_the_environment_is_what_it_was_given(monkeypatch: Any, start: Start) -> None:
    monkeypatch.setenv("HOST_SECRET", "the host's own")
    async with closing(start(env={"GIVEN": "for the program"})) as upstream:
        assert await call(upstream, "environment", name="GIVEN") == "for the program"
        assert await call(upstream, "environment", name="HOST_SECRET") == ""


SILENT = [sys.executable, "-c", "import sys; sys.stdin.read()"]


async def test_a_program_that_says_nothing_is_given_up(monkeypatch: pytest.MonkeyPatch, start: Start) -> None:
    monkeypatch.setattr(supervised, "CONNECT_SECONDS", 0.2)
    async with closing(start(SILENT)) as upstream:
        with pytest.raises(UpstreamError, match="did not start: no answer within"):
            await upstream.tools()
        assert upstream.status == "failed"


async def test_who_waits_for_an_attempt_does_not_wait_for_all_of_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, start: Start
) -> None:
    broken = tmp_path / "broken"
    program = f"import pathlib, runpy, sys; sys.exit('gone') if pathlib.Path({str(broken)!r}).exists() else None; "
    program += f"runpy.run_path({PROGRAM[1]!r}, run_name='__main__')"
    async with closing(start([sys.executable, "-c", program])) as upstream:
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


async def test_who_gives_up_waiting_for_the_end_gets_the_end_all_the_same(start: Start) -> None:
    upstream = start()
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
