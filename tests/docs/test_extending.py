"""docs/extending.md: the capability takes notes and hears who watches them; the hook adds what the page says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cloche import Client
from tests.support.snippets import all_snippets, run

PAGE = "docs/extending.md"
ERAS = ["2025-11-25", "2026-07-28"]


def module(file: str, folder: Path) -> dict[str, Any]:
    (snippet,) = [one for one in all_snippets() if one.document == PAGE and one.file == file]
    return run(snippet, folder)


@pytest.mark.parametrize("version", ERAS)
async def test_the_capability_works(version: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    server = module("notes.py", tmp_path)["server"]
    monkeypatch.chdir(tmp_path)
    changed: list[str] = []
    async with Client(server, version=version) as client:
        place = "extensions" if version >= "2026" else "experimental"
        assert client.server_capabilities[place]["com.example/notes"] == {"kinds": ["text"]}
        client.on_notification("notifications/resources/updated", lambda params: changed.append(params["uri"]))
        await client.subscribe_resource("notes://shopping")
        assert (await client.request("notes/watched"))["watched"] == ["notes://shopping"]
        assert (await client.call_tool("write_note", {"name": "shopping", "text": "bread"})).text == "Written."
        assert (await client.read_resource("notes://shopping")).text == "bread"
        assert changed == ["notes://shopping"]
        await client.unsubscribe_resource("notes://shopping")
        assert (await client.request("notes/watched"))["watched"] == []
    assert (tmp_path / "notes" / "shopping").read_text() == "bread"


async def test_the_hook_adds_to_the_result(tmp_path: Path) -> None:
    async with Client(module("stamped.py", tmp_path)["server"]) as client:
        result = await client.request("tools/call", {"name": "add", "arguments": {"a": 2}})
    assert result["structuredContent"] in (3, {"result": 3})
    assert result["_meta"]["example/arguments"] == {"a": 2, "b": 1}


async def test_the_tool_by_schema_orders(tmp_path: Path) -> None:
    async with Client(module("by_schema.py", tmp_path)["server"]) as client:
        assert (await client.call_tool("order", {"item": "jam", "count": 2})).data == {"ordered": 2}
