"""What the playground finds by reading a server's pages, and that nobody waits for it."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from cloche import Server
from cloche.dev import running_servers
from cloche.dev.playground import Playground
from cloche.dev.servers import DevServer

WITHIN = 20.0
"""Seconds."""


async def test_a_page_that_takes_long_to_read_holds_nothing_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bundle of 7 MB took over a second, in which no view, call or page was answered."""
    server = Server("lab")

    @server.tool
    def look() -> str:
        return "seen"

    begun, answered = threading.Event(), threading.Event()

    def read_long(*_: Any) -> Iterator[Any]:
        begun.set()
        assert answered.wait(WITHIN), "nothing else was answered meanwhile"
        yield from ()

    monkeypatch.setattr(running_servers, "check_views", read_long)
    monkeypatch.setattr(running_servers, "check_tools", lambda _: iter(()))
    played = Playground([DevServer("lab", server)])
    try:
        await played.running.listing("lab")
        async with asyncio.timeout(WITHIN):
            assert await asyncio.to_thread(begun.wait, WITHIN)
            call = await played.session.start("lab.look", {})
            assert (await call.result())["content"][0]["text"] == "seen"
        answered.set()
    finally:
        answered.set()
        await played.close()
        await played.host.close()
