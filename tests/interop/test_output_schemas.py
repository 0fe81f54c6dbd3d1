"""What tools return passes the validator of the official TypeScript SDK 1.x, with the schema that they declare."""

from __future__ import annotations

import asyncio
import datetime as dt
import json
import subprocess
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, NamedTuple

from cloche import Client, Server
from examples.canvas import server as canvas
from examples.chart import server as chart


class Pair(NamedTuple):
    """A tuple with names."""

    left: int
    right: str = "r"


def server_of_values() -> Server:
    """A tool for every kind of value that a validator may read differently from us."""
    server = Server("values")

    @server.tool
    def tuples() -> dict[str, tuple[int, str]]:
        return {"a": (1, "b")}

    @server.tool
    def pairs() -> list[Pair]:
        return [Pair(1), Pair(2, "x")]

    @server.tool
    def empty() -> tuple[()]:
        return ()

    @server.tool
    def naive() -> list[dt.datetime]:
        return [dt.datetime(2026, 11, 18, 9, 30)]  # noqa: DTZ001

    @server.tool
    def aware() -> list[dt.datetime]:
        return [dt.datetime(2026, 11, 18, 9, 30, tzinfo=dt.UTC)]

    @server.tool
    def times() -> list[dt.time]:
        return [dt.time(9, 30), dt.time(9, 30, tzinfo=dt.UTC)]

    @server.tool
    def durations() -> list[dt.timedelta]:
        return [dt.timedelta(seconds=1.5), dt.timedelta(days=-1), dt.timedelta(days=2)]

    return server


CALLS: list[tuple[Server, str, dict[str, Any]]] = [
    (chart, "chart", {"data": "name,value\nbread,4\nmilk,2.5"}),
    (canvas, "draw", {"title": "A line", "lines": [{"points": [[0, 0], [50, 50]], "colour": "#000000"}]}),
    *((server_of_values(), name, {}) for name in ("tuples", "pairs", "empty", "naive", "aware", "times", "durations")),
]


async def results() -> AsyncIterator[tuple[str, dict[str, Any]]]:
    """Name, and the schema with the value, of every call; as a client of the handshake era gets them."""
    for server, name, arguments in CALLS:
        async with Client(server, version="2025-11-25") as client:
            tool = next(tool for tool in await client.list_tools() if tool.name == name)
            result = await client.call_tool(name, arguments)
            yield name, {"schema": tool.output_schema, "value": result.structured_content}


def validated(workshop: Path, lines: str) -> list[str]:
    """What the validator says of each line."""
    command = ["node", "validate.mjs"]
    done = subprocess.run(command, cwd=workshop, input=lines, capture_output=True, text=True, timeout=60, check=True)
    return done.stdout.splitlines()


async def test_every_result_passes(workshop: Path) -> None:
    found = {name: pair async for name, pair in results()}
    assert len(found) == len(CALLS)
    lines = "".join(f"{json.dumps(pair)}\n" for pair in found.values())
    broken = {"schema": {"properties": {"a": {"format": "date-time"}}}, "value": {"a": "2026-11-18T09:30:00"}}
    *said, control = await asyncio.to_thread(validated, workshop, lines + json.dumps(broken))
    assert dict(zip(found, said, strict=True)) == dict.fromkeys(found, "valid")
    assert "date-time" in control, "the validator looks at formats"
