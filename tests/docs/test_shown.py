"""What the documents show is what comes back."""

from __future__ import annotations

import contextlib
import io
import json
from pathlib import Path
from typing import Any

import pytest

from cloche import Server
from tests.support.memory_peer import HANDSHAKE, STATELESS, MemoryPeer
from tests.support.snippets import Shown, all_shown, run

STAMPS = ("resultType", "_meta", "ttlMs", "cacheScope")
"""What the stateless era puts on every result, and the documents leave out."""

ANSWERED = [shown for shown in all_shown() if shown.verb not in ("prints", "raises")]


def server_of(shown: Shown, folder: Path) -> Server:
    (server,) = {id(one): one for one in run(shown.snippet, folder).values() if isinstance(one, Server)}.values()
    return server


def only(items: list[dict[str, Any]], name: str) -> dict[str, Any]:
    (found,) = [item for item in items if item["name"] == name]
    return found


def plain(result: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in result.items() if key not in STAMPS}


async def answer(shown: Shown, peer: MemoryPeer) -> Any:
    """What the server says to what the comment asks."""
    if shown.verb == "call":
        result = await peer.call(shown.name, shown.params)
        if shown.language == "text":
            return "\n".join(block["text"] for block in result["content"])
        return result
    if shown.verb in ("input", "output"):
        tools = (await peer.request("tools/list"))["tools"]
        return only(tools, shown.name)[f"{shown.verb}Schema"]
    if shown.verb == "error":
        return (await peer.ask(shown.name, shown.params))["error"]
    return plain(await peer.request(shown.name, shown.params))


@pytest.mark.parametrize("shown", ANSWERED, ids=str)
async def test_the_answer_is_the_one_shown(shown: Shown, tmp_path: Path) -> None:
    expected = json.loads(shown.text) if shown.language == "json" else shown.text.removesuffix("\n")
    for version in (shown.version,) if shown.version else (HANDSHAKE, STATELESS):
        async with MemoryPeer(server_of(shown, tmp_path), version) as peer:
            assert await answer(shown, peer) == expected, version


@pytest.mark.parametrize("shown", [one for one in all_shown() if one.verb == "raises"], ids=str)
def test_the_block_fails_as_shown(shown: Shown, tmp_path: Path) -> None:
    with pytest.raises(Exception) as failure:  # noqa: PT011  # its class and its text are compared below
        run(shown.snippet, tmp_path)
    assert f"{type(failure.value).__name__}: {failure.value}\n" == shown.text


@pytest.mark.parametrize("shown", [one for one in all_shown() if one.verb == "prints"], ids=str)
def test_the_block_prints_what_is_shown(shown: Shown, tmp_path: Path) -> None:
    with contextlib.redirect_stdout(io.StringIO()) as said:
        run(shown.snippet, tmp_path)
    assert said.getvalue() == shown.text
