"""A server in place of the real one, for views that are opened many times: one connection, every tool called once.

Lists and pages are what the survey read. A call that was made already has its answer; another goes on to the real
server only when that tool may be called.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

from cloche.check.survey import Json, Survey
from cloche.client import Client
from cloche.errors import InternalError, McpError, MethodNotFoundError, ToolError, TransportError, shorten
from cloche.transports.memory import MemoryTransport, create_memory_pair

CALL_SECONDS = 10.0
"""What a tool may take."""

PASSED_ON = ("resources/read", "resources/templates/list", "prompts/list", "prompts/get", "completion/complete")


class StandIn:
    """What a view's host connects to. `may_call` says why a tool is not called, or None."""

    def __init__(self, client: Client, found: Survey, may_call: Callable[[Json], str | None]) -> None:
        self._client = client
        self._found = found
        self._tools = {str(tool.get("name")): tool for tool in found.tools}
        self._pages = {view.uri: view for view in found.views if isinstance(view.uri, str)}
        self._why_not = may_call
        self._results: dict[str, asyncio.Future[Json]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def join(self) -> MemoryTransport:
        """The client's end of a connection."""
        theirs, ours = create_memory_pair()
        ours.on_message(lambda data: self._take(ours, data))
        return theirs

    async def call(self, name: str, arguments: Json) -> Json:
        """The result of a call; the real server is asked once for each name with arguments."""
        key = json.dumps([name, arguments], sort_keys=True)
        if key not in self._results:
            self._results[key] = asyncio.ensure_future(self._really_call(name, arguments))
        return await asyncio.shield(self._results[key])

    async def close(self) -> None:
        """Stop whatever is still being answered."""
        waiting: list[asyncio.Future[Any]] = [*self._tasks, *self._results.values()]
        for one in waiting:
            one.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)

    async def _really_call(self, name: str, arguments: Json) -> Json:
        refusal = self._why_not(self._tools.get(name, {}))
        if refusal is not None:
            raise ToolError(f"cloche check does not call {shorten(name)}: {refusal}")
        params = {"name": name, "arguments": arguments}
        return await self._client.request("tools/call", params, timeout=CALL_SECONDS)  # type: ignore[no-any-return]

    def _take(self, end: MemoryTransport, data: bytes) -> None:
        message = json.loads(data)
        if "id" in message and "method" in message:
            task = asyncio.ensure_future(self._reply(end, message))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _reply(self, end: MemoryTransport, message: Json) -> None:
        try:
            outcome: Json = {"result": await self._answer(message["method"], message.get("params") or {})}
        except ToolError as error:
            outcome = {"result": {"content": [{"type": "text", "text": str(error)}], "isError": True}}
        except McpError as error:
            outcome = {"error": error.to_json_rpc_error()}
        except TransportError as error:
            outcome = {"error": InternalError(shorten(str(error), 200)).to_json_rpc_error()}
        if end.is_connected:
            await end.send(json.dumps({"jsonrpc": "2.0", "id": message["id"], **outcome}).encode())

    async def _answer(self, method: str, params: Json) -> Any:
        if method == "initialize":
            return self._greeting(params)
        if method == "tools/list":
            return {"tools": self._found.tools}
        if method == "resources/list":
            return {"resources": self._found.resources}
        if method == "ping":
            return {}
        if method == "tools/call":
            return await self.call(str(params.get("name")), params.get("arguments") or {})
        page = self._pages.get(params.get("uri", "")) if method == "resources/read" else None
        if page is not None and page.problem is None:
            return {"contents": page.contents}
        if method in PASSED_ON:
            return await self._client.request(method, params)
        raise MethodNotFoundError(method)

    def _greeting(self, params: Json) -> Json:
        info = self._client.server_info
        return {
            "protocolVersion": params.get("protocolVersion"),
            "capabilities": {"tools": {}, "resources": {}, "prompts": {}},
            "serverInfo": {"name": info.name if info else "server", "version": "1"},
        }
