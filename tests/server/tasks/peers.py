"""A server with tasks that wait until they are told to go on, and clients of it that speak by hand."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any

from cloche import Context, Elicit, McpError, Principal, Server, ToolError
from tests.support.memory_peer import CAPABILITIES, HANDSHAKE, META, STATELESS, MemoryPeer

EXTENSION = "io.modelcontextprotocol/tasks"
ERAS = [HANDSHAKE, STATELESS]
DEADLINE = 20.0


@dataclass
class Name:
    name: str


class Works:
    """The server, and what lets its tools go on."""

    def __init__(self, **options: Any) -> None:
        self.server = server = Server("works", **options)
        self.go = asyncio.Event()
        self.begun = asyncio.Event()
        self.ended: list[str] = []

        @server.tool(task=True)
        async def hold(ctx: Context, steps: int = 1) -> str:
            """Wait until the test says so."""
            await ctx.progress(0, steps, "Begun")
            self.begun.set()
            try:
                await self.go.wait()
            except asyncio.CancelledError:
                self.ended.append("cancelled")
                raise
            self.ended.append("done")
            return "held"

        @server.tool(task="required")
        async def only() -> int:
            """Runs as a task only."""
            return 42

        @server.tool(task=True)
        async def fail(how: str) -> str:
            """Fails as a tool, or as the protocol."""
            if how == "tool":
                raise ToolError("It did not work")
            raise McpError("It broke", code=-32050)

        @server.tool(task=True)
        async def ask(ctx: Context) -> str:
            """Two questions at once, then one more under a key that was used."""
            both = await ctx.ask(one=Elicit("One?", Name), two=Elicit("Two?", Name))
            again = await ctx.elicit("Again?", Name, key="one")
            return " ".join(answer.data.name for answer in (both["one"], both["two"], again))

        @server.tool(task="later")
        async def later(ctx: Context) -> str:
            """A question, then a task."""
            answer = await ctx.elicit("First?", Name, key="first")
            became = await ctx.become_task()
            self.begun.set()
            await self.go.wait()
            assert answer.data is not None
            return f"{answer.data.name}, {became}"

        @server.tool
        async def plain() -> str:
            """No task."""
            return "plain"


class Peer(MemoryPeer):
    """A client that takes tasks, of a principal if there is one."""

    def __init__(self, server: Server, version: str, who: str | None = None, **options: Any) -> None:
        super().__init__(server, version, **options)
        self.who = who

    async def __aenter__(self) -> Peer:
        connect = self.server.connect
        principal = None if self.who is None else Principal(self.who)
        self.server.connect = lambda transport: connect(transport, principal=principal)  # type: ignore[method-assign]
        try:
            await super().__aenter__()
        finally:
            self.server.connect = connect  # type: ignore[method-assign]
        return self

    async def __aexit__(self, *_: object) -> None:
        """The client goes; the server stays."""
        self.closed()

    async def ask(self, method: str, params: dict[str, Any] | None = None, **meta: Any) -> dict[str, Any]:
        if self.version == STATELESS:
            able = {**CAPABILITIES, "extensions": {EXTENSION: {}}}
            meta = {META + "clientCapabilities": able, **meta}
        return await super().ask(method, params, **meta)

    async def start(self, tool: str, **arguments: Any) -> str:
        """Start a task; its id."""
        params: dict[str, Any] = {"name": tool, "arguments": arguments}
        if self.version == STATELESS:
            created = (await self.ask("tools/call", params))["result"]
            assert created["resultType"] == "task", created
        else:
            created = (await self.ask("tools/call", {**params, "task": {}}))["result"]["task"]
        assert created["status"] == "working"
        return str(created["taskId"])

    async def get(self, task_id: str) -> dict[str, Any]:
        return await self.request("tasks/get", {"taskId": task_id})

    async def code(self, method: str, **params: Any) -> int:
        """The code of the error that answers a request; 0 when there is none."""
        answer = await self.ask(method, params)
        return int(answer.get("error", {}).get("code", 0))

    async def until(self, task_id: str, status: str) -> dict[str, Any]:
        """Look at a task until it has this status."""
        async with asyncio.timeout(DEADLINE):
            while (task := await self.get(task_id))["status"] != status:
                pass
        return task

    async def outcome(self, task_id: str) -> dict[str, Any]:
        """What the call would have been answered: a response with a result or an error."""
        if self.version == HANDSHAKE:
            return await self.ask("tasks/result", {"taskId": task_id})
        async with asyncio.timeout(DEADLINE):
            while "result" not in (task := await self.get(task_id)) and "error" not in task:
                pass
        return {name: task[name] for name in ("result", "error") if name in task}
