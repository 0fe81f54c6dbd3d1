"""A server at the other end of a WebSocket: one message is one text frame, the subprotocol is "mcp".

Frames and the handshake are those of the `websockets` library, used without its own I/O: a message goes from the socket
to whoever listens without a queue or a task in between.
"""

from __future__ import annotations

import asyncio
import ssl as tls
from collections.abc import Mapping
from typing import TYPE_CHECKING, Self

from cloche.errors import ConfigurationError, ConnectError, MissingExtraError, TransportClosedError, shorten
from cloche.transports.http.failures import read_refusal
from cloche.transports.outlet import StreamTransport
from cloche.wire.json import MAX_ANSWER_BYTES

if TYPE_CHECKING:
    from websockets.client import ClientProtocol
    from websockets.frames import Frame
    from websockets.http11 import Response
    from websockets.uri import WebSocketURI

SUBPROTOCOL = "mcp"
"""What client and server agree on in the handshake."""

OPEN_TIMEOUT = 10.0
"""Seconds until a connection must be open."""

CLOSE_SECONDS = 2.0
"""How long a server may take to close a connection after the goodbye."""


class WebSocketTransport(StreamTransport):
    """The client's end of a connection. Made by `await WebSocketTransport.connect("ws://127.0.0.1:8000/mcp")`.

    `close` says goodbye and closes the connection; a server that does not answer that is hung up on.
    """

    def __init__(self, protocol: ClientProtocol, *, limit: int = MAX_ANSWER_BYTES) -> None:
        from websockets.frames import Opcode

        super().__init__(limit=limit)
        self._protocol = protocol
        self._socket: asyncio.Transport | None = None
        self._opened: asyncio.Future[None] = self._loop.create_future()
        self._fragments: list[bytes] = []
        self._binary = Opcode.BINARY

    @classmethod
    async def connect(
        cls,
        url: str,
        *,
        headers: Mapping[str, str] | None = None,
        limit: int = MAX_ANSWER_BYTES,
        open_timeout: float | None = OPEN_TIMEOUT,
        ssl: tls.SSLContext | None = None,
    ) -> Self:
        """Open a connection to a `ws://` or `wss://` URL; raises `ConnectError` when none comes about.

        `headers` go with the handshake: `{"Authorization": "Bearer …"}`. A message longer than `limit` bytes ends the
        connection. `ssl` says whom to trust with `wss://`, where that is not what the system trusts.
        """
        try:
            from websockets.client import ClientProtocol
            from websockets.typing import Subprotocol
        except ImportError:
            raise MissingExtraError("A WebSocket client", "client") from None
        uri = _parse(url)
        protocol = ClientProtocol(uri, subprotocols=[Subprotocol(SUBPROTOCOL)], max_size=limit)
        self = cls(protocol, limit=limit)
        try:
            async with asyncio.timeout(open_timeout):
                await self._open(uri, _checked(headers), ssl)
        except TimeoutError:
            raise ConnectError(f"{shorten(url)} did not answer within {open_timeout:g} seconds") from None
        except OSError as error:
            raise ConnectError(f"Cannot connect to {shorten(url)}: {error.strerror or error}") from None
        finally:
            if self._socket is not None and protocol.state.name != "OPEN":
                self._socket.abort()
        return self

    @property
    def close_code(self) -> int | None:
        """The code with which the connection was closed (RFC 6455); None while it is open."""
        return self._protocol.close_code

    async def _open(self, uri: WebSocketURI, headers: Mapping[str, str], ssl: tls.SSLContext | None) -> None:
        context = (ssl or tls.create_default_context()) if uri.secure else None
        await self._loop.create_connection(lambda: _Socket(self), uri.host, uri.port, ssl=context)
        request = self._protocol.connect()
        for name, value in headers.items():
            request.headers.pop(name, None)  # ours counts, for example against one made from the URL
            request.headers[name] = value
        self._protocol.send_request(request)
        self._flush()
        await self._opened

    # What the socket tells

    def _received(self, data: bytes) -> None:
        protocol = self._protocol
        protocol.receive_data(data)
        for event in protocol.events_received():
            if not self._opened.done():
                self._answered(event)  # type: ignore[arg-type]  # the first event is the answer to the handshake
            elif self._connected:
                self._take_event(event)  # type: ignore[arg-type]
        self._after_reading()

    def _ended(self) -> None:
        if not self._protocol.reader.eof:
            self._protocol.receive_eof()
        self._after_reading()

    def _lost(self) -> None:
        self._cancel_timer()
        if not self._protocol.reader.eof:  # a connection that was reset has no orderly end
            self._protocol.receive_eof()
        if not self._opened.done():
            self._opened.set_exception(ConnectError("The server closed the connection during the handshake"))
        self.ended()
        self._outlet.empty()
        self._gone.set()

    def _answered(self, response: Response) -> None:
        if self._protocol.handshake_exc is not None:
            self._opened.set_exception(_refusal(response))
        elif self._protocol.subprotocol != SUBPROTOCOL:
            text = f"The server speaks WebSocket, but not MCP: it did not agree to the subprotocol {SUBPROTOCOL!r}"
            self._opened.set_exception(ConnectError(text, response.status_code))
            self._leave()
        else:
            self._opened.set_result(None)

    def _take_event(self, frame: Frame) -> None:
        if frame.opcode is self._binary:
            self._protocol.fail(1003, "Messages are text frames")
            self._leave()
        elif frame.opcode <= self._binary:  # not a control frame
            data = self._completed(frame)
            if data is not None:
                self.deliver(data)
                self._outlet.took(data)

    def _completed(self, frame: Frame) -> bytes | None:
        """The message that this frame completes."""
        if frame.fin and not self._fragments:
            return bytes(frame.data)
        self._fragments.append(bytes(frame.data))
        if not frame.fin:
            return None
        data = b"".join(self._fragments)
        self._fragments.clear()
        return data

    def _after_reading(self) -> None:
        self._flush()
        if not self._opened.done():
            if self._protocol.handshake_exc is not None:
                text = f"The server did not answer as a WebSocket server does: {self._protocol.handshake_exc}"
                self._opened.set_exception(ConnectError(text))
        elif self._protocol.close_expected():
            self._leave()

    # Sending and reading

    def _write(self, data: bytes) -> None:
        if not self._connected:
            raise TransportClosedError
        self._protocol.send_text(data)
        self._flush()

    def _flush(self) -> None:
        socket = self._socket
        if socket is None or socket.is_closing():
            return
        for data in self._protocol.data_to_send():
            if data:
                socket.write(data)
            elif socket.can_write_eof():
                socket.write_eof()
            else:
                socket.close()

    def _set_reading(self, on: bool) -> None:
        if self._socket is None or self._socket.is_closing():
            return
        if on:
            self._socket.resume_reading()
        else:
            self._socket.pause_reading()

    # The end

    def _leave(self) -> None:
        """The connection is over, for whatever reason: say goodbye if that is still to be said, and hang up soon."""
        if self._timer is not None or self._gone.is_set():
            return
        self._timer = self._loop.call_later(CLOSE_SECONDS, self._abort)
        if self._protocol.state.name == "OPEN":
            self._protocol.send_close(1000)
        self._flush()
        self.ended()
        self._outlet.empty()
        self._set_reading(True)  # the server's goodbye is still to come

    def _abort(self) -> None:
        if self._socket is not None:
            self._socket.abort()


