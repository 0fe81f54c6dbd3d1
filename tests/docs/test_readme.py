"""The README keeps its word: the server in it answers, the commands in it exist."""

from __future__ import annotations

import re
from pathlib import Path

from tests.docs.snippets import ROOT, Snippet, all_snippets, save
from tests.stdio_peer import StdioPeer

README = (ROOT / "README.md").read_text(encoding="utf-8")


def the_server() -> Snippet:
    (snippet,) = [one for one in all_snippets() if one.document == "README.md" and one.file == "server.py"]
    return snippet


def test_the_server_has_twelve_lines() -> None:
    lines = [line for line in the_server().code.splitlines() if line and not line.startswith("# file:")]
    assert len(lines) <= 12


def test_the_server_answers_over_stdio(tmp_path: Path) -> None:
    with StdioPeer(save(the_server(), tmp_path)) as peer:
        assert peer.server["serverInfo"]["name"] == "greeter"
        (tool,) = peer.request("tools/list")["tools"]
        assert (tool["name"], tool["description"]) == ("greet", "Greet somebody.")
        assert tool["inputSchema"]["required"] == ["name"]
        assert peer.call("greet", name="Ann")["content"] == [{"type": "text", "text": "Hello, Ann! "}]
        refused = peer.call("greet", name="Ann", times="often")
        assert refused["isError"] is True
        assert "times" in refused["content"][0]["text"]


def test_the_make_targets_it_names_exist() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    named = set(re.findall(r"(?:^|`)make ([a-z-]+)\b", README, re.MULTILINE))
    assert {"dev", "test"} <= named <= targets
