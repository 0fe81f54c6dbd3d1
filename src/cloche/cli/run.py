"""`cloche run FILE[:OBJECT]`: a server over stdio, HTTP or WebSocket."""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import sys
import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cloche import terminal
from cloche.cli import sdk_servers
from cloche.cli.completion import complete_files
from cloche.cli.loader import Loaded, load
from cloche.cli.state_file import keep_state
from cloche.cli.token_file import read_tokens
from cloche.errors import ConfigurationError
from cloche.serve.uvicorn import run as web_server
from cloche.serve.uvicorn.deadlines import Hooks
from cloche.serve.uvicorn.listening_sockets import DEFAULT_HOST, DEFAULT_PORT, parse_address
from cloche.serve.uvicorn.run import MCP_PATH, HttpLimits
from cloche.server.limits import BLOCKING_SECONDS
from cloche.terminal import say

if TYPE_CHECKING:
    from cloche.auth import Auth

LOG_LEVELS = ("debug", "info", "warning", "error", "critical")
COUNT_SECONDS = 2.0
STOP_SECONDS = 9.0
"""From the signal to the end, whatever still runs: a second before container runtimes lose their patience."""
LEAVE_SECONDS = 1.0
"""From the end of the lifespan to the end of the process."""
FAILURE = 1


@dataclass(frozen=True, slots=True)
class HttpOptions:
    """The options that come with --http and --websocket."""

    host: str
    port: int
    allow_hosts: Sequence[str]
    allow_origins: Sequence[str]
    token_file: Path | None
    allow_public: bool
    sessionless: bool
    limits: HttpLimits
    log_level: str
    access_log: bool | None
    websocket: bool
    state: Path | None = None


@click.command()
@click.argument("target", metavar="FILE[:OBJECT]", shell_complete=complete_files)
@click.option(
    "--http", metavar="HOST:PORT", help="Serve over HTTP at /mcp instead of stdio; a port alone means 127.0.0.1."
)
@click.option(
    "--websocket",
    metavar="[HOST:PORT]",
    is_flag=False,
    flag_value=f"{DEFAULT_HOST}:{DEFAULT_PORT}",
    help="Serve over WebSocket at /mcp instead of stdio.",
)
@click.option("--allow-host", "allow_hosts", metavar="NAME", multiple=True, help="Accept this Host header; repeatable.")
@click.option(
    "--allow-origin", "allow_origins", metavar="ORIGIN", multiple=True, help="Accept pages of this origin; repeatable."
)
@click.option(
    "--token-file",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Accepted tokens, a line each: TOKEN [PRINCIPAL [SCOPE…]].",
)
@click.option("--allow-public", is_flag=True, help="Listen on a public address without authentication.")
@click.option("--sessionless", is_flag=True, help="Keep no sessions.")
@click.option("--stateless", is_flag=True, hidden=True, help="The former name of --sessionless.")
@click.option("--header-timeout", metavar="S", type=float, help="Seconds to send a request's headers (default 10).")
@click.option("--max-connections", metavar="N", type=int, help="Connections per address (default 1024, 0: no limit).")
@click.option(
    "--state",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Keep the server's stores in this file.",
)
@click.option("--reload", is_flag=True, help="Start again when a file in the folder of FILE changes.")
@click.option(
    "--access-log/--no-access-log", default=None, help="Log every request (default: at a terminal, or from info on)."
)
@click.option("--log-level", type=click.Choice(LOG_LEVELS), default="warning", show_default=True)
def run(
    target: str,
    http: str | None,
    websocket: str | None,
    log_level: str,
    *,
    stateless: bool,
    reload: bool,
    state: Path | None,
    **options: Any,
) -> None:
    """Serve the MCP server in FILE, written with Cloche, mcp or fastmcp."""
    if stateless:
        say("--stateless is now called --sessionless")
        options["sessionless"] = True
    if http is not None and websocket is not None:
        raise ConfigurationError("--http and --websocket are two ways to serve: choose one, or mount both in one app")
    if websocket is not None:
        if options["sessionless"]:
            raise ConfigurationError("--sessionless is for HTTP: a WebSocket connection is a session, leave it out")
        serve_http(target, http_options(websocket, log_level, websocket=True, state=state, **options), reload)
    elif http is not None:
        serve_http(target, http_options(http, log_level, websocket=False, state=state, **options), reload)
    else:
        if reload:
            raise ConfigurationError(
                "--reload is for HTTP: add --http 8000. Over stdio the client starts the server; cloche dev reloads it"
            )
        given = [name for name, value in options.items() if value]
        if given:
            raise ConfigurationError(f"{option_name(given[0])} is for HTTP: add --http HOST:PORT, or leave it out")
        run_stdio(target, log_level, state)


def option_name(parameter: str) -> str:
    """`allow_hosts` as `--allow-host`."""
    singular = parameter.removesuffix("s") if parameter in ("allow_hosts", "allow_origins") else parameter
    return "--" + singular.replace("_", "-")


