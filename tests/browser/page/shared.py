"""A server for the tests, run in a SharedWorker: a reference server for each page that connects."""

import asyncio
from typing import Any

from cloche import Server
from cloche.testing.behaviour import reference_server
from cloche.transports import BrowserTransport

server = Server("shared", version="1.0")
tasks: set[asyncio.Task[None]] = set()


def serve(line: Any) -> None:
    """A page is there."""
    task = asyncio.ensure_future(reference_server().connect(BrowserTransport(line)))
    tasks.add(task)
    task.add_done_callback(tasks.discard)
