"""The seam for capabilities: what one registers, announces, opens and hears; result hooks; helper tools."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

import pytest

from cloche import Capability, Client, Context, Principal, Server, ToolResult, View
from cloche.errors import InvalidParamsError, McpError, RegistrationError
from cloche.server.result_hooks import ToolCall
from cloche.server.threads import HAVE_THREADS
from cloche.transports.memory import create_memory_pair
from tests.support.server_peer import Peer

ERAS = ["2025-11-25", "2026-07-28"]
EXTENSION = "com.example/notes"


class Notes(Capability):
    """Notes: a tool, a resource, a template, a prompt and a method; and a record of everything it hears."""

    name = "notes"
    extensions: Mapping[str, Mapping[str, Any]] = {EXTENSION: {"kinds": ["text"]}}

    def __init__(self) -> None:
        self.notes = {"first": "buy bread"}
        self.heard: list[str] = []

    def attach(self, server: Server) -> None:
        self.server = server
        server.register_tool(self.write, name="write")
        server.register_resource("notes://all", lambda: sorted(self.notes), name="all")
        server.register_resource("notes://{name}", self.read, name="note")
        server.register_prompt(self.summary, name="summary")
        server.register_method("notes/count", lambda: {"count": len(self.notes)})

    def write(self, name: str, text: str) -> str:
        """Write a note."""
        self.notes[name] = text
        self.server.resource_updated(f"notes://{name}")
        return "written"

    def read(self, name: str) -> str:
        """One note."""
        return self.notes[name]

    def summary(self) -> str:
        """Sum up the notes."""
        return "Sum up: " + ", ".join(self.notes.values())

    def lifespan(self, server: Server) -> AbstractAsyncContextManager[None]:
        @asynccontextmanager
        async def open_notes() -> AsyncIterator[None]:
            self.heard.append("open")
            yield
            self.heard.append("close")

        return open_notes()

    def on_subscribe(self, uri: str, principal: Principal | None) -> None:
        if uri == "notes://secret":
            raise InvalidParamsError("Nobody may watch this note")
        self.heard.append(f"+{uri} {principal.id if principal else None}")

    def on_unsubscribe(self, uri: str, principal: Principal | None) -> None:
        self.heard.append(f"-{uri} {principal.id if principal else None}")


@pytest.mark.parametrize("version", ERAS)
async def test_what_a_capability_registers_is_there_and_it_is_announced(version: str) -> None:
    server, notes = Server("s"), Notes()
    server.attach(notes)
    assert server.capabilities == {"notes": notes}
    async with Client(server, version=version) as client:
        place = "extensions" if version >= "2026" else "experimental"
        assert client.server_capabilities[place][EXTENSION] == {"kinds": ["text"]}
        assert (await client.call_tool("write", {"name": "second", "text": "sell jam"})).text == "written"
        assert (await client.read_resource("notes://second")).text == "sell jam"
        prompt = await client.get_prompt("summary")
        assert prompt.messages[0].content.text == "Sum up: buy bread, sell jam"
        assert (await client.request("notes/count"))["count"] == 2


@pytest.mark.parametrize("version", ERAS)
async def test_a_capability_hears_who_subscribes_and_may_refuse(version: str) -> None:
    server, notes = Server("s"), Notes()
    server.attach(notes)
    theirs, ours = create_memory_pair()
    await server.connect(ours, principal=Principal("ada"))
    updated: list[str] = []
    async with Client(theirs, version=version) as client:
        client.on_notification("notifications/resources/updated", lambda params: updated.append(params["uri"]))
        await client.subscribe_resource("notes://first")
        with pytest.raises(McpError, match="Nobody may watch this note"):
            await client.subscribe_resource("notes://secret")
        await client.call_tool("write", {"name": "first", "text": "buy milk"})
        assert updated == ["notes://first"]
        assert next(one for one in notes.heard if "first" in one) == "+notes://first ada"
        assert not any("secret" in one for one in notes.heard)
        await client.unsubscribe_resource("notes://first")
        await client.subscribe_resource("notes://second")
    await server.close()
    watched = [one for one in notes.heard if one[0] in "+-"]
    if version < "2026":
        assert watched == ["+notes://first ada", "-notes://first ada", "+notes://second ada", "-notes://second ada"]
    # In 2026-07-28 a new stream takes over before the old one ends, so a resource may be watched twice for a moment.
    open_ones = Counter[str]()
    for one in watched:
        open_ones[one[1:]] += 1 if one[0] == "+" else -1
        assert 0 <= open_ones[one[1:]] <= 2
    assert open_ones == {"notes://first ada": 0, "notes://second ada": 0}


async def test_a_refusal_by_one_capability_is_told_to_those_that_had_let_it_pass() -> None:
    class Watchman(Capability):
        name = "watchman"
        heard: list[str]

        def on_subscribe(self, uri: str, principal: Principal | None) -> None:
            self.heard.append(f"+{uri}")

        def on_unsubscribe(self, uri: str, principal: Principal | None) -> None:
            self.heard.append(f"-{uri}")
            raise RuntimeError("a mistake of its own")

    server, watchman = Server("s"), Watchman()
    watchman.heard = []
    server.attach(watchman)
    server.attach(Notes())
    async with Peer(server) as peer:
        assert "Nobody may watch" in (await peer.error("resources/subscribe", uri="notes://secret"))["message"]
    assert watchman.heard == ["+notes://secret", "-notes://secret"]


async def test_what_a_capability_opens_is_open_around_the_servers_own_lifespan() -> None:
    notes = Notes()

    @asynccontextmanager
    async def lifespan(_: Server) -> AsyncIterator[str]:
        notes.heard.append("server open")
        yield "the state"
        notes.heard.append("server close")

    server = Server("s", lifespan=lifespan)
    server.attach(notes)

    @server.tool
    async def state(ctx: Context[str]) -> str:
        notes.heard.append("call")
        return ctx.state

    async with Client(server) as client:
        assert (await client.call_tool("state")).text == "the state"
    assert notes.heard == ["open", "server open", "call", "server close", "close"]


async def test_without_a_lifespan_of_the_server_there_is_no_state() -> None:
    server, notes = Server("s"), Notes()
    server.attach(notes)

    @server.tool
    async def state(ctx: Context) -> str:
        return str(ctx.state)

    async with Client(server) as client:
        assert (await client.call_tool("state")).text == "None"
        other = Notes()
        other.name = "late"
        other.extensions = {}
        with pytest.raises(RegistrationError, match="'late' has a lifespan: attach it before the server is used"):
            server.attach(other)
    assert notes.heard == ["open", "close"]


def test_mistakes_are_told_at_once() -> None:
    server = Server("s")
    server.attach(Notes())
    with pytest.raises(RegistrationError, match="The capability 'notes' is attached already"):
        server.attach(Notes())
    other = Notes()
    other.name = "others"
    with pytest.raises(RegistrationError, match=r"'com\.example/notes' is announced already"):
        server.attach(other)
    with pytest.raises(RegistrationError, match=r"takes a Capability, not a View: a view belongs to its tool"):
        server.attach(View("<p>Hello</p>"))  # type: ignore[arg-type]


# Result hooks


@pytest.mark.parametrize("kind", ["async def", "def", "def that returns an awaitable"])
async def test_hooks_change_what_a_tool_returned_in_the_order_of_their_registration(kind: str) -> None:
    server = Server("s")
    threads: set[int] = set()

    async def later(n: int, by: int) -> int:
        threads.add(threading.get_ident())
        return n * by

    def times(ctx: Context, n: int, *, by: int = 2) -> int:
        threads.add(threading.get_ident())
        return n * by

    def awaitable(n: int, by: int = 2) -> Any:
        return later(n, by)

    async def coroutine(n: int, by: int = 2) -> int:
        return await later(n, by)

    fn = {"async def": coroutine, "def": times}.get(kind, awaitable)
    entry = server.register_tool(fn, name="times")
    calls: list[tuple[dict[str, Any], Any]] = []

    def plus_one(value: Any, call: ToolCall) -> Any:
        threads.add(threading.get_ident())
        calls.append((call.arguments, call.context))
        return value + 1

    def doubled(value: Any, call: ToolCall) -> ToolResult:
        result = entry.result(value * 2)
        result.meta = {"hooked": True}
        return result

    entry.on_result(plus_one, context=kind == "async def")
    entry.on_result(doubled)
    async with Client(server) as client:
        result = await client.request("tools/call", {"name": "times", "arguments": {"n": 3}})
        wrong = await client.request("tools/call", {"name": "times", "arguments": {"n": "three"}})
    assert result["content"][0]["text"] == "14"
    assert result["_meta"]["hooked"] is True
    assert wrong["isError"] is True
    ((arguments, context),) = calls
    assert arguments == {"n": 3, "by": 2}
    assert isinstance(context, Context) == (kind != "def that returns an awaitable")
    assert len(threads) == 1
    assert (threads == {threading.get_ident()}) == (kind != "def" or not HAVE_THREADS)
    assert entry.fn is fn


async def test_a_tool_that_fails_has_nothing_for_its_hooks() -> None:
    server = Server("s")

    def broken() -> str:
        raise ValueError("no")

    seen: list[Any] = []
    server.register_tool(broken).on_result(lambda value, call: seen.append(value))
    async with Client(server) as client:
        assert (await client.request("tools/call", {"name": "broken"}))["isError"] is True
    assert seen == []


# Helper tools


async def test_tools_that_only_views_call_come_last_and_go_with_their_tool() -> None:
    server = Server("s")

    @server.tool(view=lambda result: f"<p>{result}</p>")
    def shown() -> str:
        return "shown"

    @server.tool(view=View("<p>Hello</p>", state=True))
    def kept() -> str:
        return "kept"

    @server.tool
    def plain() -> str:
        return "plain"

    async def names() -> list[str]:
        async with Client(server) as client:
            return [tool.name for tool in await client.list_tools()]

    assert await names() == ["shown", "kept", "plain", "shown-render", "kept-state"]
    server.remove_tool("shown")
    assert await names() == ["kept", "plain", "kept-state"]


async def test_a_helper_is_for_the_callers_of_its_tool_and_not_for_the_model() -> None:
    server = Server("s")
    tool = server.register_tool(lambda: "", name="tool", scopes=["write"], timeout=5)
    helper = server.register_helper(lambda: "", of=tool, name="tool-help", description="Helps.")
    assert (helper.scopes, helper.timeout) == (("write",), 5)
    async with Peer(server) as peer:
        assert (await peer.result("tools/list"))["tools"] == []
    meta = helper.tool.meta
    assert meta is not None
    assert meta["ui"] == {"visibility": ["app"]}
