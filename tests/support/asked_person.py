"""A user whom servers ask, without a browser."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from cloche.host import Host
from tests.support.host_page import ORIGIN


class Person:
    """A user with a page for questions, without a browser."""

    def __init__(self) -> None:
        self.frames: asyncio.Queue[dict[str, Any]] = asyncio.Queue()

    async def at(self, host: Host, user: str = "ann") -> Person:
        ticket = host.session(user).questions_element().split('"')[1]
        self.page = await host._open_questions(
            ticket, page_origin=ORIGIN, send=self.frames.put_nowait, admitted=lambda: None
        )
        self.page.start()
        return self

    async def asked(self) -> dict[str, Any]:
        while "ask" not in (frame := await asyncio.wait_for(self.frames.get(), 5)):
            pass
        return frame

    async def says(self, value: object) -> dict[str, Any]:
        """Answer the next question, and return it."""
        frame = await self.asked()
        self.page.answered(frame["ask"], value)
        question: dict[str, Any] = frame["question"]
        return question


def decoded(result: dict[str, Any]) -> Any:
    return json.loads(result["content"][0]["text"])
