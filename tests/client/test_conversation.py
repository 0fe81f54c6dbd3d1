"""What a client makes of a server's messages, good and bad; and what it answers when it is asked."""

from __future__ import annotations

import asyncio
import json
import logging
from typing import Any

import pytest

from cloche import Client, Context, Server
from cloche.client import ElicitRequest, SampleRequest
from cloche.client import base as base_module
from cloche.client import client as client_module
from cloche.client.conversation import MAX_QUESTIONS
from cloche.errors import (
    HeaderMismatchError,
    InvalidParamsError,
    LocalProtocolError,
    McpError,
    MethodNotFoundError,
    RemoteProtocolError,
    RequestCancelledError,
    RequestTimeoutError,
    ResourceNotFoundError,
    ToolError,
)
from cloche.transports.memory import MemoryTransport
from cloche.transports.resilience.cancellation import CancellationTokenSource
from cloche.wire.types import ElicitResult, Root, SamplingResult
from tests.client.foreign import NOT_FOUND, OLD, ForeignServer

LIST = {"result": {"tools": [{"name": "one", "inputSchema": {"type": "object"}}]}}


RUBBISH = {
    "nothing": b"",
    "text": b"nonsense",
    "an object": b"{}",
    "an empty batch": b"[]",
    "a batch of numbers": b"[1]",
    "no UTF-8": b"\xff",
    "deep": b"[" * 5000,
    "no method": b'{"jsonrpc":"2.0"}',
    "an answer to nothing": b'{"jsonrpc":"2.0","id":77,"result":1}',
    "progress of nothing": b'{"jsonrpc":"2.0","method":"notifications/progress",'
    b'"params":{"progressToken":99,"progress":1}}',
    "progress without members": b'{"jsonrpc":"2.0","method":"notifications/progress","params":[]}',
    "a cancellation of nothing": b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}',
}


def said(text: str, **members: Any) -> dict[str, Any]:
    return {"result": {"content": [{"type": "text", "text": text}], **members}}


# Answers


@pytest.mark.parametrize(
    ("code", "kind"),
    [(-32601, MethodNotFoundError), (-32602, InvalidParamsError), (-32002, ResourceNotFoundError), (-1, McpError)],
)
async def test_an_error_has_the_class_of_its_code(code: int, kind: type[McpError]) -> None:
    answer = {"error": {"code": code, "message": "said the server", "data": {"a": 1}}}
    async with ForeignServer(**{"tools/call": answer}).client() as client:
        with pytest.raises(McpError) as caught:
            await client.call_tool("any")
    assert type(caught.value) is kind
    assert (caught.value.code, str(caught.value), caught.value.data) == (code, "said the server", {"a": 1})


@pytest.mark.parametrize(
    "answer",
    [{"error": {"message": 5}}, {"error": "text"}, {"error": {"code": "x", "message": "y"}}, {"error": []}],
    ids=repr,
)
async def test_a_malformed_error_is_still_an_error(answer: Any) -> None:
    async with ForeignServer(**{"tools/call": answer}).client() as client:
        with pytest.raises(McpError, match="malformed error"):
            await client.call_tool("any")


@pytest.mark.parametrize(
    "result",
    [None, 5, [], {"content": "text"}, {"isError": "yes"}, {"content": [], "isError": 1}],
    ids=repr,
)
async def test_a_malformed_result_is_the_servers_fault(result: Any) -> None:
    foreign = ForeignServer(**{"tools/call": {"result": result}})
    async with foreign.client() as client:
        with pytest.raises(RemoteProtocolError, match="tools/call is malformed"):
            await client.call_tool("any")
        foreign.answers["tools/call"] = said("fine")
        assert (await client.call_tool("any")).text == "fine"


@pytest.mark.requirement(33, 69)
@pytest.mark.parametrize("rubbish", RUBBISH.values(), ids=RUBBISH)
async def test_it_recovers_after_rubbish(rubbish: bytes) -> None:
    foreign = ForeignServer(**{"tools/call": said("fine")})
    async with foreign.client() as client:
        await foreign.end.send(rubbish)
        assert (await client.call_tool("any")).text == "fine"
        assert client.conversation.stray + client.conversation.pending.stray > 0


