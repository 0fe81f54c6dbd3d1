"""Tasks between us and the official SDKs, as far as these have them.

The Python SDK has none of its own. It has an interface for extensions on both sides, with which the tests write the
extension of 2026-07-28 as its users would. The TypeScript SDK 1.x and `server-everything` have the tasks of 2025-11-25.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Literal

import httpx2
import mcp_types as types
import pytest
from mcp import Client as OfficialClient
from mcp import MCPError
from mcp.client.extension import ClaimContext, ClientExtension, ResultClaim
from mcp.client.streamable_http import streamable_http_client
from mcp.server.mcpserver import MCPServer

from cloche import Client, Context, Server
from cloche.client import ElicitRequest
from tests.support.doors import serving
from tests.support.official_tasks import EXTENSION, ServedTasks
from tools.npm_tools import node_modules

HERE = Path(__file__).parent
MODERN = "2026-07-28"


def shop() -> Server:
    server = Server("shop")

    @server.tool(task="required")
    async def bake(loaves: int, ctx: Context) -> int:
        """Bake."""
        await ctx.progress(loaves, loaves, "baked")
        return loaves

    @server.tool(task=True)
    async def ask(ctx: Context) -> str:
        """Ask."""
        answer = await ctx.elicit("What is your name?", {"type": "object", "properties": {"name": {"type": "string"}}})
        return f"Hello, {(answer.data or {}).get('name')}!"

    @server.tool(task=True)
    async def hold() -> str:
        """Never ends."""
        await asyncio.Event().wait()
        return ""

    return server


# The official Python client, with the extension


class CreatedTask(types.Result):
    """The answer of a call that became a task."""

    result_type: Literal["task"] = "task"
    task_id: str
    status: str


class Tasks(ClientExtension):
    """The extension, as somebody writes it for the official client."""

    identifier = EXTENSION

    def __init__(self) -> None:
        self.seen: list[dict[str, Any]] = []

    def claims(self) -> list[ResultClaim[Any]]:
        return [ResultClaim(result_type="task", model=CreatedTask, resolve=self.resolve)]

    async def resolve(self, created: CreatedTask, context: ClaimContext) -> types.CallToolResult:
        while True:
            task = await ask(context.session, "tasks/get", taskId=created.task_id)
            self.seen.append(task)
            if task["status"] == "completed":
                return types.CallToolResult.model_validate(task["result"])
            if task["status"] == "input_required":
                answer = {"action": "accept", "content": {"name": "Ada"}}
                answers = dict.fromkeys(task["inputRequests"], answer)
                await ask(context.session, "tasks/update", taskId=created.task_id, inputResponses=answers)


class TaskRequest(types.Request[dict[str, Any], str]):
    """Any request about a task: the SDK repeats the id in the header Mcp-Name."""

    name_param = "taskId"


async def ask(session: Any, method: str, **params: Any) -> dict[str, Any]:
    from pydantic import TypeAdapter

    answer = await session.send_request(TaskRequest(method=method, params=params), TypeAdapter(dict[str, Any]))
    return dict(answer)


@asynccontextmanager
async def official(url: str, *extensions: ClientExtension) -> AsyncIterator[OfficialClient]:
    async with (
        httpx2.AsyncClient(verify=False) as http,
        OfficialClient(
            streamable_http_client(url, http_client=http),
            mode=MODERN,
            extensions=list(extensions),
            elicitation_callback=decline,
        ) as client,
    ):
        yield client


async def decline(context: Any, params: Any) -> types.ElicitResult:
    return types.ElicitResult(action="decline")


async def test_the_official_client_with_the_extension_takes_our_tasks() -> None:
    tasks = Tasks()
    with serving(shop().asgi(path="/mcp")) as origin:
        async with official(f"{origin}/mcp", tasks) as client:
            result = await client.call_tool("bake", {"loaves": 3})
            assert result.structured_content == 3
            assert tasks.seen[-1]["statusMessage"] == "baked"
            result = await client.call_tool("ask", {})
            assert result.content[0].text == "Hello, Ada!"  # type: ignore[union-attr]
            assert "input_required" in {task["status"] for task in tasks.seen}
        async with official(f"{origin}/mcp") as client:  # and without it
            assert (await client.call_tool("ask", {})).content[0].text == "Hello, None!"  # type: ignore[union-attr]
            with pytest.raises(MCPError, match="needs the client extension") as caught:
                await client.call_tool("bake", {"loaves": 3})
            assert caught.value.code == types.MISSING_REQUIRED_CLIENT_CAPABILITY


# An official Python server, with the extension


async def test_our_client_takes_the_tasks_of_an_official_server() -> None:
    extension = ServedTasks()
    server = MCPServer("bakery", extensions=[extension])

    @server.tool()
    async def bake() -> str:
        return "never called"

    def answer(request: ElicitRequest) -> dict[str, str]:
        return {"name": "Ada"}

    with serving(server.streamable_http_app()) as origin:
        async with Client(f"{origin}/mcp", version=MODERN, elicitation=answer) as client:
            assert (await client.call_tool("bake")).text == "Baked for Ada"
            task = await client.start_task("bake")
            updates = [(update.status, update.message) async for update in task]
            assert updates[0] == ("working", "Heating the oven")
            assert updates[-1] == ("completed", None)
            other = await client.start_task("bake")
            await other.cancel()
            assert extension.cancelled == ["t-1"]


# TypeScript, 2025-11-25

SCRIPT = HERE / "node" / "tasks.mjs"


@pytest.mark.parametrize("transport", ["http", "stdio"])
def test_the_typescript_sdk_takes_our_tasks(transport: str, workshop: Path) -> None:
    command = ["node", str(workshop / SCRIPT.name)]
    if transport == "stdio":
        seen = run([*command, sys.executable, str(HERE / "task_server.py")])
    else:
        with serving(shop().asgi(path="/mcp")) as origin:
            seen = run([*command, f"{origin}/mcp"])
    assert seen["support"] == {"bake": "required", "ask": "optional", "hold": "optional"}
    assert seen["bake"]["kinds"][0] == "taskCreated"
    assert seen["bake"]["result"]["structuredContent"] == {"result": 4}
    assert seen["asked"] == ["What is your name?"]
    assert seen["ask"]["result"]["content"][0]["text"] == "Hello, Ada!"
    assert seen["cancelled"] == "cancelled"
    assert seen["listed"] == 3
    assert seen["missing"] == -32602


def run(command: list[str]) -> dict[str, Any]:
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stdout
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


async def test_our_client_takes_the_tasks_of_server_everything() -> None:
    modules = node_modules(HERE.parent / "dev" / "node")
    server = modules / "@modelcontextprotocol" / "server-everything" / "dist" / "index.js"

    def choose(request: ElicitRequest) -> dict[str, str]:
        assert request.requested_schema is not None
        return {"interpretation": request.requested_schema["properties"]["interpretation"]["oneOf"][0]["const"]}

    async with Client(["node", str(server), "stdio"], version="2025-11-25", elicitation=choose) as client:
        called = asyncio.create_task(
            client.call_tool("simulate-research-query", {"topic": "python", "ambiguous": True})
        )
        task = await client.start_task("simulate-research-query", {"topic": "bread"}, ttl=60)
        messages = [update.message async for update in task]
        assert len(set(messages)) >= 2  # the server says itself how often to look, so a stage may be missed
        assert (await task.result()).text.startswith("# Research Report: bread")
        assert (await called).text.startswith("# Research Report: python (programming)")
        assert {"completed"} == {one.last.status for one in await client.list_tasks() if one.last is not None}
