"""The chat example with a model behind it: pydantic-ai with its own test model, which needs no network and no key."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from pydantic_ai import Agent
from pydantic_ai.messages import ModelRequest, ToolReturnPart
from pydantic_ai.models.test import TestModel

from cloche import Server, ToolError
from cloche.host import Host
from examples.host_fastapi import model
from examples.host_fastapi.conversation import Conversation

TestModel.__test__ = False  # it is not a test, whatever its name says


def tools() -> Server:
    server = Server("shop")

    @server.tool(view="<p>bread</p>")
    def look(item: str) -> dict[str, Any]:
        """Look at something in the shop."""
        return {"item": item, "left": 3}

    @server.tool
    def buy(item: str) -> str:
        """Buy it."""
        raise ToolError(f"{item} is sold out")

    return server


@asynccontextmanager
async def talking(*called: str) -> AsyncIterator[tuple[Conversation, model.ModelAgent]]:
    """A conversation whose model calls these tools, once each, and then says something."""
    host = Host({"shop": tools()}, secret="sixteen bytes or more")
    made = Agent(TestModel(call_tools=list(called), custom_output_text="There is bread."), instructions="Be brief.")
    agent = model.ModelAgent(made)
    try:
        yield Conversation(host.session("ann"), agent.answer), agent
    finally:
        await host.close()


async def turn(conversation: Conversation, text: str) -> None:
    conversation.say(text)
    assert conversation._turn is not None
    await conversation._turn


async def test_the_model_calls_a_tool_its_view_is_shown_and_its_text_streams() -> None:
    async with talking("shop_look") as (conversation, _):
        await turn(conversation, "What is there?")
        assert [(entry.role, entry.text) for entry in conversation.entries] == [
            ("user", "What is there?"),
            ("view", ""),
            ("assistant", "There is bread."),
        ]
        record = conversation.entries[1].record
        assert record is not None
        assert (record["tool"], record["status"], record["result"]["structuredContent"]["left"]) == ("look", "done", 3)
        assert "<mcp-app ticket=" in conversation.chat.embed(record)
        texts = [event["text"] for event in conversation._events if event["type"] == "text"]
        assert len(texts) > 1, "it comes in pieces"
        assert "".join(texts) == "There is bread."


async def test_a_tool_that_fails_is_told_to_the_model_which_remembers_the_conversation() -> None:
    async with talking("shop_buy") as (conversation, agent):
        await turn(conversation, "Buy bread")
        assert [entry.role for entry in conversation.entries] == ["user", "assistant"]
        (told,) = [
            part
            for message in agent._history
            if isinstance(message, ModelRequest)
            for part in message.parts
            if isinstance(part, ToolReturnPart)
        ]
        assert told.content["isError"] is True
        assert "sold out" in told.content["content"][0]["text"]
        before = len(agent._history)
        await turn(conversation, "Again")
        assert len(agent._history) > before


@pytest.mark.parametrize(("variables", "is_made"), [({}, False), ({"CHAT_MODEL": "test"}, True)], ids=["no key", "key"])
def test_a_model_is_used_when_one_is_configured(
    variables: dict[str, str], is_made: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("CHAT_MODEL", *model.KEYS):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert (model.agent_from_environment() is not None) is is_made
