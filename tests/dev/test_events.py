"""What the playground tells its page of servers that talk back, and what it answers them itself."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from cloche import Context, Server
from cloche.dev.calls import USER
from cloche.dev.playground import Playground
from cloche.dev.servers import DevServer
from tests.support import talking
from tests.support.asked_person import Person
from tests.support.fake_openai import fake_openai, said


class Told:
    """What the page is told."""

    def __init__(self, played: Playground) -> None:
        self._events: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        played.listen(self._events.put_nowait)

    async def next(self, event: str) -> dict[str, Any]:
        while (told := await asyncio.wait_for(self._events.get(), 10))["event"] != event:
            pass
        return told


async def test_progress_and_logs_are_told_also_of_tools_that_only_views_call() -> None:
    server = talking.of_cloche()

    @server.tool(visibility=["app"])
    async def helper(ctx: Context) -> str:
        await ctx.progress(1, 2, "half")
        return "helped"

    played = Playground([DevServer("lab", server)])
    told = Told(played)
    try:
        call = (await played.calls.start("lab", "steps", {}))["call"]
        progress = await told.next("progress")
        assert (progress["call"], progress["total"], progress["message"]) == (call, 3, "step 1")
        log = await told.next("server-log")
        assert {name: log[name] for name in ("server", "level", "logger", "data")} == {
            "server": "lab", "level": "warning", "logger": "disks", "data": {"disk": "full"}
        }  # fmt: skip
        await told.next("result")
        call = (await played.calls.start("lab", "helper", {}))["call"]
        progress = await told.next("progress")
        assert (progress["call"], progress["progress"], progress["message"]) == (call, 1, "half")
    finally:
        await played.close()
        await played.host.close()


async def test_roots_are_the_folder_of_the_file_and_strangers_get_none(tmp_path: Path) -> None:
    file = tmp_path / "server.py"
    servers = [DevServer("own", talking.of_cloche(), file), DevServer("far", talking.of_cloche(), is_stranger=True)]
    played = Playground(servers)
    told = Told(played)
    try:
        for name, roots in (("own", [tmp_path.as_uri()]), ("far", [])):
            await played.calls.start(name, "talk", {"about": "roots"})
            text = (await told.next("result"))["result"]["content"][0]["text"]
            assert json.loads(text) == roots
    finally:
        await played.close()
        await played.host.close()


async def test_without_somebody_at_the_page_the_model_declines() -> None:
    server = Server("lab")

    @server.tool
    async def think(ctx: Context) -> str:
        return (await ctx.sample("Name a bread.")).text

    played = Playground([DevServer("lab", server)])
    told = Told(played)
    try:
        await played.calls.start("lab", "think", {})
        assert "declined" in (await told.next("result"))["error"]
        person = await Person().at(played.host, USER)
        await played.calls.start("lab", "think", {})
        question = await person.says({"content": {"answer": "Rye"}})
        assert question["details"] == {"asked": "Name a bread."}
        assert (await told.next("result"))["result"]["content"][0]["text"] == "Rye"
    finally:
        await played.close()
        await played.host.close()


async def test_whoever_is_at_the_page_may_let_the_model_of_the_chat_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    server = Server("lab")

    @server.tool
    async def think(ctx: Context) -> str:
        return (await ctx.sample("Name a bread.", system="Be brief.", max_tokens=9)).text

    played = Playground([DevServer("lab", server)])
    told = Told(played)
    try:
        async with fake_openai(said("Pumper", "nickel")) as fake:
            monkeypatch.setenv("CLOCHE_MODEL_URL", fake.url)
            monkeypatch.setenv("CLOCHE_MODEL", "tiny")
            person = await Person().at(played.host, USER)
            await played.calls.start("lab", "think", {})
            question = await person.says({"content": {"answer": "Rye", "model": False}})
            assert "“tiny” answer: what is asked goes to 127.0.0.1" in question["text"]
            assert question["form"]["properties"]["model"]["title"] == "Let tiny answer"
            assert (await told.next("result"))["result"]["content"][0]["text"] == "Rye"
            assert fake.asked == []
            await played.calls.start("lab", "think", {})
            await person.says({"content": {"model": True}})
            assert (await told.next("result"))["result"]["content"][0]["text"] == "Pumpernickel"
            messages = fake.asked[0]["messages"]
            assert [one["content"] for one in messages] == ["Be brief.", "Name a bread."]
        await played.calls.start("lab", "think", {})
        await person.says({"content": {"model": True}})
        assert "The model failed" in (await told.next("result"))["error"]
    finally:
        await played.close()
        await played.host.close()


async def test_the_page_is_told_which_tools_have_a_view_in_every_spelling() -> None:
    server = Server("lab")
    spellings: dict[str, dict[str, Any]] = {
        "nested": {"ui": {"resourceUri": "ui://lab/x"}},
        "flat": {"ui/resourceUri": "ui://lab/x"},
        "older": {"mcp:resourceUri": "ui://lab/x"},
        "chatgpt": {"openai/outputTemplate": "ui://lab/x"},
        "wrong": {"ui": {"resourceUri": "https://lab.example/x"}},
        "none": {},
    }
    for name, meta in spellings.items():
        server.register_tool(lambda: "done", name=name, description="Do it.", meta=meta)
    played = Playground([DevServer("lab", server)])
    try:
        tools = (await played.running.listing("lab"))["tools"]
        assert [tool["name"] for tool in tools if tool["hasView"]] == ["nested", "flat", "older"]
        await played.become("chatgpt")
        tools = (await played.running.listing("lab"))["tools"]
        assert [tool["name"] for tool in tools if tool["hasView"]] == ["nested", "flat", "older", "chatgpt"]
    finally:
        await played.close()
        await played.host.close()
