"""A server process: uvicorn with httptools and uvloop, and a control line on stdin for whoever started it.

Control goes through stdin and not through the application, so that nothing but the requests measured runs in it.
"""

from __future__ import annotations

import asyncio
import gc
import os
import resource
import socket
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import uvicorn


@dataclass(frozen=True, slots=True)
class Served:
    """An application, and how to make it publish one update to everybody who listens."""

    app: Any
    publish: Callable[[], None] | None = None


def _raw_echo(host: str) -> Served:
    from benchmarks.apps.floors import raw_echo

    return Served(raw_echo)


def _raw_fanout(host: str) -> Served:
    from benchmarks.apps.floors import RawFanout

    app = RawFanout()
    return Served(app, app.publish)


def _cloche(host: str) -> Served:
    from benchmarks.apps import ours
    from benchmarks.apps.tools import echo_at_once, many
    from benchmarks.traffic import RESOURCE

    server = ours.server_with([echo_at_once, *many(1)])
    return Served(server.asgi(hosts=[host]), lambda: server.resource_updated(RESOURCE))


def _cloche_both(host: str) -> Served:
    from benchmarks.apps import ours
    from benchmarks.apps.tools import echo_at_once, many

    server = ours.server_with([echo_at_once, *many(1)])
    http, web_socket = server.asgi(hosts=[host]), server.websocket(hosts=[host])

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await (web_socket if scope["type"] == "websocket" else http)(scope, receive, send)

    return Served(app)


def _mcp_server(host: str) -> Served:
    from mcp.server.subscriptions import InMemorySubscriptionBus, ResourceUpdated

    from benchmarks.apps import peers
    from benchmarks.apps.tools import echo_at_once, many
    from benchmarks.traffic import RESOURCE

    bus = InMemorySubscriptionBus()
    pending: set[asyncio.Task[None]] = set()

    def publish() -> None:
        task = asyncio.get_running_loop().create_task(bus.publish(ResourceUpdated(uri=RESOURCE)))
        pending.add(task)
        task.add_done_callback(pending.discard)

    return Served(peers.mcp_server([echo_at_once, *many(1)], bus), publish)


def _host(host: str) -> Served:
    from benchmarks.apps.hosting import Hosting

    return Served(Hosting())


SETTINGS: dict[str, Any] = {
    "loop": "uvloop",
    "http": "httptools",
    "interface": "asgi3",
    "proxy_headers": False,
    "access_log": False,
    "log_level": "error",
}
SERVED = {
    "raw echo": _raw_echo,
    "raw fan-out": _raw_fanout,
    "Cloche": _cloche,
    "Cloche, both": _cloche_both,
    "MCPServer": _mcp_server,
    "Host": _host,
}


def memory() -> dict[str, float]:
    """Resident bytes and live memory blocks, after collecting garbage."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return {"rss": pages * os.sysconf("SC_PAGE_SIZE"), "blocks": sys.getallocatedblocks()}


def allow_many_sockets() -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


class Control:
    """Answers the commands on stdin from a thread that sleeps in between; ends the server when stdin closes."""

    def __init__(self, server: uvicorn.Server, served: Served, loop: asyncio.AbstractEventLoop) -> None:
        self._server, self._served, self._loop = server, served, loop

    def listen(self) -> None:
        for line in sys.stdin:
            print(msgspec.json.encode(self._answer(line.strip())).decode(), flush=True)
        self._server.should_exit = self._server.force_exit = True

    def _answer(self, command: str) -> dict[str, float]:
        if command == "memory":
            return memory()
        if command == "publish" and self._served.publish is not None:
            self._loop.call_soon_threadsafe(self._served.publish)
        elif command == "freeze":
            gc.collect()
            gc.freeze()
            gc.disable()
        return {"cpu": time.process_time()}


async def serve(name: str) -> None:
    allow_many_sockets()
    listening = socket.create_server(("127.0.0.1", 0), backlog=2048)
    port = listening.getsockname()[1]
    served = SERVED[name](f"127.0.0.1:{port}")
    server = uvicorn.Server(uvicorn.Config(served.app, **SETTINGS))
    control = Control(server, served, asyncio.get_running_loop())
    threading.Thread(target=control.listen, daemon=True).start()
    print(port, flush=True)
    await server.serve(sockets=[listening])


if __name__ == "__main__":
    import uvloop

    uvloop.run(serve(sys.argv[1]))
