"""The transports of the page, for Python in the page: workers, ports, windows, frames, tabs and extensions.

JavaScript owns the browser's edge: origins, handshakes and listeners are written once, in `cloche/web/transports`.
What is here gives them Python names. The classes come from the JavaScript module `cloche_web`, which
`startPythonServer` registers. This is the only module that imports `js` and `pyodide`, and only when something is
used, so that it can be imported anywhere.

Messages cross as JSON texts: for anything but the smallest message that is several times cheaper than converting
objects one by one, and `null` arrives as None.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

from msgspec import UNSET

from cloche.errors import (
    ConfigurationError,
    InternalError,
    LocalProtocolError,
    TransportClosedError,
    TransportError,
    shorten,
)
from cloche.transports.base import Unsubscribe
from cloche.transports.listeners import logger
from cloche.transports.requests import RequestTransport
from cloche.wire.json import MAX_ANSWER_BYTES
from cloche.wire.messages import encode_error, parse

OnTransport = Callable[["BrowserTransport"], Any]
"""Told of every connection that a listener gets."""

OnOrigin = Callable[[str], Any]
"""Told of an origin that sent something and may not."""

MILLISECONDS = 1000


class BrowserTransport(RequestTransport):
    """Any transport object of the page, whoever made it: `await server.connect(BrowserTransport(thing))`.

    It needs `send(message)`, `onMessage(handler)`, `onClose(handler)`, `close()` and `isConnected`, as every class of
    `cloche/web/transports` has them.
    """

    def __init__(self, line: Any, *, limit: int = MAX_ANSWER_BYTES) -> None:
        super().__init__(limit=limit)
        self._json = _module("js").JSON
        self._line = line
        # Python's messages are texts: a buffer in one is refused, by either side, instead of being lost.
        line.carriesBuffers = False
        self._proxies: list[Any] = []
        self._leave = (line.onMessage(self._proxy(self._heard)), line.onClose(self._proxy(self.ended)))

    @property
    def line(self) -> Any:
        """The JavaScript object."""
        return self._line

    has_room = True
    """A browser takes every message at once."""

    async def send(self, data: bytes) -> None:
        """Post the message."""
        if not self._connected or not self._line.isConnected:
            raise TransportClosedError
        try:
            message = self._json.parse(data.decode())
        except (ValueError, _js_error()):
            raise LocalProtocolError("A message is JSON, because it travels as an object") from None
        try:
            self._line.send(message)
        except _js_error() as error:
            self._instead(data, _translated(error))

    def _instead(self, data: bytes, error: Exception) -> None:
        """The page does not take a message. Whoever waits for it as an answer gets an error in its place."""
        answered = parse(data)
        if not isinstance(error, LocalProtocolError) or answered.method is not UNSET or answered.id is UNSET:
            raise error
        logger.error("an answer cannot cross to the page: %s", error)
        failure = encode_error(answered.id, InternalError(f"The answer cannot cross to the page: {error}"))
        self._line.send(self._json.parse(failure.decode()))

    async def close(self) -> None:
        """End the connection; the other side is told where its transport can."""
        self._line.close()
        self.ended()

    def ended(self) -> None:
        """The connection is over: tell everybody, and leave nothing behind in the page."""
        if not self._connected:
            return
        super().ended()
        for leave in self._leave:
            leave()
        # Not at once: the page may be in the middle of calling one of them.
        asyncio.get_running_loop().call_soon(self._forget)

    def _forget(self) -> None:
        proxies, self._proxies = self._proxies, []
        for proxy in proxies:
            proxy.destroy()

    def _heard(self, message: Any) -> None:
        self.deliver(self._json.stringify(message).encode())

    def _proxy(self, fn: Callable[..., Any]) -> Any:
        """A function of ours that the page keeps."""
        proxy = _module("pyodide.ffi").create_proxy(fn)
        self._proxies.append(proxy)
        return proxy


class _Made(BrowserTransport):
    """A transport whose JavaScript object is made here, of the class that has the same name there."""

    def __init__(self, *arguments: Any, limit: int = MAX_ANSWER_BYTES, **options: Any) -> None:
        kind = _page_class(type(self).__name__)
        if "secret" in options:
            options["seal"] = _seal(options.pop("secret"))
        options |= {name: options[name] * MILLISECONDS for name in options if name.endswith("_timeout")}
        self._proxies = []
        # Characters there and bytes here: what is too long is refused here, in one way for all.
        made = kind.new(*arguments, _options({**options, "limit": 2 * limit}, self._proxy))
        kept = self._proxies
        super().__init__(made, limit=limit)
        self._proxies += kept


class PortTransport(_Made):
    """MCP over a Worker, a MessagePort or a SharedWorker; without a target over the worker that this runs in."""

    def __init__(self, target: Any = None, *, message_type: str = "mcp", limit: int = MAX_ANSWER_BYTES) -> None:
        target = target if target is not None else _module("js", "PortTransport").self
        super().__init__(target, message_type=message_type, limit=limit)


class WindowTransport(_Made):
    """MCP with another window or frame; `origin` is the only one that is spoken and listened to."""

    def __init__(
        self,
        target: Any,
        *,
        origin: str,
        message_type: str = "mcp",
        on_origin_violation: OnOrigin | None = None,
        limit: int = MAX_ANSWER_BYTES,
    ) -> None:
        super().__init__(target, **_given(locals(), "target"))


class PostMessageTransport(_Made):
    """A `PortTransport` or a `WindowTransport`, whichever the target needs."""


class BroadcastChannelTransport(_Made):
    """MCP over a BroadcastChannel, with whoever listens on it in another tab of the same origin."""

    def __init__(
        self,
        *,
        channel_name: str,
        instance_id: str | None = None,
        secret: str | None = None,
        limit: int = MAX_ANSWER_BYTES,
    ) -> None:
        super().__init__(**_given(locals()))


class IframeParentTransport(_Made):
    """MCP with a page in a frame of this page; `await transport.connect()` shakes hands with it."""

    def __init__(
        self,
        iframe: Any,
        *,
        target_origin: str,
        message_type: str = "mcp",
        connection_timeout: float = 10.0,
        on_origin_violation: OnOrigin | None = None,
        capabilities: dict[str, Any] | None = None,
        version: str | None = None,
        limit: int = MAX_ANSWER_BYTES,
    ) -> None:
        super().__init__(iframe, **_given(locals(), "iframe"))

    async def connect(self) -> None:
        """Wait until the page in the frame has answered."""
        await promised(self.line.connect())


class IframeChildTransport(_Made):
    """MCP with the page that this page is framed by."""

    def __init__(
        self,
        *,
        parent_origin: str,
        message_type: str = "mcp",
        on_connected: Callable[..., Any] | None = None,
        on_origin_violation: OnOrigin | None = None,
        limit: int = MAX_ANSWER_BYTES,
    ) -> None:
        super().__init__(**_given(locals()))

    async def connect(self) -> None:
        """Wait until the parent has asked for the connection."""
        await promised(self.line.connect())

    wait_for_connection = connect


class TabServerTransport(_Made):
    """The server's end of a session that survives the navigation of its tab."""

    def __init__(
        self,
        *,
        channel_name: str,
        storage_prefix: str = "mcp-tab",
        secret: str | None = None,
        on_reconnecting: Callable[..., Any] | None = None,
        on_reconnected: Callable[..., Any] | None = None,
        limit: int = MAX_ANSWER_BYTES,
    ) -> None:
        super().__init__(**_given(locals()))

    @property
    def session_id(self) -> str | None:
        """The session, which stays the same from page to page."""
        found = self.line.sessionId
        return None if found is None else str(found)

    @property
    def epoch(self) -> int:
        """How often the session has moved to another page."""
        return int(self.line.epoch)

    async def reconnect(self) -> None:
        """Take the session up again in this page."""
        await promised(self.line.reconnect())

    def save_state(self) -> None:
        """Write down what the next page needs."""
        self.line.saveState()


