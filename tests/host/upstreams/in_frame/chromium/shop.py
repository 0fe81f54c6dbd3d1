"""A product whose page has a server by URL in a frame: all as shipped, on a real port."""

from __future__ import annotations

import asyncio
import json
import time
from typing import Any
from urllib.parse import urlencode

from playwright.sync_api import Locator, Page

from cloche.errors import ClocheError, UpstreamError
from cloche.host import Call, Host, InFrame
from cloche.host.upstreams.frame_setups import MemorySetups
from cloche.host.upstreams.remote import Asking
from tests.support.product import POLICY, Product

DEADLINE = 30.0

STATE = """(element, wanted) => new Promise((resolve) => {
  const look = () => {
    if (element.state !== wanted) return;
    element.removeEventListener("statechange", look);
    resolve(element.error?.message ?? "");
  };
  element.addEventListener("statechange", look);
  look();
})"""


class Shop(Product):
    """`shop.has(site, …)` names the server, `shop.visit(page)` is Ann's tab, `shop.call(…)` is what the agent does."""

    def __init__(self) -> None:
        self.setups = MemorySetups()
        self.spec: InFrame | None = None
        super().__init__(Host({"demo": lambda user: self.spec}, secret="a secret of sixteen bytes"))
        self.policy = f"{POLICY} http://127.0.0.1:* http://localhost:*"

    def __enter__(self) -> Shop:
        super().__enter__()
        return self

    @property
    def own(self) -> str:
        """The origin of the product."""
        return f"http://127.0.0.1:{self.port}"

    def has(self, site: str, path: str = "server.html", *, ask: Asking = "never", **options: Any) -> str:
        """The server is this page; its address has options for it. Returns its URL."""
        given = {"allow": self.own, **options}
        written = {key: value if isinstance(value, str) else json.dumps(value) for key, value in given.items()}
        self.spec = InFrame(f"{site}/{path}?{urlencode(written)}", ask=ask, setups=self.setups)
        return self.spec.url

    def keep(self) -> None:
        """Ann has set the server up before."""
        assert self.spec is not None
        setup = {
            "sessionId": "mcp-kept",
            "protocolVersion": "1.0",
            "origin": self.spec.origin,
            "displayName": "Demo",
            "transportVisibility": {"requirement": "hidden"},
            "permissions": [],
        }
        self.run(self.setups.put("ann", self.spec.url, setup))

    def kept(self) -> Any:
        """What the product knows of the setup."""
        assert self.spec is not None
        return self.run(self.setups.get("ann", self.spec.url))

    def visit(self, page: Page) -> Locator:
        """Load the product; its element."""

        async def element() -> str:
            return self.host.session("ann").server_element("demo")

        page.goto(self.page(self.run(element())))
        return page.locator("mcp-server")

    def start(self, tool: str, **arguments: Any) -> Call:
        """Call a tool, as an agent does. The page is ready a moment before the host has heard of it."""

        async def started() -> Call:
            async with asyncio.timeout(DEADLINE):
                while True:
                    try:
                        return await self.host.session("ann").start(f"demo.{tool}", arguments)
                    except UpstreamError as error:
                        if "being loaded" not in str(error):
                            raise
                    await asyncio.sleep(0.02)

        call: Call = self.run(started())
        return call

    def refuses(self, sentence: str) -> None:
        """Wait until an agent gets this sentence: the host hears of it a moment after the page shows it."""
        ends = time.monotonic() + DEADLINE
        while sentence not in str(said := self.call("whoami")):
            assert time.monotonic() < ends, said

    def answers(self, tool: str) -> Any:
        """Wait until a tool has a result: the host hears of a server that is ready a moment after the page shows it."""
        ends = time.monotonic() + DEADLINE
        while isinstance(found := self.call(tool), str):
            assert time.monotonic() < ends, found
        return found

    def call(self, tool: str, **arguments: Any) -> Any:
        """What a tool answers, or the sentence that an agent gets instead."""
        try:
            result = self.run(self.start(tool, **arguments).result())
        except ClocheError as error:
            return str(error)
        return result.get("structuredContent") or json.loads(result["content"][0]["text"])


def reached(element: Locator, state: str) -> str:
    """Wait until the element is in this state; the sentence of its error."""
    told: str = element.evaluate(STATE, state)
    return told
