"""Tools that run as tasks, called by a host: a call is a call, however its server goes about it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from cloche.client import TaskUpdate
from cloche.errors import DeadlineError, RequestCancelledError
from cloche.host import Call, HostLimits, Remote
from tests.interop.test_tasks import shop
from tests.server.tasks.peers import Works
from tests.support.doors import serving
from tests.support.host_page import hosting
from tests.support.resilience_peers import until

PROGRAM = Path(__file__).parents[1] / "interop" / "task_server.py"


@pytest.mark.parametrize("kind", ["object", "command", "url"])
async def test_a_call_that_becomes_a_task_has_its_result_in_the_end(kind: str) -> None:
    with serving(shop().asgi(path="/mcp")) as origin:
        targets: dict[str, Any] = {
            "object": shop(),
            "command": [sys.executable, str(PROGRAM)],
            "url": Remote(f"{origin}/mcp"),
        }
        async with hosting({"shop": targets[kind]}) as host:
            call = await host.session("ann").start("shop.bake", {"loaves": 3})
            result = await call.result()
            assert result["structuredContent"] == {"result": 3}
            assert call.status == "done"
            assert "resultType" not in result
            assert "taskId" not in result


async def test_cancelling_the_call_ends_the_task() -> None:
    works = Works()
    hold = works.server.tools.get("hold")
    assert hold is not None
    hold.task = "required"
    async with hosting({"works": works.server}) as host:
        call = await host.session("ann").start("works.hold", {})
        await works.begun.wait()
        assert works.server.engine.runs_tasks
        await call.cancel()
        with pytest.raises(RequestCancelledError):
            await call.result()
        await until(lambda: works.ended == ["cancelled"] and not works.server.engine.runs_tasks)


@pytest.mark.parametrize("kind", ["object", "command"])
async def test_the_state_of_the_task_is_told(kind: str) -> None:
    told: list[str] = []
    target: Any = shop() if kind == "object" else [sys.executable, str(PROGRAM)]
    async with hosting({"shop": target}) as host:

        @host.on_task
        def task(call: Call, update: TaskUpdate) -> None:
            assert call.task_id
            told.append(update.status)

        call = await host.session("ann").start("shop.bake", {"loaves": 2}, as_task=True)
        assert (await call.result())["structuredContent"] == {"result": 2}
        assert call.task is not None
        assert call.task.status == "completed"
        await until(lambda: told[-1:] == ["completed"])
        assert told[0] == "working"
        entries = [str(one.args) for one in host.session("ann").timeline.entries(action="task")]
        assert "working" in entries[0]
        assert "completed" in entries[-1]


async def test_a_task_has_more_time_than_a_call() -> None:
    works = Works()
    limits = HostLimits(call_seconds=0.3, task_seconds=30)
    async with hosting({"works": works.server}, limits=limits) as host:
        session = host.session("ann")
        task = await session.start("works.hold", {}, as_task=True)
        await works.begun.wait()
        with pytest.raises(DeadlineError):
            await session.run("works.hold")
        assert task.status == "running"
        works.go.set()
        assert (await task.result())["content"][0]["text"] == "held"


async def test_a_task_that_was_cancelled_is_said_to_be() -> None:
    works = Works()
    async with hosting({"works": works.server}) as host:
        call = await host.session("ann").start("works.hold", {}, as_task=True)
        await until(lambda: call.task is not None)
        await call.cancel()
        assert call.task is not None
        assert call.task.status == "cancelled"
