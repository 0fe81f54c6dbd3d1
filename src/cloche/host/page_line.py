"""`PageLine`: what somebody in a page of the user says and hears over the page's socket, as a transport."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from cloche.errors import McpError, TransportClosedError
from cloche.transports.base import Transport
from cloche.wire.json import check_depth, encode
from cloche.wire.messages import encode_error
from cloche.wire.types import Json


class PageLine(Transport):
    """A line to a page: `send` puts a frame on its socket, `arrived` is told what came over it. Messages are no deeper
    than `depth`; a request that is deeper is answered with an error.
    """

    def __init__(self, send: Callable[[Json], None], depth: int) -> None:
        super().__init__()
        self._send = send
        self._depth = depth

    @property
    def has_room(self) -> bool:
        """What a page does not take is kept by its mount, and one that is full ends what is there."""
        return True

    async def send(self, data: bytes) -> None:
        """Send one message to whoever is in the page."""
        if not self._connected:
            raise TransportClosedError
        self.put(msgspec.json.decode(data))

    def put(self, message: Json) -> None:
        """Send one message, as an object."""
        self._send({"message": message})

    def arrived(self, message: Json) -> None:
        """The page says something."""
        if not self._connected:
            return
        data = encode(message)
        try:
            check_depth(data, self._depth)
        except McpError as error:
            self.dropped += 1
            number = message.get("id")
            if "method" in message and isinstance(number, str | int):
                self.put(msgspec.json.decode(encode_error(number, error)))
            return
        self.deliver(data)

    async def close(self) -> None:
        """End it."""
        self.ended()