class TabClientTransport(_Made):
    """The client's end of a session with a tab that may navigate.

    When no page of that tab serves for `away_timeout` seconds, the client takes up another tab that serves, or ends.
    """

    def __init__(
        self,
        *,
        channel_name: str,
        secret: str | None = None,
        away_timeout: float = 30.0,
        limit: int = MAX_ANSWER_BYTES,
    ) -> None:
        super().__init__(**_given(locals()))


class ExtensionServerTransport(_Made):
    """MCP over a port of a browser extension."""

    def __init__(
        self,
        *,
        port: Any,
        message_type: str = "mcp",
        on_disconnect: Callable[..., Any] | None = None,
        limit: int = MAX_ANSWER_BYTES,
    ) -> None:
        super().__init__(**_given(locals()))


class BroadcastListener:
    """Answers every client on a channel; of several listeners on one channel one does, until its tab is gone."""

    def __init__(self, *, channel_name: str, secret: str | None = None) -> None:
        kind = _page_class("BroadcastListener")
        self._listener = kind.new(_options({"channel_name": channel_name, "seal": _seal(secret)}, _kept))

    def on_connection(self, handler: OnTransport) -> Unsubscribe:
        """Call `handler` with a transport for every client."""
        return _listening(self._listener.onConnection, handler)

    def close(self) -> None:
        """Answer no more; another tab may."""
        self._listener.close()


