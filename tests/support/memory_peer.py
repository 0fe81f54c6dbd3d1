"""A client in the same process as the server: what a document shows is what really comes back."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from itertools import count
from typing import Any

from cloche import Server

HANDSHAKE = "2025-11-25"
STATELESS = "2026-07-28"
DEADLINE = 20.0
CAPABILITIES: dict[str, Any] = {"elicitation": {"form": {}, "url": {}}, "sampling": {}, "roots": {}}
META = "io.modelcontextprotocol/"

Answer = Callable[[str, dict[str, Any]], dict[str, Any]]
"""What the client answers to a question: (method, params) -> result."""


class MemoryPeer:
    """Speaks one version to one server object. Use it as `async with MemoryPeer(server) as peer`."""

    def __init__(self, server: Server, version: str = HANDSHAKE, answer: Answer | None = None) -> None:
        self.server = server
        self.version = version
        self.answer = answer
        self.notifications: list[dict[str, Any]] = []
        self.ids = count(1)
        self.waiting: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self.heard = asyncio.Event()

    # What `server.connect` wants of a transport

    def on_message(self, handler: Callable[[bytes], None]) -> Callable[[], None]:
        self.deliver = handler
        return lambda: None

    def on_close(self, handler: Callable[[], None]) -> Callable[[], None]:
        self.closed = handler
        return lambda: None

    async def send(self, data: bytes) -> None:
        message = json.loads(data)
        if "method" not in message:
            self.waiting.pop(message["id"]).set_result(message)
        elif "id" in message:
            assert self.answer is not None, f"the server asks {message['method']}, and nobody answers"
            result = self.answer(message["method"], message.get("params", {}))
            await self.tell({"jsonrpc": "2.0", "id": message["id"], "result": result})
        else:
            self.notifications.append(message)
            self.heard.set()

    async def close(self) -> None:
        """The server ends the connection; there is nothing here to let go of."""

    # What a test does

    async def __aenter__(self) -> MemoryPeer:
        await self.server.connect(self)
        if self.version != STATELESS:
            info = {"name": "memory-peer", "version": "1"}
            await self.request(
                "initialize", {"protocolVersion": self.version, "capabilities": CAPABILITIES, "clientInfo": info}
            )
            await self.tell({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return self

    async def __aexit__(self, *_: object) -> None:
        self.closed()
        await self.server.close()

    async def tell(self, message: dict[str, Any]) -> None:
        self.deliver(json.dumps(message).encode())

    async def ask(self, method: str, params: dict[str, Any] | None = None, **meta: Any) -> dict[str, Any]:
        """The whole response."""
        number = next(self.ids)
        params = dict(params or {})
        if self.version == STATELESS:
            meta = {META + "protocolVersion": STATELESS, META + "clientCapabilities": CAPABILITIES, **meta}
            meta |= params.get("_meta", {})
        if meta:
            params["_meta"] = meta
        future = self.waiting[number] = asyncio.get_running_loop().create_future()
        await self.tell({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        return await asyncio.wait_for(future, DEADLINE)

    async def request(self, method: str, params: dict[str, Any] | None = None, **meta: Any) -> dict[str, Any]:
        """The result; an error fails the test. Questions of the stateless era are answered by repeating the request."""
        answer = await self.ask(method, params, **meta)
        assert "result" in answer, answer
        result: dict[str, Any] = answer["result"]
        if result.get("resultType") != "input_required":
            return result
        assert self.answer is not None, f"the server asks {result['inputRequests']}, and nobody answers"
        given = {key: self.answer(one["method"], one.get("params", {})) for key, one in result["inputRequests"].items()}
        again = {**(params or {}), "inputResponses": given, "requestState": result["requestState"]}
        return await self.request(method, again, **meta)

    async def call(self, tool: str, arguments: dict[str, Any] | None = None, **meta: Any) -> dict[str, Any]:
        """The result of a tool, without what the stateless era stamps on every result."""
        result = await self.request("tools/call", {"name": tool, "arguments": arguments or {}}, **meta)
        return {key: value for key, value in result.items() if key not in ("resultType", "_meta")}

    async def next_notification(self, method: str) -> dict[str, Any]:
        """Wait for a notification; those before it are forgotten."""
        async with asyncio.timeout(DEADLINE):
            while True:
                while self.notifications:
                    message = self.notifications.pop(0)
                    if message["method"] == method:
                        return message
                self.heard.clear()
                await self.heard.wait()
