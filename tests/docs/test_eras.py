"""docs/eras.md: the same tools in both eras, an effect that stays single, and the table of versions."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path
from typing import Any

import pytest

from cloche import Limits
from cloche.server.client_requests import STATE_SECONDS
from cloche.wire.versions import DEFAULT_HTTP_VERSION, FEATURES, HANDSHAKE_VERSIONS, STATELESS_VERSIONS, Features
from tests.support import memory_peer
from tests.support.memory_peer import HANDSHAKE, META, STATELESS, MemoryPeer
from tests.support.snippets import ROOT, all_snippets, blocks_of, run

PAGE = "docs/eras.md"
TEXT = (ROOT / PAGE).read_text(encoding="utf-8")
ERAS = pytest.mark.parametrize("version", [HANDSHAKE, STATELESS])
ANSWERS: dict[str, dict[str, Any]] = {
    "elicitation/create": {"action": "accept", "content": {"loaves": 3}},
    "sampling/createMessage": {"role": "assistant", "model": "m", "content": {"type": "text", "text": "Dark Star"}},
    "roots/list": {"roots": [{"uri": "file:///bakery"}]},
}
FEATURE_COLUMNS = {
    "batches": "batches",
    "audio": "audio",
    "annotations": "tool annotations",
    "titles": "titles",
    "structured": "structured results",
    "links": "resource links",
    "elicitation": "elicitation",
    "icons": "icons",
    "any_structure": "any JSON",
}


def module(file: str, folder: Path) -> dict[str, Any]:
    (snippet,) = [one for one in all_snippets() if one.document == PAGE and one.file == file]
    return run(snippet, folder)


def answered(method: str, params: dict[str, Any]) -> dict[str, Any]:
    return ANSWERS[method]


async def said(peer: MemoryPeer, tool: str, **arguments: Any) -> str:
    return "\n".join(block["text"] for block in (await peer.call(tool, arguments))["content"])


@ERAS
async def test_progress_and_logs(version: str, tmp_path: Path) -> None:
    wanted = {META + "logLevel": "info"} if version == STATELESS else {}
    async with MemoryPeer(module("working.py", tmp_path)["server"], version) as peer:
        for tool, arguments in (("bake", {"loaves": 2}), ("knead", {"minutes": 2})):
            await peer.call(tool, arguments, progressToken="p", **wanted)
            heard = [one["params"] for one in peer.notifications if one["method"] == "notifications/progress"]
            assert [(one["progress"], one["total"]) for one in heard] == [(1, 2), (2, 2)]
            logged = [one["params"]["data"] for one in peer.notifications if one["method"] == "notifications/message"]
            assert logged == (["The oven is warm for 2 loaves"] if tool == "bake" else [])
            peer.notifications.clear()


async def test_without_a_level_the_stateless_era_gets_no_logs(tmp_path: Path) -> None:
    async with MemoryPeer(module("working.py", tmp_path)["server"], STATELESS) as peer:
        await peer.call("bake", {"loaves": 1})
        assert peer.notifications == []


@ERAS
async def test_the_tools_ask(version: str, tmp_path: Path) -> None:
    async with MemoryPeer(module("asking.py", tmp_path)["server"], version, answered) as peer:
        assert await said(peer, "order") == "3 loaves, whole."
        assert await said(peer, "name_a_bread") == "Dark Star"
        assert await said(peer, "folders") == '["file:///bakery"]'
        assert await said(peer, "party") == "3 loaves, Dark Star"
        peer.answer = lambda method, params: {"action": "decline"}
        assert await said(peer, "order") == "No bread: decline."


@ERAS
async def test_a_client_that_cannot_is_told_as_shown(
    version: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory_peer, "CAPABILITIES", {})
    async with MemoryPeer(module("asking.py", tmp_path)["server"], version) as peer:
        (shown,) = [json.loads(one) for one in blocks_of(PAGE, "json") if "-32021" in one]
        assert (await peer.ask("tools/call", {"name": "order"}))["error"] == shown


@ERAS
async def test_the_effect_is_single(version: str, tmp_path: Path) -> None:
    namespace = module("paying.py", tmp_path)
    row = re.search(rf"^\| {version} \| (\d+) \| (\d+) \| `(.*)` \|$", TEXT, re.MULTILINE)
    assert row
    async with MemoryPeer(namespace["server"], version, lambda method, params: {"action": "accept"}) as peer:
        assert await said(peer, "buy", item="bread") == row[3]
        assert namespace["runs"] == [version] * int(row[1])
        assert namespace["reserved"] == ["bread"] * int(row[2])
        await peer.call("buy", {"item": "bread"})
        assert len(namespace["reserved"]) == 2 * int(row[2]), "a new call is a new call"


def test_the_numbers_about_the_state() -> None:
    assert STATE_SECONDS == 3600
    assert Limits().state_bytes == 64 * 1024


@ERAS
async def test_both_eras_hear_of_a_change(version: str, tmp_path: Path) -> None:
    (shown,) = [json.loads(one) for one in blocks_of(PAGE, "json") if one.startswith('{"uri"')]
    async with MemoryPeer(module("changing.py", tmp_path)["server"], version) as peer:
        stream = None
        if version == STATELESS:
            wanted = {"notifications": {"resourceSubscriptions": [shown["uri"]]}}
            stream = asyncio.create_task(peer.ask("subscriptions/listen", wanted))
            await peer.next_notification("notifications/subscriptions/acknowledged")
        else:
            await peer.request("resources/subscribe", shown)
        assert await said(peer, "sell", item="bread") == "3 left"
        heard = await peer.next_notification("notifications/resources/updated")
        assert {**heard["params"], "_meta": None} == {**shown, "_meta": None}
        if stream is not None:
            stream.cancel()


def row_of(features: Features) -> str:
    cells = ["✓" if getattr(features, name) else "–" for name in FEATURE_COLUMNS]
    return f"| {features.version} | {' | '.join(cells)} |"


def test_the_table_of_versions_is_the_one_in_the_code() -> None:
    head = f"| version | {' | '.join(FEATURE_COLUMNS.values())} |"
    rule = "|---|" + "---|" * len(FEATURE_COLUMNS)
    assert "\n".join([head, rule, *map(row_of, FEATURES.values())]) in TEXT
    assert (
        f"| versions | {HANDSHAKE_VERSIONS[0]} to {HANDSHAKE_VERSIONS[-1]} | {', '.join(STATELESS_VERSIONS)} |" in TEXT
    )
    assert f"counts as {DEFAULT_HTTP_VERSION}" in TEXT
    for name, features in (("handshake", FEATURES[HANDSHAKE]), ("stateless", FEATURES[STATELESS])):
        column = 1 if name == "handshake" else 2
        (codes,) = re.findall(r"^\| an unknown resource (\|.*\|)$", TEXT, re.MULTILINE)
        assert codes.split("|")[column].strip() == f"error {features.resource_not_found}"


@pytest.mark.parametrize(
    ("asked", "answer"), re.findall(r"^\| `(\d{4}-\d\d-\d\d)` \| `(\d{4}-\d\d-\d\d)` \|$", TEXT, re.MULTILINE)
)
async def test_the_table_of_negotiation(asked: str, answer: str, tmp_path: Path) -> None:
    server = module("working.py", tmp_path)["server"]
    async with MemoryPeer(server, STATELESS) as peer:
        hello = {"protocolVersion": asked, "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}
        peer.version = HANDSHAKE
        assert (await peer.request("initialize", hello))["protocolVersion"] == answer
