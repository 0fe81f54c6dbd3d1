"""What HTTP says wrong becomes an answer that names it, and the transport goes on."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import httpx2
import pytest

from cloche.errors import ConfigurationError, ConnectError, ConnectionBrokenError, InvalidRequestError, McpError
from cloche.transports.http.client import HttpTransport
from cloche.wire.messages import encode_notification, encode_request
from tests.support.doors import AsgiDoor
from tests.transports.http.peers import Call, Scripted, calling, connected, modern


async def refusal_of(answer: Callable[[Call], Awaitable[None]], **options: Any) -> McpError:
    """The error that a request ends with."""
    async with calling(Scripted(answer), **options) as transport:
        with pytest.raises(McpError) as refused:
            await transport.request("ping")
        assert transport.is_connected
        return refused.value


STATUSES = [
    (400, "malformed"),
    (401, "authentication"),
    (403, "forbids"),
    (404, "no MCP server at this address"),
    (405, "takes no POST"),
    (413, "larger than the server reads"),
    (418, "refused"),
    (429, "fewer requests"),
    (500, "failed"),
    (502, "behind the proxy"),
    (503, "not available"),
    (599, "failed"),
]


@pytest.mark.parametrize(("status", "words"), STATUSES, ids=[str(status) for status, _ in STATUSES])
async def test_a_status_without_an_answer_is_explained(status: int, words: str) -> None:
    async def answer(call: Call) -> None:
        await call.reply(status, b"<html>" + b"x" * 10_000, content_type="text/html")

    error = await refusal_of(answer)
    assert words in error.message
    assert f"HTTP {status} from http://127.0.0.1:8000/mcp" in error.message
    assert error.data == {"reason": "refused", "status": status}
    assert "html" not in error.message


async def test_a_401_says_where_tokens_come_from() -> None:
    async def answer(call: Call) -> None:
        challenge = 'Bearer error="invalid_token", resource_metadata="https://example.com/.well-known/x", scope="a"'
        error = {"code": -32600, "message": "A bearer token is needed"}
        await call.json({"jsonrpc": "2.0", "id": None, "error": error}, status=401, www_authenticate=challenge)

    error = await refusal_of(answer)
    assert error.data == {
        "reason": "refused",
        "status": 401,
        "resourceMetadata": "https://example.com/.well-known/x",
    }
    assert error.message.endswith("A bearer token is needed")


DATE = "Wed, 21 Oct 2026 07:28:00 GMT"


@pytest.mark.parametrize(("said", "read"), [("17", 17), (DATE, DATE)], ids=["seconds", "date"])
async def test_a_429_says_when_to_come_back(said: str, read: object) -> None:
    error = await refusal_of(lambda call: call.reply(429, retry_after=said))
    assert error.data["retryAfter"] == read


@pytest.mark.parametrize("status", [400, 401, 403, 404, 500])
async def test_an_answer_in_the_body_of_a_refusal_is_delivered_as_it_is(status: int) -> None:
    async def answer(call: Call) -> None:
        error = {"code": -32055, "message": "Not on Mondays", "data": {"day": 1}}
        await call.json({"jsonrpc": "2.0", "id": call.message["id"], "error": error}, status=status)

    error = await refusal_of(answer)
    assert (error.code, error.message, error.data) == (-32055, "Not on Mondays", {"day": 1})


async def test_a_refusal_that_names_no_request_is_the_answer_too() -> None:
    async def answer(call: Call) -> None:
        error = {"code": -32600, "message": "The header Mcp-Session-Id is missing"}
        await call.json({"jsonrpc": "2.0", "id": None, "error": error}, status=400)

    error = await refusal_of(answer)
    assert isinstance(error, InvalidRequestError)
    assert "The header Mcp-Session-Id is missing" in error.message
    assert error.data["status"] == 400


BODIES: list[tuple[str, str, bytes, str]] = [
    ("html", "text/html", b"<p>Hello</p>", "'text/html', which is not MCP"),
    ("no type", "", b"{}", "without a type"),
    ("json lines", "application/jsonl", b"{}", "not MCP"),
    ("no json", "application/json", b"{", "not a JSON-RPC message"),
    ("no message", "application/json", b"{}", "not a JSON-RPC message"),
    ("nothing", "application/json", b"", "not a JSON-RPC message"),
    ("another id", "application/json", b'{"jsonrpc":"2.0","id":"other","result":{}}', "does not answer"),
    ("no id", "application/json", b'{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"Oh"}}', "Oh"),
    ("empty batch", "application/json", b"[]", "empty batch"),
    ("deep", "application/json", b'{"a":' * 5000, "not a JSON-RPC message"),
]


@pytest.mark.parametrize(("kind", "body", "words"), [case[1:] for case in BODIES], ids=[case[0] for case in BODIES])
async def test_an_answer_that_is_none_ends_the_request(kind: str, body: bytes, words: str) -> None:
    async def answer(call: Call) -> None:
        await call.reply(200, body, **({"content_type": kind} if kind else {}))

    assert words in (await refusal_of(answer)).message


async def test_a_stream_of_nothing_is_no_answer() -> None:
    body = b"data: {}\n\ndata: [1]\n\ndata: x\n\n"
    async with calling(Scripted(lambda call: call.reply(200, body, content_type="text/event-stream"))) as transport:
        with pytest.raises(ConnectionBrokenError, match="ended before the answer"):
            await transport.request("ping")


@pytest.mark.parametrize("status", [202, 204])
async def test_a_request_that_is_only_taken_is_not_answered(status: int) -> None:
    assert "without an answer" in (await refusal_of(lambda call: call.reply(status))).message


async def test_types_may_have_parameters_and_capitals() -> None:
    async def answer(call: Call) -> None:
        body = b'{"jsonrpc":"2.0","id":"request-1","result":{"fine":true}}'
        await call.reply(200, body, content_type="Application/JSON; charset=utf-8")

    async with calling(Scripted(answer)) as transport:
        assert await transport.request("ping", request_id="request-1") == {"fine": True}


# Connections


def unused_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


async def test_a_server_that_is_not_there_is_named_and_may_come_later() -> None:
    port = unused_port()
    async with connected(f"http://127.0.0.1:{port}/mcp?key=secret") as transport:
        for _ in range(2):
            with pytest.raises(ConnectError, match=f"^Cannot reach http://127.0.0.1:{port}/mcp: ") as refused:
                await transport.request("initialize", {})
            assert refused.value.code == "CONNECT_FAILED"
            assert "secret" not in str(refused.value)
        await transport.notify("notifications/nobody")  # there is nobody to tell, and nothing to raise
        assert transport.dropped == 1
        async with raw_server(answer_with(RESULT), port):
            assert await transport.request("ping", request_id=1) == {}


RESULT = b'{"jsonrpc":"2.0","id":1,"result":{}}'
HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: "

Serve = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


def answer_with(body: bytes) -> Serve:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"}")
        writer.write(HEAD + str(len(body)).encode() + b"\r\n\r\n" + body)

    return serve


@asynccontextmanager
async def raw_server(serve: Serve, port: int = 0) -> Any:
    """A server that writes what it likes; gives its port."""
    writers = []

    async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writers.append(writer)
        await serve(reader, writer)

    server = await asyncio.start_server(accept, "127.0.0.1", port)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        for writer in writers:
            writer.transport.abort()
        await server.wait_closed()


@pytest.mark.parametrize(
    "written",
    [
        b"",
        b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{",
        b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n5\r\ndata:",
        b"hello\r\n\r\n",
        b"HTTP/1.1 200 OK\r\ncontent-length: many\r\n\r\n",
    ],
    ids=["nothing", "half a body", "half a chunk", "no http", "no length"],
)
async def test_a_connection_that_breaks_ends_its_request(written: bytes) -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"}")
        writer.write(written)
        await writer.drain()
        writer.transport.close()

    async with raw_server(serve) as port, connected(f"http://127.0.0.1:{port}/") as transport:
        with pytest.raises(ConnectionBrokenError, match=r"broke before the answer|ended before the answer") as broke:
            await transport.request("ping")
        assert broke.value.code == "CONNECTION_BROKEN"
        assert transport.is_connected


async def test_a_connection_that_never_stands_is_given_up() -> None:
    with socket.create_server(("127.0.0.1", 0), backlog=0) as listener:
        port = listener.getsockname()[1]
        with socket.create_connection(("127.0.0.1", port)):  # the queue is full: further ones get no answer
            async with connected(f"http://127.0.0.1:{port}/", connect_timeout=0.2) as transport:
                with pytest.raises(ConnectError, match="no connection in time"):
                    await transport.request("ping")


async def test_what_nobody_waits_for_is_logged_when_it_fails(caplog: pytest.LogCaptureFixture) -> None:
    async with calling(Scripted(lambda call: call.reply(500))) as transport:
        await transport.send(encode_notification("notifications/x"))
        assert transport.dropped == 1
    assert "HTTP 500" in caplog.text


async def test_a_batch_that_fails_fails_for_each() -> None:
    async with calling(Scripted(lambda call: call.reply(500))) as transport:
        arrived: asyncio.Queue[bytes] = asyncio.Queue()
        transport.on_message(arrived.put_nowait)
        await transport.send(b"[" + b",".join(encode_request(number, "ping") for number in (7, 8)) + b"]")
        for _ in range(2):
            assert b"HTTP 500" in await arrived.get()


async def test_what_is_no_message_is_for_the_server_to_refuse() -> None:
    app = Scripted(lambda call: call.reply(400))
    async with calling(app) as transport:
        await transport.send(b"[1, 2]")
    assert app.calls[0].message == [1, 2]


@pytest.mark.parametrize("url", ["ftp://x/", "/mcp", "", "http://", "http://user:secret@example.com/", "http://[::1"])
def test_a_url_that_cannot_be_called_is_refused_at_once(url: str) -> None:
    with pytest.raises(ConfigurationError) as refused:
        HttpTransport(url)
    assert "secret" not in str(refused.value)


async def test_a_client_of_the_callers_own_stays_open() -> None:
    async def answer(call: Call) -> None:
        await call.result({"team": call.headers["x-team"]})

    async with httpx2.AsyncClient(transport=AsgiDoor(Scripted(answer)), headers={"X-Team": "kitchen"}) as http:
        for _ in range(2):
            transport = HttpTransport("http://127.0.0.1:8000/mcp", client=http)
            assert await transport.request("ping", modern()) == {"team": "kitchen"}
            await transport.close()
        assert not http.is_closed
