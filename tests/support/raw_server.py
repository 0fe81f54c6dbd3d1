"""A server that says exactly what it is told to, right or wrong: in this process, or as a command with a JSON file."""

from __future__ import annotations

import json
import sys
from typing import Any

from cloche.transports.memory import MemoryTransport, create_memory_pair


class RawServer:
    """The target of a `Client` that answers from a dictionary."""

    def __init__(self, said: dict[str, Any]) -> None:
        self.said = said
        self.asked: list[dict[str, Any]] = []
        """What was asked of it."""

    async def join(self) -> MemoryTransport:
        theirs, ours = create_memory_pair()

        def receive(data: bytes) -> None:
            self.asked.append(json.loads(data))
            answer = reply(self.said, self.asked[-1])
            if answer is not None:
                import asyncio

                task = asyncio.get_running_loop().create_task(ours.send(json.dumps(answer).encode()))
                self.task = task

        ours.on_message(receive)
        return theirs


def reply(said: dict[str, Any], message: dict[str, Any]) -> dict[str, Any] | None:
    """The answer to a message; none to a notification."""
    if "id" not in message:
        return None
    method = message["method"]
    base = {"jsonrpc": "2.0", "id": message["id"]}
    if not said:
        return {**base, "error": {"code": -32603, "message": "The database is on fire"}}
    if method == "initialize":
        result: dict[str, Any] = {
            "protocolVersion": "2025-11-25",
            "capabilities": {"tools": {}, "resources": {}},
            "serverInfo": {"name": "raw", "version": "1"},
        }
    elif method == "tools/list":
        result = {"tools": said["tools"]}
    elif method == "resources/list":
        result = {"resources": []}
    elif method == "resources/read" and message["params"]["uri"] in said.get("pages", {}):
        result = {"contents": [said["pages"][message["params"]["uri"]]]}
    elif method == "resources/read" and said.get("contents") is not None:
        result = {"contents": said["contents"]}
    elif method == "tools/call" and message["params"]["name"] in said.get("results", {}):
        result = said["results"][message["params"]["name"]]
    else:
        return {**base, "error": {"code": -32002 if "resources" in method else -32601, "message": "Not found"}}
    return {**base, "result": result}


if __name__ == "__main__":
    from pathlib import Path

    told = json.loads(Path(sys.argv[1]).read_text("utf-8"))
    for line in sys.stdin:
        answer = reply(told, json.loads(line))
        if answer is not None:
            print(json.dumps(answer), flush=True)
