"""The server of the soak. What it did is on disk, so that it is known also after a kill -9.

`python -m tests.soak.transports.server FOLDER stdio` or `… websocket PORT` serves it in a process of its own.
"""

from __future__ import annotations

import asyncio
import os
import sys
from dataclasses import dataclass
from pathlib import Path

from cloche import Context, Server
from cloche.errors import ToolError

URIS = ("soak://state/0", "soak://state/1", "soak://state/2")
"""The resources that are published and listened to."""


@dataclass
class Form:
    """What the tool `ask` asks for."""

    nonce: str


class Journal:
    """The effects of requests, one line each, and the published states."""

    def __init__(self, folder: Path) -> None:
        self._effects = folder / "effects"
        self._states = folder

    def effect(self, nonce: str) -> None:
        """Note that a request with this nonce was carried out. One write: a kill leaves a line or none."""
        file = os.open(self._effects, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        try:
            os.write(file, f"{nonce}\n".encode())
        finally:
            os.close(file)

    def effects(self) -> list[str]:
        """Every effect so far."""
        return self._effects.read_text().split() if self._effects.exists() else []

    def publish(self, uri: str, value: int) -> None:
        """Make `value` the state of `uri`, unless a later one is there: publications may overtake each other."""
        if value > self.state(uri):
            draft = self._file(uri).with_suffix(".draft")
            draft.write_text(str(value))
            draft.replace(self._file(uri))

    def state(self, uri: str) -> int:
        """The state of `uri`."""
        file = self._file(uri)
        return int(file.read_text()) if file.exists() else 0

    def _file(self, uri: str) -> Path:
        return self._states / f"state-{uri.rpartition('/')[2]}"


def soak_server(folder: Path) -> Server:
    """A server whose tools answer with the nonce they were given."""
    server = Server("soak", version="1.0")
    journal = Journal(folder)
    _add_tools(server, journal)
    _add_tools_that_talk(server, journal)
    _add_states(server, journal)
    return server


def _add_tools(server: Server, journal: Journal) -> None:
    @server.tool
    async def echo(nonce: str) -> str:
        """Answers at once."""
        journal.effect(nonce)
        return nonce

    @server.tool
    async def work(nonce: str, seconds: float) -> str:
        """Takes its time."""
        journal.effect(nonce)
        await asyncio.sleep(seconds)
        return nonce

    @server.tool
    async def fail(nonce: str) -> str:
        """Fails, and says for whom."""
        journal.effect(nonce)
        raise ToolError(nonce)

    @server.tool
    async def flip(nonce: str) -> str:
        """Changes the list of tools."""
        journal.effect(nonce)
        server.register_tool(echo, name=f"echo-{nonce}")
        server.remove_tool(f"echo-{nonce}")
        return nonce


def _add_tools_that_talk(server: Server, journal: Journal) -> None:
    @server.tool
    async def steps(nonce: str, count: int, ctx: Context) -> str:
        """Reports progress."""
        journal.effect(nonce)
        for step in range(count):
            await ctx.progress(step + 1, count, nonce)
            await asyncio.sleep(0.002)
        return nonce

    @server.tool
    async def log(nonce: str, ctx: Context) -> str:
        """Writes to the client's log."""
        journal.effect(nonce)
        await ctx.log("warning", nonce)
        return nonce

    @server.tool
    async def ask(nonce: str, ctx: Context) -> str:
        """Asks the user, and acts on the answer."""
        answer = await ctx.elicit(nonce, Form)
        journal.effect(nonce)
        return answer.data.nonce if answer.data is not None else answer.action

    @server.tool
    async def think(nonce: str, ctx: Context) -> str:
        """Asks the client's model, and acts on the answer."""
        answer = await ctx.sample(nonce)
        journal.effect(nonce)
        return answer.text


def _add_states(server: Server, journal: Journal) -> None:
    @server.resource("soak://state/{number}")
    async def state(number: str) -> str:
        """What was published last."""
        return str(journal.state(f"soak://state/{number}"))

    @server.tool
    async def publish(nonce: str, uri: str, value: int) -> str:
        """Changes a resource."""
        journal.effect(nonce)
        journal.publish(uri, value)
        server.resource_updated(uri)
        return nonce


if __name__ == "__main__":
    if sys.argv[2] == "stdio":
        soak_server(Path(sys.argv[1])).run()
    else:
        soak_server(Path(sys.argv[1])).run("websocket", port=int(sys.argv[3]))
