"""docs/first-server.md: its commands are run, its configuration starts the server, its curl gets its answer."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.asgi_peer import Curl
from tests.support.command import cloche, environment, serving
from tests.support.snippets import all_snippets, blocks_of, save
from tests.support.stdio_peer import StdioPeer

PAGE = "docs/first-server.md"


@pytest.fixture
def server(tmp_path: Path) -> Path:
    (snippet,) = [one for one in all_snippets() if one.document == PAGE and one.file == "server.py"]
    return save(snippet, tmp_path)


def block(language: str, containing: str) -> str:
    (found,) = [text for text in blocks_of(PAGE, language) if containing in text]
    return found


def test_the_configuration_starts_the_server(server: Path) -> None:
    (entry,) = json.loads(block("json", "mcpServers"))["mcpServers"].values()
    assert entry["command"] == "python"
    (argument,) = entry["args"]
    assert Path(argument).name == server.name
    with StdioPeer(server) as peer:
        assert peer.server["instructions"] == "Prices are in euros."
        assert peer.call("price", item="milk")["content"] == [{"type": "text", "text": "1 × milk: 2 €"}]


def test_the_message_by_hand_is_answered(server: Path) -> None:
    said, _, started = block("sh", "echo").partition(" | ")
    assert started.strip() == "python server.py"
    done = subprocess.run(
        [sys.executable, "server.py"],
        cwd=server.parent,
        input=shlex.split(said)[1] + "\n",
        capture_output=True,
        encoding="utf-8",
        timeout=30,
        check=True,
        env=environment(PYTHONUTF8="1"),
    )
    (line,) = done.stdout.splitlines()
    assert json.loads(line)["result"]["content"][0]["text"] == "3 × bread: 12 €"


def test_it_serves_http_as_shown_and_curl_gets_the_answer_shown(server: Path) -> None:
    command = block("sh", "cloche run server.py --http").split()
    assert command == ["cloche", "run", "server.py", "--http", "127.0.0.1:8000"]
    with serving("server.py", "--http", "127.0.0.1:0", folder=server.parent) as running:
        told = [*running.said[:-1], running.url.replace(str(running.address[1]), "8000")]
        assert told == block("text", "/mcp").splitlines()
        curl = Curl(block("sh", "curl"))
        assert curl.url == "http://127.0.0.1:8000/mcp"
        status, body = running.request(curl.data, **curl.headers)
        assert status == 200
        assert json.loads(body) == json.loads(block("json", '"resultType"'))


def test_the_unguarded_file_is_refused_as_shown(tmp_path: Path) -> None:
    code = 'from cloche import Server\nserver = Server("x")\nserver.run()\n'
    (tmp_path / "unguarded.py").write_text(code, "utf-8")
    command = block("sh", "unguarded").split()
    assert command == ["cloche", "run", "unguarded.py"]
    assert cloche(*command[1:], folder=tmp_path).stderr == block("text", "unguarded")


def test_what_a_tool_prints_goes_to_stderr(tmp_path: Path) -> None:
    code = (
        "from cloche import Server\nserver = Server('x')\n"
        "@server.tool\ndef talk() -> str:\n    print('hello')\n    return 'said'\n"
        "if __name__ == '__main__':\n    server.run()\n"
    )
    file = tmp_path / "server.py"
    file.write_text(code, "utf-8")
    with StdioPeer(file) as peer:
        assert peer.call("talk")["content"] == [{"type": "text", "text": "said"}]
