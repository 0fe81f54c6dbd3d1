"""Mistakes that a newcomer makes: each is told where it is made, with the fix."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any, Literal

import pytest

from cloche import Server
from cloche.errors import ConfigurationError, RegistrationError
from cloche.server.bus import MemoryBus
from cloche.server.session_store import MemorySessionStore
from tests.support.memory_peer import HANDSHAKE, STATELESS, MemoryPeer


def generator() -> Iterator[int]:
    yield 1


async def async_generator() -> AsyncIterator[int]:
    yield 1


@pytest.mark.parametrize("fn", [generator, async_generator])
def test_a_generator_is_no_tool(fn: Callable[..., Any]) -> None:
    with pytest.raises(RegistrationError, match=r"is a generator.*return a list, and tell about the steps"):
        Server("x").register_tool(fn)


def test_an_option_that_does_not_exist_is_named_with_those_that_do() -> None:
    server = Server("x")
    with pytest.raises(RegistrationError, match=r"@server\.tool has no option 'tags': it takes name, title, .*visible"):
        server.register_tool(generator, tags={"a"})
    with pytest.raises(RegistrationError, match=r"@server\.prompt has no option 'tags': it takes name, title"):
        server.register_prompt(generator, tags={"a"})


def test_one_text_is_no_list_of_scopes() -> None:
    with pytest.raises(ConfigurationError, match=r"scopes is one text: give a list, such as \['read'\]"):
        Server("x").register_tool(test_one_text_is_no_list_of_scopes, scopes="read")


def test_a_store_that_is_empty_is_used_all_the_same() -> None:
    store, bus = MemorySessionStore(), MemoryBus()
    server = Server("x", sessions=store, bus=bus)
    assert server.sessions is store
    assert server.bus is bus


@pytest.mark.parametrize("version", [HANDSHAKE, STATELESS])
async def test_text_from_a_tool_that_declares_something_else(version: str) -> None:
    """The outcome follows the declared schema, or says that it does not: clients check it."""
    server = Server("x")

    @server.tool
    def number() -> int:
        return "seven"  # type: ignore[return-value]

    @server.tool
    def size() -> Literal["small", "large"]:
        return "small"

    async with MemoryPeer(server, version) as peer:
        wrong = await peer.call("number")
        assert wrong["isError"] is True
        assert "tool 'number' returned a str, its return type is int" in wrong["content"][0]["text"]
        right = await peer.call("size")
        assert right["content"] == [{"type": "text", "text": "small"}]
        assert right["structuredContent"] == ({"result": "small"} if version == HANDSHAKE else "small")


async def test_an_update_from_a_thread_reaches_a_connected_client() -> None:
    server = Server("x")

    @server.tool
    def change() -> None:
        server.resource_updated("app://x")

    async with MemoryPeer(server) as peer:
        await peer.request("resources/subscribe", {"uri": "app://x"})
        await peer.call("change")
        assert (await peer.next_notification("notifications/resources/updated"))["params"] == {"uri": "app://x"}
