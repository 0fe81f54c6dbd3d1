"""Tools: arguments, results, errors, deadlines, threads, access."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import dataclass
from typing import Any

import pytest

from cloche import (
    Audio,
    Context,
    EmbeddedResource,
    Image,
    Limits,
    ResourceLink,
    Server,
    TextContent,
    ToolError,
    ToolResult,
)
from cloche.errors import RegistrationError
from cloche.wire.types import TextResourceContents
from tests.support.server_peer import Peer


@dataclass
class Forecast:
    city: str
    days: int


@pytest.mark.requirement(19)
@pytest.mark.parametrize(
    ("arguments", "path"),
    [
        ({"city": "Paris", "days": "three"}, "$.days"),
        ({"city": "Paris", "dyas": 3}, "dyas"),
        ({"days": 3}, "city"),
        ({"city": None}, "$.city"),
    ],
)
async def test_wrong_arguments_are_told_with_their_path_and_nothing_runs(arguments: dict[str, Any], path: str) -> None:
    server, ran = Server("s"), []

    @server.tool
    def forecast(city: str, days: int = 3) -> Forecast:
        ran.append(city)
        return Forecast(city, days)

    async with Peer(server) as peer:
        result = await peer.call("forecast", **arguments)
        assert result["isError"] is True
        assert path in result["content"][0]["text"]
        assert ran == []
        assert (await peer.call("forecast", city="Paris"))["structuredContent"] == {"city": "Paris", "days": 3}


async def test_results_are_text_always_and_structured_when_typed() -> None:
    server = Server("s")
    server.register_tool(lambda: "plain", name="text")

    @server.tool
    def numbers() -> list[int]:
        return [1, 2]

    @server.tool
    def nothing() -> None:
        return None

    @server.tool
    def untyped():  # type: ignore[no-untyped-def]
        return {"a": 1}

    async with Peer(server) as old:
        assert await old.call("text") == {"content": [{"type": "text", "text": "plain"}]}
        assert await old.call("numbers") == {
            "content": [{"type": "text", "text": "[1,2]"}],
            "structuredContent": {"result": [1, 2]},
        }
        assert await old.call("nothing") == {"content": []}
        assert await old.call("untyped") == {"content": [{"type": "text", "text": '{"a":1}'}]}
        listed = {tool["name"]: tool for tool in (await old.result("tools/list"))["tools"]}
        assert listed["numbers"]["outputSchema"]["properties"]["result"] == {
            "type": "array",
            "items": {"type": "integer"},
        }
    async with Peer(server, version="2026-07-28") as new:
        assert (await new.call("numbers"))["structuredContent"] == [1, 2]
        listed = {tool["name"]: tool for tool in (await new.result("tools/list"))["tools"]}
        assert listed["numbers"]["outputSchema"] == {"type": "array", "items": {"type": "integer"}}
        assert "outputSchema" not in listed["text"]


async def test_content_types_become_content_blocks() -> None:
    server = Server("s")

    @server.tool
    def everything() -> list[Any]:
        return [
            "words",
            Image(b"\x89PNG", mime_type="image/png"),
            Audio(b"RIFF", mime_type="audio/wav"),
            ResourceLink("a://b", "b"),
            EmbeddedResource(TextResourceContents("a://c", "inside")),
            TextContent("more"),
        ]

    @server.tool
    def whole() -> ToolResult:
        return ToolResult("said", structured={"a": 1}, meta={"x": 1}, is_error=True)

    async with Peer(server) as peer:
        blocks = (await peer.call("everything"))["content"]
        assert [block["type"] for block in blocks] == ["text", "image", "audio", "resource_link", "resource", "text"]
        assert blocks[1] == {"type": "image", "data": "iVBORw==", "mimeType": "image/png"}
        assert await peer.call("whole") == {
            "content": [{"type": "text", "text": "said"}],
            "structuredContent": {"a": 1},
            "isError": True,
            "_meta": {"x": 1},
        }
    async with Peer(server, version="2024-11-05") as old:
        blocks = (await old.call("everything"))["content"]
        assert [block["type"] for block in blocks] == ["text", "image", "text", "text", "resource", "text"]


async def test_errors_of_a_tool_are_for_the_model(caplog: pytest.LogCaptureFixture) -> None:
    server, masked = Server("s"), Server("m", mask_errors=True)

    async def told() -> str:
        raise ToolError("no such city")

    async def broken() -> str:
        raise ValueError("secret detail")

    for one in (server, masked):
        one.register_tool(told)
        one.register_tool(broken)
    async with Peer(server) as peer:
        assert await peer.call("told") == {"content": [{"type": "text", "text": "no such city"}], "isError": True}
        assert "secret detail" in (await peer.call("broken"))["content"][0]["text"]
        assert (await peer.error("tools/call", name="none"))["code"] == -32602
    async with Peer(masked) as peer:
        assert (await peer.call("told"))["content"][0]["text"] == "no such city"
        assert (await peer.call("broken"))["content"][0]["text"] == "The tool broken failed"
    assert caplog.text.count("ValueError: secret detail") == 2, "the log has the traceback"


@pytest.mark.parametrize("where", ["tool", "server"])
async def test_a_tool_that_takes_too_long_is_ended(where: str) -> None:
    server = Server("s", timeout=0.05 if where == "server" else 60)
    ended = asyncio.Event()

    @server.tool(timeout=0.05 if where == "tool" else None)
    async def slow() -> str:
        try:
            await asyncio.sleep(60)
        finally:
            ended.set()
        return "late"

    async with Peer(server) as peer:
        result = await peer.call("slow")
        assert result["isError"] is True
        assert result["content"][0]["text"] == "The tool did not finish within 0.05 seconds"
        assert ended.is_set()


async def test_a_tool_that_ignores_its_end_is_answered_over_its_head() -> None:
    server, go = Server("s"), asyncio.Event()

    @server.tool(timeout=0.05)
    async def stubborn() -> str:
        while not go.is_set():
            try:
                await go.wait()
            except asyncio.CancelledError:
                continue
        return "late"

    async with Peer(server) as peer:
        result = await peer.call("stubborn")
        assert result["isError"] is True
        go.set()
        assert await peer.result("ping") == {}
        answers = [m for m in peer.received if "result" in m and m["result"].get("isError")]
        assert len(answers) == 1, "answered once"


async def test_stuck_threads_are_replaced() -> None:
    server = Server("s", limits=Limits(threads=2))
    release = threading.Event()

    @server.tool(timeout=0.05)
    def stuck() -> str:
        release.wait(30)
        return "never"

    @server.tool
    def quick() -> str:
        return threading.current_thread().name

    async with Peer(server) as peer:
        first = [await peer.start("tools/call", name="stuck") for _ in range(6)]
        for one in first:
            assert (await peer.answer_to(one))["result"]["isError"] is True
        assert (await peer.call("quick"))["content"][0]["text"] == "cloche-tool"
        release.set()


async def test_a_def_tool_reaches_the_client_from_its_thread() -> None:
    server = Server("s")

    @server.tool
    def work(ctx: Context) -> str:
        ctx.wait(ctx.progress(1, 2, "half"))
        return "cancelled" if ctx.cancelled else "done"

    async with Peer(server) as peer:
        result = await peer.result("tools/call", name="work", arguments={}, _meta={"progressToken": "t"})
        assert result["content"][0]["text"] == "done"
        assert await peer.notification("notifications/progress") == {
            "progressToken": "t",
            "progress": 1,
            "total": 2,
            "message": "half",
        }


async def test_a_def_tool_that_waits_holds_nobody_up() -> None:
    server = Server("s")
    asked = asyncio.Event()

    async def until_another_call_ends() -> str:
        asked.set()
        await ended.wait()
        return "after the other"

    @server.tool
    def patient(ctx: Context) -> str:
        return ctx.wait(until_another_call_ends())

    @server.tool
    async def other() -> str:
        return "other"

    async with Peer(server) as peer:
        ended = asyncio.Event()
        first = await peer.start("tools/call", name="patient", arguments={})
        await asked.wait()
        assert (await peer.call("other"))["content"][0]["text"] == "other"
        ended.set()
        assert (await peer.answer_to(first))["result"]["content"][0]["text"] == "after the other"


async def test_an_async_tool_is_told_to_await() -> None:
    server = Server("s")

    @server.tool
    async def confused(ctx: Context) -> str:
        ctx.wait(ctx.progress(1, 2))
        return "never"

    async with Peer(server) as peer:
        result = await peer.call("confused")
        assert result["isError"] is True
        assert "an `async def` tool awaits instead" in result["content"][0]["text"]


async def test_cancelling_ends_the_tool_and_is_not_answered() -> None:
    server = Server("s")
    started, cancelled = asyncio.Event(), asyncio.Event()

    @server.tool
    async def slow() -> str:
        started.set()
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            cancelled.set()
            raise
        return "late"

    for spelling, key in (("notifications/cancelled", "requestId"), ("$/cancelRequest", "id")):
        started.clear()
        cancelled.clear()
        async with Peer(server) as peer:
            request = await peer.start("tools/call", name="slow", arguments={})
            await started.wait()
            await peer.notify(spelling, **{key: request})
            await cancelled.wait()
            assert await peer.result("ping") == {}
            assert not [message for message in peer.received if message.get("id") == request]


@pytest.mark.requirement(22)
async def test_finding_a_tool_does_not_depend_on_how_many_there_are() -> None:
    class Counted(dict[str, Any]):
        looks = 0

        def get(self, key: str, default: Any = None) -> Any:
            Counted.looks += 1
            return super().get(key, default)

        def __iter__(self) -> Any:
            raise AssertionError("a call must not walk the tools")

    for count in (2, 202):
        server = Server("s")
        for number in range(count):
            server.register_tool(lambda: "hi", name=f"tool{number}")
        async with Peer(server) as peer:
            server.engine.tools = Counted(server.tools.entries)
            Counted.looks = 0
            await peer.call(f"tool{count - 1}")
            assert Counted.looks == 1


async def test_progress_is_limited_but_its_end_is_always_told() -> None:
    server = Server("s", limits=Limits(progress_per_second=5))

    @server.tool
    async def flood(ctx: Context) -> str:
        for number in range(1, 1001):
            await ctx.progress(number, 1000)
        return "done"

    async with Peer(server) as peer:
        await peer.result("tools/call", name="flood", arguments={}, _meta={"progressToken": 1})
        told = [message["params"]["progress"] for message in peer.heard("notifications/progress")]
        assert told[:5] == [1, 2, 3, 4, 5]
        assert told[-1] == 1000
        assert len(told) < 20


def test_mistakes_fail_at_registration_with_the_fix() -> None:
    server = Server("s")
    server.register_tool(lambda: "a", name="a")
    with pytest.raises(RegistrationError, match="registered already: choose another name or remove"):
        server.register_tool(lambda: "b", name="a")
    with pytest.raises(RegistrationError, match="has no name of its own: pass name="):
        server.register_tool(lambda: "b")
    with pytest.raises(RegistrationError, match="use 1 to 128 letters"):
        server.register_tool(lambda: "b", name="no spaces please")
    with pytest.raises(RegistrationError, match="Write name='x'"):
        server.tool("x")  # type: ignore[call-overload]
    with pytest.raises(RegistrationError, match="Unknown tool annotation 'readonly'"):
        server.register_tool(lambda: "b", name="b", annotations={"readonly": True})
    with pytest.raises(RegistrationError, match="timeout must be a number of seconds above 0"):
        server.register_tool(lambda: "b", name="b", timeout=0)
    with pytest.raises(RegistrationError, match="belongs to the protocol"):
        server.register_method("tools/call", dict)
    with pytest.raises(RegistrationError, match="needs its URI"):
        server.resource(lambda: "x")  # type: ignore[arg-type]
    with pytest.raises(RegistrationError, match="it needs a scheme"):
        server.register_resource("/files", lambda: "x", name="x")
    with pytest.raises(RegistrationError, match="nothing gives the parameter city"):

        @server.resource("weather://today")
        def today(city: str) -> str:
            return city

    with pytest.raises(RegistrationError, match="has no parameter town"):

        @server.resource("weather://{town}")
        def there(city: str = "Paris") -> str:
            return city

    with pytest.raises(RegistrationError, match="There is no tool 'zzz' to remove"):
        server.remove_tool("zzz")


@pytest.mark.parametrize("hint", [list, list[Any]], ids=["bare", "of anything"])
async def test_a_list_of_anything_is_content_or_json_and_has_no_schema(hint: Any) -> None:
    server = Server("s")

    def answer(kind: str) -> Any:
        return ["words", Image(b"x", mime_type="image/png")] if kind == "content" else [1, 2]

    answer.__annotations__["return"] = hint
    server.register_tool(answer)
    async with Peer(server) as peer:
        assert "outputSchema" not in (await peer.result("tools/list"))["tools"][0]
        blocks = (await peer.call("answer", kind="content"))["content"]
        assert [block["type"] for block in blocks] == ["text", "image"]
        assert await peer.call("answer", kind="json") == {"content": [{"type": "text", "text": "[1,2]"}]}
