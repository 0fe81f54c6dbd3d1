"""Standard input may be a pipe, a file or a device: the server reads it to its end and leaves quietly."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

SERVER = "from cloche import Server; Server('quiet').run()"
INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}},
}


@pytest.mark.parametrize("kind", ["pipe", "file"])
def test_input_is_read_to_its_end(kind: str, tmp_path: Path) -> None:
    line = json.dumps(INITIALIZE) + "\n"
    command = [sys.executable, "-c", SERVER]
    if kind == "file":
        (tmp_path / "input").write_text(line)
        with (tmp_path / "input").open() as file:
            done = subprocess.run(command, stdin=file, capture_output=True, timeout=20, check=True)
    else:
        done = subprocess.run(command, input=line.encode(), capture_output=True, timeout=20, check=True)
    assert json.loads(done.stdout)["result"]["serverInfo"]["name"] == "quiet"
    assert done.stderr == b""


def test_a_device_that_the_loop_cannot_watch_is_read_too() -> None:
    with open(os.devnull, "rb") as null:
        done = subprocess.run([sys.executable, "-c", SERVER], stdin=null, capture_output=True, timeout=20, check=True)
    assert (done.stdout, done.stderr) == (b"", b"")
