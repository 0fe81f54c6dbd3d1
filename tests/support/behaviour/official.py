"""The official Python client in the place of ours: the few methods that the cases use, under the same names.

It reaches message transports through a bridge, so that it, too, runs over memory, events and WebSockets.
"""

from __future__ import annotations

import asyncio
import base64
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from types import SimpleNamespace
from typing import Any

import anyio
import mcp_types as types
from mcp import Client, MCPError
from mcp.shared.message import SessionMessage
from mcp.shared.subscriptions import ResourceUpdated, ToolsListChanged

from cloche.client.server_requests import ElicitRequest, SampleRequest
from cloche.errors import McpError, RequestCancelledError, RequestTimeoutError
from cloche.testing.behaviour import Link
from cloche.testing.behaviour.link import ROOT, fill_in, think
from cloche.transports.base import Transport

CANNOT = {
    "hears_notifications_of_the_servers_own": "it only hears notifications of the protocol",
    "recovers_after_bad_messages": "it has no way to send rubbish",
    "handles_notifications_to_the_server": "it only sends notifications of the protocol",
    "answers_own_methods": "it only sends requests of the protocol",
    "rejects_pending_requests_on_close": "what is pending ends with its task group, not with an error",
    "refuses_what_is_too_large": "it waits for an answer to an id that stands at the end of its messages",
    "waits_for_a_tool_that_runs_as_a_task": "it has no tasks of its own; tests/interop/test_tasks.py adds them",
    "cancels_a_task": "it has no tasks of its own",
    "asks_the_user_from_within_a_task": "it has no tasks of its own",
    "carries_any_json": "it refuses results with __proto__ in them",
}
"""Cases that the official client cannot take part in, and why."""


@asynccontextmanager
async def bridged(transport: Transport) -> AsyncIterator[Any]:
    """The official client's two streams, over a transport of ours."""
    incoming, read = anyio.create_memory_object_stream[Any](1000)
    write, outgoing = anyio.create_memory_object_stream[Any](0)

    def take(data: bytes) -> None:
        with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
            incoming.send_nowait(SessionMessage(types.jsonrpc_message_adapter.validate_json(data)))

    async def carry() -> None:
        async for message in outgoing:
            await transport.send(message.message.model_dump_json(by_alias=True, exclude_unset=True).encode())

    stop = transport.on_message(take)
    carrier = asyncio.create_task(carry())
    try:
        yield read, write
    finally:
        stop()
        carrier.cancel()
        await asyncio.gather(carrier, return_exceptions=True)
        for stream in (incoming, read, write, outgoing):
            stream.close()
        await transport.close()


@asynccontextmanager
async def connect_official(target: Any, mode: str, *, keeps_sessions: bool = True) -> AsyncIterator[Link]:
    """A link through the official client; `target` is whatever that takes."""
    logged: list[dict[str, Any]] = []

    async def log(params: types.LoggingMessageNotificationParams) -> None:
        logged.append({"data": params.data})

    facade = Facade()
    client = Client(
        target,
        mode=mode,
        read_timeout_seconds=20,
        list_roots_callback=list_roots,
        sampling_callback=sample,
        elicitation_callback=elicit,
        logging_callback=log,
        log_level="info" if mode != "legacy" else None,
        message_handler=facade.hear,
        cache=None,
    )
    async with client:
        if mode != "legacy":
            client.session.adopt(types.DiscoverResult.model_validate(await client.session.send_discover(mode)))
        async with AsyncExitStack() as stack:
            facade.begin(client, stack, is_stateless=mode != "legacy")
            link = Link(facade, keeps_sessions=keeps_sessions)
            link.logged = logged
            yield link


async def list_roots(_: Any) -> types.ListRootsResult:
    return types.ListRootsResult.model_validate({"roots": [{"uri": ROOT}]})


async def sample(_: Any, params: types.CreateMessageRequestParams) -> types.CreateMessageResult:
    messages = [message.model_dump(by_alias=True, mode="json", exclude_none=True) for message in params.messages]
    text = think(SampleRequest(messages=messages))
    content = {"role": "assistant", "content": {"type": "text", "text": text}, "model": "suite"}
    return types.CreateMessageResult.model_validate(content)


async def elicit(_: Any, params: Any) -> types.ElicitResult:
    content = fill_in(ElicitRequest(message=params.message))
    if content is None:
        return types.ElicitResult(action="decline")
    return types.ElicitResult(action="accept", content=dict(content))