def http_options(
    address: str,
    log_level: str,
    *,
    websocket: bool,
    header_timeout: float | None,
    max_connections: int | None,
    **rest: Any,
) -> HttpOptions:
    """Check what click cannot."""
    host, port = parse_address(address, "--websocket" if websocket else "--http")
    limits: dict[str, Any] = {}
    if header_timeout is not None:
        if not 0 < header_timeout <= 3600:
            raise ConfigurationError("--header-timeout is a number of seconds, more than 0 and at most 3600")
        limits["header_timeout"] = header_timeout
    if max_connections is not None:
        if max_connections < 0:
            raise ConfigurationError("--max-connections is a number, and 0 means any number")
        limits["connections"] = max_connections
    return HttpOptions(
        host=host, port=port, limits=HttpLimits(**limits), log_level=log_level, websocket=websocket, **rest
    )


def run_stdio(target: str, log_level: str, state: Path | None = None) -> None:
    """Serve on stdin and stdout."""
    with terminal.stdout_kept_clean():
        loaded = load(target)
    keep_state(loaded, state)
    configure_logging(log_level)
    if sys.stdin is not None and sys.stdin.isatty():
        # A person at a terminal would look at nothing at all.
        say(f"{loaded.server.name}: waiting for a client on stdio; for HTTP add --http 8000", "bold")
    if loaded.kind == "cloche":
        loaded.server.run()
    else:
        sdk_servers.serve_stdio(loaded, log_level)


def serve_http(target: str, options: HttpOptions, reload: bool) -> None:
    """Serve in this process, or in one that starts again after every change."""
    if options.access_log is None and options.log_level == "warning" and sys.stderr.isatty():
        options = replace(options, access_log=True)
    if reload:
        from cloche.cli.reload import run_reloading

        run_reloading(target, options)
    else:
        run_http(target, options)


def run_http(target: str, options: HttpOptions, sockets: Sequence[socket.socket] | None = None) -> None:
    """Serve until a signal comes, on sockets that listen already or on those that the options name."""
    auth = _auth(options)
    with terminal.telling_if_slow(f"Loading {target} …"):
        loaded = load(target)
    keep_state(loaded, options.state)
    if options.websocket and loaded.kind != "cloche":
        raise ConfigurationError(f"--websocket serves servers of Cloche, and this is one of {loaded.kind}: use --http")
    configure_logging(options.log_level)
    web_server.host_app(
        lambda own: http_app(loaded, options, own, auth),
        host=options.host,
        port=options.port,
        safe=options.allow_public or auth is not None or sdk_servers.has_auth(loaded),
        name=str(loaded.server.name),
        counted=lambda: _counts(loaded),
        limits=options.limits,
        log_level=options.log_level,
        access_log=options.access_log,
        sockets=sockets,
        hooks=Hooks(
            stopping=lambda: _leave_after(STOP_SECONDS, FAILURE), stopped=lambda: _leave_after(LEAVE_SECONDS, 0)
        ),
        websocket_bytes=loaded.server.limits.message_bytes if options.websocket else None,
        blocking_seconds=loaded.server.limits.blocking_seconds if loaded.kind == "cloche" else BLOCKING_SECONDS,
    )


def http_app(loaded: Loaded, options: HttpOptions, own: list[str], auth: Auth | None) -> Any:
    """The ASGI app of the server, at /mcp."""
    hosts = [*options.allow_hosts, *own]
    if options.websocket:
        return loaded.server.websocket(hosts=hosts, origins=options.allow_origins, auth=auth, path=MCP_PATH)
    make = loaded.server.asgi if loaded.kind == "cloche" else partial(sdk_servers.asgi_app, loaded)
    return make(hosts=hosts, origins=options.allow_origins, auth=auth, sessionless=options.sessionless, path=MCP_PATH)


def _auth(options: HttpOptions) -> Auth | None:
    if options.token_file is None:
        return None
    from cloche.auth import Auth

    return Auth(read_tokens(options.token_file))


async def _counts(loaded: Loaded) -> dict[str, int]:
    if loaded.kind == "cloche":
        return web_server.count(loaded.server)
    try:
        async with asyncio.timeout(COUNT_SECONDS):
            return await sdk_servers.count(loaded)
    except Exception:  # a proxy whose upstream is down: it is served all the same, and says so itself when it is called
        return {}


def _leave_after(seconds: float, code: int) -> None:
    """Leave even when something of the user's never ends: a thread that hangs must not need a second signal."""

    def leave() -> None:
        if code:
            terminal.say_error("a request or the lifespan did not end in time: left without it")
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)

    timer = threading.Timer(seconds, leave)
    timer.daemon = True
    timer.start()


def configure_logging(level: str) -> None:
    """Log to stderr; a file that has set up logging keeps its own way, but libraries are not louder than asked."""
    logging.basicConfig(level=level.upper(), stream=sys.stderr, format="%(levelname)s %(name)s: %(message)s")
    for name in ("cloche", "fastmcp", "mcp"):
        logging.getLogger(name).setLevel(level.upper())
