"""WebKitGTK's MiniBrowser over WebDriver, which has no events: what happens on a page is asked for, again and again.

Each page has a window to itself, because a tab in the background is hidden, and WebKit lets the timers of a hidden page
run once a second.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import socket
from pathlib import Path
from typing import Any

import httpx2

from tests.engines.display import Display
from tests.engines.driving import CannotDrive, DriverError, Handler, MainFrame, Program, Tasks
from tests.engines.person import Person
from tools.engines import minibrowser, program

FRAME = "element-6066-11e4-a52e-4f735466cecf"
"""WebDriver's name for a reference to an element."""

ASK_EVERY = 0.1
"""Seconds between two looks at a page."""

CALL = """
const [argument, done] = arguments;
const call = async () => (%s)(argument);
call().then((value) => done({ value }), (error) => done({ error: `${error}` }));
"""
"""The function stands in the script itself: a page's policy may forbid to make code of text."""

CAMERAS = ("--enable-media-stream=true", "--enable-mock-capture-devices=true")
"""They are pretended, and allowed once a page may ask."""

SIZE = {"width": 900, "height": 2038}
"""Of a window; what is above the page takes 38 pixels of it."""

ABOVE = 38

FIND_FRAME = """
const [index] = arguments;
const all = (root) => [...root.querySelectorAll("*")].flatMap((one) =>
  one.localName === "iframe" ? [one] : one.shadowRoot ? all(one.shadowRoot) : []);
return all(document)[index] ?? null;
"""
"""Frames in open shadow roots count, too; `<mcp-app>` keeps its own in one."""