class Facade:
    """The official client under the names of ours."""

    def __init__(self) -> None:
        self._listeners: dict[str, list[Callable[[Any], Any]]] = {}

    def begin(self, client: Client, stack: AsyncExitStack, *, is_stateless: bool) -> None:
        self._client = client
        self._stack = stack
        self._streams: dict[str, AsyncExitStack] = {}
        self.is_stateless = is_stateless
        self.protocol_version = client.protocol_version
        self.server_info = client.server_info
        self.server_capabilities = client.server_capabilities.model_dump()
        self.instructions = client.instructions

    async def hear(self, message: Any) -> None:
        if isinstance(message, Exception):
            raise message
        if self.is_stateless:
            return  # the stream's own events say the same
        dumped = message.model_dump(by_alias=True, mode="json")
        for handler in self._listeners.get(dumped.get("method", ""), ()):
            handler(dumped.get("params") or {})

    def on_notification(self, method: str, handler: Callable[[Any], Any]) -> Callable[[], None]:
        handlers = self._listeners.setdefault(method, [])
        handlers.append(handler)
        if self.is_stateless and method == "notifications/tools/list_changed":
            self._task = asyncio.create_task(self._listen(method, tools_list_changed=True))
            self._stack.push_async_callback(ended, self._task)
        return lambda: handlers.remove(handler)

    async def _listen(self, method: str, **wanted: Any) -> None:
        async with self._client.listen(**wanted) as events:
            async for event in events:
                if isinstance(event, ToolsListChanged | ResourceUpdated):
                    for handler in tuple(self._listeners.get(method, ())):
                        handler({"uri": getattr(event, "uri", None)})

    async def subscribe_resource(self, uri: str) -> None:
        if not self.is_stateless:
            await translated(self._client.subscribe_resource(uri))
            return
        method = "notifications/resources/updated"
        stack = self._streams[uri] = AsyncExitStack()
        self._stack.push_async_callback(stack.aclose)
        events = await stack.enter_async_context(self._client.listen(resource_subscriptions=[uri]))

        async def pump() -> None:
            async for event in events:
                for handler in tuple(self._listeners.get(method, ())):
                    handler({"uri": str(event.uri)})  # type: ignore[union-attr]

        stack.push_async_callback(ended, asyncio.create_task(pump()))

    async def unsubscribe_resource(self, uri: str) -> None:
        if self.is_stateless:
            await self._streams.pop(uri).aclose()
        else:
            await translated(self._client.unsubscribe_resource(uri))

    async def list_tools(self) -> list[Any]:
        return await self._all(self._client.list_tools, "tools")

    async def list_resources(self) -> list[Any]:
        return await self._all(self._client.list_resources, "resources")

    async def list_resource_templates(self) -> list[Any]:
        return await self._all(self._client.list_resource_templates, "resource_templates")

    async def list_prompts(self) -> list[Any]:
        return await self._all(self._client.list_prompts, "prompts")

    async def _all(self, fetch: Any, member: str) -> list[Any]:
        found: list[Any] = []
        cursor = None
        while True:
            page = await translated(fetch(cursor=cursor))
            found += getattr(page, member)
            cursor = page.next_cursor
            if cursor is None:
                return found

    async def call_tool(
        self,
        name: str,
        arguments: dict[str, Any] | None = None,
        *,
        timeout: float | None = None,
        progress: Callable[..., Any] | None = None,
        token: Any = None,
    ) -> Any:
        async def report(done: float, total: float | None, message: str | None) -> None:
            assert progress is not None
            progress(done, total, message)

        call = asyncio.ensure_future(
            translated(
                self._client.call_tool(
                    name,
                    arguments or {},
                    read_timeout_seconds=timeout,
                    progress_callback=report if progress is not None else None,
                )
            )
        )
        if token is not None:
            token.on_cancel(call.cancel)
        try:
            result = await call
        except asyncio.CancelledError:
            if token is not None and token.is_cancelled:
                raise RequestCancelledError("official") from None
            call.cancel()
            raise
        text = "\n".join(block.text for block in result.content if isinstance(block, types.TextContent))
        data = result.structured_content
        if isinstance(data, dict) and data.keys() == {"result"}:
            data = data["result"]
        return SimpleNamespace(text=text, is_error=result.is_error, data=text if data is None else data)

    async def read_resource(self, uri: str) -> Any:
        result = await translated(self._client.read_resource(uri))
        contents = [
            SimpleNamespace(data=base64.b64decode(part.blob) if hasattr(part, "blob") else part.text.encode())
            for part in result.contents
        ]
        return SimpleNamespace(text="".join(getattr(part, "text", "") for part in result.contents), contents=contents)

    async def get_prompt(self, name: str, arguments: dict[str, str] | None = None) -> Any:
        return await translated(self._client.get_prompt(name, arguments))

    async def complete(self, argument: str, value: str, *, prompt: str) -> list[str]:
        reference = types.PromptReference(name=prompt)
        result = await translated(self._client.complete(reference, {"name": argument, "value": value}))
        return list(result.completion.values)

    async def request(self, method: str, params: Any = None) -> Any:
        assert method == "no/such/method", "the official client makes no requests beyond the protocol"
        raise McpError("it cannot be asked", code=-32601)

    async def ping(self) -> None:
        if self.is_stateless:
            await self._client.session.send_discover(self.protocol_version)
        else:
            await translated(self._client.send_ping())

    async def set_log_level(self, level: Any) -> None:
        if not self.is_stateless:  # else it goes with every request from the beginning
            await translated(self._client.set_logging_level(level))


async def translated(awaitable: Awaitable[Any]) -> Any:
    """The same, with our errors."""
    try:
        return await awaitable
    except MCPError as error:
        if error.error.code == -32001:
            raise RequestTimeoutError("official") from None
        raise McpError(error.error.message, code=error.error.code, data=error.error.data) from None


async def ended(task: asyncio.Task[Any]) -> None:
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