def listen_for_ports(on_transport: OnTransport) -> Unsubscribe:
    """In a SharedWorker: call `on_transport` with a transport for every page that connects."""
    return _listening(_page_class("listenForPorts"), on_transport)


def listen_in_extension(
    on_transport: OnTransport, *, origins: list[str] | None = None, ids: list[str] | None = None
) -> Unsubscribe:
    """In an extension's service worker: a transport for every page of `origins` and every extension of `ids`."""
    allowed = _options({"origins": origins, "ids": ids}, _kept)
    listen = _page_class("listenInExtension")
    return _listening(lambda proxy: listen(allowed, proxy), on_transport)


def connect_to_extension(extension_id: str, **options: Any) -> BrowserTransport:
    """A transport to an extension that admits this page."""
    return BrowserTransport(_page_class("connectToExtension")(extension_id, _options(options, _kept)))


async def open_page_storage(name: str, modes: Sequence[str]) -> Any:
    """The page's own storage, as `cloche/web/storage.js` has it for Python; a refusal is a `TransportError`."""
    return await promised(_page_class("openStorageOfTexts")(name, json.dumps(list(modes))))


async def promised(promise: Any) -> Any:
    """Wait for a promise of the page's; one that is rejected is a `TransportError`."""
    try:
        return await promise
    except _js_error() as error:
        raise _translated(error) from None


def _listening(listen: Callable[[Any], Any], handler: OnTransport) -> Unsubscribe:
    proxy = _kept(lambda line, *_: handler(BrowserTransport(line)))
    leave = listen(proxy)
    listening = True

    def unsubscribe() -> None:
        nonlocal listening
        if listening:
            listening = False
            (leave if callable(leave) else leave.close)()
            proxy.destroy()

    return unsubscribe


def _given(parameters: dict[str, Any], *positional: str) -> dict[str, Any]:
    """The options among the parameters of a constructor, which has nothing else to say about them."""
    return {name: value for name, value in parameters.items() if name not in ("self", "__class__", *positional)}


def _seal(secret: str | None) -> Any:
    """What keeps those out who do not know the secret."""
    return None if secret is None else _page_class("withSecret")(secret)


def _kept(fn: Callable[..., Any]) -> Any:
    return _module("pyodide.ffi").create_proxy(fn)


def _options(given: dict[str, Any], keep: Callable[[Callable[..., Any]], Any]) -> Any:
    """Options under the names they have in the page; what is None is left to it."""
    made = _module("js").Object.new()
    proxy_kind = _module("pyodide.ffi").JsProxy
    for name, value in given.items():
        if value is None:
            continue
        first, *others = name.split("_")
        converted = value
        if isinstance(value, dict | list):
            converted = _module("js").JSON.parse(json.dumps(value))
        elif callable(value) and not isinstance(value, proxy_kind):
            converted = keep(value)
        setattr(made, first + "".join(map(str.capitalize, others)), converted)
    return made


def _translated(error: Any) -> Exception:
    """An error of the page as ours."""
    code = getattr(error, "code", None)
    text = shorten(str(getattr(error, "message", error)), 300)
    if code == "TRANSPORT_CLOSED":
        return TransportClosedError()
    if code == "INVALID_MESSAGE":
        return LocalProtocolError(text)
    return TransportError(text, code if isinstance(code, str) else "TRANSPORT_FAILED")


def _js_error() -> type[Exception]:
    found: type[Exception] = _module("pyodide.ffi").JsException
    return found


def _page_class(name: str) -> Any:
    """A class or function of the page's own transports."""
    _module("js", name)
    try:
        page = import_module("cloche_web")
    except ImportError:
        raise ConfigurationError(
            f"{name} is JavaScript's, and the page has not handed it over: start Python with startPythonServer, "
            "or call pyodide.registerJsModule('cloche_web', …) with cloche's web/transports/index.js"
        ) from None
    found = getattr(page, name, None)
    if found is None:
        raise ConfigurationError(f"The page's transports have no {name}: bundle the server again with this Cloche")
    return found


def _module(name: str, wanted: str = "BrowserTransport") -> Any:
    try:
        return import_module(name)
    except ImportError:
        raise ConfigurationError(
            f"{wanted} is for Python in a browser, and this is not one: put the server there with "
            "`cloche pyodide bundle`, or use StdioTransport, HttpTransport or WebSocketTransport here"
        ) from None
