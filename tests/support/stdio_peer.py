"""The smallest MCP client: a server's process, one JSON line there, one line back."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
from itertools import count
from pathlib import Path
from types import TracebackType
from typing import Any

VERSION = "2025-11-25"


class StdioPeer:
    """Starts `python FILE`, shakes hands, and sends requests one after the other."""

    def __init__(self, file: Path) -> None:
        self.ids = count(1)
        self.notifications: list[dict[str, Any]] = []
        self.process = subprocess.Popen(
            [sys.executable, str(file)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=file.parent, text=True
        )

    def __enter__(self) -> StdioPeer:
        info = {"name": "stdio-peer", "version": "1"}
        try:
            self.server = self.request("initialize", protocolVersion=VERSION, capabilities={}, clientInfo=info)
            self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        code = self.stop()
        if error is None:
            assert code == 0, "the server must end quietly when its input ends"

    def stop(self) -> int:
        """End the server's input, wait for it to leave, and give its exit code."""
        with self.process as process:
            assert process.stdin
            with contextlib.suppress(BrokenPipeError):
                process.stdin.close()
            try:
                return process.wait(timeout=10)
            finally:
                process.kill()

    def send(self, message: dict[str, Any]) -> None:
        assert self.process.stdin
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        """The whole response; notifications on the way are kept."""
        request_id = next(self.ids)
        self.send({"jsonrpc": "2.0", "id": request_id, "method": method, "params": params})
        assert self.process.stdout
        while line := self.process.stdout.readline():
            message: dict[str, Any] = json.loads(line)
            if message.get("id") == request_id:
                return message
            self.notifications.append(message)
        raise AssertionError(f"the server ended without answering {method}")

    def request(self, method: str, **params: Any) -> dict[str, Any]:
        """The result; an error fails the test."""
        answer = self.ask(method, **params)
        assert "result" in answer, answer
        result: dict[str, Any] = answer["result"]
        return result

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """The result of a tool."""
        return self.request("tools/call", name=tool, arguments=arguments)
