"""The official Python client against our server: every step over stdio, HTTP and ASGI, in both eras."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import httpx2
import mcp_types as types
import pytest
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.client.subscriptions import ListenNotSupportedError
from mcp.shared.subscriptions import PromptsListChanged, ResourcesListChanged, ResourceUpdated, ToolsListChanged

from tests.support.doors import ASGI_URL, STDIO_COMMAND, STDIO_ENVIRONMENT, AsgiDoor, closing, serving
from tests.support.everything import BLOB, PNG, WAV, build
from tests.support.official_client import DEADLINE, LEGACY, MODERN, VERSIONS, Inbox, User, accepted, new_key, text_of

pytestmark = pytest.mark.filterwarnings("ignore::mcp.shared.exceptions.MCPDeprecationWarning")

DOORS = ["stdio", "http", "asgi"]

everywhere = pytest.mark.parametrize(("door", "mode"), [(door, mode) for door in DOORS for mode in (LEGACY, MODERN)])
every_mode = pytest.mark.parametrize(("door", "mode"), [(door, mode) for door in DOORS for mode in VERSIONS])
every_door = pytest.mark.parametrize("door", DOORS)


Connect = Callable[..., Any]


@pytest.fixture
def connect(web: str, door: str) -> Connect:
    """`connect(mode, **options)`: a client of the server, entered."""

    @asynccontextmanager
    async def connected(mode: str, page_size: int = 500, **options: Any) -> AsyncIterator[Client]:
        async with (
            asyncio.timeout(DEADLINE),
            reach(door, web, page_size) as target,
            Client(target, mode=mode, **options) as client,
        ):
            yield client

    return connected


@asynccontextmanager
async def reach(door: str, web: str, page_size: int = 500) -> AsyncIterator[Any]:
    """What the client is given to get there."""
    if door == "stdio":
        command, *arguments = [*STDIO_COMMAND, str(page_size)]
        yield StdioServerParameters(command=command, args=arguments, env=STDIO_ENVIRONMENT)
    elif door == "http" and page_size == 500:
        async with httpx2.AsyncClient(verify=False) as http:
            yield streamable_http_client(web, http_client=http)
    elif door == "http":
        with serving(build(page_size).asgi(path="/mcp")) as origin:
            async with httpx2.AsyncClient(verify=False) as http:
                yield streamable_http_client(f"{origin}/mcp", http_client=http)
    else:
        async with closing(build(page_size).asgi(path="/mcp")) as app, httpx2.AsyncClient(transport=AsgiDoor(app)) as h:
            yield streamable_http_client(ASGI_URL, http_client=h)


# Getting to know each other


@pytest.mark.requirement(14, 16)
@every_mode
async def test_they_agree_on_a_version(connect: Connect, mode: str) -> None:
    async with connect(mode) as client:
        assert client.protocol_version == VERSIONS[mode]
        if mode == MODERN:  # named outright, nothing was asked yet
            client.session.adopt(types.DiscoverResult.model_validate(await client.session.send_discover(MODERN)))
        info = client.server_info
        assert info is not None
        assert (info.name, info.title, info.version) == ("everything", "Everything", "1.2.3")
        assert client.instructions == "Ask for anything."
        capabilities = client.server_capabilities
        assert capabilities.tools is not None
        assert capabilities.tools.list_changed
        assert capabilities.resources is not None
        assert capabilities.resources.subscribe
        assert capabilities.prompts is not None
        assert capabilities.completions is not None


@pytest.mark.requirement(11)
@every_door
async def test_ping(connect: Connect) -> None:
    async with connect(LEGACY) as client:
        assert isinstance(await client.send_ping(), types.EmptyResult)


# Lists


@pytest.mark.requirement(11)
@everywhere
async def test_lists(connect: Connect, mode: str) -> None:
    async with connect(mode) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        add = tools["add"]
        assert (add.title, add.description) == ("Add", "Add two numbers.")
        assert add.annotations is not None
        assert add.annotations.read_only_hint
        assert add.input_schema["properties"]["a"] == {"type": "integer", "description": "The first."}
        assert add.input_schema["required"] == ["a", "b"]
        assert add.output_schema is not None
        assert add.output_schema["properties"]["total"] == {"type": "integer"}
        assert tools["greet"].output_schema is None
        resources = {str(resource.uri): resource for resource in (await client.list_resources()).resources}
        assert set(resources) == {"note://today", "file://logo"}
        assert resources["note://today"].title == "Today"
        assert resources["note://today"].mime_type == "text/plain"
        (template,) = (await client.list_resource_templates()).resource_templates
        assert template.uri_template == "city://{name}/weather"
        (prompt,) = (await client.list_prompts()).prompts
        assert [(a.name, a.required, a.description) for a in prompt.arguments or []] == [
            ("code", True, "What to look at."),
            ("language", None, "What it is written in."),
        ]


@everywhere
async def test_lists_come_in_pages(connect: Connect, mode: str) -> None:
    async with connect(mode, page_size=2) as client:
        names: list[str] = []
        page = await client.list_tools()
        while page.next_cursor is not None:
            assert len(page.tools) == 2
            names += [tool.name for tool in page.tools]
            page = await client.list_tools(cursor=page.next_cursor)
        names += [tool.name for tool in page.tools]
        assert names == [tool.name for tool in build().tools]
        with pytest.raises(MCPError) as refused:
            await client.list_tools(cursor="made up")
        assert refused.value.code == types.INVALID_PARAMS


# Tools


@pytest.mark.requirement(11)
@everywhere
async def test_a_typed_result_is_text_and_structure(connect: Connect, mode: str) -> None:
    async with connect(mode) as client:
        result = await client.call_tool("add", {"a": 2, "b": 3})
        assert result.structured_content == {"total": 5, "terms": [2, 3]}
        assert text_of(result) == '{"total":5,"terms":[2,3]}'
        wrapped = await client.call_tool("numbers", {"upto": 3})
        assert wrapped.structured_content == ([0, 1, 2] if mode == MODERN else {"result": [0, 1, 2]})
        plain = await client.call_tool("greet", {"name": "Ada"})
        assert (text_of(plain), plain.structured_content) == ("Hello, Ada!", None)


@pytest.mark.requirement(19)
@everywhere
async def test_a_tool_that_fails_tells_the_model(connect: Connect, mode: str) -> None:
    async with connect(mode) as client:
        for tool, text in (("refuse", "The disk is full"), ("crash", "The tool crash failed: no such drawer")):
            result = await client.call_tool(tool)
            assert result.is_error
            assert [block.text for block in result.content] == [text]
        wrong = await client.call_tool("add", {"a": "two"})
        assert wrong.is_error
        assert "Invalid arguments for add" in wrong.content[0].text
        assert text_of(await client.call_tool("greet", {"name": "again"})) == "Hello, again!"


@everywhere
async def test_an_unknown_tool_is_a_protocol_error(connect: Connect, mode: str) -> None:
    async with connect(mode) as client:
        with pytest.raises(MCPError, match="Unknown tool: nothing") as refused:
            await client.call_tool("nothing", {})
        assert refused.value.code == types.INVALID_PARAMS


@everywhere
async def test_content_of_every_kind(connect: Connect, mode: str) -> None:
    async with connect(mode) as client:
        text, image, audio, link, embedded = (await client.call_tool("media")).content
        assert text.text == "a picture and a sound"
        assert (image.type, image.mime_type, base64.b64decode(image.data)) == ("image", "image/png", PNG)
        assert (audio.type, audio.mime_type, base64.b64decode(audio.data)) == ("audio", "audio/wav", WAV)
        assert (link.type, str(link.uri), link.name) == ("resource_link", "note://today", "today")
        assert (embedded.type, embedded.resource.text) == ("resource", "embedded")


@every_door
async def test_arguments_that_headers_repeat(connect: Connect) -> None:
    async with connect(MODERN) as client:
        # Not listed yet: over HTTP the server refuses, and the client learns of the header and comes back.
        assert text_of(await client.call_tool("deliver", {"region": "Zürich ", "count": 2})) == "2 to Zürich "
        assert text_of(await client.call_tool("deliver", {"region": "north"})) == "1 to north"


# Resources, prompts, completions


@pytest.mark.requirement(11)
@everywhere
async def test_resources_are_read(connect: Connect, mode: str) -> None:
    async with connect(mode) as client:
        (text,) = (await client.read_resource("note://today")).contents
        assert (str(text.uri), text.mime_type, text.text) == ("note://today", "text/plain", "nothing")
        (blob,) = (await client.read_resource("file://logo")).contents
        assert (blob.mime_type, base64.b64decode(blob.blob)) == ("image/png", BLOB)
        (one,) = (await client.read_resource("city://Bern/weather")).contents
        assert (one.mime_type, one.text) == ("application/json", '{"city":"Bern","sky":"blue"}')


@everywhere
async def test_a_resource_that_is_not_there(connect: Connect, mode: str) -> None:
    async with connect(mode) as client:
        with pytest.raises(MCPError, match="Resource not found") as refused:
            await client.read_resource("note://nowhere")
        assert refused.value.code == (-32602 if mode == MODERN else -32002)
        assert refused.value.error.data == {"uri": "note://nowhere"}


@pytest.mark.requirement(13)
@everywhere
async def test_prompts(connect: Connect, mode: str) -> None:
    async with connect(mode) as client:
        result = await client.get_prompt("review", {"code": "x = 1"})
        assert result.description == "Look at some code."
        assert [(message.role, message.content.text) for message in result.messages] == [
            ("user", "Review this python: x = 1"),
            ("assistant", "Gladly."),
        ]
        for name, arguments in (("review", {}), ("nothing", {"code": "1"})):
            with pytest.raises(MCPError) as refused:
                await client.get_prompt(name, arguments)
            assert refused.value.code == types.INVALID_PARAMS


@everywhere
async def test_completions(connect: Connect, mode: str) -> None:
    prompt = types.PromptReference(name="review")
    template = types.ResourceTemplateReference(uri="city://{name}/weather")
    async with connect(mode) as client:
        found = await client.complete(prompt, {"name": "language", "value": "p"})
        assert found.completion.values == ["python", "pascal", "perl"]
        assert (found.completion.total, found.completion.has_more) == (3, False)
        known = await client.complete(prompt, {"name": "language", "value": "py"}, {"code": "x"})
        assert known.completion.values == ["python for x"]
        cities = await client.complete(template, {"name": "name", "value": "Ber"})
        assert cities.completion.values == ["Bern", "Berlin"]


# What the server says on its own


@pytest.mark.requirement(11, 12, 24)
@every_door
async def test_a_subscription_of_the_handshake_era(connect: Connect) -> None:
    inbox = Inbox()
    async with connect(LEGACY, message_handler=inbox) as client:
        await client.subscribe_resource("note://today")
        await client.call_tool("touch", {"uri": "note://elsewhere"})
        await client.call_tool("touch", {"uri": "note://today"})
        updated = await inbox.next(types.ResourceUpdatedNotification)
        assert str(updated.params.uri) == "note://today"
        await client.unsubscribe_resource("note://today")
        await client.subscribe_resource("city://Bern/weather")
        await client.call_tool("touch", {"uri": "note://today"})
        await client.call_tool("touch", {"uri": "city://Bern/weather"})
        updated = await inbox.next(types.ResourceUpdatedNotification)
        assert str(updated.params.uri) == "city://Bern/weather"
        with pytest.raises(ListenNotSupportedError):
            async with client.listen(tools_list_changed=True):
                pass


@pytest.mark.requirement(24)
@every_door
async def test_a_subscription_of_the_stateless_era(connect: Connect) -> None:
    async with connect(MODERN) as client:
        async with client.listen(resource_subscriptions=["note://today"]) as first:
            assert first.honored.resource_subscriptions == ["note://today"]
            async with client.listen(resource_subscriptions=["city://Bern/weather"], tools_list_changed=True) as second:
                await client.call_tool("touch", {"uri": "city://Bern/weather"})
                assert await anext(second) == ResourceUpdated("city://Bern/weather")
            await client.call_tool("touch", {"uri": "note://elsewhere"})
            await client.call_tool("touch", {"uri": "note://today"})
            assert await anext(first) == ResourceUpdated("note://today")
        with pytest.raises(MCPError) as refused:
            await client.subscribe_resource("note://today")
        assert refused.value.code == types.METHOD_NOT_FOUND


CHANGES = {
    "tools": (types.ToolListChangedNotification, ToolsListChanged()),
    "resources": (types.ResourceListChangedNotification, ResourcesListChanged()),
    "prompts": (types.PromptListChangedNotification, PromptsListChanged()),
}


@pytest.mark.requirement(12)
@everywhere
async def test_what_comes_and_goes_while_running_is_announced(connect: Connect, mode: str) -> None:
    inbox = Inbox()
    async with connect(mode, message_handler=inbox) as client:
        for kind, (notification, event) in CHANGES.items():
            if mode == LEGACY:
                await comes_and_goes(client, kind, lambda wanted=notification: inbox.next(wanted))
                continue
            async with client.listen(**{f"{kind}_list_changed": True}) as events:

                async def announced(events: Any = events, event: Any = event) -> None:
                    assert await anext(events) == event

                await comes_and_goes(client, kind, announced)


async def comes_and_goes(client: Client, kind: str, announced: Callable[[], Awaitable[Any]]) -> None:
    name = f"learned_{new_key()}"

    async def names() -> set[str]:
        listed = await getattr(client, f"list_{kind}")()
        return {str(getattr(one, "uri", one.name)) for one in getattr(listed, kind)}

    before = await names()
    assert text_of(await client.call_tool("learn", {"kind": kind, "name": name})) == "learned"
    await announced()
    assert await names() == {*before, f"learned://{name}" if kind == "resources" else name}
    if kind == "tools":
        assert text_of(await client.call_tool(name)) == name
    assert text_of(await client.call_tool("forget", {"kind": kind, "name": name})) == "forgotten"
    await announced()
    assert await names() == before


@everywhere
async def test_progress(connect: Connect, mode: str) -> None:
    heard: list[tuple[float, float | None, str | None]] = []
    last = asyncio.Event()

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        heard.append((progress, total, message))
        if progress == total:
            last.set()

    async with connect(mode) as client:
        assert text_of(await client.call_tool("count", {"upto": 3}, progress_callback=hear)) == "counted"
        await last.wait()
        assert heard == [(1, 3, "step 1"), (2, 3, "step 2"), (3, 3, "step 3")]
        assert text_of(await client.call_tool("count", {"upto": 3})) == "counted"


@pytest.mark.requirement(13)
@everywhere
async def test_log_messages_from_the_wanted_level_on(connect: Connect, mode: str) -> None:
    logs: asyncio.Queue[tuple[str, Any, str | None]] = asyncio.Queue()

    async def hear(params: types.LoggingMessageNotificationParams) -> None:
        logs.put_nowait((params.level, params.data, params.logger))

    async with connect(mode, logging_callback=hear, log_level="info") as client:
        if mode == LEGACY:
            await client.set_logging_level("info")
        await client.call_tool("speak")
        assert await logs.get() == ("info", {"what": "news"}, "voice")
        assert await logs.get() == ("warning", "a warning", "voice")
        quiet: Any = {"meta": {"io.modelcontextprotocol/logLevel": "warning"}}
        if mode == LEGACY:
            await client.set_logging_level("warning")
            quiet = {}
        await client.call_tool("speak", **quiet)
        assert await logs.get() == ("warning", "a warning", "voice")


@every_door
async def test_no_log_messages_for_who_wants_none(connect: Connect) -> None:
    logs: list[Any] = []

    async def hear(params: types.LoggingMessageNotificationParams) -> None:
        logs.append(params)

    async with connect(MODERN, logging_callback=hear) as client:
        await client.call_tool("speak")
        await client.call_tool("speak")
    assert logs == []


@everywhere
async def test_a_cancelled_call_is_cancelled_on_the_server(connect: Connect, mode: str) -> None:
    key = new_key()
    async with connect(mode) as client:
        call = asyncio.create_task(client.call_tool("hang", {"key": key}))
        await client.call_tool("recorded", {"what": f"{key} began"})
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        assert text_of(await client.call_tool("recorded", {"what": f"{key} was cancelled"})) == "1"
        assert text_of(await client.call_tool("greet", {"name": "after"})) == "Hello, after!"


@everywhere
async def test_a_call_the_client_gives_up_on_is_cancelled_too(connect: Connect, mode: str) -> None:
    key = new_key()
    async with connect(mode) as client:
        await client.call_tool("note", {"what": "here"})  # the server is up, so the call below gets to its tool
        with pytest.raises(MCPError) as given_up:
            await client.call_tool("hang", {"key": key}, read_timeout_seconds=0.2)
        assert given_up.value.code == types.REQUEST_TIMEOUT
        assert text_of(await client.call_tool("recorded", {"what": f"{key} was cancelled"})) == "1"


# What the server asks


async def sample(context: Any, params: types.CreateMessageRequestParams) -> types.CreateMessageResult:
    content = params.messages[0].content
    assert isinstance(content, types.TextContent)
    answer = types.TextContent(text=f"{content.text} {params.max_tokens} {params.system_prompt}")
    return types.CreateMessageResult(role="assistant", content=answer, model="parrot", stop_reason="endTurn")


async def list_roots(context: Any) -> types.ListRootsResult:
    return types.ListRootsResult.model_validate({"roots": [{"uri": "file:///srv/bells", "name": "home"}]})


@everywhere
async def test_the_user_is_asked_and_an_effect_happens_once(connect: Connect, mode: str) -> None:
    key = new_key()
    user = User(accepted(size=42, gift=True), accepted(sure=True))
    async with connect(mode, elicitation_callback=user) as client:
        assert text_of(await client.call_tool("order", {"key": key})) == "42 True True #1"
        assert user.asked == ["Which size?", "Sure?"]
        for what in ("reserved", "finished"):
            assert text_of(await client.call_tool("recorded", {"what": f"{key} {what}"})) == "1"


@everywhere
async def test_the_user_may_decline(connect: Connect, mode: str) -> None:
    for action in ("decline", "cancel"):
        async with connect(mode, elicitation_callback=User(types.ElicitResult(action=action))) as client:
            assert text_of(await client.call_tool("order", {"key": new_key()})) == action


@everywhere
async def test_an_answer_that_does_not_fit_the_form_is_refused(connect: Connect, mode: str) -> None:
    async with connect(mode, elicitation_callback=User(accepted(size="large"))) as client:
        with pytest.raises(MCPError, match="'size' that is not of type integer") as refused:
            await client.call_tool("order", {"key": new_key()})
        assert refused.value.code == types.INVALID_PARAMS


@pytest.mark.requirement(17)
@everywhere
async def test_a_client_that_cannot_ask_is_not_asked(connect: Connect, mode: str) -> None:
    async with connect(mode) as client:
        with pytest.raises(MCPError, match="client capability 'elicitation'") as refused:
            await client.call_tool("order", {"key": new_key()})
        assert refused.value.code == -32021


@pytest.mark.requirement(13, 17)
@everywhere
async def test_the_clients_model_is_asked(connect: Connect, mode: str) -> None:
    async with connect(mode, sampling_callback=sample) as client:
        answer = text_of(await client.call_tool("wonder", {"about": "bells"}))
        assert answer == "parrot says What of bells? 50 Be brief."


@pytest.mark.requirement(13)
@everywhere
async def test_the_clients_roots_are_asked_for(connect: Connect, mode: str) -> None:
    async with connect(mode, list_roots_callback=list_roots) as client:
        assert text_of(await client.call_tool("where")) == '["file:///srv/bells"]'


@everywhere
async def test_two_questions_at_once(connect: Connect, mode: str) -> None:
    async with connect(mode, elicitation_callback=User(accepted(size=7)), sampling_callback=sample) as client:
        assert text_of(await client.call_tool("both")) == "7 An idea? 10 None"


@every_door
async def test_the_questions_can_be_answered_by_hand(connect: Connect) -> None:
    key = new_key()
    async with connect(MODERN, elicitation_callback=User()) as client:
        call = client.session.call_tool
        first = await call("order", {"key": key}, allow_input_required=True)
        assert isinstance(first, types.InputRequiredResult)
        assert first.input_requests is not None
        ((name, request),) = first.input_requests.items()
        assert request.method == "elicitation/create"
        answers: Any = {name: accepted(size=1)}
        state = first.request_state
        second = await call(
            "order", {"key": key}, input_responses=answers, request_state=state, allow_input_required=True
        )
        assert isinstance(second, types.InputRequiredResult)
        with pytest.raises(MCPError, match="belongs to another request"):
            await call("order", {"key": "another"}, request_state=second.request_state, allow_input_required=True)
        assert second.input_requests is not None
        (name,) = second.input_requests
        done = await call(
            "order", {"key": key}, input_responses={name: accepted(sure=False)}, request_state=second.request_state
        )
        assert text_of(done) == "1 False False #1"


# The rest


class ReverseRequest(types.Request[dict[str, Any], str]):
    method: str = "custom/reverse"
    params: dict[str, Any]


class ReverseResult(types.Result):
    text: str


@everywhere
async def test_a_method_of_our_own(connect: Connect, mode: str) -> None:
    async with connect(mode) as client:
        result = await client.session.send_request(ReverseRequest(params={"text": "abc"}), ReverseResult)
        assert result.text == "cba"
        with pytest.raises(MCPError) as refused:
            await client.session.send_request(ReverseRequest(method="custom/nothing", params={}), ReverseResult)
        assert refused.value.code == types.METHOD_NOT_FOUND


@everywhere
async def test_many_calls_at_once(connect: Connect, mode: str) -> None:
    async with connect(mode) as client:
        results = await asyncio.gather(*(client.call_tool("add", {"a": n, "b": n}) for n in range(20)))
        assert [result.structured_content["total"] for result in results] == [2 * n for n in range(20)]
