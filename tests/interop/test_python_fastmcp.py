"""FastMCP's client against our server, over stdio, HTTP and ASGI, in both eras; its session where it lacks a call."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any
from uuid import uuid4

import httpx2
import mcp_types as types
import pytest
from fastmcp import Client
from fastmcp.client.elicitation import ElicitResult
from fastmcp.client.transports import StdioTransport, StreamableHttpTransport
from fastmcp.exceptions import ToolError
from mcp import MCPError
from mcp.client.subscriptions import listen
from mcp.shared.subscriptions import ResourceUpdated, ToolsListChanged

from tests.support.doors import ASGI_URL, STDIO_COMMAND, STDIO_ENVIRONMENT, AsgiDoor, closing
from tests.support.everything import BLOB, PNG, WAV, build

pytestmark = pytest.mark.filterwarnings("ignore::mcp.shared.exceptions.MCPDeprecationWarning")

DEADLINE = 20.0
LEGACY, MODERN = "legacy", "2026-07-28"
VERSIONS = {LEGACY: "2025-11-25", MODERN: MODERN, "auto": MODERN}
DOORS = ["stdio", "http", "asgi"]

everywhere = pytest.mark.parametrize(("door", "mode"), [(door, mode) for door in DOORS for mode in (LEGACY, MODERN)])
every_mode = pytest.mark.parametrize(("door", "mode"), [(door, mode) for door in DOORS for mode in VERSIONS])
every_door = pytest.mark.parametrize("door", DOORS)

Connect = Callable[..., Any]


@pytest.fixture
def connect(web: str, door: str) -> Connect:
    """`connect(mode, **options)`: a client of the server, entered."""

    @asynccontextmanager
    async def connected(mode: str, **options: Any) -> AsyncIterator[Client[Any]]:
        async with (
            asyncio.timeout(DEADLINE),
            reach(door, web) as transport,
            Client(transport, mode=mode, **options) as client,
        ):
            yield client

    return connected


@asynccontextmanager
async def reach(door: str, web: str) -> AsyncIterator[Any]:
    if door == "stdio":
        command, *arguments = STDIO_COMMAND
        yield StdioTransport(command, arguments, env=STDIO_ENVIRONMENT, keep_alive=False)
    elif door == "http":
        yield StreamableHttpTransport(web, httpx_client_factory=plain_client)
    else:
        async with closing(build().asgi(path="/mcp")) as app:
            yield StreamableHttpTransport(
                ASGI_URL, httpx_client_factory=lambda **options: httpx2.AsyncClient(transport=AsgiDoor(app), **options)
            )


def plain_client(**options: Any) -> httpx2.AsyncClient:
    return httpx2.AsyncClient(verify=False, **options)


def new_key() -> str:
    return uuid4().hex


# Getting to know each other


@every_mode
async def test_they_agree_on_a_version(connect: Connect, mode: str) -> None:
    async with connect(mode) as client:
        assert client.protocol_version == VERSIONS[mode]
        if mode == MODERN:  # named outright, nothing was asked yet
            client.session.adopt(types.DiscoverResult.model_validate(await client.session.send_discover(MODERN)))
        assert client.server_info is not None
        assert (client.server_info.name, client.server_info.version) == ("everything", "1.2.3")
        assert client.instructions == "Ask for anything."
        assert client.server_capabilities is not None
        assert client.server_capabilities.resources.subscribe
        if mode == LEGACY:
            assert await client.ping()


# Lists, tools, resources, prompts


@everywhere
async def test_lists(connect: Connect, mode: str) -> None:
    async with connect(mode) as client:
        assert [tool.name for tool in await client.list_tools()] == [tool.name for tool in build().tools]
        assert {str(one.uri) for one in await client.list_resources()} == {"note://today", "file://logo"}
        (template,) = await client.list_resource_templates()
        assert template.uri_template == "city://{name}/weather"
        (prompt,) = await client.list_prompts()
        assert (prompt.name, prompt.title) == ("review", "Review")


@everywhere
async def test_results(connect: Connect, mode: str) -> None:
    async with connect(mode) as client:
        result = await client.call_tool("add", {"a": 2, "b": 3})
        assert result.structured_content == {"total": 5, "terms": [2, 3]}
        assert (result.data.total, result.data.terms) == (5, [2, 3])
        greeting = await client.call_tool("greet", {"name": "Ada"})
        assert (greeting.content[0].text, greeting.structured_content) == ("Hello, Ada!", None)
        text, image, audio, link, embedded = (await client.call_tool("media")).content
        assert text.text == "a picture and a sound"
        assert (image.mime_type, base64.b64decode(image.data)) == ("image/png", PNG)
        assert (audio.mime_type, base64.b64decode(audio.data)) == ("audio/wav", WAV)
        assert str(link.uri) == "note://today"
        assert embedded.resource.text == "embedded"


@everywhere
async def test_errors(connect: Connect, mode: str) -> None:
    async with connect(mode) as client:
        with pytest.raises(ToolError, match="The disk is full"):
            await client.call_tool("refuse")
        with pytest.raises(ToolError, match="Invalid arguments for add"):
            await client.call_tool("add", {"a": "two"})
        with pytest.raises(MCPError, match="Unknown tool: nothing") as refused:
            await client.call_tool("nothing")
        assert refused.value.code == types.INVALID_PARAMS
        with pytest.raises(MCPError, match="Resource not found") as refused:
            await client.read_resource("note://nowhere")
        assert refused.value.code == (-32602 if mode == MODERN else -32002)
        assert (await client.call_tool("greet", {"name": "again"})).content[0].text == "Hello, again!"


@everywhere
async def test_resources_prompts_and_completions(connect: Connect, mode: str) -> None:
    async with connect(mode) as client:
        (text,) = await client.read_resource("note://today")
        assert (text.mime_type, text.text) == ("text/plain", "nothing")
        (blob,) = await client.read_resource("file://logo")  # which it makes file://logo/
        assert base64.b64decode(blob.blob) == BLOB
        with pytest.raises(MCPError, match="Resource not found"):
            await client.read_resource("file://logo/deeper/")
        (one,) = await client.read_resource("city://Bern/weather")
        assert one.text == '{"city":"Bern","sky":"blue"}'
        prompt = await client.get_prompt("review", {"code": "x = 1"})
        assert [message.content.text for message in prompt.messages] == ["Review this python: x = 1", "Gladly."]
        completion = await client.complete(types.PromptReference(name="review"), {"name": "language", "value": "pa"})
        assert completion.values == ["pascal"]


# What the server says on its own


@every_door
async def test_a_subscription_of_the_handshake_era(connect: Connect) -> None:
    inbox: asyncio.Queue[Any] = asyncio.Queue()

    async def hear(message: Any) -> None:
        if isinstance(message, types.ResourceUpdatedNotification):
            inbox.put_nowait(str(message.params.uri))

    async with connect(LEGACY, message_handler=hear) as client:
        await client.session.subscribe_resource("note://today")
        await client.call_tool("touch", {"uri": "note://elsewhere"})
        await client.call_tool("touch", {"uri": "note://today"})
        assert await inbox.get() == "note://today"
        await client.session.unsubscribe_resource("note://today")


@every_door
async def test_a_subscription_of_the_stateless_era(connect: Connect) -> None:
    async with connect(MODERN) as client, listen(client.session, resource_subscriptions=["note://today"]) as events:
        await client.call_tool("touch", {"uri": "note://elsewhere"})
        await client.call_tool("touch", {"uri": "note://today"})
        assert await anext(events) == ResourceUpdated("note://today")


@everywhere
async def test_a_tool_that_comes_and_goes_is_announced(connect: Connect, mode: str) -> None:
    name = f"learned_{new_key()}"
    inbox: asyncio.Queue[Any] = asyncio.Queue()

    async def hear(message: Any) -> None:
        if isinstance(message, types.ToolListChangedNotification):
            inbox.put_nowait(message)

    async def names(client: Client[Any]) -> set[str]:
        return {tool.name for tool in await client.list_tools()}

    async with connect(mode, message_handler=hear) as client:
        before = await names(client)
        if mode == LEGACY:
            await client.call_tool("learn", {"kind": "tools", "name": name})
            await inbox.get()
            assert await names(client) == {*before, name}
            await client.call_tool("forget", {"kind": "tools", "name": name})
            await inbox.get()
        else:
            async with listen(client.session, tools_list_changed=True) as events:
                await client.call_tool("learn", {"kind": "tools", "name": name})
                assert await anext(events) == ToolsListChanged()
                assert await names(client) == {*before, name}
                await client.call_tool("forget", {"kind": "tools", "name": name})
                assert await anext(events) == ToolsListChanged()
        assert await names(client) == before


@everywhere
async def test_progress_and_log_messages(connect: Connect, mode: str) -> None:
    heard: asyncio.Queue[Any] = asyncio.Queue()
    logs: asyncio.Queue[Any] = asyncio.Queue()

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        heard.put_nowait((progress, total, message))

    async def keep(message: Any) -> None:
        logs.put_nowait((message.level, message.data))

    async with connect(mode, progress_handler=hear, log_handler=keep) as client:
        assert (await client.call_tool("count", {"upto": 2})).content[0].text == "counted"
        assert [await heard.get(), await heard.get()] == [(1, 2, "step 1"), (2, 2, "step 2")]
        if mode == LEGACY:
            await client.set_logging_level("debug")
        await client.call_tool("speak")
        assert [await logs.get() for _ in range(3)] == [
            ("debug", "a detail"),
            ("info", {"what": "news"}),
            ("warning", "a warning"),
        ]


@everywhere
async def test_a_cancelled_call_is_cancelled_on_the_server(connect: Connect, mode: str) -> None:
    key = new_key()
    async with connect(mode) as client:
        running = asyncio.create_task(client.call_tool("hang", {"key": key}))
        await client.call_tool("recorded", {"what": f"{key} began"})
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        assert (await client.call_tool("recorded", {"what": f"{key} was cancelled"})).content[0].text == "1"


# What the server asks


@everywhere
async def test_the_user_is_asked_and_an_effect_happens_once(connect: Connect, mode: str) -> None:
    key = new_key()
    asked: list[str] = []

    async def answer(message: str, response_type: Any, params: Any, context: Any) -> Any:
        asked.append(message)
        return response_type(size=42) if message == "Which size?" else response_type(sure=True)

    async with connect(mode, elicitation_handler=answer) as client:
        assert (await client.call_tool("order", {"key": key})).content[0].text == "42 False True #1"
        assert asked == ["Which size?", "Sure?"]
        assert (await client.call_tool("recorded", {"what": f"{key} reserved"})).content[0].text == "1"


@everywhere
async def test_the_user_may_decline(connect: Connect, mode: str) -> None:
    async def decline(message: str, response_type: Any, params: Any, context: Any) -> Any:
        return ElicitResult(action="decline")

    async with connect(mode, elicitation_handler=decline) as client:
        assert (await client.call_tool("order", {"key": new_key()})).content[0].text == "decline"


@everywhere
async def test_the_clients_model_and_roots(connect: Connect, mode: str) -> None:
    async def think(messages: list[Any], params: Any, context: Any) -> str:
        return f"{messages[0].content.text} {params.max_tokens}"

    async with connect(mode, sampling_handler=think, roots=["file:///srv/bells"]) as client:
        answer = (await client.call_tool("wonder", {"about": "bells"})).content[0].text
        assert answer.endswith("says What of bells? 50")
        assert (await client.call_tool("where")).content[0].text == '["file:///srv/bells"]'


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


@pytest.mark.parametrize("door", ["http", "asgi"])
async def test_leaving_ends_the_session(door: str, web: str) -> None:
    deleted: list[int] = []

    async def watch(response: httpx2.Response) -> None:
        if response.request.method == "DELETE":
            deleted.append(response.status_code)

    async with asyncio.timeout(DEADLINE), reach(door, web) as transport:
        inner = transport.httpx_client_factory

        def watched(**options: Any) -> httpx2.AsyncClient:
            http: httpx2.AsyncClient = inner(**options)
            http.event_hooks = {"response": [watch]}
            return http

        transport.httpx_client_factory = watched
        async with Client(transport, mode=LEGACY) as client:
            await client.call_tool("greet", {"name": "x"})
    assert deleted == [204]
