"""What looks for leftovers finds each kind of them."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading

from tests.support import leftovers


def kinds(left: list[leftovers.Left]) -> list[str]:
    return [one.kind for one in left]


async def test_tasks_and_timers_are_found() -> None:
    before = len(await leftovers.in_the_loop())  # the deadline of the test itself
    loop, never = asyncio.get_running_loop(), asyncio.Event()
    task = loop.create_task(never.wait())
    timer = loop.call_later(60, never.set)
    assert sorted(kinds(await leftovers.in_the_loop())[-2 - before :]) == ["task", *["timer"] * (1 + before)]
    task.cancel()
    timer.cancel()
    assert len(await leftovers.in_the_loop()) == before


def test_threads_files_and_children_are_found() -> None:
    before = leftovers.Process()
    assert leftovers.Process().left_since(before) == []
    never = threading.Event()
    thread = threading.Thread(target=never.wait)
    thread.start()
    with (
        open(__file__) as file,
        subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as child,
    ):
        left = leftovers.Process().left_since(before)
        assert f"child process {child.pid}" in [f"{one.kind} {one.what}" for one in left]
        assert any(one.kind == "file descriptor" and one.what.startswith(f"{file.fileno()} ") for one in left)
        assert any(one.kind == "thread" for one in left)
        assert child.stdin is not None
        child.stdin.close()
    never.set()
    thread.join()
    assert leftovers.Process().left_since(before) == []
