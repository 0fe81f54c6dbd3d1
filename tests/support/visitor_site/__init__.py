"""A product whose visitors have a server of their own, in a worker of its page: all as shipped, on a real port."""

from __future__ import annotations

from importlib import resources
from typing import Any

from playwright.sync_api import Browser, Page

from cloche.host import Call, Host
from tests.support.product import Product

DEADLINE = 10_000
SCRIPTS = {f"/{name}": resources.files(__package__).joinpath(name).read_bytes() for name in ("page.js", "worker.js")}


class Site(Product):
    """`site.visit(…)` is a visitor's tab; `site.start(…)` is what the agent does."""

    def __init__(self, host: Host, browser: Browser) -> None:
        super().__init__(host)
        self._browser = browser

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        script = SCRIPTS.get(scope.get("path", ""))
        if script is None or scope["type"] != "http":
            await super().__call__(scope, receive, send)
            return
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"text/javascript")]})
        await send({"type": "http.response.body", "body": script})

    def ticket(self, user: str = "ann", server: str = "mine") -> str:
        async def offer() -> str:
            return self.host.session(user).offer(server)

        found: str = self.run(offer())
        return found

    def address(self, ticket: str, name: str = "tab", head: str = "") -> str:
        style = "<body data-ticket='{}' data-name='{}'><h1>A product</h1><p><input id=chat aria-label=chat></p>"
        script = "<script type=module src=/page.js></script>"
        return self.page(style.format(ticket, name) + script, head)

    def visit(self, page: Page, *, user: str = "ann", server: str = "mine", name: str = "tab", head: str = "") -> Page:
        """Load the product in a tab, and wait until its server is offered."""
        page.set_default_timeout(DEADLINE)
        page.goto(self.address(self.ticket(user, server), name, head))
        page.locator("body[data-state=offered]").wait_for()
        return page

    def start(self, name: str, user: str = "ann", **arguments: Any) -> Call:
        call: Call = self.run(self.host.session(user).start(name, arguments))
        return call

    def said(self, call: Call) -> str:
        found: str = self.run(call.result())["content"][0]["text"]
        return found

    def call(self, name: str, user: str = "ann", **arguments: Any) -> str:
        return self.said(self.start(name, user, **arguments))

    def tools(self, user: str = "ann") -> list[str]:
        return [tool["name"] for tool in self.run(self.host.session(user).tools())]

    def drop(self) -> None:
        """Break every connection."""

        async def end() -> None:
            for socket in tuple(self._wrapped.routes._sockets):
                socket.end(1001, "")

        self.run(end())

    def forget(self) -> None:
        """As if the host had been started anew: nobody knows the pages any more."""

        async def end() -> None:
            for mount in tuple(self._wrapped.routes.mounts.by_id.values()):
                mount.close("The host was started anew")
            for socket in tuple(self._wrapped.routes._sockets):
                socket.end(1001, "")

        self.run(end())
