"""The attacker's machine: listens on ports of its own, and knows when anything arrived."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from types import TracebackType

HOST = "evil.localhost"
"""Another site than the page's and than every sandbox's; browsers take every name under .localhost to this machine."""

ANSWER = (
    b"HTTP/1.1 200 OK\r\nAccess-Control-Allow-Origin: *\r\nContent-Type: text/html\r\nContent-Length: 2\r\n"
    b"Connection: close\r\n\r\nok"
)


class Canary:
    """One attack's listener: HTTP on one port, bare connections on a second, datagrams on a third."""

    def __init__(self) -> None:
        self.on_song: Callable[[str], None] = lambda _: None
        self._servers: list[asyncio.Server] = []
        self._datagrams: asyncio.DatagramTransport | None = None

    async def __aenter__(self) -> Canary:
        http = await asyncio.start_server(self._on_http, "127.0.0.1", 0)
        tcp = await asyncio.start_server(self._on_connection, "127.0.0.1", 0)
        loop = asyncio.get_running_loop()
        self._datagrams, _ = await loop.create_datagram_endpoint(lambda: _Datagrams(self), ("0.0.0.0", 0))
        self._servers = [http, tcp]
        self.http_port, self.tcp_port = (server.sockets[0].getsockname()[1] for server in self._servers)
        self.udp_port = self._datagrams.get_extra_info("sockname")[1]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        for server in self._servers:
            server.close()
        if self._datagrams is not None:
            self._datagrams.close()

    @property
    def origin(self) -> str:
        """Where it answers HTTP."""
        return f"http://{HOST}:{self.http_port}"

    async def _on_http(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            self.on_song(head.split(b"\r\n")[0].decode("latin-1"))
            writer.write(ANSWER)
            await writer.drain()
        except (asyncio.IncompleteReadError, asyncio.LimitOverrunError, ConnectionError):
            pass  # a connection that was opened on suspicion and carried nothing
        finally:
            writer.close()

    async def _on_connection(self, _: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.on_song("a connection")
        writer.close()


class _Datagrams(asyncio.DatagramProtocol):
    def __init__(self, canary: Canary) -> None:
        self._canary = canary

    def datagram_received(self, data: bytes, _: object) -> None:
        self._canary.on_song(f"a datagram of {len(data)} bytes")