async def test_an_answer_that_is_no_message_ends_its_request() -> None:
    foreign = ForeignServer(**{"tools/call": None})
    async with foreign.client() as client:
        call = asyncio.ensure_future(client.call_tool("any"))
        asked = await foreign.heard(lambda message: message.get("method") == "tools/call")
        foreign.say({"id": asked["id"], "result": {}, "error": {"code": 1, "message": "both"}})
        with pytest.raises(RemoteProtocolError, match="not a message"):
            await call


async def test_a_second_answer_changes_nothing() -> None:
    foreign = ForeignServer(**{"tools/call": said("first")})
    async with foreign.client() as client:
        assert (await client.call_tool("any")).text == "first"
        foreign.say({"id": foreign.received[-1]["id"], **said("second")})
        assert (await client.call_tool("any")).text == "first"
        assert client.conversation.pending.stray == 1


async def test_answers_may_come_as_a_batch() -> None:
    foreign = ForeignServer(**{"tools/call": None})
    async with foreign.client() as client:
        calls = [asyncio.ensure_future(client.call_tool("any")) for _ in range(2)]
        await foreign.heard(lambda _: len(foreign.methods()) == 5)
        ids = [message["id"] for message in foreign.received if message.get("method") == "tools/call"]
        batch = [{"jsonrpc": "2.0", "id": one, **said(f"to {one}")} for one in ids]
        foreign.say(json.dumps([*batch, []]).encode())
        assert [result.text for result in await asyncio.gather(*calls)] == [f"to {one}" for one in ids]


async def test_a_list_without_end_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_module, "MAX_PAGES", 5)
    foreign = ForeignServer(**{"tools/list": {"result": {"tools": [], "nextCursor": "again"}}})
    async with foreign.client() as client:
        with pytest.raises(RemoteProtocolError, match="more than 5 pages"):
            await client.list_tools()
    assert foreign.methods().count("tools/list") == 5


# What a tool returned


async def test_content_that_nobody_knows_stays_what_it_is() -> None:
    content = [{"type": "text", "text": "known"}, {"type": "hologram", "data": "…"}]
    async with ForeignServer(**{"tools/call": {"result": {"content": content}}}).client() as client:
        result = await client.call_tool("any")
    assert result.text == "known"
    assert result.content[1] == {"type": "hologram", "data": "…"}  # type: ignore[comparison-overlap]


@pytest.mark.parametrize(
    ("members", "kind", "value"),
    [
        ({"structuredContent": {"result": [1, 2]}}, list[int], [1, 2]),
        ({"structuredContent": [1, 2]}, list[int], [1, 2]),
        ({"structuredContent": {"uri": "a:b"}}, Root, Root("a:b")),
        ({"structuredContent": {"result": "x"}}, dict[str, str], {"result": "x"}),
        ({"content": [{"type": "text", "text": "7"}]}, int, 7),
        ({"content": [{"type": "text", "text": "plain"}]}, str, "plain"),
    ],
    ids=repr,
)
async def test_a_result_of_a_type(members: dict[str, Any], kind: Any, value: Any) -> None:
    async with ForeignServer(**{"tools/call": {"result": members}}).client() as client:
        assert await client.call_tool("any", returns=kind) == value


@pytest.mark.parametrize(
    "members",
    [
        {"structuredContent": {"result": "text"}},
        {"structuredContent": "text"},
        {"content": [{"type": "text", "text": "text"}]},
        {},
    ],
    ids=repr,
)
async def test_a_result_of_another_type(members: dict[str, Any]) -> None:
    async with ForeignServer(**{"tools/call": {"result": members}}).client() as client:
        with pytest.raises(RemoteProtocolError, match="no int"):
            await client.call_tool("any", returns=int)


async def test_a_tool_that_fails() -> None:
    async with ForeignServer(**{"tools/call": said("out of bread", isError=True)}).client() as client:
        result = await client.call_tool("any")
        assert (result.is_error, result.text) == (True, "out of bread")
        with pytest.raises(ToolError, match="out of bread"):
            await client.call_tool("any", returns=str)
        with pytest.raises(ToolError, match="out of bread"):
            result.raise_for_error()


