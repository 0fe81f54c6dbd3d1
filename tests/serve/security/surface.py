"""What the attacks are run against, and what every answer to one must keep to."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from cloche import Context, Server
from cloche.server.limits import Limits
from tests.support.http_client import Answer, HttpClient

ERROR_TEXT = 700
"""No error text is longer."""


class Surface:
    """A server with tools that tell whether they ran."""

    def __init__(self, limits: Limits | None = None, **options: Any) -> None:
        self.server = Server("surface", limits=limits or Limits(), **options)
        self.ran: list[str] = []
        self.entered = asyncio.Event()
        self.release = asyncio.Event()
        self.server.tool(self.echo)
        self.server.tool(self.twice)
        self.server.tool(self.wait)
        self.server.tool(self.ask)

    async def echo(self, text: str = "") -> str:
        self.ran.append(text)
        return text

    async def twice(self, text: str) -> dict[str, str]:
        """Typed, so that the answer has the text two times."""
        return {"text": text}

    async def wait(self, text: str = "") -> str:
        """Answers when the test says so."""
        self.ran.append(text)
        self.entered.set()
        await self.release.wait()
        return text

    async def ask(self, ctx: Context) -> str:
        """Asks the user, and says what the user said."""
        answer = await ctx.elicit("Who?", {"type": "object", "properties": {"name": {"type": "string"}}})
        return f"{answer.action} {answer.data}"

    def client(self, **options: Any) -> HttpClient:
        return HttpClient(self.server.asgi(**options))


def check_refusal(answer: Answer, status: int | tuple[int, ...], code: int | None = None) -> str:
    """The rules of every refusal; returns its sentence."""
    wanted = status if isinstance(status, tuple) else (status,)
    assert answer.status in wanted, answer
    assert answer.headers["content-type"] == "application/json"
    assert code is None or answer.error["code"] == code, answer
    text: str = answer.error["message"]
    assert 0 < len(text) <= ERROR_TEXT
    assert len(answer.body) < 1500
    return text


async def check_next_works(client: HttpClient) -> None:
    """Nothing was lost: the next good request is answered."""
    assert (await client.call("echo", text="still here")).text == "still here"


async def turn_until(condition: Callable[[], Any]) -> None:
    """Let the loop run until something is true."""
    async with asyncio.timeout(10):
        while not condition():  # noqa: ASYNC110  (what is waited for has no event of its own)
            await asyncio.sleep(0)
