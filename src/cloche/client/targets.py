"""From what a person writes to a transport: a server object, a command, a URL, or a transport itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, TypeAlias

from cloche.errors import ConfigurationError, shorten
from cloche.transports.base import Transport
from cloche.transports.resilience.reconnection import Reconnecting


class Joinable(Protocol):
    """A server in this process; `cloche.Server` is one."""

    async def join(self) -> Transport:
        """The client's end of a connection to it."""


Target: TypeAlias = Transport | Joinable | Sequence[str] | str
"""What a client connects to."""


async def open_transport(target: Any) -> Transport:
    """A transport to `target`."""
    if isinstance(target, Transport):
        if isinstance(target, Reconnecting) and not target.is_connected:
            await target.connect()
        return target
    if hasattr(target, "join") and not isinstance(target, str):
        joined: Transport = await target.join()
        return joined
    if isinstance(target, str):
        return await _open_url(target)
    if isinstance(target, Sequence) and target and all(isinstance(part, str) for part in target):
        from cloche.transports.stdio.client import StdioTransport

        return await StdioTransport.start(target)
    raise _unknown(target)


async def _open_url(url: str) -> Transport:
    scheme = url.partition("://")[0].lower()
    if scheme in ("http", "https"):
        from cloche.transports.http.client import HttpTransport

        return HttpTransport(url)
    if scheme in ("ws", "wss"):
        from cloche.transports.websocket.client import WebSocketTransport

        return await WebSocketTransport.connect(url)
    raise _unknown(url)


def _unknown(target: object) -> ConfigurationError:
    return ConfigurationError(
        f"A client connects to a Server, a transport, a command as a list (['python', 'server.py']) or a URL "
        f"('https://…/mcp'), not to {shorten(repr(target), 60)}"
    )