async def test_a_blob_that_is_none() -> None:
    contents = [{"uri": "a:b", "blob": "?"}, {"uri": "a:c", "text": "t"}]
    async with ForeignServer(**{"resources/read": {"result": {"contents": contents}}}).client() as client:
        bad, text = (await client.read_resource("a:b")).contents
    assert text.data == b"t"
    with pytest.raises(RemoteProtocolError, match="not base64"):
        _ = bad.data


async def test_a_completion_is_for_one_thing() -> None:
    async with ForeignServer().client() as client:
        with pytest.raises(LocalProtocolError, match="Say what is completed"):
            await client.complete("name", "A")


# Arguments as headers (over HTTP)


class HeaderTransport(MemoryTransport):
    """Remembers what it was taught, as the HTTP transport does."""

    learned: list[Any]

    def learn_tools(self, tools: list[Any]) -> list[Any]:
        self.learned = tools
        return tools


async def test_a_tool_that_wants_headers_is_looked_up_once() -> None:
    foreign = ForeignServer(**{"tools/list": LIST})
    mismatch = {"error": {"code": HeaderMismatchError.code, "message": "a header is missing"}}
    foreign.client_end.__class__ = HeaderTransport
    foreign.answers["tools/call"] = lambda _: said("done") if hasattr(foreign.client_end, "learned") else mismatch
    async with foreign.client() as client:
        assert (await client.call_tool("one")).text == "done"
    assert foreign.methods()[-3:] == ["tools/call", "tools/list", "tools/call"]


# Giving up


@pytest.mark.requirement(29, 34)
async def test_a_request_that_times_out_is_cancelled_at_the_server() -> None:
    foreign = ForeignServer(**{"tools/call": None})
    async with foreign.client(timeout=0.05) as client:
        with pytest.raises(RequestTimeoutError, match=r"^Request [\w-]+-\d+ timed out$"):
            await client.call_tool("any")
        told = await foreign.heard(lambda message: message.get("method") == "notifications/cancelled")
        assert told["params"]["requestId"] == foreign.received[-2]["id"]
        assert len(client.conversation.pending) == 0
        with pytest.raises(RequestTimeoutError):
            await client.call_tool("any", timeout=0.01)


async def test_a_token_that_was_cancelled_before_asks_nothing() -> None:
    foreign = ForeignServer()
    source = CancellationTokenSource()
    source.cancel()
    async with foreign.client() as client:
        before = len(foreign.received)
        with pytest.raises(RequestCancelledError):
            await client.call_tool("any", token=source.token)
        assert len(foreign.received) == before


async def test_nothing_is_kept_of_a_request_that_is_over() -> None:
    foreign = ForeignServer(**{"tools/call": said("fine")})
    source = CancellationTokenSource()
    async with foreign.client() as client:
        await client.call_tool("any", token=source.token, progress=lambda *_: None)
        conversation = client.conversation
        assert (len(conversation.pending), conversation._progress, conversation._tasks) == (0, {}, set())
        source.cancel()
        await asyncio.sleep(0)
        assert "notifications/cancelled" not in foreign.methods()


# Being asked


async def test_a_client_says_what_it_can_be_asked() -> None:
    foreign = ForeignServer()
    async with foreign.client(roots=["file:///a"], sampling=lambda _: "", elicitation=lambda _: None):
        pass
    asked = foreign.received[1]["params"]["capabilities"]
    assert asked.pop("tasks")["requests"].keys() == {"sampling", "elicitation"}
    assert asked == {"roots": {"listChanged": True}, "sampling": {"tools": {}}, "elicitation": {"form": {}, "url": {}}}
    foreign = ForeignServer()
    async with foreign.client(capabilities={"extensions": {"x": {}}}):
        pass
    assert foreign.received[1]["params"]["capabilities"] == {"extensions": {"x": {}}}


async def ask(foreign: ForeignServer, method: str, params: Any = None, request_id: Any = "q") -> dict[str, Any]:
    foreign.say({"id": request_id, "method": method, **({} if params is None else {"params": params})})
    return await foreign.answer_to(request_id)


