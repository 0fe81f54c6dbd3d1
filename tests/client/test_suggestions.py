"""A typo in a name: the error says which name was probably meant."""

from __future__ import annotations

import pytest

from cloche import Client, Server
from cloche.errors import ERROR_TEXT_LIMIT, InvalidParamsError

VERSIONS = ["2025-11-25", "2026-07-28"]


def pantry() -> Server:
    server = Server("pantry")

    @server.tool
    def forecast() -> str:
        return "sunny"

    @server.prompt
    def recipe() -> str:
        return "soup"

    return server


@pytest.mark.parametrize("version", VERSIONS)
async def test_a_typo_gets_a_suggestion(version: str) -> None:
    async with Client(pantry(), version=version) as client:
        with pytest.raises(InvalidParamsError) as raised:
            await client.call_tool("forcast")
        assert str(raised.value) == raised.value.message == "Unknown tool: forcast (did you mean 'forecast'?)"
        assert raised.value.code == -32602
        with pytest.raises(InvalidParamsError, match=r"Unknown prompt: recip \(did you mean 'recipe'\?\)"):
            await client.get_prompt("recip")


async def test_a_name_that_is_like_no_other_gets_none() -> None:
    async with Client(pantry()) as client:
        with pytest.raises(InvalidParamsError) as raised:
            await client.call_tool("xyz")
        assert str(raised.value) == "Unknown tool: xyz"


async def test_a_long_error_keeps_its_suggestion() -> None:
    server = Server("wordy")
    server.register_tool(lambda: "x", name="a" * 60)
    async with Client(server) as client:
        with pytest.raises(InvalidParamsError) as raised:
            await client.call_tool("a" * 59)
        assert str(raised.value).endswith("'?)")
        assert len(str(raised.value)) <= ERROR_TEXT_LIMIT


async def test_other_errors_cost_no_further_request() -> None:
    server = Server("strict")
    asked: list[str] = []

    @server.middleware
    async def refuse(message, call_next):  # type: ignore[no-untyped-def]
        asked.append(message.method)
        if message.method == "tools/call":
            raise InvalidParamsError("The arguments are wrong")
        return await call_next(message)

    async with Client(server) as client:
        with pytest.raises(InvalidParamsError, match="The arguments are wrong"):
            await client.call_tool("anything")
    assert "tools/list" not in asked