class _Socket(asyncio.Protocol):
    """What asyncio tells of the socket, passed on."""

    def __init__(self, owner: WebSocketTransport) -> None:
        self._owner = owner

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._owner._socket = transport  # type: ignore[assignment]

    def data_received(self, data: bytes) -> None:
        self._owner._received(data)

    def eof_received(self) -> None:
        self._owner._ended()

    def connection_lost(self, exc: Exception | None) -> None:
        self._owner._lost()

    def pause_writing(self) -> None:
        self._owner._outlet.fill()

    def resume_writing(self) -> None:
        self._owner._outlet.empty()


def _parse(url: str) -> WebSocketURI:
    from websockets.exceptions import InvalidURI
    from websockets.uri import parse_uri

    if not url.lower().startswith(("ws://", "wss://")):
        raise ConfigurationError(f"The address of a WebSocket begins with ws:// or wss://, not as {shorten(url)!r}")
    try:
        return parse_uri(url)
    except (InvalidURI, ValueError) as error:
        raise ConfigurationError(f"{shorten(url)!r} is not an address of a WebSocket: {shorten(str(error))}") from None


def _checked(headers: Mapping[str, str] | None) -> Mapping[str, str]:
    for name, value in (headers or {}).items():
        if not name or not f"{name}{value}".isprintable():
            raise ConfigurationError(f"The header {shorten(name)!r} has characters that a header cannot have")
    return headers or {}


def _refusal(response: Response) -> ConnectError:
    """What the server said instead of yes."""
    status, found = response.status_code, read_refusal(response.body or b"")
    said = found[1].message if found is not None else response.reason_phrase or "it gave no reason"
    if status == 101:
        return ConnectError("The server's answer to the WebSocket handshake is not valid", status)
    return ConnectError(f"The server refused the connection with status {status}: {shorten(said, 500)}", status)
