"""The command line as a person runs it: a process of its own, waited for with deadlines."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

DEADLINE = 30.0

CLOCHE = """
from cloche import Server
server = Server("pantry")

@server.tool
def add(a: int, b: int) -> int:
    return a + b
"""
MCP = """
from mcp.server import MCPServer
server = MCPServer("pantry")

@server.tool()
def add(a: int, b: int) -> int:
    return a + b
"""
FASTMCP = """
from fastmcp import FastMCP
server = FastMCP("pantry")

@server.tool
def add(a: int, b: int) -> int:
    return a + b
"""
LOWLEVEL = """
import mcp_types as types
from mcp.server.lowlevel import Server

async def list_tools(ctx, params):
    return types.ListToolsResult(tools=[types.Tool(name="add", input_schema={"type": "object"})])

server = Server("pantry", on_list_tools=list_tools)
"""
FILES = {"cloche": CLOCHE, "mcp": MCP, "fastmcp": FASTMCP, "lowlevel": LOWLEVEL}

INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}
INITIALIZED = {"jsonrpc": "2.0", "method": "notifications/initialized"}
HEADERS = {"content-type": "application/json", "accept": "application/json, text/event-stream"}


def write(folder: Path, text: str, name: str = "server.py") -> str:
    """Put a file there; returns its name."""
    (folder / name).write_text(text, "utf-8")
    return name


def environment(**changes: str) -> dict[str, str]:
    """Ours, without what would change the output."""
    kept = {key: value for key, value in os.environ.items() if key not in ("FORCE_COLOR", "TTY_COMPATIBLE")}
    return {**kept, "PYTHONUNBUFFERED": "1", **changes}


def cloche(
    *arguments: str, folder: Path, stdin: str = "", deadline: float = DEADLINE, **env: str
) -> subprocess.CompletedProcess[str]:
    """Run `cloche` to its end."""
    return subprocess.run(
        [sys.executable, "-m", "cloche", *arguments],
        cwd=folder,
        input=stdin,
        capture_output=True,
        text=True,
        timeout=deadline,
        env=environment(**env),
        check=False,
    )


def refusal(*arguments: str, folder: Path, code: int = 2) -> str:
    """What a command that fails says: one error, no traceback, nothing on stdout."""
    done = cloche(*arguments, folder=folder)
    assert done.returncode == code, done
    assert done.stdout == ""
    assert done.stderr.startswith("Error: "), done.stderr
    assert "Traceback" not in done.stderr
    assert len(done.stderr) <= 1000
    return done.stderr.removeprefix("Error: ").rstrip("\n")


class Running:
    """A process that serves; `url` is what it printed."""

    def __init__(self, process: subprocess.Popen[str], said: list[str]) -> None:
        self.process = process
        self.said = said
        self.url = said[-1] if said else ""

    @property
    def address(self) -> tuple[str, int]:
        parts = urlsplit(self.url)
        assert parts.hostname is not None
        assert parts.port is not None
        return parts.hostname, parts.port

    def line(self, *, starting: str) -> str:
        """Wait for a line on stderr."""
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.said.append(line.rstrip("\n"))
            if line.startswith(starting):
                return self.said[-1]
        raise AssertionError(f"it ended without a line that starts with {starting!r}:\n" + "\n".join(self.said))

    def stop(self, number: int = signal.SIGTERM, within: float = 15.0) -> int:
        """Send the signal; the process has to be gone `within` seconds."""
        self.process.send_signal(number)
        return self.process.wait(within)

    def request(self, message: Any, method: str = "POST", path: str = "/mcp", **headers: str) -> tuple[int, str]:
        """One HTTP request on a connection of its own."""
        status, text, _ = self.exchange(message, method, path, **headers)
        return status, text

    def exchange(
        self, message: Any, method: str = "POST", path: str = "/mcp", **headers: str
    ) -> tuple[int, str, dict[str, str]]:
        """Status, body and headers of one HTTP request."""
        connection = http.client.HTTPConnection(*self.address, timeout=DEADLINE)
        try:
            sent = {**HEADERS, **{name.replace("_", "-"): value for name, value in headers.items()}}
            connection.request(method, path, None if message is None else json.dumps(message), sent)
            answer = connection.getresponse()
            return answer.status, answer.read().decode(), {k.lower(): v for k, v in answer.getheaders()}
        finally:
            connection.close()

    def connect(self) -> socket.socket:
        """A bare connection."""
        return socket.create_connection(self.address, DEADLINE)


@contextmanager
def started(
    command: Sequence[str], folder: Path, until: str = "http://", deadline: float = 2 * DEADLINE, **env: str
) -> Generator[Running, None, None]:
    """A process that has printed its URL; it is killed at the end, and at the deadline."""
    process = subprocess.Popen(
        [sys.executable, *command],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(**env),
    )
    watchdog = threading.Timer(deadline, process.kill)
    watchdog.start()
    try:
        running = Running(process, [])
        running.url = running.line(starting=until)
        yield running
    finally:
        watchdog.cancel()
        process.kill()
        process.communicate()


@contextmanager
def serving(*arguments: str, folder: Path, **env: str) -> Generator[Running, None, None]:
    """`cloche run … --http …` that accepts connections."""
    with started(["-m", "cloche", "run", *arguments], folder, **env) as running:
        yield running
