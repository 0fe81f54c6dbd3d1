"""A client in the same process: `Client(server)`, without a socket and without a copy of anything.

The server may be serving others already, over HTTP say, and then it goes on when the client leaves. When nobody used it
before, the last client to leave closes it, and with it what its lifespan opened.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cloche.transports.memory import MemoryTransport

if TYPE_CHECKING:
    from cloche.auth.principal import Principal
    from cloche.server.server import Server


class JoinedTransport(MemoryTransport):
    """The client's end; closing it waits for the server to have noticed."""

    def __init__(self, server: Server) -> None:
        super().__init__()
        self._server: Server | None = server

    async def close(self) -> None:
        """Leave the server."""
        await super().close()
        server, self._server = self._server, None
        if server is not None:
            await server._leave()


async def join(server: Server, principal: Principal | None = None) -> JoinedTransport:
    """A connection to `server`, of `principal` where it is known who that is."""
    ours, theirs = JoinedTransport(server), MemoryTransport()
    ours._other, theirs._other = theirs, ours
    await server.connect(theirs, principal=principal)
    return ours
