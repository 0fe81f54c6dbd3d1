"""From servers to a page in the user's browser."""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
import socket
import sys
import webbrowser
from collections.abc import Callable, Sequence

from cloche.dev.live_reload import watch
from cloche.dev.playground import Playground
from cloche.dev.servers import DevServer
from cloche.dev.site import AT, Site
from cloche.errors import LocalError
from cloche.host.web.wrapper import Wrapper
from cloche.serve.uvicorn.deadlines import Hooks
from cloche.serve.uvicorn.listening_sockets import bind, resolve
from cloche.serve.uvicorn.run import serve
from cloche.terminal import say

HOST = "127.0.0.1"
PORT = 8100
TRIES = 20
SOCKET_BYTES = 8 << 20


def run_dev(
    servers: Sequence[DevServer],
    *,
    port: int | None,
    open_browser: bool,
    allow_local: bool = False,
    prepare: Callable[[Playground], Callable[[], None]] | None = None,
) -> None:
    """Serve the playground on loopback until Ctrl+C; `prepare` gets it first, and what it returns is called last. With
    `allow_local`, views of servers on other machines may reach ports of this one.
    """
    playground = Playground(servers, allow_local=allow_local)
    finish = prepare(playground) if prepare is not None else None
    token = secrets.token_urlsafe(18)
    sockets = _listen(port)
    number = sockets[0].getsockname()[1]
    url = f"http://localhost:{number}/#token={token}"
    app = Wrapper(playground.host, Site(playground, token), AT)
    playground.host.reached_at(f"http://localhost:{number}")  # where sign-ins come back, before a page was loaded
    logging.getLogger("mcp.client.auth").setLevel(logging.CRITICAL)  # why nobody could sign in is told in a sentence
    watching: list[asyncio.Task[None]] = []

    async def started() -> None:
        names = ", ".join(playground.servers)
        say(f"Playground: {names}", "bold")
        say(url, "cyan underline")
        if sys.stderr.isatty():
            say("Ctrl+C stops it.", "dim")
        playground.start(lambda problem: say(problem, "red"))
        watching.append(asyncio.create_task(watch(playground)))
        if open_browser:
            _open(url)

    try:
        serve(app, sockets, log_level="warning", hooks=Hooks(started=started), websocket_bytes=SOCKET_BYTES)
    finally:
        for task in watching:
            task.cancel()
        for sock in sockets:
            sock.close()
        if finish is not None:
            finish()


def _listen(port: int | None) -> list[socket.socket]:
    """The port that was asked for, or the first free one of a few: the last playground may still be open."""
    if port is not None:
        return bind(HOST, resolve(HOST, port))
    for number in range(PORT, PORT + TRIES):
        try:
            return bind(HOST, resolve(HOST, number))
        except LocalError:
            continue
    return bind(HOST, resolve(HOST, 0))


def _open(url: str) -> None:
    """Show the page; where there is no browser, the URL stands above."""
    headless = sys.platform.startswith("linux") and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
    if headless or not webbrowser.open(url):
        say("No browser could be opened here: open the address above yourself.")
