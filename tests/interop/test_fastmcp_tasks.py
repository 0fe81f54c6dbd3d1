"""Tools that `fastmcp` runs as tasks, with its package `fastmcp-tasks`: our client and our host wait for their end."""

from __future__ import annotations

import sys
from pathlib import Path

from cloche import Client
from tests.support.host_page import hosting

SERVER = '''
from fastmcp import FastMCP
from fastmcp_tasks import TasksExtension

server = FastMCP("shop")
server.add_extension(TasksExtension(url="memory://"))

@server.tool(task=True)
async def bake(loaves: int) -> str:
    """Bake bread."""
    return f"{loaves} loaves"

server.run(show_banner=False)
'''


async def test_a_task_of_fastmcp_runs_to_its_end(tmp_path: Path) -> None:
    file = tmp_path / "shop.py"
    file.write_text(SERVER, "utf-8")
    command = [sys.executable, "-W", "ignore", str(file)]
    async with Client(command) as client:
        assert client.is_stateless
        task = await client.start_task("bake", {"loaves": 3})
        assert task.id
        assert (await task.result()).text == "3 loaves"
    async with hosting({"shop": command}) as host:
        call = await host.session("ann").start("shop.bake", {"loaves": 4})
        assert (await call.result())["structuredContent"] == {"result": "4 loaves"}
        assert call.task is not None
        assert call.task.status == "completed"
