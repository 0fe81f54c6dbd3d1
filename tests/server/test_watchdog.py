"""The watchdog of the event loop names the tool that blocks it, and the line (U4)."""

from __future__ import annotations

import asyncio
import json
import logging
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cloche import Client, Server
from cloche.server.watchdog import Watchdog, watched
from tests.support.http_client import HttpClient

BLOCKED = "has blocked the event loop"


class Told(logging.Handler):
    """The warnings, and a gate that the first one opens: so what blocks goes on as soon as it has been seen."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.texts: list[str] = []
        self.gate = threading.Event()

    def emit(self, record: logging.LogRecord) -> None:
        text = record.getMessage()
        self.texts.append(text)
        if "# the line of" in text:  # and not a slow import, on a busy machine
            self.gate.set()

    @property
    def lines(self) -> list[str]:
        """What was said of the functions below."""
        return [text for text in self.texts if "# the line of" in text]

    def block(self) -> str:
        """Block the thread until the watchdog has barked."""
        assert self.gate.wait(30), "nobody noticed"
        return "done"


@pytest.fixture
def told() -> Iterator[Told]:
    logger, handler = logging.getLogger("cloche.server"), Told()
    logger.addHandler(handler)
    yield handler
    logger.removeHandler(handler)


def server_that_blocks(told: Told) -> Server:
    server = Server("blocking")

    @server.tool
    async def direct() -> str:
        return told.block()  # the line of direct

    @server.tool
    async def through_a_helper() -> str:
        def helper() -> str:
            return told.block()

        await asyncio.sleep(0)
        return helper()  # the line of through_a_helper

    @server.resource("page://one")
    async def page() -> str:
        return told.block()  # the line of page

    return server


@pytest.mark.parametrize("tool", ["direct", "through_a_helper"])
@pytest.mark.parametrize("way", ["memory", "http"])
async def test_the_tool_and_its_line_are_named(tool: str, way: str, told: Told) -> None:
    server = server_that_blocks(told)
    with watched(0.05):
        if way == "memory":
            async with Client(server) as client:
                assert (await client.call_tool(tool)).text == "done"
        else:
            assert (await HttpClient(server.asgi()).call(tool)).text == "done"
    (text,) = told.lines
    assert text.startswith(f"the tool {tool} {BLOCKED} for ")
    assert f"{Path(__file__).name} line " in text
    assert f"# the line of {tool}" in text
    assert "plain `def`" in text


async def test_a_resource_is_named_too(told: Told) -> None:
    with watched(0.05):
        async with Client(server_that_blocks(told)) as client:
            await client.read_resource("page://one")
    (text,) = told.lines
    assert text.startswith(f"resources/read {BLOCKED}")


async def test_what_waits_without_blocking_is_nobodys_business(told: Told) -> None:
    """The watchdog looks many times while a tool waits, and says nothing."""
    server = Server("waiting")
    release = asyncio.Event()

    @server.tool
    async def wait() -> str:
        await release.wait()
        return "done"

    watchdog = Watchdog(0.2)
    watchdog.start()
    beats: set[float] = set()
    async with Client(server) as client:
        call = asyncio.ensure_future(client.call_tool("wait"))
        async with asyncio.timeout(30):
            while len(beats) < 6:
                beats.add(watchdog._beat)
                await asyncio.sleep(0)
        release.set()
        assert (await call).text == "done"
    watchdog.stop()
    assert [text for text in told.texts if "tools/call" in text or "the tool" in text] == []


async def test_zero_seconds_switch_it_off() -> None:
    before = threading.active_count()
    with watched(0):
        assert threading.active_count() == before


CODE = """
import time
from cloche import Limits, Server

server = Server("slow", limits=Limits(blocking_seconds=0.1))

@server.tool
async def sleepy() -> str:
    time.sleep(0.5)
    return "awake"

server.run()
"""


def test_a_server_that_runs_is_watched(tmp_path: Path) -> None:
    """In a process of its own, as `cloche dev` and clients start it; its stderr is what a person sees."""
    file = tmp_path / "slow.py"
    file.write_text(CODE)
    client = {"name": "test", "version": "1"}
    hello: dict[str, Any] = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client}
    lines = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "sleepy"}},
    ]
    done = subprocess.run(
        [sys.executable, str(file)],
        input="".join(f"{json.dumps(line)}\n" for line in lines),
        capture_output=True,
        text=True,
        timeout=30,
        check=True,
    )
    assert "awake" in done.stdout
    assert f"the tool sleepy {BLOCKED}" in done.stderr
    assert "slow.py line 9, time.sleep(0.5)" in done.stderr