async def test_a_ping_is_answered() -> None:
    foreign = ForeignServer()
    async with foreign.client():
        assert (await ask(foreign, "ping"))["result"] == {}


async def test_what_it_was_not_given_a_function_for() -> None:
    foreign = ForeignServer()
    async with foreign.client():
        assert (await ask(foreign, "sampling/createMessage", {"messages": []}))["error"]["code"] == -32601
        assert (await ask(foreign, "x" * 200, request_id=2))["error"]["message"].startswith("Method not found: xxx")


async def test_roots() -> None:
    foreign = ForeignServer()
    async with foreign.client(roots=["file:///a", Root("file:///b", "B")]) as client:
        answer = await ask(foreign, "roots/list")
        assert answer["result"] == {"roots": [{"uri": "file:///a"}, {"uri": "file:///b", "name": "B"}]}
        await client.roots_changed()
        await foreign.heard(lambda message: message.get("method") == "notifications/roots/list_changed")


async def test_roots_from_a_function() -> None:
    async def roots() -> list[str]:
        return ["file:///now"]

    foreign = ForeignServer()
    async with foreign.client(roots=roots):
        assert (await ask(foreign, "roots/list"))["result"] == {"roots": [{"uri": "file:///now"}]}


async def test_sampling_and_elicitation_take_all_forms_of_answers() -> None:
    seen: list[Any] = []

    async def sample(request: SampleRequest) -> Any:
        seen.append(request)
        if request.max_tokens == 1:
            return SamplingResult("assistant", {"type": "text", "text": "whole"}, "model-x")
        return "short"

    def elicit(request: ElicitRequest) -> Any:
        seen.append(request)
        return {"a": {"x": 1}, "b": None, "c": ElicitResult("cancel")}[request.message]

    foreign = ForeignServer()
    messages = [{"role": "user", "content": {"type": "text", "text": "hi"}}]
    async with foreign.client(sampling=sample, elicitation=elicit):
        short = await ask(foreign, "sampling/createMessage", {"messages": messages, "maxTokens": 9}, 1)
        assert short["result"]["content"] == {"type": "text", "text": "short"}
        whole = await ask(foreign, "sampling/createMessage", {"messages": messages, "maxTokens": 1}, 2)
        assert whole["result"]["model"] == "model-x"
        assert seen[0].text == "hi"
        actions = [await ask(foreign, "elicitation/create", {"message": text}, text) for text in "abc"]
        assert [answer["result"]["action"] for answer in actions] == ["accept", "decline", "cancel"]
        assert actions[0]["result"]["content"] == {"x": 1}
        bad = await ask(foreign, "elicitation/create", {"message": 5}, 9)
        assert bad["error"]["code"] == -32602


async def test_a_function_that_fails_is_an_error_for_the_server(caplog: pytest.LogCaptureFixture) -> None:
    def sample(request: SampleRequest) -> Any:
        if request.max_tokens == 1:
            raise McpError("not today", code=-1)
        if request.max_tokens == 2:
            return {"not": {"json"}, "at": object()}
        raise ValueError("secret detail")

    foreign = ForeignServer()
    async with foreign.client(sampling=sample):
        own = await ask(foreign, "sampling/createMessage", {"messages": [], "maxTokens": 1}, 1)
        assert own["error"] == {"code": -1, "message": "not today"}
        no_json = await ask(foreign, "sampling/createMessage", {"messages": [], "maxTokens": 2}, 2)
        assert no_json["error"]["code"] == -32603
        broken = await ask(foreign, "sampling/createMessage", {"messages": []}, 3)
        assert broken["error"]["code"] == -32603
        assert "secret" not in broken["error"]["message"]
    assert "secret detail" in caplog.text


