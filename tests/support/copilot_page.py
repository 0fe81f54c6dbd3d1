"""A page with a copilot in a frame, without a browser: speaks to a host as `<mcp-copilot>` does, for its copilot."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import msgspec

from cloche import Client
from cloche.errors import TransportClosedError
from cloche.host import Host
from cloche.host.copilot_page import CopilotPage
from cloche.transports.base import Transport

Json = dict[str, Any]

DEADLINE = 20.0
ORIGIN = "https://product.example"


class FrameTransport(Transport):
    """The copilot's end: what it sends reaches the host as the page passes it on."""

    def __init__(self, page: CopilotPage) -> None:
        super().__init__()
        self._page = page

    async def send(self, data: bytes) -> None:
        """Say something."""
        if not self._connected:
            raise TransportClosedError
        self._page.receive(msgspec.json.decode(data))

    async def close(self) -> None:
        """The frame is gone."""
        self.ended()


class PageWithCopilot:
    """`page = await PageWithCopilot().at(host)`, then `page.client` is the copilot. `says` is what the person answers
    to a question, None for nothing.
    """

    def __init__(self, says: object = True) -> None:
        self.says = says
        self.frames: list[Json] = []
        self.questions: list[Json] = []
        self.page: CopilotPage
        self.client: Client
        self.transport: FrameTransport
        self._more = asyncio.Event()

    async def at(
        self, host: Host, user: str = "ann", name: str = "helper", *, connects: bool = True
    ) -> PageWithCopilot:
        """Open the element of this user's page, and have the frame connect."""
        ticket = host.session(user).copilot_element(name).split('"')[1]
        self.page = await host._open_copilot(ticket, page_origin=ORIGIN, send=self.take, admitted=lambda: None)
        self.page.start()
        if connects:
            await self.connect()
        return self

    async def connect(self) -> None:
        """A page is in the frame, and greets the host."""
        self.page.event("connected", {})
        self.transport = FrameTransport(self.page)
        self.client = Client(self.transport, version="2025-06-18")
        await self.client.connect()

    def take(self, frame: Json) -> None:
        """The host sends a frame."""
        self.frames.append(frame)
        if "ask" in frame:
            self.questions.append(frame["question"])
            if self.says is not None:
                asyncio.get_running_loop().call_soon(self.page.answered, frame["ask"], self.says)
        if "message" in frame:
            self.transport.deliver(msgspec.json.encode(frame["message"]))
        self._more.set()

    async def until(self, wanted: Callable[[Json], object]) -> Json:
        """The last frame that fits, when there is one."""
        async with asyncio.timeout(DEADLINE):
            while not (found := [frame for frame in self.frames if wanted(frame)]):
                self._more.clear()
                await self._more.wait()
        return found[-1]

    async def tools(self) -> list[str]:
        """The names of the tools that the copilot is told of."""
        return [tool.name for tool in await self.client.list_tools()]

    async def call(self, name: str, **arguments: Any) -> Any:
        """What a tool answers the copilot: its structured result, or its text."""
        result = await self.client.call_tool(name, arguments)
        return result.structured_content if result.structured_content is not None else result.text