class WebKit:
    """One MiniBrowser, its driver and a display."""

    def __init__(self) -> None:
        self.name = ""
        self.lock = asyncio.Lock()
        self._session = ""
        self._current = ""
        self.display = Display()

    async def start(self) -> WebKit:
        """Start everything."""
        await self.display.start()
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        # As root in a container there is no bubblewrap.
        env = {**self.display.env, "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1"}
        self._driver = Program([program("WebKitWebDriver"), f"--port={port}"], env)
        self._http = httpx2.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=90)
        await self._listening()
        options = {"binary": minibrowser(), "args": ["--automation", *CAMERAS]}
        wanted = {
            "webkitgtk:browserOptions": options,
            "unhandledPromptBehavior": "ignore",
            "pageLoadStrategy": "none",  # a hostile page may never have loaded
        }
        answer = await self._send("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})
        self._session = answer["sessionId"]
        version = answer["capabilities"].get("browserVersion", "")
        self.name = f"WebKitGTK {version}".strip()
        self._home = str(await self.get("window"))
        await self.post("timeouts", {"script": 60_000, "pageLoad": 60_000, "implicit": 0})
        return self

    async def _listening(self) -> None:
        async with asyncio.timeout(30):
            while True:
                try:
                    await self._send("GET", "/status")
                    return
                except httpx2.TransportError:
                    await asyncio.sleep(ASK_EVERY)

    async def _send(self, method: str, path: str, body: Any = None) -> Any:
        answer = await self._http.request(method, path, json=body)
        value = answer.json()["value"]
        if isinstance(value, dict) and "error" in value and "message" in value:
            raise DriverError(value["error"], value["message"])
        return value

    async def post(self, path: str, body: Any = None) -> Any:
        """A command of the session."""
        return await self._send("POST", f"/session/{self._session}/{path}", body or {})

    async def get(self, path: str) -> Any:
        """A question to the session."""
        return await self._send("GET", f"/session/{self._session}/{path}")

    async def delete(self, path: str) -> Any:
        """The end of something."""
        return await self._send("DELETE", f"/session/{self._session}/{path}")

    async def new_page(self) -> WebKitPage:
        """Open a page, in a window of its own."""
        async with self.lock:
            await self.switch(self._home)  # the one in front may have been closed
            before = await self.windows()
            made = await self.post("window/new", {"type": "window"})
            await self.switch(made["handle"])
            await self.post("window/rect", {"x": 0, "y": 0, **SIZE})
            async with asyncio.timeout(30):
                while True:
                    found = await self.windows() - before
                    if found:
                        break
                    await asyncio.sleep(ASK_EVERY)
            page = WebKitPage(self, made["handle"], max(found, key=int))
        await page.bring_to_front()
        return page

    async def switch(self, handle: str) -> None:
        """Send what comes next to this window. Where a dialog is open, this command is never answered."""
        if self._current != handle:
            await self.post("window", {"handle": handle})
            self._current = handle

    async def windows(self) -> set[str]:
        """The windows on the display."""
        return set((await self.display.use("search", "--onlyvisible", "--name", "MiniBrowser")).split())

    @property
    def downloads(self) -> Path:
        """Where files are saved: in the driver's home, because it names no folder for them."""
        return Path(self._driver.home)

    async def close(self) -> None:
        """End what was started."""
        with contextlib.suppress(httpx2.HTTPError, DriverError, TimeoutError):
            await asyncio.wait_for(self._send("DELETE", f"/session/{self._session}"), 5)
        await self._http.aclose()
        await self._driver.close()
        await self.display.close()


class WebKitPage(Person):
    """A window. Every command goes to the current one: so each switches first, and none overlap."""

    is_one_process = True

    def __init__(self, engine: WebKit, handle: str, window: str) -> None:
        super().__init__(engine.display, (0, ABOVE))
        self._engine = engine
        self._handle = handle
        self._window = window
        self._handlers: dict[str, list[Handler]] = {}
        self._tasks = Tasks()
        self.main_frame, self._has_arrived = MainFrame(), False
        self.context = engine
        """What more pages are opened from."""

    @contextlib.asynccontextmanager
    async def _in_front(self) -> Any:
        async with self._engine.lock:
            await self._engine.switch(self._handle)
            yield self._engine

    async def goto(self, url: str, **_: Any) -> None:
        """Go to an address."""
        self.main_frame.url, self._has_arrived = url, False
        async with self._in_front() as engine:
            await engine.post("url", {"url": url})

    async def reload(self) -> None:
        """Load the page again."""
        async with self._in_front() as engine:
            await engine.post("refresh")

    async def evaluate(self, function: str, argument: Any = None) -> Any:
        """Call a function in the page."""
        return await self.evaluate_in((), function, argument)

    async def evaluate_in(self, path: tuple[int, ...] | None, function: str, argument: Any = None) -> Any:
        """Call a function in a frame, or without a path in the innermost."""
        async with self._in_front() as engine:
            await engine.post("frame", {"id": None})
            for index in itertools.repeat(0) if path is None else path:
                found = await engine.post("execute/sync", {"script": FIND_FRAME, "args": [index]})
                if found is None and path is None:
                    break
                if found is None:
                    raise DriverError("no such frame", str(path))
                await engine.post("frame", {"id": found})
            answer = await engine.post("execute/async", {"script": CALL % function, "args": [argument]})
        if "error" in answer:
            raise DriverError("javascript error", answer["error"])
        return answer.get("value")

    def on(self, event: str, handler: Handler) -> None:
        """Look for dialogs, other addresses and saved files, from now on."""
        if event not in ("dialog", "framenavigated", "download"):
            raise CannotDrive(f"WebDriver tells nothing of {event}")
        if not self._handlers:
            self._tasks.start(self._look())
        self._handlers.setdefault(event, []).append(handler)

    async def _look(self) -> None:
        while True:
            await asyncio.sleep(ASK_EVERY)
            with contextlib.suppress(DriverError, httpx2.HTTPError):
                async with self._in_front() as engine:
                    try:
                        dialog = WebKitDialog(await engine.get("alert/text"), engine)
                    except DriverError:
                        dialog = None
                    url = self.main_frame.url if dialog else str(await engine.get("url"))
                    for handler in self._handlers.get("dialog", ()) if dialog else ():
                        await handler(dialog)
                if url == self.main_frame.url:
                    self._has_arrived = True
                elif self._has_arrived or url != "about:blank":
                    self.main_frame.url = url
                    for handler in self._handlers.get("framenavigated", ()):
                        handler(self.main_frame)
            for file in self._engine.downloads.iterdir() if "download" in self._handlers else ():
                for handler in self._handlers["download"] if file.is_file() else ():
                    handler(WebKitDownload(file.name))
                    file.unlink()  # the next page may save one of the same name

    # The person in front of it

    async def bring_to_front(self) -> None:
        """Make it the window that has the keyboard, and lies over the others."""
        await self.display.use("windowraise", self._window, "windowfocus", "--sync", self._window)

    async def close(self) -> None:
        """Close the window."""
        await self._tasks.close()
        with contextlib.suppress(DriverError):
            async with self._in_front() as engine:
                await engine.delete("window")


class WebKitDownload:
    """A file that was saved."""

    def __init__(self, suggested_filename: str) -> None:
        self.suggested_filename = suggested_filename


class WebKitDialog:
    """An open `alert` or `confirm`; it is dismissed by whoever looks at it, with the window still current."""

    def __init__(self, message: str, engine: WebKit) -> None:
        self.message, self._engine = message, engine

    async def dismiss(self) -> None:
        """Close it."""
        await self._engine.post("alert/dismiss")
