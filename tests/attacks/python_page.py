"""A page without a browser: speaks to a host as the element's script does, and asks what a hostile view would ask."""

from __future__ import annotations

import asyncio
import itertools
import re
from typing import Any

from cloche.host import MountedView
from tests.support.house import House

HELLO = {"appInfo": {"name": "hostile", "version": "1"}, "appCapabilities": {}, "protocolVersion": "2026-01-26"}


class Refused(Exception):
    """The host answered with an error."""


class PythonPage:
    """One view, opened with a ticket as a page does it."""

    def __init__(self, view: MountedView) -> None:
        self.view = view
        self.frames: list[dict[str, Any]] = []
        self._ids = itertools.count(1)
        self._answers: dict[Any, asyncio.Future[Any]] = {}
        self._came = asyncio.Event()

    @classmethod
    async def open(cls, house: House, user: str, tool: str = "evil.view", arguments: Any = None) -> PythonPage:
        """Call a tool of the user's and open its view."""
        server, _, name = tool.partition(".")
        liar = house.liar(server, user)
        if name not in {entry["name"] for entry in liar.tools}:
            liar.add_view(name, "<p>view</p>", {})
        call = await house.host.session(user).start(tool, arguments or {})
        return await cls.of_ticket(house, ticket_in(call.embed()))

    @classmethod
    async def of_ticket(cls, house: House, ticket: str) -> PythonPage:
        """Open whatever a ticket opens."""
        page: PythonPage | None = None
        early: list[dict[str, Any]] = []

        def send(frame: dict[str, Any]) -> None:
            (early.append if page is None else page.take)(frame)

        view = await house.host.open_view(ticket, context={}, page_origin=house.url, at_url=house.url, send=send)
        await view.ready()
        page = cls(view)
        view.event("initialize", {"params": HELLO})
        view.event("initialized", {})
        for frame in early:
            page.take(frame)
        return page

    def take(self, frame: dict[str, Any]) -> None:
        """The host sends a frame."""
        self.frames.append(frame)
        self._came.set()
        message = frame.get("message", {})
        waiting = self._answers.pop(message.get("id"), None) if "method" not in message else None
        if waiting is not None and not waiting.done():
            waiting.set_result(message)

    async def ask(self, method: str, params: Any) -> Any:
        """What the host answers the view; raises `Refused`."""
        number = next(self._ids)
        answer = self._answers[number] = asyncio.get_running_loop().create_future()
        self.view.receive({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        message = await asyncio.wait_for(answer, 20)
        if "error" in message:
            raise Refused(message["error"]["message"])
        return message["result"]

    async def told_of_changes(self, last: str) -> list[str]:
        """The resources of whose changes the view was told, up to this one."""
        async with asyncio.timeout(20):
            while True:
                messages = [frame.get("message", {}) for frame in self.frames]
                updates = [one for one in messages if one.get("method") == "notifications/resources/updated"]
                uris = [str(one["params"]["uri"]) for one in updates]
                if last in uris:
                    return uris
                self._came.clear()
                await self._came.wait()

    async def close(self) -> None:
        """The page is left."""
        await self.view.close("the test is over", gone=True)


def ticket_in(embed: str | None) -> str:
    """The ticket of an element."""
    found = re.search(r'ticket="([^"]+)"', embed or "")
    assert found is not None, embed
    return found[1]
