"""The HTTP of 2024-11-05, two addresses instead of one: a GET stream on which everything comes from the server, and
an address named in its first event (`endpoint`) to which everything is posted.

As the specification of its successor asks of clients, a server is only taken for one of these when it refuses the POST
of `initialize` with 400, 404 or 405 and a GET of the same address gives such a stream.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import aclosing
from typing import TYPE_CHECKING

import httpx2

from cloche.errors import RemoteProtocolError, shorten
from cloche.transports.http.bounded_answers import EVENTS
from cloche.transports.http.endpoint import is_same_origin
from cloche.transports.http.resumption import content_type
from cloche.transports.http.sse_reader import EventReader, Place

if TYPE_CHECKING:
    from cloche.transports.http.client import HttpTransport

REFUSALS = (400, 404, 405)
"""How a server that does not know the newer transport refuses its first message."""

ENDPOINT_SECONDS = 10.0
"""How long the stream may take to name the address for messages."""

MAX_ADDRESS = 8192
"""Characters of that address."""

logger = logging.getLogger("cloche.http")


class LegacySseStream:
    """The stream of a server of 2024-11-05; `url` is where messages are posted, once it is known."""

    def __init__(self, transport: HttpTransport) -> None:
        self._transport = transport
        self._reader = EventReader(transport.limit, Place(), self._named)
        self._response: httpx2.Response | None = None
        self._found: asyncio.Future[httpx2.URL] = asyncio.get_running_loop().create_future()

    @property
    def url(self) -> httpx2.URL:
        """Where messages are posted."""
        return self._found.result()

    async def open(self) -> bool:
        """Whether there is such a stream; then `run` reads it."""
        headers = {"accept": EVENTS, "cache-control": "no-store"}
        try:
            async with asyncio.timeout(ENDPOINT_SECONDS):
                self._response = response = await self._transport.endpoint.call("GET", headers)
        except (TimeoutError, httpx2.HTTPError):
            return False
        if response.status_code != 200 or content_type(response) != EVENTS:
            await response.aclose()
            return False
        return True

    async def named(self) -> bool:
        """Whether the stream has named the address in time; `run` has to be running. Raises `RemoteProtocolError` for
        an address of another origin: tokens and messages would go there.
        """
        done, _ = await asyncio.wait([self._found], timeout=ENDPOINT_SECONDS)
        if not done:
            return False
        self._found.result()
        return True

    async def run(self) -> None:
        """Deliver what comes until the stream ends, and the connection with it."""
        assert self._response is not None
        transport = self._transport
        try:
            async with aclosing(self._response), aclosing(self._response.aiter_bytes()) as chunks:
                async for chunk in chunks:
                    for event in self._reader.feed(chunk):
                        transport.heard(event)
                    await transport.answers_have_room()
        except (httpx2.HTTPError, RemoteProtocolError) as error:
            logger.debug("the stream of %s broke: %s", transport.shown, shorten(str(error), 200))
        finally:
            if not self._found.done():
                self._found.set_exception(RemoteProtocolError("The stream ended before it named an address"))
                self._found.exception()  # whoever waits for it raises it; nobody else needs to
        await transport.lost()

    def _named(self, data: bytes) -> None:
        """The event `endpoint`. Only the first one counts: a connection has one address for messages."""
        if self._found.done():
            return
        try:
            found = self._transport.endpoint.url.join(data.decode("utf-8")[:MAX_ADDRESS].strip())
        except (httpx2.InvalidURL, UnicodeDecodeError):
            self._found.set_exception(RemoteProtocolError("The server names an address for messages that is none"))
            return
        if is_same_origin(self._transport.endpoint.url, found) and not found.userinfo:
            self._found.set_result(found)
        else:
            self._found.set_exception(
                RemoteProtocolError("The server names an address for messages that is not its own: it is not used")
            )
