"""An ASGI app on uvicorn, with deadlines on what clients send and a stop that does not wait for them."""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from cloche.errors import LocalError, MissingExtraError
from cloche.serve.uvicorn.deadlines import Hooks, HttpLimits, Watcher
from cloche.serve.uvicorn.listening_sockets import bind, check_exposure, own_hosts, public_address, resolve, url_of
from cloche.server.limits import BLOCKING_SECONDS
from cloche.terminal import announce

if TYPE_CHECKING:
    import uvicorn

__all__ = ["HttpLimits", "count", "host_app", "public_address", "run_server", "serve"]

MCP_PATH = "/mcp"


def run_server(
    server: Any,
    transport: str,
    *,
    host: str = "127.0.0.1",
    port: int = 8000,
    hosts: Iterable[str] | None = None,
    auth: Any = None,
    allow_public: bool = False,
    limits: HttpLimits | None = None,
    log_level: str = "warning",
    access_log: bool | None = None,
    hooks: Hooks | None = None,
    **options: Any,
) -> None:
    """`Server.run("http")` and `Server.run("websocket")`: serve one of our own servers at `/mcp`; further options are
    those of `server.asgi` or `server.websocket`.
    """
    is_websocket = transport == "websocket"
    make_app = server.websocket if is_websocket else server.asgi

    async def counted() -> dict[str, int]:
        return count(server)

    host_app(
        lambda own: make_app(hosts=[*(hosts or ()), *own], auth=auth, path=MCP_PATH, **options),
        host=host,
        port=port,
        safe=allow_public or auth is not None,
        name=server.name,
        counted=counted,
        limits=limits,
        log_level=log_level,
        access_log=access_log,
        hooks=hooks,
        websocket_bytes=server.limits.message_bytes if is_websocket else None,
        blocking_seconds=server.limits.blocking_seconds,
    )


def count(server: Any) -> dict[str, int]:
    """How many tools, resources and prompts a server of ours has."""
    resources = len(server.resources) + len(server.templates)
    return {"tool": len(server.tools), "resource": resources, "prompt": len(server.prompts)}


def host_app(
    make_app: Callable[[list[str]], Any],
    *,
    host: str,
    port: int,
    safe: bool,
    name: str,
    counted: Callable[[], Awaitable[dict[str, int]]],
    sockets: Sequence[socket.socket] | None = None,
    hooks: Hooks | None = None,
    websocket_bytes: int | None = None,
    **serving: Any,
) -> None:
    """Bind, say where, and serve what `make_app` returns for the address's own names; `serving` is for `serve`.
    `sockets` listen already, and stay open.
    """
    addresses = resolve(host, port)
    check_exposure(host, addresses, safe=safe)
    own = bind(host, addresses) if sockets is None else []
    sockets = sockets or own
    port = sockets[0].getsockname()[1]
    hooks = hooks or Hooks()

    async def started() -> None:
        announce(name, await counted(), url_of(host, port, MCP_PATH, "http" if websocket_bytes is None else "ws"))
        if hooks.started is not None:
            await hooks.started()

    try:
        app = make_app(own_hosts(host, port))
        serve(app, sockets, hooks=replace(hooks, started=started), websocket_bytes=websocket_bytes, **serving)
    finally:
        for sock in own:
            sock.close()


def serve(
    app: Callable[..., Any],
    sockets: Sequence[socket.socket],
    *,
    limits: HttpLimits | None = None,
    log_level: str = "warning",
    access_log: bool | None = None,
    hooks: Hooks | None = None,
    websocket_bytes: int | None = None,
    blocking_seconds: float = BLOCKING_SECONDS,
) -> None:
    """Serve `app` on listening sockets until SIGINT or SIGTERM.

    `access_log` writes a line for every request; None means that the log level decides, from info on. `websocket_bytes`
    is the longest message that is read over WebSocket; None means that none is spoken.
    """
    try:
        import uvicorn  # noqa: F401
    except ImportError:
        raise MissingExtraError("cloche run --http", "http") from None
    if websocket_bytes is not None:
        try:
            import websockets  # noqa: F401
        except ImportError:
            raise MissingExtraError("cloche run --websocket", "http") from None
    from cloche.serve.uvicorn.server import SweepingServer

    watcher = Watcher(limits or HttpLimits())
    logs_access = log_level in ("debug", "info") if access_log is None else access_log
    config = _config(app, watcher, log_level, logs_access, websocket_bytes)
    server = SweepingServer(config, watcher, hooks or Hooks(), blocking_seconds)
    try:
        server.run(list(sockets))
    except SystemExit:  # uvicorn's answer to a lifespan that fails
        raise LocalError("the server's lifespan failed at start: the log above says why") from None


def _config(
    app: Callable[..., Any], watcher: Watcher, log_level: str, access_log: bool, websocket_bytes: int | None
) -> uvicorn.Config:
    import uvicorn

    config = uvicorn.Config(
        app,
        http=_protocol(watcher),
        ws="none" if websocket_bytes is None else _websocket_protocol(watcher),
        ws_max_size=websocket_bytes or 1,
        ws_per_message_deflate=False,  # on one machine it only costs time
        log_config=None,
        log_level=log_level,
        access_log=access_log,
        server_header=False,
        timeout_keep_alive=watcher.limits.keep_alive,
        timeout_graceful_shutdown=2,
        h11_max_incomplete_event_size=watcher.limits.header_bytes,
    )
    if log_level == "warning":
        # uvicorn warns about every request it cannot parse: a client must not be able to fill the log.
        logging.getLogger("uvicorn.error").setLevel(logging.ERROR)
    if access_log:
        _write_access_log()
    return config


def _write_access_log() -> None:
    """Whatever the level of the rest: whoever asks for these lines gets them. A handler of the user's own is kept."""
    logger = logging.getLogger("uvicorn.access")
    logger.setLevel(logging.INFO)
    if not logger.handlers:
        handler = logging.StreamHandler()
        handler.setFormatter(logging.Formatter("%(asctime)s %(message)s", "%H:%M:%S"))
        logger.addHandler(handler)
        logger.propagate = False


def _protocol(watcher: Watcher) -> type[asyncio.Protocol]:
    base: type[asyncio.Protocol]
    try:
        from cloche.serve.uvicorn.httptools_protocol import WatchedHttpTools

        base = WatchedHttpTools
    except ImportError:
        from cloche.serve.uvicorn.h11_protocol import WatchedH11

        base = WatchedH11
    return type(base.__name__, (base,), {"watcher": watcher})


def _websocket_protocol(watcher: Watcher) -> type[asyncio.Protocol]:
    from cloche.serve.uvicorn.websocket_protocol import WatchedWebSocket

    return type(WatchedWebSocket.__name__, (WatchedWebSocket,), {"watcher": watcher})
