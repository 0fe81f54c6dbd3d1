"""A server for the tests, run on the thread of a frame: for each kind of transport that the page around it asks for,
the reference server on one of its own, made under its Python name. In a page of an extension it serves pages.
"""

import asyncio
from typing import Any

import js
from pyodide.ffi import create_proxy

from cloche import Server, config
from cloche.testing.behaviour import reference_server
from cloche.transports import (
    BroadcastListener,
    IframeChildTransport,
    PortTransport,
    TabServerTransport,
    Transport,
    WindowTransport,
    listen_in_extension,
)

server = Server("everywhere", version="1.0")
tasks: set[asyncio.Task[None]] = set()
ORIGIN = str(js.location.origin)


def opened(kind: str, event: Any) -> Transport:
    """The server's end of a connection."""
    if kind == "port":
        return PortTransport(event.ports[0])
    if kind == "window":
        return WindowTransport(js.parent, origin=ORIGIN, message_type="mcp-window")
    if kind == "frame":
        return IframeChildTransport(parent_origin=ORIGIN, message_type="mcp-frame")
    assert kind == "tab"
    return TabServerTransport(channel_name="python-tab")


def start(work: Any) -> None:
    """Keep a task until it is done."""
    task = asyncio.ensure_future(work)
    tasks.add(task)
    task.add_done_callback(tasks.discard)


async def serve(kind: str, event: Any) -> None:
    """Serve one connection, and say so when it can begin."""
    transport = opened(kind, event)
    if isinstance(transport, IframeChildTransport):
        say("opened")
        await transport.connect()
        await reference_server().connect(transport)
        return
    await reference_server().connect(transport)
    if isinstance(transport, TabServerTransport):
        await transport.reconnect()
    say("opened")


def say(what: str) -> None:
    """Tell the page around."""
    js.parent.postMessage(what, ORIGIN)


def asked(event: Any) -> None:
    """The page around wants a connection."""
    kind = getattr(event.data, "open", None)
    if isinstance(kind, str):
        start(serve(kind, event))


if ORIGIN.startswith("chrome-extension:"):
    listen_in_extension(
        lambda transport: start(reference_server().connect(transport)), origins=config.get("origins", [])
    )
listener = BroadcastListener(channel_name="python")
listener.on_connection(lambda transport: start(reference_server().connect(transport)))
js.addEventListener("message", create_proxy(asked))
