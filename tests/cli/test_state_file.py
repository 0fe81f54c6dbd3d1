"""`cloche run --state FILE`: stores that are there again, and files that cannot be used."""

from __future__ import annotations

import sys
from pathlib import Path

from cloche import Client
from cloche.cli.access import Access
from cloche.cli.dev import chosen
from tests.support.command import refusal, write

SERVER = """
from cloche import Server, Store

store = Store({"count": 0})


@store.action
def count() -> int:
    "Count."
    store.state["count"] += 1
    return store.state["count"]


server = Server("counting")
server.attach(store)
"""


async def test_a_store_is_there_again_after_a_restart(tmp_path: Path) -> None:
    write(tmp_path, SERVER)
    words = [sys.executable, "-m", "cloche", "run", str(tmp_path / "server.py"), "--state", str(tmp_path / "state.db")]
    for expected in (1, 2, 3):
        async with Client(words) as client:
            assert (await client.call_tool("count")).structured_content == expected


def test_what_cannot_be_kept_is_said_at_once(tmp_path: Path) -> None:
    write(tmp_path, SERVER)
    write(tmp_path, "from cloche import Server\nserver = Server('plain')\n", "plain.py")
    (tmp_path / "bad.db").write_text("not a database " * 100)
    assert "is damaged, or not a state file" in refusal(
        "run", "server.py", "--state", "bad.db", folder=tmp_path, code=1
    )
    assert "this one has none" in refusal("run", "plain.py", "--state", "state.db", folder=tmp_path)


def test_the_playground_starts_its_server_with_the_file(tmp_path: Path) -> None:
    write(tmp_path, SERVER)
    (server,) = chosen([str(tmp_path / "server.py")], Access(), tmp_path / "state.db")
    assert list(server.spec.words)[-2:] == ["--state", str(tmp_path / "state.db")]
