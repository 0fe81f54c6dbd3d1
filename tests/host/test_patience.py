"""Prompts and resources that ask the user: the time for an answer is the user's, not the server's."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any

import pytest

from cloche.errors import RequestTimeoutError
from cloche.host import Command, Elicitation, HostSession
from cloche.host.upstreams.questions import Origin
from tests.support.host_page import hosting

SERVER = '''
import asyncio
from cloche import Context, Server

server = Server("library")
FORM = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}

@server.prompt
async def greet(ctx: Context) -> str:
    """Greet somebody."""
    return f"Hello, {(await ctx.elicit('Whom?', FORM)).data['name']}!"

@server.resource("book://{title}")
async def book(title: str, ctx: Context) -> str:
    """A book."""
    if title == "endless":
        await asyncio.Event().wait()
    return f"{title} for {(await ctx.elicit('For whom?', FORM)).data['name']}"
'''
LIMIT = 1.0
PROMPT = ("prompts/get", {"name": "greet", "arguments": {}})
BOOK = ("resources/read", {"uri": "book://tea"})
ENDLESS = ("resources/read", {"uri": "book://endless"})


@pytest.mark.parametrize("version", ["2025-11-25", "2026-07-28"])
async def test_a_person_may_take_longer_than_the_server(version: str, tmp_path: Path) -> None:
    file = tmp_path / "library.py"
    file.write_text(SERVER, "utf-8")
    asked: list[str] = []
    async with hosting({"library": Command([sys.executable, "-m", "cloche", "run", str(file)])}) as host:

        @host.on_elicit
        async def ask(_: HostSession, wanted: Elicitation) -> dict[str, str]:
            answered = asyncio.Event()
            asyncio.get_running_loop().call_later(1.5 * LIMIT, answered.set)
            await answered.wait()
            asked.append(wanted.message)
            return {"name": "Ann"}

        upstream = host.session("ann").upstream("library")
        upstream.version = version
        await upstream.tools()
        assert upstream.greeting is not None
        assert upstream.greeting["protocolVersion"] == version

        async def got(request: tuple[str, dict[str, Any]]) -> Any:
            return await upstream.request(request[0], request[1], timeout=LIMIT, by=Origin("ann"))

        assert (await got(PROMPT))["messages"][0]["content"]["text"] == "Hello, Ann!"
        assert (await got(BOOK))["contents"][0]["text"] == "tea for Ann"
        assert asked == ["Whom?", "For whom?"]
        with pytest.raises(RequestTimeoutError):
            await got(ENDLESS)
