"""Tools that run as tasks, called by a host: a call is a call, however its server goes about it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from cloche.errors import RequestCancelledError
from cloche.host import Remote
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
