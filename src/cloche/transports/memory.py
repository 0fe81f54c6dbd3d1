"""Two ends in one process: what one sends, the other gets at once."""

from __future__ import annotations

from cloche.errors import TransportClosedError
from cloche.transports.requests import RequestTransport
from cloche.wire.json import MAX_ANSWER_BYTES


class MemoryTransport(RequestTransport):
    """One end of a pair; make both with `create_memory_pair`."""

    def __init__(self, *, limit: int = MAX_ANSWER_BYTES) -> None:
        super().__init__(limit=limit)
        self._other: MemoryTransport | None = None

    has_room = True
    """The other end takes a message at once."""

    async def send(self, data: bytes) -> None:
        """Give the message to the other end."""
        other = self._other
        if other is None or not self._connected:
            raise TransportClosedError
        other.deliver(data)

    async def close(self) -> None:
        """End the connection, for both ends."""
        other, self._other = self._other, None
        self.ended()
        if other is not None:
            await other.close()


def create_memory_pair(*, limit: int = MAX_ANSWER_BYTES) -> tuple[MemoryTransport, MemoryTransport]:
    """Two ends that talk to each other: one for a client, one for `server.connect`."""
    one, two = MemoryTransport(limit=limit), MemoryTransport(limit=limit)
    one._other, two._other = two, one
    return one, two
