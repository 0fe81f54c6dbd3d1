"""A playground with much in it: `python -m benchmarks.crowded_playground`. 20 servers, 200 tools in the first, a
result of 5 MB, and a tool that makes 10,000 messages."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from cloche import Server
from cloche.dev.launch import run_dev
from cloche.dev.playground import Playground
from cloche.dev.servers import DevServer

SERVERS, TOOLS, MESSAGES, RESULT_BYTES = 20, 200, 10_000, 5_000_000


def crowd() -> tuple[list[DevServer], Callable[[Playground], Callable[[], None]]]:
    """The servers, and what gives the tool `flood` the playground whose messages it makes."""
    first = Server("first")
    given: list[Playground] = []

    @first.tool
    async def flood() -> str:
        """Make messages, as many as a long session has."""
        traffic = given[0].host.traffic
        for number in range(MESSAGES):
            traffic.note("server", "out", "first", "custom/ping", {"number": number}, exchange=number + 10**6)
            traffic.note("server", "in", "first", "custom/ping", {"ok": True}, exchange=number + 10**6, milliseconds=1)
            if number % 500 == 0:
                await asyncio.sleep(0.01)
        return "flooded"

    @first.tool
    async def big() -> dict[str, list[dict[str, object]]]:
        """Return much."""
        return {"rows": [{"number": number, "text": "x" * 180} for number in range(RESULT_BYTES // 210)]}

    for number in range(TOOLS - 2):
        first.register_tool(_named(number), name=f"tool-{number}")
    others = [DevServer(f"server-{number}", _other(number)) for number in range(SERVERS - 1)]

    def prepare(playground: Playground) -> Callable[[], None]:
        given.append(playground)
        return lambda: None

    return [DevServer("first", first), *others], prepare


def _named(number: int) -> Callable[..., object]:
    async def tool(text: str, count: int = 1) -> str:
        return f"{number} {text} {count}"

    tool.__doc__ = f"Tool number {number}."
    return tool


def _other(number: int) -> Server:
    server = Server(f"server-{number}")
    server.register_tool(_named(number), name="tool")
    return server


if __name__ == "__main__":
    servers, prepare = crowd()
    run_dev(servers, port=0, open_browser=False, prepare=prepare)
