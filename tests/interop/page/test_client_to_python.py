"""client.js against the reference server of Python: every case of the page over a WebSocket, and one over stdio."""

from __future__ import annotations

import asyncio
import json
import sys
from typing import Any

from cloche.testing.behaviour import reference_server
from tests.support.behaviour.listening import listening
from tests.support.deno import ENVIRONMENT, command
from tests.support.page_cases import CASES

DEADLINE = 60.0


async def output(*arguments: str) -> list[str]:
    """Run a script to its end; the lines it printed."""
    process = await asyncio.create_subprocess_exec(
        *arguments, env=ENVIRONMENT, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    try:
        async with asyncio.timeout(DEADLINE):
            out, err = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
    assert process.returncode == 0, err.decode()[-2000:]
    return out.decode().splitlines()


class ServerPerClient:
    """A reference server of its own for each client, as the cases want it."""

    def __init__(self) -> None:
        self._apps: list[Any] = []

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        app = reference_server().websocket(path="/mcp")
        self._apps.append(app)
        await app(scope, receive, send)

    async def close(self) -> None:
        for app in self._apps:
            await app.close()


async def test_every_case_over_a_websocket() -> None:
    async with listening(ServerPerClient()) as address:
        lines = await output(*command("call_python.js", "--allow-net=127.0.0.1"), f"ws://{address}/mcp")
    outcomes = [json.loads(line) for line in lines]
    failed = [f"{outcome['name']}\n{outcome['failure']}" for outcome in outcomes if outcome["failure"] is not None]
    assert not failed, "\n\n".join(failed)
    assert len(outcomes) == CASES


async def test_it_finds_out_the_version_over_stdio() -> None:
    server = [sys.executable, "-m", "cloche.testing.behaviour"]
    (line,) = await output(*command("call_python.js", f"--allow-run={sys.executable}"), *server)
    assert json.loads(line) == {
        "version": "2026-07-28",
        "server": {"name": "behaviour", "version": "1.0"},
        "content": [{"type": "text", "text": "accept Ada"}],
    }
