"""Cloche, with everything on that is on by default: checks of host and headers, deadline, cancellation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from benchmarks.apps.tools import PAGE
from benchmarks.traffic import HOST, RESOURCE
from cloche import Server


def server_with(tools: Sequence[Callable[..., Any]]) -> Server:
    server = Server("bench", version="1.0", page_size=1000)
    for tool in tools:
        server.register_tool(tool)
    server.register_resource(RESOURCE, _page, mime_type="text/html")
    return server


def app_with(tools: Sequence[Callable[..., Any]], host: str = HOST) -> Any:
    return server_with(tools).asgi(hosts=[host])


async def _page() -> str:
    return PAGE
