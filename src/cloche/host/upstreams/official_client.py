"""Server objects of `mcp` and `fastmcp`, by the official `mcp` client.

`mcp` is an extra, so `connections.py`, which says how each kind of target is opened, imports this module late.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, TypeAlias

import anyio
import mcp_types
import msgspec
from mcp import Client
from mcp.client import advertise
from mcp.client.session import ClientSession
from mcp.client.subscriptions import SubscriptionLost
from mcp.shared.exceptions import MCPError
from mcp_types import Implementation
from pydantic import TypeAdapter, ValidationError

from cloche.client.base import MAX_ROUNDS
from cloche.client.server_requests import Answers
from cloche.errors import McpError, RemoteProtocolError, RequestTimeoutError, error_of, shorten
from cloche.host.upstreams.base import CHANGE_METHODS, LOGGED, UI_EXTENSIONS, UPDATED, ProgressHandler
from cloche.host.upstreams.greeting import greeting
from cloche.host.upstreams.in_process import as_parameters
from cloche.host.upstreams.own_client import as_handshake_era
from cloche.host.upstreams.questions import Origin, Questions
from cloche.host.upstreams.required_urls import COMPLETED
from cloche.host.upstreams.supervised import ConnectionLostError, Events
from cloche.wire.types import Json, LogLevel
from cloche.wire.versions import STATELESS_VERSIONS

LISTEN_PAUSES = (1.0, 2.0, 4.0, 8.0, 16.0, 30.0)
"""Seconds before a stream of changes that ended is opened again; the last one repeats."""

SUBSCRIBE_SECONDS = 30.0

Follow: TypeAlias = Callable[[str], Awaitable[Callable[[], None]]]
"""Opens a stream for one resource; gives what ends it."""

CLIENT_INFO = Implementation(name="Cloche", version="0.1.0")

_Request = mcp_types.Request[dict[str, Any], str]
_PLAIN: Any = TypeAdapter(dict[str, Any])
_SAMPLED: Any = mcp_types.CreateMessageResult | mcp_types.CreateMessageResultWithTools
_EXTENSIONS = [advertise(name, settings) for name, settings in UI_EXTENSIONS.items()]


class OfficialSession:
    """An open connection of the official client, with plain dictionaries on both sides."""

    def __init__(self, session: ClientSession, questions: Questions, follow: Follow | None = None) -> None:
        self._session = session
        self._questions = questions
        self._follow = follow
        """In the era that has such streams."""
        self._following: dict[str, Callable[[], None]] = {}

    @property
    def server_info(self) -> Json | None:
        """Name and version of the server."""
        info = self._session.server_info
        return None if info is None else info.model_dump(by_alias=True, mode="json", exclude_none=True)

    @property
    def greeting(self) -> Json:
        """What the server said of itself when the connection was opened."""
        session, found = self._session, self._session.server_capabilities
        capabilities = None if found is None else found.model_dump(by_alias=True, mode="json", exclude_none=True)
        return greeting(str(session.protocol_version or ""), capabilities, session.instructions)

    async def request(
        self, method: str, params: Json, timeout: float, on_progress: ProgressHandler | None, by: Origin | None = None
    ) -> Json:
        """Ask, and again while the server has questions before it can answer; translate what comes back."""
        sent = params
        for _ in range(MAX_ROUNDS + 1):
            answer = await self._asked(method, sent, timeout, on_progress)
            if answer.get("resultType") != "input_required":
                return as_handshake_era(answer)
            sent = {**params, "inputResponses": await self._answers_to(answer, by)}
            if answer.get("requestState") is not None:
                sent["requestState"] = answer["requestState"]
        raise RemoteProtocolError(f"The server came back with questions {MAX_ROUNDS} times: {method} was given up")

    async def _answers_to(self, answer: Json, by: Origin | None) -> Json:
        """The answers to what the server wants to know about a request of the stateless era."""
        asked, answers = answer.get("inputRequests") or {}, self._questions.answers(by)
        return {
            key: msgspec.to_builtins(
                await answers.answer(str(one.get("method")), msgspec.Raw(msgspec.json.encode(one.get("params") or {})))
            )
            for key, one in asked.items()
        }

    async def _asked(self, method: str, params: Json, timeout: float, on_progress: ProgressHandler | None) -> Json:
        try:
            return await self._sent(method, params, timeout, on_progress)
        except MCPError as error:
            if error.code != mcp_types.HEADER_MISMATCH:
                raise self._translated(error, method) from None
        # Some arguments have to travel as headers, and the client had not seen this tool's schema.
        try:
            await self._session.list_tools()
            return await self._sent(method, params, timeout, on_progress)
        except MCPError as error:
            raise self._translated(error, method) from None

    async def _sent(self, method: str, params: Json, timeout: float, on_progress: ProgressHandler | None) -> Json:
        try:
            answer: Json = await self._session.send_request(
                _Request(method=method, params=params),
                _PLAIN,
                request_read_timeout_seconds=timeout,
                progress_callback=None if on_progress is None else _async_progress(on_progress),
            )
        except ValidationError as error:
            reason = shorten(str(error).replace("\n", " "), 300)
            raise RemoteProtocolError(f"The server's answer to {method} is malformed: {reason}") from None
        return answer

    async def set_log_level(self, level: LogLevel) -> None:
        """From which level on the server's log is wanted; in the newer era the next connection says so."""
        if self._session.protocol_version not in STATELESS_VERSIONS:
            await self.request("logging/setLevel", {"level": level}, SUBSCRIBE_SECONDS, None)

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
        text: str = error.message
        if error.code == mcp_types.CONNECTION_CLOSED and (text == "Connection closed" or text.startswith("SSE stream")):
            return ConnectionLostError()
        if error.code == mcp_types.REQUEST_TIMEOUT and text == f"Request {method!r} timed out":
            return RequestTimeoutError(method)
        return error_of(error.code, text, error.data)


