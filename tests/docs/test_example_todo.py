"""examples/todo.py, spoken to over stdio."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.stdio_peer import StdioPeer

EXAMPLE = Path(__file__).parents[2] / "examples" / "todo.py"


@pytest.fixture
def peer() -> Iterator[StdioPeer]:
    with StdioPeer(EXAMPLE) as started:
        yield started


def test_tools_change_the_list(peer: StdioPeer) -> None:
    assert peer.call("add", title="Buy bread")["structuredContent"] == {"id": 1, "title": "Buy bread", "done": False}
    peer.call("add", title="Bake cake")
    assert peer.call("complete", id=1)["structuredContent"]["done"] is True
    open_ones = peer.call("list", include_done=False)["structuredContent"]
    assert open_ones == {"result": [{"id": 2, "title": "Bake cake", "done": False}]}
    assert peer.call("remove", id=2)["content"][0]["text"] == "Removed: Bake cake"
    assert len(peer.call("list")["structuredContent"]["result"]) == 1


def test_mistakes_come_back_as_sentences(peer: StdioPeer) -> None:
    missing = peer.call("complete", id=9)
    assert missing["isError"] is True
    assert missing["content"][0]["text"] == "There is no to-do 9: call list to see which there are."
    assert peer.call("add", title="")["isError"] is True
    assert peer.call("list")["structuredContent"] == {"result": []}


def test_resources_show_the_list_and_one_of_it(peer: StdioPeer) -> None:
    assert peer.request("resources/read", uri="todo://all")["contents"][0]["text"] == "Nothing to do."
    peer.call("add", title="Buy bread")
    listed = peer.request("resources/read", uri="todo://all")["contents"][0]
    assert (listed["mimeType"], listed["text"]) == ("text/plain", "[ ] 1. Buy bread")
    single = peer.request("resources/read", uri="todo://1")["contents"][0]
    assert json.loads(single["text"]) == {"id": 1, "title": "Buy bread", "done": False}
    assert peer.ask("resources/read", uri="todo://7")["error"]["code"] == -32002


def test_a_subscriber_hears_of_changes(peer: StdioPeer) -> None:
    peer.request("resources/subscribe", uri="todo://all")
    peer.call("add", title="Buy bread")
    peer.request("ping")
    updates = [message for message in peer.notifications if message["method"] == "notifications/resources/updated"]
    assert [message["params"]["uri"] for message in updates] == ["todo://all"]


def test_the_prompt_names_what_is_open(peer: StdioPeer) -> None:
    peer.call("add", title="Buy bread")
    (message,) = peer.request("prompts/get", name="plan_day", arguments={"hours": "3"})["messages"]
    assert message["role"] == "user"
    assert message["content"]["text"] == "Plan my next 3 hours. These are open:\n[ ] 1. Buy bread"
