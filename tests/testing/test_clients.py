"""Clients for tests: awaited ones and plain ones."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest

from cloche import Client, McpError, Server
from cloche.errors import LocalProtocolError
from cloche.testing import SyncClient
from cloche.testing.background import BackgroundLoop


@pytest.fixture
def server() -> Server:
    server = Server("sums", instructions="Adds.")

    @server.tool
    def add(a: int, b: int) -> int:
        """Add two numbers."""
        return a + b

    @server.prompt
    def greet(name: str) -> str:
        """Say hello."""
        return f"Hello {name}"

    server.register_resource("sums://help", lambda: "help", name="help")
    server.register_resource("sums://{topic}", lambda topic: topic, name="topic")
    server.completion("greet", "name")(lambda typed, _: [f"{typed}nn"])
    return server


async def test_an_async_test_awaits_its_client(mcp_client: Callable[..., Client], server: Server) -> None:
    async with mcp_client(server) as client:
        assert await client.call_tool("add", {"a": 1, "b": 2}, returns=int) == 3
        assert client.timeout == 10.0
    async with mcp_client(server, version="2025-06-18", timeout=3) as client:
        assert (client.protocol_version, client.timeout) == ("2025-06-18", 3)


def test_a_plain_test_needs_no_loop(mcp: Callable[..., SyncClient], server: Server) -> None:
    client = mcp(server)
    assert client.call_tool("add", {"a": 1, "b": 2}).data == 3
    assert client.call_tool("add", {"a": 1, "b": 2}, returns=int) == 3
    assert [tool.name for tool in client.list_tools()] == ["add"]
    assert [resource.uri for resource in client.list_resources()] == ["sums://help"]
    assert [template.uri_template for template in client.list_resource_templates()] == ["sums://{topic}"]
    assert client.read_resource("sums://primes").text == "primes"
    assert [prompt.name for prompt in client.list_prompts()] == ["greet"]
    assert client.get_prompt("greet", {"name": "Ann"}).messages[0].content.text == "Hello Ann"  # type: ignore[union-attr]
    assert client.complete("name", "A", prompt="greet") == ["Ann"]
    assert client.request("tools/list")["tools"][0]["name"] == "add"
    with pytest.raises(McpError, match="Unknown tool"):
        client.call_tool("ad")


async def test_the_plain_client_works_inside_an_async_test_too(mcp: Callable[..., SyncClient], server: Server) -> None:
    assert mcp(server).call_tool("add", {"a": 1, "b": 2}).data == 3


def test_with_closes_the_client_its_thread_and_the_servers_lifespan() -> None:
    happened: list[str] = []

    @asynccontextmanager
    async def lifespan(_: Server) -> AsyncIterator[None]:
        happened.append("open")
        yield
        happened.append("closed")

    server = Server("living", lifespan=lifespan)
    server.register_tool(lambda: "here", name="where")
    before = threading.active_count()
    with SyncClient(server) as client:
        client.call_tool("where")
        assert happened == ["open"]
        assert threading.active_count() > before
    assert happened == ["open", "closed"]
    assert not [thread for thread in threading.enumerate() if thread.name == "cloche-client"]
    client.close()
    with pytest.raises(LocalProtocolError, match="use `with SyncClient"):
        client.list_tools()


def test_a_server_that_is_not_there_leaves_no_thread() -> None:
    with pytest.raises(Exception, match="connects to a Server"):
        SyncClient("ftp://nowhere").connect()
    assert not [thread for thread in threading.enumerate() if thread.name == "cloche-client"]


def test_the_loop_does_not_wait_for_itself() -> None:
    background = BackgroundLoop()

    async def nested() -> None:
        background.run(nothing())

    async def nothing() -> None:
        return None

    with pytest.raises(LocalProtocolError, match="would wait for itself"):
        background.run(nested())
    background.close()
    background.close()
    with pytest.raises(LocalProtocolError, match="is closed"):
        background.run(nothing())
