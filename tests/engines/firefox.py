"""Firefox over WebDriver BiDi, which it speaks itself: no driver between."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import socket
import tempfile
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from tests.engines.display import Display
from tests.engines.driving import CannotDrive, DriverError, Handler, MainFrame, Program, Tasks
from tests.engines.person import Person
from tools.engines import firefox

PREFERENCES: dict[str, Any] = {
    # A canary is on this machine, and WebRTC goes nowhere near there without these two.
    "media.peerconnection.ice.loopback": True,
    "media.peerconnection.ice.obfuscate_host_addresses": False,
    "media.navigator.streams.fake": True,
    "media.navigator.permission.disabled": True,
    # A question about the place is answered with yes, and the place comes from nobody on the network.
    "geo.provider.testing": True,
    "geo.prompt.testing": True,
    "geo.prompt.testing.allow": True,
    "geo.provider.network.url": 'data:application/json,{"location":{"lat":0,"lng":0},"accuracy":10}',
    # Nothing of the browser's own on the network.
    "app.update.enabled": False,
    "browser.safebrowsing.update.enabled": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "services.settings.server": "data:,#remote-settings-dummy/v1",
    "toolkit.telemetry.enabled": False,
    # A download is announced, not asked about.
    "browser.download.always_ask_before_handling_new_types": False,
    "browser.download.useDownloadDir": True,
}

EVENTS = [
    "browsingContext.downloadWillBegin",
    "browsingContext.navigationCommitted",
    "browsingContext.userPromptOpened",
]

START_WITHIN = 60.0
ANSWER_WITHIN = 60.0

CALL = "async (argument) => JSON.stringify(await (%s)(JSON.parse(argument)))"


class Firefox:
    """One Firefox with a display of its own, and the connection to it."""

    def __init__(self) -> None:
        self.name = ""
        self.pages: dict[str, FirefoxPage] = {}
        self._ids = itertools.count(1)
        self._waiting: dict[int, asyncio.Future[Any]] = {}
        self.display = Display()

    async def start(self) -> Firefox:
        """Start it, and begin a session."""
        path = firefox()
        if path is None:
            raise CannotDrive("there is no Firefox here: python -m tools.engines --install")
        await self.display.start()
        self._profile = new_profile()
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        options = [
            *("--width", "1400", "--height", "2300"),
            "--no-remote",
            "--profile",
            self._profile.name,
            "--remote-debugging-port",
            str(port),
        ]
        self._program = Program([path, *options, "about:blank"], self.display.env)
        self._socket = await self._connected(port)
        self._reading = asyncio.create_task(self._read())
        answer = await self.send(
            "session.new", {"capabilities": {"alwaysMatch": {"unhandledPromptBehavior": "ignore"}}}
        )
        self.name = f"Firefox {answer['capabilities']['browserVersion']}"
        await self.send("session.subscribe", {"events": EVENTS})
        return self

    async def _connected(self, port: int) -> ClientConnection:
        async with asyncio.timeout(START_WITHIN):
            while True:
                try:
                    return await connect(f"ws://127.0.0.1:{port}/session", max_size=None, compression=None)
                except OSError:
                    if self._program.has_ended:
                        raise DriverError("session not created", "Firefox ended at once") from None
                    await asyncio.sleep(0.1)

    async def _read(self) -> None:
        with contextlib.suppress(ConnectionClosed):
            async for line in self._socket:
                self._heard(json.loads(line))
        for waiting in self._waiting.values():
            if not waiting.done():
                waiting.set_exception(DriverError("closed", "Firefox has gone"))

    def _heard(self, message: dict[str, Any]) -> None:
        if message.get("type") == "event":
            params = message["params"]
            source = params.get("source") if isinstance(params.get("source"), dict) else params
            for page in tuple(self.pages.values()):
                page.heard(message["method"], params, (source or {}).get("context"))
            return
        waiting = self._waiting.pop(message.get("id") or 0, None)
        if waiting is None or waiting.done():
            return
        if message["type"] == "error":
            waiting.set_exception(DriverError(message["error"], message["message"]))
        else:
            waiting.set_result(message["result"])

    async def send(self, method: str, params: dict[str, Any]) -> Any:
        """One command, and its answer."""
        number = next(self._ids)
        self._waiting[number] = asyncio.get_running_loop().create_future()
        await self._socket.send(json.dumps({"id": number, "method": method, "params": params}))
        return await asyncio.wait_for(self._waiting[number], ANSWER_WITHIN)

    async def new_page(self) -> FirefoxPage:
        """Open a page."""
        made = await self.send("browsingContext.create", {"type": "tab"})
        page = self.pages[made["context"]] = FirefoxPage(self, made["context"])
        with contextlib.suppress(DriverError):
            await self.send(
                "browsingContext.setViewport", {"context": page.id, "viewport": {"width": 900, "height": 2000}}
            )
        left, top = await page.evaluate("() => [mozInnerScreenX, mozInnerScreenY]")
        page.corner = round(left), round(top)
        return page

    async def close(self) -> None:
        """End it."""
        with contextlib.suppress(DriverError, ConnectionClosed, TimeoutError):
            await asyncio.wait_for(self.send("browser.close", {}), 5)
        self._reading.cancel()
        await asyncio.gather(self._reading, return_exceptions=True)
        await self._socket.close()
        await self._program.close()
        await self.display.close()
        self._profile.cleanup()


def new_profile() -> tempfile.TemporaryDirectory[str]:
    """A profile with our preferences."""
    made = tempfile.TemporaryDirectory(prefix="cloche-firefox-", ignore_cleanup_errors=True)
    lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in PREFERENCES.items()]
    Path(made.name, "user.js").write_text("\n".join(lines), encoding="utf-8")
    return made


class FirefoxPage(Person):
    """A tab, with the events that tests listen to by Playwright's names for them."""

    def __init__(self, engine: Firefox, context: str) -> None:
        super().__init__(engine.display, (0, 0))
        self.id = context
        self._engine = engine
        self._handlers: dict[str, list[Handler]] = {}
        self._tasks = Tasks()
        self.main_frame = MainFrame()
        self.context = engine
        """What more pages are opened from."""

    async def goto(self, url: str, wait_until: str = "load", **_: Any) -> None:
        """Go to an address."""
        wait = {"commit": "none", "load": "complete"}[wait_until]
        await self._engine.send("browsingContext.navigate", {"context": self.id, "url": url, "wait": wait})

    async def reload(self) -> None:
        """Load the page again."""
        await self._engine.send("browsingContext.reload", {"context": self.id, "wait": "complete"})

    async def evaluate(self, function: str, argument: Any = None) -> Any:
        """Call a function in the page."""
        return await self._call(self.id, function, argument)

    async def evaluate_in(self, path: tuple[int, ...] | None, function: str, argument: Any = None) -> Any:
        """Call a function in a frame, or without a path in the innermost."""
        context = await self._tree()
        while path is None and context["children"]:
            context = context["children"][0]
        for index in path or ():
            if len(context["children"]) <= index:
                raise DriverError("no such frame", str(path))
            context = context["children"][index]
        return await self._call(context["context"], function, argument)

    async def _tree(self) -> dict[str, Any]:
        found = await self._engine.send("browsingContext.getTree", {"root": self.id})
        return dict(found["contexts"][0])

    async def _call(self, context: str, function: str, argument: Any) -> Any:
        given = [{"type": "string", "value": json.dumps(argument)}]
        answer = await self._engine.send(
            "script.callFunction",
            {
                "functionDeclaration": CALL % function,
                "awaitPromise": True,
                "target": {"context": context},
                "arguments": given,
            },
        )
        if answer["type"] == "exception":
            raise DriverError("javascript error", answer["exceptionDetails"]["text"])
        return json.loads(answer["result"]["value"]) if answer["result"]["type"] == "string" else None

    # What happens on it

    def on(self, event: str, handler: Handler) -> None:
        """Call `handler` for every such event."""
        self._handlers.setdefault(event, []).append(handler)

    def heard(self, event: str, params: dict[str, Any], context: str | None) -> None:
        """The browser told something."""
        if event == "browsingContext.navigationCommitted" and context == self.id:
            self.main_frame.url = params["url"]
            self._emit("framenavigated", self.main_frame)
        elif event == "browsingContext.userPromptOpened":
            self._emit("dialog", FirefoxDialog(self._engine, params))
        elif event == "browsingContext.downloadWillBegin":
            self._emit("download", FirefoxDownload(params["suggestedFilename"]))

    def _emit(self, event: str, value: Any) -> None:
        for handler in self._handlers.get(event, ()):
            found = handler(value)
            if asyncio.iscoroutine(found):
                self._tasks.start(found)

    # The person in front of it

    async def bring_to_front(self) -> None:
        """Make it the tab that is seen."""
        await self._engine.send("browsingContext.activate", {"context": self.id})

    async def close(self) -> None:
        """Close the tab."""
        self._engine.pages.pop(self.id, None)
        await self._tasks.close()
        with contextlib.suppress(DriverError):
            await self._engine.send("browsingContext.close", {"context": self.id})


class FirefoxDialog:
    """An open `alert` or `confirm`."""

    def __init__(self, engine: Firefox, params: dict[str, Any]) -> None:
        self.message = params["message"]
        self._engine, self._context = engine, params["context"]

    async def dismiss(self) -> None:
        """Close it."""
        with contextlib.suppress(DriverError):
            await self._engine.send("browsingContext.handleUserPrompt", {"context": self._context, "accept": False})


class FirefoxDownload:
    """A download that began."""

    def __init__(self, suggested_filename: str) -> None:
        self.suggested_filename = suggested_filename
