"""`MockTransport`: the other side of a connection, played by the test."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec

from cloche.errors import TransportClosedError
from cloche.transports.requests import RequestTransport
from cloche.wire.types import Json


class MockTransport(RequestTransport):
    """Keeps what is sent, and delivers what the test says has arrived.

    transport = MockTransport()
    asking = asyncio.create_task(transport.request("ping"))
    request = await transport.wait_for_message()
    transport.simulate_message({"jsonrpc": "2.0", "id": request["id"], "result": {}})
    """

    def __init__(self) -> None:
        super().__init__()
        self._sent: list[bytes] = []
        self._seen = 0
        self._more = asyncio.Event()

    @property
    def sent_messages(self) -> list[Json]:
        """Every message sent so far, decoded."""
        return [msgspec.json.decode(data) for data in self._sent]

    async def send(self, data: bytes) -> None:
        """Keep the message; nobody gets it."""
        if not self._connected:
            raise TransportClosedError
        self._sent.append(bytes(data))
        self._more.set()

    async def close(self) -> None:
        """End the connection."""
        self.ended()

    async def wait_for_message(self, timeout: float = 5.0) -> Json:
        """The next message that is sent, in order: those already sent come first."""
        async with asyncio.timeout(timeout):
            while self._seen >= len(self._sent):
                self._more.clear()
                await self._more.wait()
        self._seen += 1
        return msgspec.json.decode(self._sent[self._seen - 1])  # type: ignore[no-any-return]

    def simulate_message(self, message: Json | bytes | str) -> None:
        """Let a message arrive: a dictionary, or bytes and text as they are, for what is not a message at all."""
        self.deliver(_encoded(message))

    def simulate_close(self) -> None:
        """Let the other side end the connection."""
        self.ended()


def _encoded(message: Any) -> bytes:
    if isinstance(message, bytes):
        return message
    return message.encode() if isinstance(message, str) else msgspec.json.encode(message)
