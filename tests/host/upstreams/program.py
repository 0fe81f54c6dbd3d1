"""A server to be started as a program: `python program.py`. Its tools tell on it."""

from __future__ import annotations

import asyncio
import os
import sys

from cloche import Context, Server

if "--broken" in sys.argv:
    sys.exit("there is no database here")

server = Server("program", "2.0")


@server.tool
async def pid() -> int:
    """Which process this is."""
    return os.getpid()


@server.tool
async def hang(ctx: Context) -> str:
    """Tells that it began, and never ends."""
    await ctx.progress(1, 2, "began")
    await asyncio.Event().wait()
    return "never"


@server.tool
async def grow() -> str:
    """Adds a tool."""

    @server.tool
    async def late() -> str:
        """Comes later."""
        return "here"

    return "grown"


@server.tool
async def environment(name: str) -> str:
    """One variable."""
    return os.environ.get(name, "")


@server.tool
async def announced(ctx: Context) -> bool:
    """Whether the client says that it shows views."""
    return "io.modelcontextprotocol/ui" in (ctx.client_capabilities.get("extensions") or {})


@server.resource("note://one")
async def note() -> str:
    """A note."""
    return "a note"


@server.tool
async def write(text: str) -> int:
    """Changes the note."""
    server.resource_updated("note://one")
    return len(text)


if __name__ == "__main__":
    server.run()
