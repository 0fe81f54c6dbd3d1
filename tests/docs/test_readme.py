"""The README keeps its word: the server in it answers, the commands in it exist."""

from __future__ import annotations

import re
from pathlib import Path

from cloche.testing import ViewOpener
from tests.support.snippets import ROOT, Snippet, all_snippets, run, save
from tests.support.stdio_peer import StdioPeer

README = (ROOT / "README.md").read_text(encoding="utf-8")


def the_server() -> Snippet:
    (snippet,) = [one for one in all_snippets() if one.document == "README.md" and one.file == "server.py"]
    return snippet


def test_it_begins_with_what_it_is_a_picture_and_ten_lines() -> None:
    parts = [part for part in README.split("\n\n") if part.strip()]
    assert re.fullmatch(r"Cloche is [^.]+\.", parts[1])
    picture = re.match(r"!\[[^\]]{30,}\]\(([^)]+)\)", parts[2])
    assert picture is not None
    assert (ROOT / picture[1]).is_file()
    assert parts[3].startswith("```python\n# file: server.py")
    lines = [line for line in the_server().code.splitlines() if line and not line.startswith("# file:")]
    assert len(lines) <= 10
    headings = re.findall(r"^## (.+)$", README, re.MULTILINE)
    assert headings[:2] == ["Install", "What is in it"]
    assert README.index("make dev") > README.index("## From a clone")


def test_the_server_answers(tmp_path: Path) -> None:
    save(the_server(), tmp_path)
    (tmp_path / "main.py").write_text("from server import server\n\nserver.run()\n", "utf-8")
    with StdioPeer(tmp_path / "main.py") as peer:
        assert peer.server["serverInfo"]["name"] == "dice"
        roll, *_ = [tool for tool in peer.request("tools/list")["tools"] if tool["name"] == "roll"]
        assert (roll["description"], roll["_meta"]["ui"]["resourceUri"][:5]) == ("Roll some dice.", "ui://")
        assert len(peer.call("roll", count=3)["structuredContent"]["result"]) == 3
        refused = peer.call("roll", count="often")
        assert refused["isError"] is True
        assert "count" in refused["content"][0]["text"]


def test_its_view_rolls_again(open_view: ViewOpener, tmp_path: Path) -> None:
    server = run(the_server(), tmp_path)["server"]
    view = open_view(server, "roll", {"count": 3})
    view.expect("b").to_have_text(re.compile(r"^\d \d \d$"))
    view.click(text="Roll again")
    view.wait_for("answered")
    view.expect("b").to_have_text(re.compile(r"^\d \d$"))
    view.check()


def test_the_make_targets_it_names_exist() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    named = set(re.findall(r"(?:^|`)make ([a-z-]+)\b", README, re.MULTILINE))
    assert {"dev", "test"} <= named <= targets
