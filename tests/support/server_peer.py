"""A client for tests: speaks JSON-RPC to a server's `Connection`, without I/O and without another library's opinion."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

from cloche import Server
from cloche.server.connection import Connection

META = "io.modelcontextprotocol/"


class Peer:
    """One client. Use as `async with Peer(server) as peer`."""

    def __init__(
        self, server: Server, *, version: str = "2025-11-25", capabilities: dict[str, Any] | None = None
    ) -> None:
        self.server = server
        self.version = version
        self.stateless = version >= "2026"
        self.capabilities = capabilities or {}
        self.received: list[dict[str, Any]] = []
        self.answers: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {}
        """How to answer the server's questions, by method."""
        self._changed = asyncio.Condition()
        self._ids = 0
        self.connection = Connection(server.engine, self._take)

    async def __aenter__(self) -> Peer:
        self.server.engine.settle()
        if not self.stateless:
            self.initialized = await self.request(
                "initialize",
                protocolVersion=self.version,
                capabilities=self.capabilities,
                clientInfo={"name": "test", "version": "1"},
            )
            await self.notify("notifications/initialized")
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.connection.close()
        await self.server.close()

    async def _take(self, data: bytes) -> None:
        message = json.loads(data)
        async with self._changed:
            self.received.append(message)
            self._changed.notify_all()
        if isinstance(message, dict) and "method" in message and "id" in message:
            result = self.answers[message["method"]](message["params"])
            body = {"jsonrpc": "2.0", "id": message["id"], **result}
            self.connection.receive(json.dumps(body).encode())

    async def send(self, message: Any) -> None:
        """Anything at all."""
        data = message if isinstance(message, bytes) else json.dumps(message).encode()
        self.connection.receive(data)

    async def notify(self, method: str, **params: Any) -> None:
        """A notification."""
        await self.send({"jsonrpc": "2.0", "method": method, "params": params})

    async def start(self, method: str, **params: Any) -> int:
        """Send a request and return its id."""
        self._ids += 1
        if self.stateless:
            meta = {f"{META}protocolVersion": self.version, f"{META}clientCapabilities": self.capabilities}
            params["_meta"] = {**meta, **params.get("_meta", {})}
        await self.send({"jsonrpc": "2.0", "id": self._ids, "method": method, "params": params})
        return self._ids

    async def request(self, method: str, **params: Any) -> dict[str, Any]:
        """Send a request and wait for the whole answer."""
        return await self.answer_to(await self.start(method, **params))

    async def answer_to(self, request_id: Any) -> dict[str, Any]:
        """The answer to a request."""
        return await self.wait_for(lambda m: isinstance(m, dict) and m.get("id") == request_id and "method" not in m)

    async def result(self, method: str, **params: Any) -> dict[str, Any]:
        """The result of a request that succeeds."""
        answer = await self.request(method, **params)
        assert "result" in answer, answer
        return answer["result"]  # type: ignore[no-any-return]

    async def error(self, method: str, **params: Any) -> dict[str, Any]:
        """The error of a request that fails."""
        answer = await self.request(method, **params)
        assert "error" in answer, answer
        return answer["error"]  # type: ignore[no-any-return]

    async def call(self, name: str, **arguments: Any) -> dict[str, Any]:
        """The result of a tool call."""
        return await self.result("tools/call", name=name, arguments=arguments)

    async def notification(self, method: str) -> dict[str, Any]:
        """The parameters of a notification, waited for; each is given out once."""
        message = await self.wait_for(lambda m: isinstance(m, dict) and m.get("method") == method)
        self.received.remove(message)
        return message.get("params", {})  # type: ignore[no-any-return]

    async def wait_for(self, wanted: Callable[[Any], bool], seconds: float = 5) -> Any:
        """The first message that is wanted."""
        async with asyncio.timeout(seconds), self._changed:
            while True:
                for message in self.received:
                    if wanted(message):
                        return message
                await self._changed.wait()

    def heard(self, method: str) -> list[dict[str, Any]]:
        """Every notification of a method so far."""
        return [message for message in self.received if message.get("method") == method]
