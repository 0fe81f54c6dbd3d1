"""A client for the tests, run on the thread of a frame or of an extension's page: asks the reference server in
JavaScript over each kind of transport, made under its Python name, and tells what became of every behaviour case.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import js
import msgspec
from pyodide.ffi import JsException, create_proxy, to_js

from cloche import Server
from cloche.testing.behaviour import CASES, Link, connect, run_cases
from cloche.testing.behaviour.cases import carries_any_json, refuses_what_is_too_large
from cloche.testing.behaviour.task_cases import TASK_CASES
from cloche.transports import (
    BroadcastChannelTransport,
    BrowserTransport,
    IframeParentTransport,
    PortTransport,
    TabClientTransport,
    WindowTransport,
    connect_to_extension,
)

server = Server("asking", version="1.0")
tasks: set[asyncio.Task[None]] = set()
ORIGIN = str(js.location.origin)

CASE_SECONDS = 5.0

# An object with the key `__proto__` poisons what it is copied into: the page's transports carry none. What is too
# large to be looked at is not known to be sealed, and gets no answer.
ASKED = [case for case in CASES if case is not carries_any_json and case not in TASK_CASES]


async def opened(kind: str) -> BrowserTransport:
    """The client's end of a connection."""
    if kind == "port":
        channel = js.MessageChannel.new()
        js.parent.postMessage("serve this port", ORIGIN, to_js([channel.port2]))
        return PortTransport(channel.port1)
    if kind == "window":
        return WindowTransport(js.parent, origin=ORIGIN, message_type="javascript-window")
    if kind == "broadcast":
        return BroadcastChannelTransport(channel_name="javascript")
    if kind == "sealed":
        return BroadcastChannelTransport(channel_name="javascript-sealed", secret="known to both")
    if kind == "tab":
        return TabClientTransport(channel_name="javascript-tab")
    if kind == "frame":
        frame = js.document.querySelector("iframe")
        transport = IframeParentTransport(frame, target_origin=ORIGIN, message_type="javascript-frame")
        await transport.connect()
        return transport
    return connect_to_extension(kind)


@asynccontextmanager
async def link(kind: str, version: str) -> AsyncIterator[Link]:
    """A fresh connection."""
    transport = await opened(kind)

    async def post(rubbish: bytes) -> None:
        """As a peer might that checks nothing."""
        try:
            payload = js.JSON.parse(rubbish.decode())
        except (ValueError, JsException):
            payload = rubbish.decode()
        transport.line.post(payload, js.Array.new())

    async with connect(transport, version=version, send_rubbish=post) as made:
        yield made


async def ask(kind: str, version: str) -> str:
    """What became of every case, as JSON."""
    cases = [case for case in ASKED if (kind, case) != ("sealed", refuses_what_is_too_large)]
    return msgspec.json.encode(await run_cases(cases, lambda: link(kind, version), seconds=CASE_SECONDS)).decode()


async def tell(event: Any) -> None:
    """Ask, and tell who wanted it."""
    event.ports[0].postMessage(await ask(event.data.ask, event.data.version))


def asked(event: Any) -> None:
    """The page around wants to know."""
    if getattr(event.data, "ask", None):
        task = asyncio.ensure_future(tell(event))
        tasks.add(task)
        task.add_done_callback(tasks.discard)


js.addEventListener("message", create_proxy(asked))