def _async_progress(handler: ProgressHandler) -> Any:
    tell = as_parameters(handler)

    async def progressed(progress: float, total: float | None, message: str | None) -> None:
        tell(progress, total, message)

    return progressed


def _callbacks(questions: Questions) -> dict[str, Any]:
    """What answers a server of the handshake era, as the official client takes it; it also says what can be asked."""
    functions = questions.functions()
    answers = Answers(functions.get("roots"), functions.get("sampling"), functions.get("elicitation"))

    def answering(method: str, parsed: Callable[[Any], Any]) -> Any:
        async def answered(_: Any, params: Any = None) -> Any:
            given = b"{}" if params is None else params.model_dump_json(by_alias=True, exclude_none=True).encode()
            try:
                result = await answers.answer(method, msgspec.Raw(given))
                return parsed(msgspec.to_builtins(result))
            except McpError as error:
                return mcp_types.ErrorData(code=error.code, message=error.message, data=error.data)

        return answered

    known: dict[str, tuple[str, str, Callable[[Any], Any]]] = {
        "elicitation": ("elicitation_callback", "elicitation/create", mcp_types.ElicitResult.model_validate),
        "sampling": ("sampling_callback", "sampling/createMessage", TypeAdapter(_SAMPLED).validate_python),
        "roots": ("list_roots_callback", "roots/list", mcp_types.ListRootsResult.model_validate),
    }
    found = {known[name][0]: answering(*known[name][1:]) for name in functions}
    if "sampling" in functions:
        found["sampling_capabilities"] = mcp_types.SamplingCapability(tools=mcp_types.SamplingToolsCapability())
    return found


# Opening


def message_handler(events: Events) -> Any:
    """Takes what a server sends on its own."""

    async def handle(message: Any) -> None:
        method = getattr(message, "method", "")
        what = CHANGE_METHODS.get(method)
        if what is not None:
            events.changed(what)
        elif method == UPDATED:
            events.updated(str(message.params.uri))
        elif method == COMPLETED:
            events.visits.completed(message.params.model_dump(by_alias=True, mode="json"))
        elif method == LOGGED:
            events.logged(message.params.model_dump(by_alias=True, mode="json", exclude_none=True))

    return handle


@asynccontextmanager
async def open_client(target: Any, events: Events) -> AsyncIterator[OfficialSession]:
    """A connection of the official client to whatever it takes: a transport, a server object."""
    handler = message_handler(events)
    client = Client(
        target,
        mode=_mode(events.version),
        cache=None,
        client_info=CLIENT_INFO,
        extensions=_EXTENSIONS,
        message_handler=handler,
        log_level=events.log_level,
        **_callbacks(events.questions),
    )
    async with client, anyio.create_task_group() as beside:
        beside.start_soon(keep_listening, client, events, _announced_changes(client))
        yield OfficialSession(client.session, events.questions, _follower(client, events, beside))
        beside.cancel_scope.cancel()


@asynccontextmanager
async def open_fastmcp(server: Any, events: Events) -> AsyncIterator[OfficialSession]:
    """A connection to a server object of `fastmcp`, by its own transport."""
    from fastmcp.client.transports import FastMCPTransport

    options: Any = {
        "client_info": CLIENT_INFO,
        "extensions": UI_EXTENSIONS,
        "log_level": events.log_level,
        "message_handler": message_handler(events),
        **_callbacks(events.questions),
    }
    async with FastMCPTransport(server).connect_session(**options) as session:
        # Unless somebody chose the newer era, the one in which a server tells of changes unasked.
        await (session.discover() if events.version in STATELESS_VERSIONS else session.initialize())
        yield OfficialSession(session, events.questions)


def _mode(version: str | None) -> str:
    """The era of a protocol version that somebody chose, as the official client takes it."""
    if version is None:
        return "auto"
    return version if version in STATELESS_VERSIONS else "legacy"


def _follower(client: Client, events: Events, beside: Any) -> Follow | None:
    """How a resource is followed since 2026-07-28: by a stream of its own."""
    if client.protocol_version not in STATELESS_VERSIONS:
        return None

    async def follow(uri: str) -> Callable[[], None]:
        scope, opened = anyio.CancelScope(), asyncio.Event()

        async def listen() -> None:
            with scope:
                try:
                    await keep_listening(client, events, {"resource_subscriptions": [uri]}, opened.set)
                finally:
                    opened.set()

        beside.start_soon(listen)
        await opened.wait()
        return scope.cancel

    return follow


async def keep_listening(
    client: Client, events: Events, wanted: dict[str, Any], opened: Callable[[], None] = lambda: None
) -> None:
    """Since 2026-07-28 a server tells of changes only on a stream that is open for them."""
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
        except MCPError as error:
            if error.code in (mcp_types.METHOD_NOT_FOUND, mcp_types.CONNECTION_CLOSED):
                return
        except SubscriptionLost:
            pass
        again = True
        await anyio.sleep(LISTEN_PAUSES[min(failures, len(LISTEN_PAUSES) - 1)])
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
