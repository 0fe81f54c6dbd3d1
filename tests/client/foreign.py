"""A server that the test plays itself: it answers what it is told to, well or badly."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

from cloche import Client
from cloche.transports.memory import MemoryTransport, create_memory_pair

OLD = {
    "protocolVersion": "2025-11-25",
    "capabilities": {"tools": {}},
    "serverInfo": {"name": "foreign", "version": "9"},
}
NOT_FOUND = {"error": {"code": -32601, "message": "Method not found"}}


class ForeignServer:
    """Answers each method with what `answers` has for it: the members of a response, a function of the parameters that
    returns them, or None for silence.
    """

    def __init__(self, **answers: Any) -> None:
        self.client_end, self.end = create_memory_pair()
        self.answers: dict[str, Any] = {"initialize": {"result": OLD}, **answers}
        self.received: list[dict[str, Any]] = []
        self._arrived = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()
        self.end.on_message(self._take)

    def client(self, **options: Any) -> Client:
        return Client(self.client_end, **options)

    def _take(self, data: bytes) -> None:
        message = json.loads(data)
        self.received.append(message)
        self._arrived.set()
        if "id" in message and "method" in message:
            answer = self.answers.get(message["method"], NOT_FOUND)
            if callable(answer):
                answer = answer(message.get("params"))
            if answer is not None:
                self.say({"id": message["id"], **answer})

    def say(self, message: Any) -> None:
        """Send something soon."""
        if isinstance(message, dict):
            message = json.dumps({"jsonrpc": "2.0", **message}).encode()
        task = asyncio.ensure_future(self.end.send(message))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def heard(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The first message that is wanted."""
        async with asyncio.timeout(5):
            while True:
                for message in self.received:
                    if wanted(message):
                        return message
                self._arrived.clear()
                await self._arrived.wait()

    async def answer_to(self, request_id: Any) -> dict[str, Any]:
        """What the client answered to a question of the server."""
        return await self.heard(lambda message: message.get("id") == request_id and "method" not in message)

    def methods(self) -> list[str]:
        return [message["method"] for message in self.received if "method" in message]


__all__ = ["NOT_FOUND", "OLD", "ForeignServer", "MemoryTransport"]
