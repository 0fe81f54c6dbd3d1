"""Names of tools for models: safe, unique, and never another tool's."""

from __future__ import annotations

import re

import pytest

from cloche import Server
from cloche.errors import ConfigurationError, UnknownNameError
from cloche.host import Host
from cloche.host.naming import Names, for_model
from tests.host.page import SECRET, hosting
from tests.host.servers import Weather

TOOL = {"name": "forecast", "description": "Tomorrow", "inputSchema": {"type": "object", "properties": {"city": {}}}}


def test_plain_names_stay_plain_and_others_get_a_hash() -> None:
    names = Names()
    assert names.assign("weather", "forecast") == "weather_forecast"
    for tool in ("a.b", "x" * 100, "späti", "a b", "", "\n"):
        name = names.assign("weather", tool)
        assert re.fullmatch(r"[A-Za-z0-9_-]{1,64}", name), name
        assert names.find(name, ("weather",)) == ("weather", tool)


def test_two_tools_never_share_a_name_and_nobody_takes_one_over() -> None:
    names = Names()
    first = names.assign("a", "b_c")
    second = names.assign("a_b", "c")
    assert first == "a_b_c"
    assert second != first
    assert names.find(first, ("a", "a_b")) == ("a", "b_c")
    assert names.find(second, ("a", "a_b")) == ("a_b", "c")
    assert names.assign("a", "b_c") == first


def test_a_server_and_a_tool_with_a_dot_between_is_a_name_too() -> None:
    names = Names()
    assert names.find("files.a.b", ("files",)) == ("files", "a.b")
    for wrong in ("files", "other.read", ".read", ""):
        with pytest.raises(UnknownNameError):
            names.find(wrong, ("files",))


def test_the_formats_of_the_models_apis() -> None:
    schema = TOOL["inputSchema"]
    assert for_model("weather_forecast", TOOL, "openai") == {
        "type": "function",
        "function": {"name": "weather_forecast", "description": "Tomorrow", "parameters": schema},
    }
    assert for_model("weather_forecast", TOOL, "anthropic") == {
        "name": "weather_forecast",
        "description": "Tomorrow",
        "input_schema": schema,
    }
    assert for_model("weather_forecast", TOOL, "mcp") == {**TOOL, "name": "weather_forecast"}
    with pytest.raises(ConfigurationError, match="'mcp', 'openai' or 'anthropic'"):
        for_model("x", TOOL, "xml")  # type: ignore[arg-type]


async def test_the_model_s_tools_of_all_servers_and_start_takes_their_names() -> None:
    one, two = Weather(), Weather()
    async with hosting({"one": one.server, "two": two.server}) as host:
        chat = host.session("ann")
        names = [tool["function"]["name"] for tool in await chat.tools(format="openai")]
        assert {"one_forecast", "two_forecast", "one_for_models"} <= set(names)
        assert not [name for name in names if name.endswith("refresh")]  # for views only
        assert len(names) == len(set(names))
        await chat.run("two_forecast", {"city": "Rome"})
        assert (one.calls, two.calls) == ([], [("forecast", "Rome")])


async def test_a_name_can_be_started_before_anybody_listed() -> None:
    weather = Weather()
    async with hosting({"weather": weather.server}) as host:
        await host.session("ann").run("weather_forecast", {"city": "Rome"})
        assert weather.calls == [("forecast", "Rome")]


async def test_a_server_that_cannot_be_reached_is_left_out_and_named() -> None:
    async with hosting({"weather": Weather().server, "gone": ["no-such-program-anywhere"]}) as host:
        chat = host.session("ann")
        names = [tool["name"] for tool in await chat.tools()]
        assert "weather_forecast" in names
        assert "no-such-program-anywhere" in chat.problems["gone"]
        (entry,) = host.timeline.entries(action="tools/list")
        assert entry.server == "gone"


@pytest.mark.parametrize("name", ["", "a.b", "-x", "ä", "x" * 41, "a b", 7], ids=repr)
def test_names_that_servers_cannot_have(name: object) -> None:
    with pytest.raises(ConfigurationError, match="A server cannot be called"):
        Host({name: Server("x")}, secret=SECRET)  # type: ignore[dict-item]
