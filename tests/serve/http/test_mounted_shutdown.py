"""A mounted server's lifespan closes when uvicorn stops, before the application's own (U1): real processes and signals.

One process for each framework; CLOCHE_EVERY_SHUTDOWN (which `make test-all` sets) runs all combinations of framework,
signal and event loop.
"""

from __future__ import annotations

import http.client
import itertools
import json
import os
import signal
from contextlib import closing
from email.message import Message
from pathlib import Path
from typing import Any

import pytest

from tests.support.http_client import modern
from tests.support.live_server import LiveServer

ROOT = Path(__file__).parents[3]
SOME = [
    ("starlette", "SIGTERM", "uvloop"),
    ("fastapi", "SIGINT", "asyncio"),
    ("litestar", "SIGINT", "uvloop"),
    ("django", "SIGTERM", "asyncio"),
]
FRAMEWORKS = [framework for framework, *_ in SOME]
EVERY = list(itertools.product(FRAMEWORKS, ["SIGTERM", "SIGINT"], ["uvloop", "asyncio"]))
HEADERS = {"content-type": "application/json", "accept": "application/json, text/event-stream"}
STATELESS = HEADERS | {"mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": "hello"}
HELLO = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}


def ask(line: http.client.HTTPConnection, message: dict[str, Any], headers: dict[str, str]) -> Message:
    """The headers of a good answer."""
    line.request("POST", "/mcp/", json.dumps(message), headers)
    answer = line.getresponse()
    body = answer.read()
    assert answer.status in (200, 202), body
    return answer.headers


def open_stream(line: http.client.HTTPConnection) -> http.client.HTTPResponse:
    """A session's GET stream, which ends when the server says so."""
    made = ask(line, {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": HELLO}, HEADERS)
    session = HEADERS | {"mcp-session-id": made["mcp-session-id"], "mcp-protocol-version": "2025-11-25"}
    ask(line, {"jsonrpc": "2.0", "method": "notifications/initialized"}, session)
    line.request("GET", "/mcp/", headers=session)
    stream = line.getresponse()
    assert stream.status == 200
    return stream


@pytest.mark.parametrize(("framework", "name", "loop"), EVERY if "CLOCHE_EVERY_SHUTDOWN" in os.environ else SOME)
def test_a_mounted_lifespan_closes(
    framework: str, name: str, loop: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "lifespan.log"
    monkeypatch.setenv("LIFESPAN_LOG", str(log))
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    code = f"from tests.serve.http.mounted_apps import {framework}\napp = {framework}()"
    with LiveServer(tmp_path, code, loop=loop) as live:
        with closing(http.client.HTTPConnection("127.0.0.1", live.port, timeout=30)) as line:
            ask(line, modern("tools/call", {"name": "hello"}), STATELESS)
            with open_stream(line) as stream:
                live.process.send_signal(signal.Signals[name])
                stream.read()
        live.process.wait(timeout=30)
    closed = ["close"] if framework == "django" else ["close", "application closes"]
    assert log.read_text().split("\n") == ["open", *closed, ""]
