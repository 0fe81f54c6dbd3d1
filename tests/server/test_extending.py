"""Own methods, own notifications, middleware; resources, prompts, completions, lists, subscriptions."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from cloche import Client, Context, Elicit, Limits, ListRoots, McpError, PromptMessage, Sample, Server, TextContent
from cloche.server.middleware import CallNext, Incoming
from tests.support.server_peer import Peer

ERAS = ["2025-11-25", "2026-07-28"]


@dataclass
class Wave:
    to: str
    times: int = 1


@pytest.mark.requirement(9, 143)
@pytest.mark.parametrize("version", ERAS)
async def test_own_methods_answer_and_fail(version: str) -> None:
    server = Server("s")

    @server.method("custom/wave")
    async def wave(params: Wave, ctx: Context) -> dict[str, Any]:
        return {"waved": params.to, "times": params.times, "version": ctx.protocol_version}

    @server.method("custom/refuse")
    def refuse() -> dict[str, Any]:
        raise McpError("not today", code=-32099, data={"why": "rain"})

    async with Peer(server, version=version) as peer:
        result = await peer.result("custom/wave", to="you", times=2)
        assert (result["waved"], result["times"], result["version"]) == ("you", 2, version)
        assert await peer.error("custom/refuse") == {"code": -32099, "message": "not today", "data": {"why": "rain"}}
        assert (await peer.error("custom/wave", times=2))["code"] == -32602
        assert (await peer.error("custom/unknown"))["code"] == -32601


@pytest.mark.requirement(144)
async def test_own_notifications_reach_every_session_and_those_of_clients_reach_us() -> None:
    server, heard = Server("s"), asyncio.Queue[dict[str, Any]]()

    @server.on_notification("custom/hello")
    def hello(params: dict[str, Any]) -> None:
        heard.put_nowait(params)

    async with Peer(server) as first, Peer(server) as second:
        await server.notify("custom/event", {"n": 1})
        for peer in (first, second):
            assert await peer.notification("custom/event") == {"n": 1}
        await first.notify("custom/hello", name="first")
        assert await heard.get() == {"name": "first"}


@pytest.mark.requirement(144)
@pytest.mark.parametrize("version", [None, *ERAS])
async def test_own_notifications_reach_a_client_that_listens(version: str | None) -> None:
    """C11: with the defaults of both sides, too; and nothing that nobody asked for."""
    server, heard = Server("s"), asyncio.Queue[Any]()
    async with Client(server, version=version) as client, Client(server, version=version) as other:
        stop = client.on_notification("custom/event", heard.put_nowait)
        other.on_notification("custom/other", heard.put_nowait)
        if client.is_stateless:
            await until(lambda: len(server.engine.subscriptions) == 2)
        await server.notify("custom/event", {"n": 1})
        assert (await heard.get())["n"] == 1
        stop()
        await server.notify("custom/other", {"n": 2})
        assert (await heard.get())["n"] == 2
        assert heard.empty()


async def until(condition: Callable[[], bool]) -> None:
    """Let the loop run until something is true."""
    async with asyncio.timeout(10):
        while not condition():  # noqa: ASYNC110  (what is waited for has no event of its own)
            await asyncio.sleep(0)


@pytest.mark.requirement(21, 145)
@pytest.mark.parametrize("version", ERAS)
async def test_middleware_acts_before_around_and_after(version: str) -> None:
    server, steps = Server("s"), list[str]()

    @server.middleware
    async def outer(message: Incoming, call_next: CallNext) -> Any:
        if message.id is None:
            return None  # the client's "initialized"
        steps.append(f"before {message.method}")
        try:
            result = await call_next(message)
        except McpError as error:
            steps.append(f"failed {error.code}")
            raise
        steps.append("after")
        return {**result, "_meta": {"seen": True}} if message.method == "tools/call" else result

    async def inner(message: Incoming, call_next: CallNext) -> Any:
        steps.append("inner")
        if message.method == "tools/call":
            message.params["arguments"]["value"] += 1
        return await call_next(message)

    server.use(inner)

    @server.tool
    async def echo(value: int) -> int:
        steps.append("tool")
        return value

    async with Peer(server, version=version) as peer:
        steps.clear()
        result = await peer.call("echo", value=1)
        assert result["content"][0]["text"] == "2", "the inner middleware changed the argument"
        assert result["_meta"] == {"seen": True}
        assert steps == ["before tools/call", "inner", "tool", "after"]
        steps.clear()
        assert (await peer.error("tools/call", name="none", arguments={"value": 1}))["code"] == -32602
        assert steps == ["before tools/call", "inner", "failed -32602"]


@pytest.mark.requirement(145)
@pytest.mark.parametrize("version", ERAS)
async def test_middleware_sees_notifications_too(version: str) -> None:
    """C12: with no id and no result; it may change them, keep them to itself, and fail without harm."""
    server = Server("s")
    seen: asyncio.Queue[tuple[str, Any, bool]] = asyncio.Queue()
    heard: asyncio.Queue[Any] = asyncio.Queue()

    @server.middleware
    async def look(message: Incoming, call_next: CallNext) -> Any:
        if not message.method.startswith("custom/"):
            return await call_next(message)
        await seen.put((message.method, message.id, message.context.server is server))
        if message.method == "custom/secret":
            return None
        if message.method == "custom/bad":
            raise ValueError("a mistake of the middleware's")
        message.params["seen"] = True
        assert await call_next(message) is None
        return None

    for name in ("custom/event", "custom/secret", "custom/bad"):
        server.on_notification(name)(heard.put_nowait)
    async with Peer(server, version=version) as peer:
        for name in ("custom/secret", "custom/bad", "custom/event"):
            await peer.notify(name, n=1)
            assert await seen.get() == (name, None, True)
        assert await heard.get() == {"n": 1, "seen": True}
        assert heard.empty()


@pytest.mark.parametrize("middleware", [False, True])
async def test_an_async_function_hears_notifications_too(middleware: bool, caplog: pytest.LogCaptureFixture) -> None:
    server, heard, may_end = Server("s", limits=Limits(in_flight=3)), asyncio.Queue[int](), asyncio.Event()

    if middleware:

        @server.middleware
        async def pass_on(message: Incoming, call_next: CallNext) -> Any:
            return await call_next(message)

    @server.on_notification("custom/hello")
    async def hello(params: dict[str, Any]) -> None:
        if params["n"] == 0:
            raise ValueError("a mistake of the function's")
        await heard.put(params["n"])
        await may_end.wait()

    async with Peer(server) as peer:
        for number in range(4):
            await peer.notify("custom/hello", n=number)
            if number:
                assert await heard.get() == number
        await peer.notify("custom/hello", n=4)  # three are worked on
        await peer.result("ping")
        assert heard.empty()
        assert "the listener for a notification failed" in caplog.text
        assert "custom/hello was dropped" in caplog.text
        may_end.set()
        await asyncio.sleep(0)
        await peer.result("ping")
        await peer.notify("custom/hello", n=5)
        assert await heard.get() == 5


@pytest.mark.requirement(145)
async def test_middleware_sees_what_the_protocol_has_done_already() -> None:
    """The handshake and cancellations do not wait for it, and it cannot stop them."""
    server, methods = Server("s"), list[str]()
    waiting, ended = asyncio.Event(), asyncio.Event()

    @server.middleware
    async def look(message: Incoming, call_next: CallNext) -> Any:
        methods.append(message.method)
        return None if message.id is None else await call_next(message)

    @server.tool
    async def wait() -> str:
        waiting.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()
        return ""

    async with Peer(server, version=ERAS[0]) as peer:
        number = await peer.start("tools/call", name="wait", arguments={})
        await waiting.wait()
        await peer.notify("notifications/cancelled", requestId=number)
        await ended.wait()
    assert {"notifications/initialized", "notifications/cancelled", "tools/call"} <= set(methods)


@pytest.mark.requirement(145)
async def test_a_middleware_may_answer_itself_but_not_with_nothing() -> None:
    server = Server("s")

    @server.middleware
    async def gate(message: Incoming, call_next: CallNext) -> Any:
        if message.method == "tools/list":
            return {"tools": []}
        if message.method == "prompts/list":
            return None
        return await call_next(message)

    server.register_tool(lambda: "x", name="hidden")
    async with Peer(server) as peer:
        assert await peer.result("tools/list") == {"tools": []}
        assert "returned nothing" in (await peer.error("prompts/list"))["message"]
        assert await peer.call("hidden") == {"content": [{"type": "text", "text": "x"}]}


@pytest.mark.requirement(12, 24)
async def test_a_change_reaches_who_subscribed_and_nobody_else() -> None:
    server = Server("s")
    server.register_resource("a://b", lambda: "text", name="b")

    @server.tool
    def change() -> str:
        server.resource_updated("a://b")  # from a worker thread
        return "changed"

    async with Peer(server) as one, Peer(server) as other:
        await one.result("resources/subscribe", uri="a://b")
        await one.result("resources/subscribe", uri="a://b")
        await other.call("change")
        assert await one.notification("notifications/resources/updated") == {"uri": "a://b"}
        await one.result("resources/unsubscribe", uri="a://b")
        await other.call("change")
        await one.result("ping")
        assert one.heard("notifications/resources/updated") == []
        assert other.heard("notifications/resources/updated") == []
        server.register_resource("c://d", lambda: "more", name="d")
        server.register_tool(lambda: "x", name="x")
        for peer in (one, other):
            await peer.notification("notifications/resources/list_changed")
            await peer.notification("notifications/tools/list_changed")
        server.remove_resource("c://d")
        await one.notification("notifications/resources/list_changed")


async def test_a_listen_stream_carries_what_its_filter_lets_through() -> None:
    server = Server("s")
    server.register_resource("a://b", lambda: "text", name="b")
    async with Peer(server, version="2026-07-28") as peer:
        wanted = {"toolsListChanged": True, "resourceSubscriptions": ["a://b"]}
        stream = await peer.start("subscriptions/listen", notifications=wanted)
        first = await peer.notification("notifications/subscriptions/acknowledged")
        key = "io.modelcontextprotocol/subscriptionId"
        assert first == {"notifications": wanted, "_meta": {key: stream}}
        server.resource_updated("z://other")
        server.resource_updated("a://b")
        assert await peer.notification("notifications/resources/updated") == {"uri": "a://b", "_meta": {key: stream}}
        server.register_prompt(lambda: "x", name="x")
        server.register_tool(lambda: "x", name="x")
        assert await peer.notification("notifications/tools/list_changed") == {"_meta": {key: stream}}
        assert peer.heard("notifications/prompts/list_changed") == []
        await peer.notify("notifications/cancelled", requestId=stream)
        await peer.result("tools/list")
        assert len(server.engine.subscriptions) == 0


@pytest.mark.parametrize("version", ERAS)
async def test_resources_are_text_bytes_files_or_json(version: str, tmp_path: Path) -> None:
    server = Server("s")
    (tmp_path / "page.html").write_text("<p>hi</p>", "utf-8")
    server.register_resource("a://text", lambda: "words", name="text")
    server.register_resource("a://bytes", lambda: b"\x00\x01", name="bytes", mime_type="image/x")
    server.register_resource("a://file", lambda: tmp_path / "page.html", name="file")
    server.register_resource("a://gone", lambda: tmp_path / "none.html", name="gone")
    server.register_resource("a://json", lambda: {"a": [1]}, name="json")

    @server.resource("a://users/{user}/days{?count}")
    async def days(user: str, count: int = 3) -> str:
        return f"{user}:{count}"

    async with Peer(server, version=version) as peer:

        async def read(uri: str) -> dict[str, Any]:
            return (await peer.result("resources/read", uri=uri))["contents"][0]  # type: ignore[no-any-return]

        assert await read("a://text") == {"uri": "a://text", "text": "words", "mimeType": "text/plain"}
        assert await read("a://bytes") == {"uri": "a://bytes", "blob": "AAE=", "mimeType": "image/x"}
        assert await read("a://file") == {"uri": "a://file", "text": "<p>hi</p>", "mimeType": "text/html"}
        assert await read("a://json") == {"uri": "a://json", "text": '{"a":[1]}', "mimeType": "application/json"}
        assert (await read("a://users/ada%20l/days?count=7"))["text"] == "ada l:7"
        assert (await read("a://users/ada/days"))["text"] == "ada:3"
        missing = -32602 if version == "2026-07-28" else -32002
        for uri in ("a://none", "a://gone"):
            assert await peer.error("resources/read", uri=uri) == {
                "code": missing,
                "message": "Resource not found",
                "data": {"uri": uri},
            }
        assert (await peer.error("resources/read", uri="a://users/ada/days?count=x"))["code"] == -32602
        listed = await peer.result("resources/templates/list")
        assert listed["resourceTemplates"][0]["uriTemplate"] == "a://users/{user}/days{?count}"


@pytest.mark.requirement(13)
async def test_prompts_and_completions() -> None:
    server = Server("s")

    @server.prompt(title="Trip")
    def trip(city: str, days: int = 2) -> list[Any]:
        """Plan a trip.

        Args:
            city: Where to go.
        """
        return [f"Plan {days} days in {city}", PromptMessage("assistant", TextContent("Sure."))]

    @server.completion("trip", "city")
    async def cities(typed: str, known: dict[str, str]) -> list[str]:
        return [f"{typed}{number}" for number in range(150)]

    async with Peer(server) as peer:
        prompt = (await peer.result("prompts/list"))["prompts"][0]
        assert prompt["description"] == "Plan a trip."
        assert prompt["arguments"] == [
            {"name": "city", "description": "Where to go.", "required": True},
            {"name": "days"},
        ]
        result = await peer.result("prompts/get", name="trip", arguments={"city": "Paris", "days": "3"})
        assert [message["role"] for message in result["messages"]] == ["user", "assistant"]
        assert result["messages"][0]["content"]["text"] == "Plan 3 days in Paris"
        assert "city" in (await peer.error("prompts/get", name="trip"))["message"]
        completion = (
            await peer.result(
                "completion/complete",
                ref={"type": "ref/prompt", "name": "trip"},
                argument={"name": "city", "value": "P"},
            )
        )["completion"]
        assert (len(completion["values"]), completion["total"], completion["hasMore"]) == (100, 150, True)


async def test_lists_come_in_pages_with_cursors_nobody_else_can_make() -> None:
    server = Server("s", page_size=2)
    for number in range(5):
        server.register_tool(lambda: "x", name=f"t{number}")
    async with Peer(server) as peer:
        names, cursor = [], {}
        while True:
            page = await peer.result("tools/list", **cursor)
            names.append([tool["name"] for tool in page["tools"]])
            if "nextCursor" not in page:
                break
            cursor = {"cursor": page["nextCursor"]}
        assert names == [["t0", "t1"], ["t2", "t3"], ["t4"]]
        assert (await peer.error("tools/list", cursor="2"))["code"] == -32602
        assert "another list" in (await peer.error("prompts/list", **cursor))["message"]


async def test_a_list_is_encoded_once_and_again_after_a_change() -> None:
    server, shown = Server("s"), list[str]()
    entry = server.register_tool(lambda: "x", name="x")
    original = entry.shown
    entry.shown = lambda features: (shown.append(features.version), original(features))[1]  # type: ignore[method-assign]
    async with Peer(server) as peer, Peer(server, version="2025-06-18") as other:
        for _ in range(3):
            await peer.result("tools/list")
        await other.result("tools/list")
        assert shown == ["2025-11-25", "2025-06-18"]
        server.register_tool(lambda: "y", name="y")
        assert len((await peer.result("tools/list"))["tools"]) == 2
        assert shown == ["2025-11-25", "2025-06-18", "2025-11-25"]


@dataclass
class Name:
    name: str


def asking_server() -> tuple[Server, list[str]]:
    server, effects = Server("s", secret="a secret of sixteen"), list[str]()

    @server.tool
    async def greet(ctx: Context) -> str:
        paid = await ctx.once("pay", lambda: effects.append("paid") or "receipt")
        who = await ctx.elicit("Who are you?", Name, key="who")
        if not who.accepted:
            return f"{paid}: {who.action}"
        idea = await ctx.sample(f"Greet {who.data.name}", key="idea")  # type: ignore[union-attr]
        return f"{paid}: {idea.text}"

    @server.tool
    async def all_at_once(ctx: Context) -> list[str]:
        answers = await ctx.ask(who=Elicit("Who?", Name), idea=Sample("Hi"), where=ListRoots())
        return [answers["who"].data.name, answers["idea"].text, answers["where"][0].uri]

    return server, effects


ANSWERS = {
    "elicitation/create": {"action": "accept", "content": {"name": "Ada"}},
    "sampling/createMessage": {"role": "assistant", "content": {"type": "text", "text": "Hello!"}, "model": "m"},
    "roots/list": {"roots": [{"uri": "file:///here"}]},
}
CAPABLE = {"elicitation": {}, "sampling": {}, "roots": {}}


@pytest.mark.requirement(13)
async def test_the_handshake_era_asks_over_the_back_channel() -> None:
    server, effects = asking_server()
    async with Peer(server, capabilities=CAPABLE) as peer:
        for method, result in ANSWERS.items():
            peer.answers[method] = lambda _, result=result: {"result": result}  # type: ignore[misc]
        assert (await peer.call("greet"))["content"][0]["text"] == "receipt: Hello!"
        assert (await peer.call("all_at_once"))["structuredContent"]["result"] == ["Ada", "Hello!", "file:///here"]
        peer.answers["elicitation/create"] = lambda _: {"result": {"action": "decline"}}
        assert (await peer.call("greet"))["content"][0]["text"] == "receipt: decline"
        peer.answers["elicitation/create"] = lambda _: {"error": {"code": -1, "message": "no window"}}
        assert "no window" in (await peer.error("tools/call", name="greet"))["message"]
        assert len(effects) == 3


@pytest.mark.parametrize("version", ERAS)
async def test_a_tool_sends_the_user_to_a_url(version: str) -> None:
    server, asked = Server("s"), list[dict[str, Any]]()

    @server.tool
    async def pay(ctx: Context) -> str:
        return (await ctx.elicit_url("Pay here", "https://pay.example/1", key="pay")).action

    for capabilities, code in (({"elicitation": {"url": {}}}, None), ({"elicitation": {}}, -32021)):
        async with Peer(server, version=version, capabilities=capabilities) as peer:
            if code is not None:
                assert (await peer.error("tools/call", name="pay", arguments={}))["code"] == code
                continue
            peer.answers["elicitation/create"] = lambda params: asked.append(params) or {"result": {"action": "accept"}}
            result = await peer.result("tools/call", name="pay", arguments={})
            if version == "2026-07-28":
                asked.append(result["inputRequests"]["pay"]["params"])
                result = await peer.result(
                    "tools/call", name="pay", arguments={}, inputResponses={"pay": {"action": "accept"}}
                )
            assert result["content"][0]["text"] == "accept"
            assert (asked[0]["mode"], asked[0]["url"]) == ("url", "https://pay.example/1")


@pytest.mark.requirement(17)
@pytest.mark.parametrize("version", ERAS)
async def test_what_the_client_cannot_do_is_not_asked_of_it(version: str) -> None:
    server, _ = asking_server()
    async with Peer(server, version=version, capabilities={"sampling": {}}) as peer:
        error = await peer.error("tools/call", name="greet", arguments={})
        assert error["code"] == -32021
        assert error["data"] == {"requiredCapabilities": {"elicitation": {}}}


async def test_the_stateless_era_answers_with_questions_and_effects_stay_single() -> None:
    server, effects = asking_server()
    async with Peer(server, version="2026-07-28", capabilities=CAPABLE) as peer:
        first = await peer.result("tools/call", name="greet", arguments={})
        assert first["resultType"] == "input_required"
        assert first["inputRequests"]["who"]["method"] == "elicitation/create"
        answered = {"who": ANSWERS["elicitation/create"]}
        second = await peer.result(
            "tools/call", name="greet", arguments={}, inputResponses=answered, requestState=first["requestState"]
        )
        assert list(second["inputRequests"]) == ["idea"]
        last = await peer.result(
            "tools/call",
            name="greet",
            arguments={},
            inputResponses={"idea": ANSWERS["sampling/createMessage"]},
            requestState=second["requestState"],
        )
        assert last["content"][0]["text"] == "receipt: Hello!"
        assert effects == ["paid"], "three runs of the tool, one payment"


async def test_an_own_method_cannot_ask_in_the_stateless_era() -> None:
    server = Server("s")

    @server.method("custom/ask")
    async def ask(ctx: Context) -> dict[str, Any]:
        return {"who": (await ctx.elicit("Who?", Name)).action}

    async with Peer(server, version="2026-07-28", capabilities=CAPABLE) as peer:
        error = await peer.error("custom/ask")
        assert error["code"] == -32000
        assert "needs a way back to the client" in error["message"]
    async with Peer(server, capabilities=CAPABLE) as peer:
        peer.answers["elicitation/create"] = lambda _: {"result": {"action": "cancel"}}
        assert await peer.result("custom/ask") == {"who": "cancel"}


async def test_request_state_is_good_for_one_call_only() -> None:
    server, _ = asking_server()
    async with Peer(server, version="2026-07-28", capabilities=CAPABLE) as peer:
        state = (await peer.result("tools/call", name="greet", arguments={}))["requestState"]
        for name, changed in (("greet", state + "x"), ("greet", "made.up"), ("all_at_once", state)):
            error = await peer.error("tools/call", name=name, arguments={}, requestState=changed)
            assert error["code"] == -32602, name


async def test_an_answer_that_does_not_fit_its_form_is_refused() -> None:
    server, _ = asking_server()
    async with Peer(server, version="2026-07-28", capabilities=CAPABLE) as peer:
        for content in ({"name": 5}, {}, {"name": "x", "more": 1}):
            answers = {"who": {"action": "accept", "content": content}}
            error = await peer.error("tools/call", name="greet", arguments={}, inputResponses=answers)
            assert error["code"] == -32602


@pytest.mark.requirement(13)
async def test_log_messages_are_sent_from_the_level_that_is_wanted() -> None:
    server = Server("s")

    @server.tool
    async def chat(ctx: Context) -> str:
        await ctx.debug("d")
        await ctx.info("i")
        await ctx.error({"e": 1}, "me")
        return "done"

    async with Peer(server) as peer:
        await peer.call("chat")
        assert [message["params"]["level"] for message in peer.heard("notifications/message")] == ["info", "error"]
        peer.received.clear()
        await peer.result("logging/setLevel", level="error")
        await peer.call("chat")
        assert [m["params"] for m in peer.heard("notifications/message")] == [
            {"level": "error", "data": {"e": 1}, "logger": "me"}
        ]
    async with Peer(server, version="2026-07-28") as peer:
        await peer.call("chat")
        assert peer.heard("notifications/message") == [], "nothing without being asked"
        level = {"io.modelcontextprotocol/logLevel": "debug"}
        await peer.result("tools/call", name="chat", arguments={}, _meta=level)
        assert len(peer.heard("notifications/message")) == 3


async def test_the_lifespan_opens_once_and_closes_with_the_server() -> None:
    events = list[str]()

    @asynccontextmanager
    async def open_database(server: Server) -> Any:
        events.append("open")
        yield {"rows": 3}
        events.append("close")

    server = Server("s", lifespan=open_database)

    @server.tool
    async def rows(ctx: Context) -> int:
        return ctx.state["rows"]  # type: ignore[no-any-return]

    async with Peer(server) as peer:
        assert events == []
        assert (await peer.call("rows"))["content"][0]["text"] == "3"
        await peer.call("rows")
        assert events == ["open"]
    assert events == ["open", "close"]


async def test_an_answer_over_the_limit_is_an_error_and_the_next_one_works() -> None:
    server = Server("s", limits=Limits(result_bytes=1000))

    @server.tool
    async def words(count: int) -> str:
        return "x" * count

    async with Peer(server) as peer:
        assert (
            "over the limit of 1000"
            in (await peer.error("tools/call", name="words", arguments={"count": 2000}))["message"]
        )
        assert len((await peer.call("words", count=10))["content"][0]["text"]) == 10