async def test_a_server_that_asks_too_much_at_once() -> None:
    began: list[int] = []

    async def sample(request: SampleRequest) -> str:
        began.append(request.max_tokens)
        await asyncio.Event().wait()
        return "never"

    foreign = ForeignServer()
    async with foreign.client(sampling=sample):
        for number in range(MAX_QUESTIONS + 1):
            foreign.say({"id": number, "method": "sampling/createMessage", "params": {"messages": []}})
        assert (await foreign.answer_to(MAX_QUESTIONS))["error"]["code"] == -32600
        assert len(began) == MAX_QUESTIONS
        foreign.say({"id": 0, "method": "sampling/createMessage", "params": {"messages": []}})
        assert (await foreign.answer_to(0))["error"]["code"] == -32600
        # A question that is taken back makes room.
        foreign.say({"method": "notifications/cancelled", "params": {"requestId": 1}})
        foreign.say({"id": "again", "method": "sampling/createMessage", "params": {"messages": []}})
        await asyncio.sleep(0.01)
        assert len(began) == MAX_QUESTIONS + 1


async def test_questions_without_end_are_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(base_module, "MAX_ROUNDS", 3)
    question = {"method": "elicitation/create", "params": {"message": "again?"}}
    discovered = {"supportedVersions": ["2026-07-28"], "capabilities": {}, "resultType": "complete"}
    required = {"resultType": "input_required", "inputRequests": {"a": question}, "requestState": "s"}
    foreign = ForeignServer(**{"server/discover": {"result": discovered}, "tools/call": {"result": required}})
    async with foreign.client(elicitation=lambda _: {"x": 1}) as client:
        with pytest.raises(RemoteProtocolError, match="3 times"):
            await client.call_tool("any")
    last = foreign.received[-1]["params"]
    assert last["inputResponses"] == {"a": {"action": "accept", "content": {"x": 1}}}
    assert last["requestState"] == "s"


async def test_progress_is_heard_over_all_rounds() -> None:
    server = Server("rounds")

    @server.tool
    async def work(ctx: Context) -> str:
        await ctx.progress(1, 2, "before")
        answer = await ctx.elicit("Who?", {"type": "object", "properties": {"name": {"type": "string"}}})
        await ctx.progress(2, 2, "after")
        return str(answer.data["name"]) if answer.data else ""

    heard: list[str | None] = []
    async with Client(server, elicitation=lambda _: {"name": "Ada"}) as client:
        assert client.is_stateless
        result = await client.call_tool("work", progress=lambda done, total, text: heard.append(text))
    assert (result.text, heard) == ("Ada", ["before", "before", "after"])


# Handlers


async def test_handlers_may_be_async_and_may_fail(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.ERROR)
    heard: list[str] = []
    done = asyncio.Event()

    async def slowly(params: dict[str, Any]) -> None:
        await asyncio.sleep(0)
        heard.append("slowly")
        done.set()
        raise ValueError("async mistake")

    def badly(params: dict[str, Any]) -> None:
        raise ValueError("plain mistake")

    foreign = ForeignServer()
    async with foreign.client() as client:
        stop = client.on_notification("notifications/x", badly)
        client.on_notification("notifications/x", slowly)
        client.on_notification("notifications/x", lambda _: heard.append("at once"))
        foreign.say({"method": "notifications/x"})
        await asyncio.wait_for(done.wait(), 5)
        assert heard == ["at once", "slowly"]
        stop()
        stop()
    assert "plain mistake" in caplog.text
    assert "async mistake" in caplog.text


async def test_close_leaves_nothing_running() -> None:
    async def forever(_: Any) -> None:
        await asyncio.Event().wait()

    foreign = ForeignServer(**{"tools/call": None})
    client = foreign.client(sampling=forever)
    await client.connect()
    client.on_notification("notifications/x", forever)
    foreign.say({"method": "notifications/x"})
    foreign.say({"id": 1, "method": "sampling/createMessage", "params": {"messages": []}})
    await asyncio.sleep(0.01)
    told: list[str] = []
    client.on_close(lambda: told.append("closed"))
    await client.close()
    await client.close()
    assert told == ["closed"]
    assert not client.conversation._tasks


def test_not_found_is_what_old_servers_say() -> None:
    assert NOT_FOUND["error"]["code"] == MethodNotFoundError.code
    assert OLD["protocolVersion"] == "2025-11-25"
