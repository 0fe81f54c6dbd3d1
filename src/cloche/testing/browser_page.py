"""The browser's part: one page with the host in it, a sandbox on another origin, the view inside.

Nothing listens on a port: the browser's requests for these origins are answered from here.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import quote, urlsplit

from cloche.testing.records import ConsoleLine, Record, ScriptError, Violation
from cloche.wire.types import Json

if TYPE_CHECKING:
    from playwright.async_api import Browser, BrowserContext, FrameLocator, Page, Route

HOST = "https://cloche-host.test"
SANDBOX = "https://cloche-view.test"
TYPES = {"html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8"}

SETTLE = 0.5
"""Seconds for frames to show that they are alive."""

Theme = Literal["light", "dark"]


@dataclass(frozen=True)
class Frame:
    """What the page needs to know to show a view."""

    policy: str
    allow: str
    width: int
    height: int
    headers: Mapping[str, str] = field(default_factory=dict)
    """What the sandbox's page has beside its policy."""


class Stage:
    """One browser context with one page; `on_message` gets what the sandbox posts, decoded."""

    def __init__(self, record: Record, on_message: Callable[[Any], None], responses: Json) -> None:
        self._record = record
        self._on_message = on_message
        self._responses = responses
        self._context: BrowserContext | None = None
        self._page: Page | None = None
        self._frame: Frame | None = None
        self._life = 0

    @property
    def page(self) -> Page:
        """The host's page."""
        assert self._page is not None
        return self._page

    @property
    def view(self) -> FrameLocator:
        """The view's document, inside the sandbox inside the host."""
        return self.page.frame_locator("iframe").frame_locator("iframe")

    async def open(self, browser: Browser, *, theme: Theme, width: int, height: int, **options: Any) -> None:
        """Open the page; `options` are those of Playwright's `new_context`."""
        size: Any = {"width": width, "height": height}
        self._context = await browser.new_context(color_scheme=theme, viewport=size, **options)
        self._page = page = await self._context.new_page()
        page.on("console", lambda line: self._record.add("console", ConsoleLine(line.type, line.text)))
        page.on("pageerror", lambda error: self._record.add("error", ScriptError(str(error), error.stack or "")))
        await page.expose_binding("clocheReport", lambda _, kind, value, life=None: self._reported(kind, value, life))
        await page.add_init_script(_asset("watch.js"))
        await page.route("**/*", self._serve)
        await page.goto(f"{HOST}/")

    async def show(self, frame: Frame) -> None:
        """Put a new sandbox in place of what is there."""
        self._frame = frame
        self._life += 1
        url = f"{SANDBOX}/?host={quote(HOST, safe='')}"
        options = {"url": url, "life": self._life, "width": frame.width, "height": frame.height, "allow": frame.allow}
        await self.page.evaluate("options => host.show(options)", options)

    async def post(self, message: Json) -> None:
        """Post a message to the sandbox."""
        await self.page.evaluate("message => host.post(message)", message)

    async def resize(self, width: float, height: float) -> None:
        """Give the view this much room."""
        await self.page.evaluate("([width, height]) => host.resize(width, height)", [width, height])

    async def settle(self) -> None:
        """Wait a moment for what the frames have reported already; a frame that is stuck is not waited for."""
        answers = [asyncio.ensure_future(frame.evaluate("0")) for frame in self.page.frames]
        _, stuck = await asyncio.wait(answers, timeout=SETTLE)
        for answer in stuck:
            answer.cancel()
        await asyncio.gather(*answers, return_exceptions=True)

    async def remove(self) -> None:
        """Take the view away."""
        await self.page.evaluate("() => host.remove()")

    async def close(self) -> None:
        """Close the page and everything in it."""
        context, self._context = self._context, None
        if context is not None:
            await context.close()

    def _reported(self, kind: str, value: str, life: int | None) -> None:
        if life is not None and life != self._life:
            return  # of a view that is gone
        if kind == "message":
            self._on_message(json.loads(value))
        elif kind == "violation":
            self._violated(json.loads(value))
        elif kind == "foreign":
            self._record.add("problem", "something other than the sandbox posted to the host: views post to `parent`")
        else:
            self._record.add("problem", f"a message is not JSON: {value}")

    def _violated(self, seen: Json) -> None:
        blocked = seen["blockedURI"]
        if blocked.startswith(f"{SANDBOX}/"):
            path = urlsplit(blocked).path
            self._record.add("problem", f"the view asked for {path}: a view is one file, hosts serve nothing beside it")
            return
        source = seen["sourceFile"] or ""
        self._record.add("violation", Violation(seen["effectiveDirective"], blocked, source, seen["lineNumber"]))

    async def _serve(self, route: Route) -> None:
        url = urlsplit(route.request.url)
        origin, path = f"{url.scheme}://{url.netloc}", url.path.removeprefix("/")
        if origin == HOST and path in ("", "host.js"):
            await self._fulfill(route, path or "host.html")
        elif origin == SANDBOX and path == "":
            await self._fulfill(route, "proxy.html", self._frame)
        elif origin in (HOST, SANDBOX):
            await route.fulfill(status=404)
        else:
            self._record.add("request", route.request.url)
            await self._elsewhere(route)

    async def _fulfill(self, route: Route, name: str, frame: Frame | None = None) -> None:
        headers = {"Content-Type": TYPES[name.rpartition(".")[2]], "Cache-Control": "no-store"}
        if frame is not None:
            headers |= {"Content-Security-Policy": frame.policy, **frame.headers}
        await route.fulfill(body=_page(name), headers=headers)

    async def _elsewhere(self, route: Route) -> None:
        """What the test says stands at an address, else the real thing."""
        url = route.request.url
        if url not in self._responses:
            await route.continue_()
            return
        body = self._responses[url]
        shared = {"Access-Control-Allow-Origin": "*"}
        if isinstance(body, str | bytes):
            kind = "text/javascript" if urlsplit(url).path.endswith(".js") else "text/plain"
            await route.fulfill(body=body, headers={**shared, "Content-Type": f"{kind}; charset=utf-8"})
        else:
            await route.fulfill(json=body, headers=shared)


def _asset(name: str) -> str:
    return (files("cloche.web") / "testing" / name).read_text("utf-8")


def _page(name: str) -> str:
    """A page of ours; the sandbox's script stands in it, because the policy allows no script beside it."""
    return _asset(name).replace('<script src="proxy.js"></script>', f"<script>{_asset('proxy.js')}</script>")
