"""`cloche open SERVER TOOL NAME=VALUE…`: one view in a window of its own, and what it does on stdout."""

from __future__ import annotations

import asyncio
import secrets
import signal
import sys
from collections.abc import Sequence
from functools import partial
from typing import Any

import click
import msgspec

from cloche.cli.access import Access, access_options
from cloche.cli.command_words import TakesCommand, words_argument
from cloche.cli.conversation import server_and_rest
from cloche.cli.words import Json, read_json, read_words
from cloche.errors import ClocheError, ConfigurationError, shorten
from cloche.terminal import say

HOST = "127.0.0.1"
SOCKET_BYTES = 8 << 20


@click.command("open", cls=TakesCommand)
@words_argument("SERVER TOOL [NAME=VALUE…] | TOOL [NAME=VALUE…] -- COMMAND…", kind="tool")
@click.option("--json", "as_json", metavar="JSON|@FILE|-", help="All arguments as one JSON object; - reads stdin.")
@click.option("--no-browser", is_flag=True, help="Only print the address of the window.")
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="Port to listen on (default: a free one).")
@access_options
def open_(words: Sequence[str], as_json: str | None, no_browser: bool, port: int, access: Access) -> None:
    """Call a tool and show its view in a window.

    Everything that the view does is a line of JSON on stdout: the result, messages, model context, calls of tools.
    Ends when the window is closed, or with Ctrl+C.
    """
    server, rest = server_and_rest(words, "open")
    access.check([server])
    given = None if as_json is None else read_json(as_json)
    if not rest:
        raise ConfigurationError("name a tool: cloche list shows those there are")
    if given is not None and len(rest) > 1:
        raise ConfigurationError(f"--json has all arguments: leave out {shorten(rest[1])!r}")

    def read(tool: Json) -> Json:
        return read_words(rest[1:], tool.get("inputSchema"), rest[0]) if given is None else given

    from cloche.cli.dev import dev_server

    _Opening(dev_server(server, access), rest[0], read, port).run(show=not no_browser)


class _Opening:
    """The window, the server behind it, and the end of both."""

    def __init__(self, server: Any, tool: str, read: Any, port: int) -> None:
        self._server, self._tool, self._read, self._port = server, tool, read, port
        self._token = secrets.token_urlsafe(18)
        self._failure: ClocheError | None = None
        self._beside: list[asyncio.Task[None]] = []

    def run(self, *, show: bool) -> None:
        """Serve until the window is closed."""
        from cloche.dev.browser_window import BrowserWindow
        from cloche.dev.page_headers import AT
        from cloche.dev.view_window import ViewWindow
        from cloche.dev.window_site import WindowSite
        from cloche.host.web.wrapper import Wrapper
        from cloche.serve.uvicorn.deadlines import Hooks
        from cloche.serve.uvicorn.listening_sockets import bind, resolve
        from cloche.serve.uvicorn.run import serve

        window = ViewWindow(self._server, tell)
        sockets = bind(HOST, resolve(HOST, self._port))
        url = f"http://localhost:{sockets[0].getsockname()[1]}/#token={self._token}"
        app = Wrapper(window.host, WindowSite(window, self._token), AT)
        with BrowserWindow() as browser:
            started = partial(self._started, window, url, browser if show else None)
            try:
                serve(app, sockets, log_level="warning", hooks=Hooks(started=started), websocket_bytes=SOCKET_BYTES)
            finally:
                for task in self._beside:
                    task.cancel()
                for sock in sockets:
                    sock.close()
        if self._failure is not None:
            raise self._failure
        tell({"event": "closed"})

    async def _started(self, window: Any, url: str, browser: Any) -> None:
        self._beside.append(asyncio.create_task(self._show(window, url, browser)))

    async def _show(self, window: Any, url: str, browser: Any) -> None:
        try:
            await window.start(self._tool, self._read)
        except ClocheError as error:
            self._failure = error
            signal.raise_signal(signal.SIGINT)
            return
        tell({"event": "open", "url": url})
        if browser is None or not await asyncio.to_thread(browser.show, url):
            say("Open this address in a browser:" if browser is None else "No window can be opened here. Open this:")
            say(url, "cyan underline")
        await window.over.wait()
        signal.raise_signal(signal.SIGINT)


def tell(event: Json) -> None:
    """One line of JSON on stdout."""
    sys.stdout.write(msgspec.json.encode(event).decode("utf-8") + "\n")
    sys.stdout.flush()
