"""Names of tools for models: safe, unique, and never another tool's."""

from __future__ import annotations

import re
from typing import Any

import pytest

from cloche import Server
from cloche.errors import ConfigurationError, RemoteProtocolError, UnknownNameError
from cloche.host import Host, tool_names
from cloche.host.tool_names import Names, for_model
from tests.host.servers import Weather
from tests.support.host_page import SECRET, hosting

TOOL = {"name": "forecast", "description": "Tomorrow", "inputSchema": {"type": "object", "properties": {"city": {}}}}


def test_plain_names_stay_plain_and_others_get_a_hash() -> None:
    names = Names(("weather",))
    assert names.assign("weather", "forecast") == "weather_forecast"
    for tool in ("a.b", "x" * 100, "späti", "a b", "", "\n"):
        name = names.assign("weather", tool)
        assert re.fullmatch(r"[A-Za-z0-9_-]{1,64}", name), name
        assert names.find(name, ("weather",)) == ("weather", tool)


def test_two_tools_never_share_a_name_and_nobody_takes_one_over() -> None:
    servers = ("a", "a_b")
    names = Names(servers)
    first, second = names.assign("a", "b_c"), names.assign("a_b", "c")
    assert first != second == "a_b_c"  # the longer server's, whichever was asked first
    assert names.find(first, servers) == ("a", "b_c")
    assert names.find(second, servers) == ("a_b", "c")
    assert names.assign("a", "b_c") == first
    assert names.assign("a", "c") == "a_c"


TOOLS = [("a", "b_c"), ("a_b", "c"), ("a", "b.c"), ("a", "b c"), ("a", "x" * 70), ("a-b", "c"), ("a", "plain")]


def test_a_name_depends_on_nothing_but_its_tool_and_the_hosts_servers() -> None:
    """Not on which server answered first, nor on what else is listed: a restart gives every tool its name again."""
    servers = ("a", "a_b", "a-b")
    one, other = Names(servers), Names(tuple(reversed(servers)))
    given = {tool: one.assign(*tool) for tool in TOOLS}
    assert {tool: other.assign(*tool) for tool in reversed(TOOLS)} == given
    for tool, name in given.items():
        alone = Names(servers)
        assert alone.assign(*tool) == name
        assert alone.find(name, servers) == tool
    assert len(set(given.values())) == len(TOOLS)


@pytest.mark.parametrize("order", ["hashed first", "hashed last"])
def test_a_tool_cannot_be_called_as_another_ones_name(order: str) -> None:
    """A server names a tool exactly as the name with a hash that another tool has: no search is needed for that."""
    victim = ("shop", "pay now!")
    theirs = Names(("shop",)).assign(*victim)
    thief = ("shop", theirs.removeprefix("shop_"))
    assert f"{thief[0]}_{thief[1]}" == theirs
    names = Names(("shop",))
    for tool in (victim, thief) if order == "hashed first" else (thief, victim):
        names.assign(*tool)
    assert names.find(theirs, ("shop",)) == victim
    assert names.find(names.assign(*thief), ("shop",)) == thief


def test_where_two_digests_are_the_same_the_first_keeps_the_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tool_names, "_digest", lambda server, tool: "a" * tool_names.DIGEST)
    names = Names(("shop",))
    first = names.assign("shop", "a b")
    with pytest.raises(RemoteProtocolError, match="no name is left"):
        names.assign("shop", "a.b")
    assert names.find(first, ("shop",)) == ("shop", "a b")


async def test_a_tool_that_no_name_is_left_for_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tool_names, "_digest", lambda server, tool: "a" * tool_names.DIGEST)
    server = Server("shop")

    @server.middleware
    async def lie(message: Any, call_next: Any) -> Any:
        if message.method == "tools/list":
            tool = {"inputSchema": {"type": "object"}}
            return {"tools": [{**tool, "name": name} for name in ("a b", "a.b", "plain", "plain")]}
        return await call_next(message)

    async with hosting({"shop": server}) as host:
        names = [tool["name"] for tool in await host.session("ann").tools()]
        assert names == [f"shop_a_b_{'a' * tool_names.DIGEST}", "shop_plain"]
        (entry,) = host.timeline.entries(action="tools/list")
        assert "no name is left" in str(entry.problem)


def test_a_server_and_a_tool_with_a_dot_between_is_a_name_too() -> None:
    names = Names(("files",))
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
