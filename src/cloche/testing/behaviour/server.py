"""The server that the behaviour cases talk to. `python -m cloche.testing.behaviour` serves it over stdio.

What a tool did is noted, and a client reads the notes with the tool `noted`: so a case sees the server's side also when
the server is another process.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import dataclass
from typing import Annotated, Any

from msgspec import Meta

from cloche.server.context import Context
from cloche.server.server import Server


@dataclass
class Form:
    """What the tool `ask` asks for."""

    name: str


class Notes:
    """What happened, and waiting for it to happen."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._changed: asyncio.Event | None = None

    def add(self, what: str) -> None:
        """Note that something happened."""
        self._counts[what] += 1
        if self._changed is not None:
            self._changed.set()

    async def seen(self, what: str) -> int:
        """How often it happened, once it has."""
        while not self._counts[what]:
            self._changed = asyncio.Event()
            await self._changed.wait()
        return self._counts[what]


def reference_server(page_size: int = 4) -> Server:
    """A new server with everything that a case may want to use; lists come in small pages."""
    server = Server("behaviour", version="1.0", instructions="For tests.", page_size=page_size)
    _add_tools(server)
    _add_tools_that_take_time(server)
    _add_tools_that_ask(server)
    _add_tools_that_run_as_tasks(server)
    _add_resources(server)
    return server


def _add_tools(server: Server) -> None:
    notes = Notes()

    @server.tool
    async def echo(text: str) -> str:
        """The text, as it came."""
        return text

    @server.tool
    async def add(a: int, b: Annotated[int, Meta(description="The second number.")] = 0) -> int:
        """The sum."""
        return a + b

    @server.tool
    def mirror(value: dict[str, Any]) -> dict[str, Any]:
        """Any object, as it came."""
        return value

    @server.tool
    async def fail(message: str) -> str:
        """Fails."""
        raise ValueError(message)

    @server.tool
    async def big(size: int) -> str:
        """A text of so many characters."""
        return "x" * size

    @server.tool
    async def grow(name: str) -> str:
        """Adds a tool."""
        server.register_tool(echo, name=name)
        return name

    @server.tool
    async def noted(what: str) -> int:
        """How often something happened, once it has."""
        return await notes.seen(what)

    @server.tool
    async def announce(text: str) -> str:
        """Sends a notification to every client that keeps a connection."""
        await server.notify("notifications/behaviour", {"text": text})
        return text

    @server.method("behaviour/echo")
    async def echo_params(params: dict[str, Any]) -> dict[str, Any]:
        return {"params": {key: value for key, value in params.items() if key != "_meta"}}

    @server.on_notification("notifications/behaviour")
    def hear(params: dict[str, Any]) -> None:
        notes.add(str(params.get("text", "")))

    @server.tool
    async def hold(name: str) -> str:
        """Never ends by itself; what becomes of it is noted."""
        notes.add(f"{name} began")
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            notes.add(f"{name} was cancelled")
            raise
        return name


def _add_tools_that_take_time(server: Server) -> None:
    gates: dict[str, asyncio.Event] = {}

    @server.tool
    async def wait_for(name: str) -> str:
        """Ends when `release` is called with the same name."""
        await gates.setdefault(name, asyncio.Event()).wait()
        return name

    @server.tool
    async def release(name: str) -> str:
        """Ends `wait_for` of the same name."""
        gates.setdefault(name, asyncio.Event()).set()
        return name

    @server.tool
    async def steps(count: int, ctx: Context) -> int:
        """Reports progress."""
        for step in range(count):
            await ctx.progress(step + 1, count, f"step {step + 1}")
        return count

    @server.tool
    async def log(text: str, ctx: Context) -> str:
        """Writes to the client's log."""
        await ctx.log("warning", text)
        await ctx.log("debug", f"not {text}")
        return text


def _add_tools_that_ask(server: Server) -> None:
    @server.tool
    async def ask(question: str, ctx: Context) -> str:
        """Asks the user."""
        answer = await ctx.elicit(question, Form)
        return f"{answer.action} {answer.data.name}" if answer.data is not None else answer.action

    @server.tool
    async def think(prompt: str, ctx: Context) -> str:
        """Asks the client's model."""
        return (await ctx.sample(prompt)).text

    @server.tool
    async def look_around(ctx: Context) -> list[str]:
        """Asks for the client's roots."""
        return [root.uri for root in await ctx.roots()]


def _add_tools_that_run_as_tasks(server: Server) -> None:
    notes = Notes()

    @server.tool(task="required")
    async def labour(count: int, ctx: Context) -> int:
        """Reports progress, as a task."""
        for step in range(count):
            await ctx.progress(step + 1, count, f"step {step + 1}")
        return count

    @server.tool(task=True)
    async def toil(name: str) -> str:
        """Never ends by itself; what becomes of it is noted."""
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            notes.add(name)
            raise
        return name

    @server.tool
    async def rest(name: str) -> int:
        """How often the task was cancelled, once it was."""
        return await notes.seen(name)

    @server.tool(task=True)
    async def consult(question: str, ctx: Context) -> str:
        """Asks the user, from within a task."""
        answer = await ctx.elicit(question, Form)
        return f"{answer.action} {answer.data.name}" if answer.data is not None else answer.action


def _add_resources(server: Server) -> None:
    counter = Counter[str]()

    @server.resource("behaviour://count")
    async def count() -> str:
        """How often `touch` was called."""
        return str(counter["touched"])

    @server.resource("behaviour://greeting/{name}")
    async def greeting(name: str) -> str:
        """A family of resources."""
        return f"Hello, {name}!"

    @server.resource("behaviour://bytes", mime_type="application/octet-stream")
    async def some_bytes() -> bytes:
        """All of them."""
        return bytes(range(256))

    @server.tool
    async def touch() -> int:
        """Changes the resource behaviour://count."""
        counter["touched"] += 1
        server.resource_updated("behaviour://count")
        return counter["touched"]

    @server.prompt
    def greet(name: str) -> str:
        """Says hello."""
        return f"Say hello to {name}."

    @server.completion("greet", "name")
    def names(typed: str, arguments: dict[str, str]) -> list[str]:
        return [name for name in ("Ada", "Alan", "Grace") if name.lower().startswith(typed.lower())]
