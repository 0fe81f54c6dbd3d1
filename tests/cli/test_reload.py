"""`cloche run --reload` and the access log."""

from __future__ import annotations

import json
import re
import signal
from pathlib import Path

import pytest

from tests.cli.test_terminal import at_a_terminal
from tests.support.command import CLOCHE, INITIALIZE, Running, refusal, serving, write

CALL = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "tools/call",
    "params": {
        "name": "add",
        "arguments": {"a": 1, "b": 2},
        "_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
            "io.modelcontextprotocol/clientCapabilities": {},
        },
    },
}
HEADERS = {"mcp_protocol_version": "2026-07-28", "mcp_method": "tools/call", "mcp_name": "add"}


def added(running: Running) -> str:
    status, text = running.request(CALL, **HEADERS)
    assert status == 200, text
    answer: str = json.loads(text)["result"]["content"][0]["text"]
    return answer


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_changed_file_is_served_at_the_same_address(tmp_path: Path, number: signal.Signals) -> None:
    write(tmp_path, CLOCHE)
    with serving("server.py", "--http", "0", "--reload", folder=tmp_path) as running:
        url = running.url
        assert added(running) == "3"
        write(tmp_path, CLOCHE.replace("a + b", "a * 100 + b"))
        running.line(starting="Restarting: server.py changed")
        assert added(running) == "102"  # it waits until the new one serves
        assert running.line(starting="http://") == url
        write(tmp_path, "import nowhere_at_all")
        assert "nowhere_at_all" in running.line(starting="Error: ")
        running.line(starting="The server ended: it starts again when a file changes.")
        write(tmp_path, CLOCHE)
        running.line(starting="http://")
        assert added(running) == "3"
        assert running.stop(number, within=10) == 0


def test_over_stdio_there_is_nothing_to_reload(tmp_path: Path) -> None:
    write(tmp_path, CLOCHE)
    assert "add --http 8000" in refusal("run", "server.py", "--reload", folder=tmp_path)


def test_the_access_log(tmp_path: Path) -> None:
    write(tmp_path, CLOCHE)
    with serving("server.py", "--http", "0", "--access-log", folder=tmp_path) as running:
        running.request(INITIALIZE)
        assert running.stop(within=10) == 0
        assert running.process.stderr is not None
        assert '"POST /mcp HTTP/1.1" 200' in running.process.stderr.read()
    with serving("server.py", "--http", "0", folder=tmp_path) as running:
        running.request(INITIALIZE)
        assert running.stop(within=10) == 0
        assert running.process.stderr is not None
        assert "POST" not in running.process.stderr.read()


def test_a_person_at_a_terminal_sees_requests(tmp_path: Path) -> None:
    write(tmp_path, CLOCHE)
    for options, seen in ([], True), (["--no-access-log"], False):
        with at_a_terminal("run", "server.py", "--http", "0", *options, folder=tmp_path, NO_COLOR="1") as terminal:
            url = re.search(r"http://\S+/mcp", terminal.until("Ctrl+C stops it."))
            assert url is not None
            address = Running(terminal.process, [url[0]])  # type: ignore[arg-type]
            address.request(INITIALIZE)
            terminal.process.send_signal(signal.SIGINT)
            assert terminal.process.wait(10) == 0
            if seen:
                terminal.until('"POST /mcp HTTP/1.1" 200')
            assert ("POST" in terminal.seen) is seen
