"""The server that the official clients of other languages talk to: one of everything.

`python interop_server.py` serves it over stdio; `python interop_server.py http` over HTTP at /mcp on a free port,
which it prints first.
"""

from __future__ import annotations

import asyncio
import socket
import sys
from dataclasses import dataclass

from cloche import Context, Server, ToolError
from cloche.errors import ResourceNotFoundError

server = Server("interop", version="2.1", title="Interop", instructions="Add numbers, then stop.")

notes = {"a": "Buy bread", "b": "Bake it"}
cancelled: list[float] = []
confirmed: set[float] = set()
changed = asyncio.Condition()


@server.tool(annotations={"readOnlyHint": True})
async def add(a: int, b: int) -> int:
    """Add two numbers.

    Args:
        a: The first.
        b: The second.
    """
    return a + b


@server.tool
def shout(text: str) -> str:
    """In capitals, from a worker thread."""
    return text.upper()


@server.tool
async def fail() -> str:
    """Fails on purpose."""
    raise ToolError("The oven is cold")


@server.tool
async def slow(seconds: float, ctx: Context) -> str:
    """Say that it started, then take long."""
    await ctx.progress(0, 1, "started")
    try:
        await asyncio.sleep(seconds)
    except asyncio.CancelledError:
        await record(seconds)
        raise
    return "done"


async def record(seconds: float) -> None:
    async with changed:
        cancelled.append(seconds)
        changed.notify_all()


@server.tool(timeout=10)
async def cancellations(at_least: int = 0) -> list[float]:
    """Which `slow` calls were cancelled, as soon as there are so many."""
    async with changed:
        await changed.wait_for(lambda: len(cancelled) >= at_least)
        return list(cancelled)


@server.tool(timeout=10)
async def count_to(n: int, ctx: Context) -> int:
    """Count, tell each number, and go on when the client calls `heard` with it.

    Clients forget who waits for progress as soon as they have read the result, so progress that comes in the same
    read as the result may be lost: by them, which is not what is tested here.
    """
    for number in range(1, n + 1):
        await ctx.progress(number, n, f"at {number}")
        async with changed:
            await changed.wait_for(lambda number=number: number in confirmed)
    return n


@server.tool
async def heard(number: int) -> str:
    """Let `count_to` go on after this number."""
    async with changed:
        confirmed.add(number)
        changed.notify_all()
    return f"heard {number}"


@dataclass
class Guest:
    """Who comes to dinner."""

    name: str
    plates: int = 1
    vegetarian: bool = False


@server.tool
async def ask_name(ctx: Context) -> str:
    """Ask the user who comes."""
    answer = await ctx.elicit("Who comes to dinner?", Guest)
    if answer.data is None:
        return f"Nobody ({answer.action})"
    return f"{answer.data.name}, {answer.data.plates} plates, vegetarian: {answer.data.vegetarian}"


@server.tool
async def touch(uri: str) -> str:
    """Tell who subscribed that a resource changed."""
    server.resource_updated(uri)
    return f"touched {uri}"


@server.resource("note://a", mime_type="text/plain")
async def first_note() -> str:
    """The first note."""
    return notes["a"]


@server.resource("note://{name}", mime_type="text/plain")
async def note(name: str) -> str:
    """Any note."""
    if name not in notes:
        raise ResourceNotFoundError(f"note://{name}")
    return notes[name]


@server.prompt
async def greet(name: str) -> str:
    """Greet somebody.

    Args:
        name: Whom.
    """
    return f"Say hello to {name}."


@server.completion("greet", argument="name")
def names(typed: str, given: dict[str, str]) -> list[str]:
    return [name for name in ("Ada", "Alan", "Grace") if name.startswith(typed)]


async def serve_http() -> None:
    import uvicorn

    with socket.create_server(("127.0.0.1", 0)) as listener:
        print(listener.getsockname()[1], flush=True)
        config = uvicorn.Config(server.asgi(path="/mcp"), log_level="warning", timeout_graceful_shutdown=1)
        await uvicorn.Server(config).serve(sockets=[listener])


if __name__ == "__main__":
    if sys.argv[1:] == ["http"]:
        asyncio.run(serve_http())
    else:
        server.run()
