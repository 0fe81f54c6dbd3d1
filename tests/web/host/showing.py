"""A product's page in the browser, with `<mcp-app>` elements on it, and a test that is their host."""

from __future__ import annotations

from types import TracebackType
from typing import Any

from playwright.sync_api import Browser, Frame, Page

from cloche.views.scripts import generate_bridge, inject
from tests.web.host.stub import Stub

DEADLINE = 30_000
SCRIPT = '<script type="module" src="/cloche/mcp-app.js"></script>'
ELEMENT = '<mcp-app ticket="t1"></mcp-app>'


def view(body: str) -> str:
    """A view on our runtime."""
    return inject(f"<!doctype html><html><body>{body}</body></html>", bridge=generate_bridge())


class Showing:
    """`open()` loads the page; `mount(html)` answers the next element that asks to be shown."""

    def __init__(self, stub: Stub, browser: Browser) -> None:
        self.stub = stub
        self.browser = browser
        self.errors: list[str] = []
        self.expected: list[str] = []
        """Errors of views that a test causes."""

    def __enter__(self) -> Showing:
        self.context = self.browser.new_context()
        self.page: Page = self.context.new_page()
        self.page.set_default_timeout(DEADLINE)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self.context.close()
        if kind is None:
            assert [error for error in self.errors if error not in self.expected] == []

    def open(self, body: str = ELEMENT, head: str = "") -> Showing:
        """Load a page with this body."""
        page = f"<!doctype html><html><head>{head}{SCRIPT}</head><body>{body}</body></html>"
        self.stub.pages["/"] = page
        self.page.goto(self.stub.url + "/")
        return self

    def mount(self, html: str, **packet: Any) -> int:
        """Give the next element that asks a view, and its number."""
        number: int = self.stub.next("open")["open"]
        self.stub.send({"view": number, "mount": self.stub.packet(html, **packet)})
        return number

    def until_state(self, state: str, selector: str = "mcp-app") -> None:
        """Wait until an element is in a state."""
        self.page.wait_for_function(
            "([selector, state]) => document.querySelector(selector)?.state === state", arg=[selector, state]
        )

    def shown(self, html: str, **packet: Any) -> int:
        """Mount a view on our runtime, and wait for the end of its handshake."""
        number = self.mount(view(html), **packet)
        self.stub.next("event", event="initialized", view=number)
        self.until_state("ready")
        return number

    def message(self, number: int, method: str, **params: Any) -> None:
        """Send a view a notification."""
        self.stub.say(number, message={"jsonrpc": "2.0", "method": method, "params": params})

    def answer(self, number: int, request: dict[str, Any], **result: Any) -> None:
        """Answer a request of a view."""
        self.stub.say(number, message={"jsonrpc": "2.0", "id": request["message"]["id"], "result": result})

    @property
    def inner(self) -> Frame:
        """The frame of the view that came last."""
        return self.page.frames[-1]

    def element(self, expression: str) -> Any:
        """Something of the first element: `el` is the element, `root` its shadow root."""
        return self.page.evaluate(
            f"() => {{ const el = document.querySelector('mcp-app'), root = el.shadowRoot; return {expression} }}"
        )
