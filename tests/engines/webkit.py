"""WebKitGTK's MiniBrowser over WebDriver, which has no events: what happens on a page is asked for, again and again."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import os
import socket
from typing import Any

import httpx2

from tests.engines.driving import CannotDrive, DriverError, Handler, MainFrame, Program, Tasks
from tools.engines import minibrowser, program

FRAME = "element-6066-11e4-a52e-4f735466cecf"
"""WebDriver's name for a reference to an element."""

SETTINGS = {
    "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1",  # as root in a container there is no bubblewrap
    "LIBGL_ALWAYS_SOFTWARE": "1",
    "NO_AT_BRIDGE": "1",
    "GTK_A11Y": "none",
    "GSETTINGS_BACKEND": "memory",
    "GIO_USE_VFS": "local",
}

ASK_EVERY = 0.1
"""Seconds between two looks at a page."""

CALL = """
const [argument, done] = arguments;
const call = async () => (%s)(argument);
call().then((value) => done({ value }), (error) => done({ error: `${error}` }));
"""
"""The function stands in the script itself: a page's policy may forbid to make code of text."""

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
        self._programs: list[Program] = []
        self._session = ""

    async def start(self) -> WebKit:
        """Start everything."""
        reading, writing = os.pipe()
        command = [program("Xvfb"), "-displayfd", str(writing), "-screen", "0", "1400x2200x24", "-nolisten", "tcp"]
        self._programs.append(Program(command, pass_fds=(writing,)))
        os.close(writing)
        with os.fdopen(reading) as pipe:
            display = ":" + (await asyncio.to_thread(pipe.readline)).strip()
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        env = {**SETTINGS, "DISPLAY": display, "WAYLAND_DISPLAY": ""}
        self._programs.append(Program([program("WebKitWebDriver"), f"--port={port}"], env))
        self._http = httpx2.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=90)
        await self._listening()
        options = {"binary": minibrowser(), "args": ["--automation"]}
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
        """Open a page, in a tab of its own."""
        async with self.lock:
            await self.post("window", {"handle": self._home})  # the one in front may have been closed
            made = await self.post("window/new", {"type": "tab"})
        return WebKitPage(self, made["handle"])

    async def close(self) -> None:
        """End what was started."""
        with contextlib.suppress(httpx2.HTTPError, DriverError):
            await self._send("DELETE", f"/session/{self._session}")
        await self._http.aclose()
        for one in reversed(self._programs):
            await one.close()


class WebKitPage:
    """A tab. Every command goes to the tab that is in front: so each switches first, and none overlap."""

    def __init__(self, engine: WebKit, handle: str) -> None:
        self._engine = engine
        self._handle = handle
        self._handlers: dict[str, list[Handler]] = {}
        self._tasks = Tasks()
        self.main_frame = MainFrame()

    @contextlib.asynccontextmanager
    async def _in_front(self) -> Any:
        async with self._engine.lock:
            await self._engine.post("window", {"handle": self._handle})
            yield self._engine

    async def goto(self, url: str, **_: Any) -> None:
        """Go to an address."""
        self.main_frame.url = url
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
        """Look for dialogs and other addresses, from now on; a download cannot be seen at all."""
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
                if url not in (self.main_frame.url, "about:blank"):
                    self.main_frame.url = url
                    for handler in self._handlers.get("framenavigated", ()):
                        handler(self.main_frame)

    async def add_init_script(self, script: str) -> None:
        """Nothing can be put before a page's own scripts."""
        raise CannotDrive("WebDriver has no scripts that run before the page's own")

    async def expose_binding(self, name: str, handler: Handler) -> None:
        """Nothing on a page can call the test."""
        raise CannotDrive("WebDriver has no calls from the page")

    def __getattr__(self, name: str) -> Any:
        """A person's mouse and keyboard: WebKitGTK's driver never answers actions of a pointer."""
        if name.startswith("_"):
            raise AttributeError(name)
        raise CannotDrive(f"WebKitGTK's driver has nobody for {name}")

    @property
    def frames(self) -> list[Any]:
        """Every frame of the page."""
        raise CannotDrive("frames are found by their path here")

    async def close(self) -> None:
        """Close the tab."""
        await self._tasks.close()
        with contextlib.suppress(DriverError):
            async with self._in_front() as engine:
                await engine.delete("window")


class WebKitDialog:
    """An open `alert` or `confirm`; it is dismissed by whoever looks at it, with the tab still in front."""

    def __init__(self, message: str, engine: WebKit) -> None:
        self.message, self._engine = message, engine

    async def dismiss(self) -> None:
        """Close it."""
        await self._engine.post("alert/dismiss")
