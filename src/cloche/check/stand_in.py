"""A server in place of the real one, for views that are opened many times: one connection, every tool called once.

Lists and pages are what the survey read. A call that was made already has its answer; another goes on to the real
server only when that tool may be called.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

from cloche.check.server_survey import Json, Survey
from cloche.client import Client
from cloche.errors import InternalError, MethodNotFoundError, ToolError, TransportError, shorten
from cloche.server import Server
from cloche.server.middleware import CallNext, Incoming
from cloche.transports.base import Transport
from cloche.wire.versions import CONNECTION_METHODS

CALL_SECONDS = 10.0
"""What a tool may take."""

PASSED_ON = ("resources/read", "resources/templates/list", "prompts/list", "prompts/get", "completion/complete")


class StandIn:
    """What a view's host connects to. `may_call` says why a tool is not called, or None.

    Its answers are the real server's own words, so they are given by a middleware and not registered again.
    """

    def __init__(self, client: Client, found: Survey, may_call: Callable[[Json], str | None]) -> None:
        self._client = client
        self._found = found
        self._tools = {str(tool.get("name")): tool for tool in found.tools}
        self._pages = {view.uri: view for view in found.views if isinstance(view.uri, str)}
        self._why_not = may_call
        self._results: dict[str, asyncio.Future[Json]] = {}
        info = client.server_info
        self._server = Server(info.name if info else "server", "1")
        self._server.use(self._reply)

    async def join(self) -> Transport:
        """The client's end of a connection."""
        return await self._server.join()

    async def call(self, name: str, arguments: Json) -> Json:
        """The result of a call; the real server is asked once for each name with arguments."""
        key = json.dumps([name, arguments], sort_keys=True)
        if key not in self._results:
            self._results[key] = asyncio.ensure_future(self._really_call(name, arguments))
        return await asyncio.shield(self._results[key])

    async def close(self) -> None:
        """Stop whatever is still being answered."""
        for one in self._results.values():
            one.cancel()
        await asyncio.gather(*self._results.values(), return_exceptions=True)
        await self._server.close()

    async def _really_call(self, name: str, arguments: Json) -> Json:
        refusal = self._why_not(self._tools.get(name, {}))
        if refusal is not None:
            raise ToolError(f"cloche check does not call {shorten(name)}: {refusal}")
        params = {"name": name, "arguments": arguments}
        return await self._client.request("tools/call", params, timeout=CALL_SECONDS)  # type: ignore[no-any-return]

    async def _reply(self, message: Incoming, call_next: CallNext) -> Any:
        if message.id is None or message.method in CONNECTION_METHODS:
            return await call_next(message)
        try:
            result = await self._answer(message.method, message.params)
        except ToolError as error:
            result = {"content": [{"type": "text", "text": str(error)}], "isError": True}
        except TransportError as error:
            raise InternalError(shorten(str(error), 200)) from None
        return result

    async def _answer(self, method: str, params: Json) -> Any:
        if method == "tools/list":
            return {"tools": self._found.tools}
        if method == "resources/list":
            return {"resources": self._found.resources}
        if method == "tools/call":
            return await self.call(str(params.get("name")), params.get("arguments") or {})
        page = self._pages.get(params.get("uri", "")) if method == "resources/read" else None
        if page is not None and page.problem is None:
            return {"contents": page.contents}
        if method in PASSED_ON:
            passed = {name: value for name, value in params.items() if name != "_meta"}
            return await self._client.request(method, passed)
        raise MethodNotFoundError(method)
