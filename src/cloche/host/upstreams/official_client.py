"""Server objects of `mcp` and `fastmcp`, by the official `mcp` client.

`mcp` is imported only when a connection is opened. `connections.py` says how each kind of target is opened.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import cache
from typing import TYPE_CHECKING, Any, TypeAlias

from cloche.errors import MissingExtraError, RemoteProtocolError, RequestTimeoutError, error_of, shorten
from cloche.host.upstreams.base import CHANGE_METHODS, UI_EXTENSIONS, UPDATED, ProgressHandler
from cloche.host.upstreams.supervised import ConnectionLostError, Events
from cloche.wire.types import SERVER_INFO_KEY, Json
from cloche.wire.versions import STATELESS_VERSIONS

if TYPE_CHECKING:
    from mcp import Client
    from mcp.client.session import ClientSession

LISTEN_PAUSES = (1.0, 2.0, 4.0, 8.0, 16.0, 30.0)
"""Seconds before a stream of changes that ended is opened again; the last one repeats."""

SUBSCRIBE_SECONDS = 30.0

Follow: TypeAlias = Callable[[str], Awaitable[Callable[[], None]]]
"""Opens a stream for one resource; gives what ends it."""

CLIENT_VERSION = "0.1.0"

NEWER_MEMBERS = ("resultType", "ttlMs", "cacheScope")
"""What results have since 2026-07-28 and hosts of views do not know."""


@cache
def official() -> Any:
    """The official package, with what is used of it in one place."""
    try:
        return _Names()
    except ImportError as error:
        raise MissingExtraError("A host's connection to this kind of server", "host") from error


class _Names:
    """Names of the official package."""

    def __init__(self) -> None:
        import anyio
        import mcp_types
        from mcp import Client
        from mcp.client import advertise
        from mcp.client.subscriptions import SubscriptionLost
        from mcp.shared.exceptions import MCPError
        from pydantic import TypeAdapter, ValidationError

        self.Client = Client
        self.Error = MCPError
        self.SubscriptionLost = SubscriptionLost
        self.ValidationError = ValidationError
        self.create_task_group = anyio.create_task_group
        self.CancelScope = anyio.CancelScope
        self.sleep = anyio.sleep
        self.types = mcp_types
        self.Request = mcp_types.Request[dict[str, Any], str]
        self.plain = TypeAdapter(dict[str, Any])
        self.extensions = [advertise(name, settings) for name, settings in UI_EXTENSIONS.items()]
        self.client_info = mcp_types.Implementation(name="Cloche", version=CLIENT_VERSION)


class OfficialSession:
    """An open connection of the official client, with plain dictionaries on both sides."""

    def __init__(self, session: ClientSession, follow: Follow | None = None) -> None:
        self._session = session
        self._follow = follow
        """In the era that has such streams."""
        self._following: dict[str, Callable[[], None]] = {}

    @property
    def server_info(self) -> Json | None:
        """Name and version of the server."""
        info = self._session.server_info
        return None if info is None else info.model_dump(by_alias=True, mode="json", exclude_none=True)

    async def request(self, method: str, params: Json, timeout: float, on_progress: ProgressHandler | None) -> Json:
        """Ask, and translate what comes back."""
        names = official()
        try:
            return await self._sent(method, params, timeout, on_progress)
        except names.Error as error:
            if error.code != names.types.HEADER_MISMATCH:
                raise self._translated(error, method) from None
        # Some arguments have to travel as headers, and the client had not seen this tool's schema.
        try:
            await self._session.list_tools()
            return await self._sent(method, params, timeout, on_progress)
        except names.Error as error:
            raise self._translated(error, method) from None

    async def _sent(self, method: str, params: Json, timeout: float, on_progress: ProgressHandler | None) -> Json:
        names = official()
        try:
            answer: Json = await self._session.send_request(
                names.Request(method=method, params=params),
                names.plain,
                request_read_timeout_seconds=timeout,
                progress_callback=None if on_progress is None else _async_progress(on_progress),
            )
        except names.ValidationError as error:
            reason = shorten(str(error).replace("\n", " "), 300)
            raise RemoteProtocolError(f"The server's answer to {method} is malformed: {reason}") from None
        return as_handshake_era(answer)

    async def subscribe(self, uri: str) -> None:
        """Hear of it when this resource changes."""
        if self._follow is None:
            await self.request("resources/subscribe", {"uri": uri}, SUBSCRIBE_SECONDS, None)
        elif uri not in self._following:
            self._following[uri] = await self._follow(uri)

    async def unsubscribe(self, uri: str) -> None:
        """Hear of it no more."""
        if self._follow is None:
            await self.request("resources/unsubscribe", {"uri": uri}, SUBSCRIBE_SECONDS, None)
        elif uri in self._following:
            self._following.pop(uri)()

    def _translated(self, error: Any, method: str) -> Exception:
        types = official().types
        text: str = error.message
        if error.code == types.CONNECTION_CLOSED and (text == "Connection closed" or text.startswith("SSE stream")):
            return ConnectionLostError()
        if error.code == types.REQUEST_TIMEOUT and text == f"Request {method!r} timed out":
            return RequestTimeoutError(method)
        return error_of(error.code, text, error.data)


def as_handshake_era(result: Json) -> Json:
    """A result in the shape of 2025-11-25, which is what views and their libraries read."""
    if result.get("resultType") == "input_required":
        raise RemoteProtocolError("The server has a question for the user, which this host does not pass on")
    for member in NEWER_MEMBERS:
        result.pop(member, None)
    meta = result.get("_meta")
    if isinstance(meta, dict) and meta.pop(SERVER_INFO_KEY, None) is not None and not meta:
        del result["_meta"]
    value = result.get("structuredContent")
    if "structuredContent" in result and not isinstance(value, dict):
        result["structuredContent"] = {"result": value}
    return result


def _async_progress(handler: ProgressHandler) -> Any:
    async def progressed(progress: float, total: float | None, message: str | None) -> None:
        given = {"progress": progress, "total": total, "message": message}
        handler({name: value for name, value in given.items() if value is not None})

    return progressed


# Opening


def message_handler(events: Events) -> Callable[[Any], Awaitable[None]]:
    """Takes what a server sends on its own."""

    async def handle(message: Any) -> None:
        method = getattr(message, "method", "")
        what = CHANGE_METHODS.get(method)
        if what is not None:
            events.changed(what)
        elif method == UPDATED:
            events.updated(str(message.params.uri))

    return handle


@asynccontextmanager
async def open_client(target: Any, events: Events) -> AsyncIterator[OfficialSession]:
    """A connection of the official client to whatever it takes: a transport, a server object."""
    names = official()
    client = names.Client(
        target,
        cache=None,
        client_info=names.client_info,
        extensions=names.extensions,
        message_handler=message_handler(events),
    )
    async with client, names.create_task_group() as beside:
        beside.start_soon(keep_listening, client, events, _announced_changes(client))
        yield OfficialSession(client.session, _follower(client, events, beside))
        beside.cancel_scope.cancel()


def _follower(client: Client, events: Events, beside: Any) -> Follow | None:
    """How a resource is followed since 2026-07-28: by a stream of its own."""
    if client.protocol_version not in STATELESS_VERSIONS:
        return None
    names = official()

    async def follow(uri: str) -> Callable[[], None]:
        scope, opened = names.CancelScope(), asyncio.Event()

        async def listen() -> None:
            with scope:
                try:
                    await keep_listening(client, events, {"resource_subscriptions": [uri]}, opened.set)
                finally:
                    opened.set()

        beside.start_soon(listen)
        await opened.wait()
        return scope.cancel  # type: ignore[no-any-return]

    return follow


async def keep_listening(
    client: Client, events: Events, wanted: dict[str, Any], opened: Callable[[], None] = lambda: None
) -> None:
    """Since 2026-07-28 a server tells of changes only on a stream that is open for them."""
    names = official()
    if not wanted or client.protocol_version not in STATELESS_VERSIONS:
        return
    again, failures = False, 0
    while True:
        try:
            async with client.listen(**wanted) as stream:
                failures = 0
                opened()
                if again:  # something may have been missed meanwhile
                    _tell_all(events, wanted)
                async for _ in stream:
                    pass  # the message handler got it already
        except names.Error as error:
            if error.code in (names.types.METHOD_NOT_FOUND, names.types.CONNECTION_CLOSED):
                return
        except names.SubscriptionLost:
            pass
        again = True
        await names.sleep(LISTEN_PAUSES[min(failures, len(LISTEN_PAUSES) - 1)])
        failures += 1


def _announced_changes(client: Client) -> dict[str, Any]:
    """Which lists the server says it would tell about, as `listen` wants it."""
    found = client.server_capabilities
    lists = {"tools": found.tools, "resources": found.resources, "prompts": found.prompts}
    return {f"{name}_list_changed": True for name, offer in lists.items() if offer is not None and offer.list_changed}


def _tell_all(events: Events, wanted: dict[str, Any]) -> None:
    """Everything that the stream was open for may be another."""
    followed = wanted.get("resource_subscriptions", ())
    for uri in followed:
        events.updated(uri)
    if not followed:
        for what in CHANGE_METHODS.values():
            events.changed(what)
