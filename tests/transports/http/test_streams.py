"""Streams that break: the server's own is opened again, and an answer is fetched where its stream left off."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from cloche.errors import ConnectionBrokenError, McpError, TransportClosedError
from cloche.transports.http.resumption import LONGEST_RETRY, MAX_FAILURES, RETRY_SECONDS, SHORTEST_RETRY, delay
from cloche.transports.http.sse_reader import Place
from tests.support.doors import serving
from tests.support.everything import build
from tests.transports.http.peers import Call, Heard, Scripted, begin, calling, connected, shake_hands, tool

FAST = b"retry: 1\n\n"


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cloche.transports.http.resumption.RETRY_SECONDS", 0.01)
    monkeypatch.setattr("cloche.transports.http.resumption.SHORTEST_RETRY", 0.001)


def note(number: int) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "method": "notifications/x", "params": {"number": number}}


async def test_the_stream_is_opened_again_where_it_left_off() -> None:
    opened: list[str | None] = []

    async def script(call: Call) -> None:
        if await shake_hands(call):
            return
        opened.append(call.headers.get("last-event-id"))
        await call.events()
        await call.write(FAST)
        await call.event(note(len(opened)), event_id=f"e{len(opened)}")
        if len(opened) == 3:
            await call.hang_up_of_client()
        await call.end()

    async with calling(Scripted(script)) as transport:
        heard = Heard(transport, "notifications/x")
        await begin(transport)
        assert [(await heard.next())["number"] for _ in range(3)] == [1, 2, 3]
    assert opened == [None, "e1", "e2"]


async def test_a_server_without_such_a_stream_is_asked_once() -> None:
    asked = asyncio.Event()

    async def script(call: Call) -> None:
        if await shake_hands(call):
            return
        if call.method == "GET":
            await call.reply(405)
            asked.set()
        else:
            await call.result({})

    app = Scripted(script)
    async with calling(app) as transport:
        await begin(transport)
        await asked.wait()
        for _ in range(5):
            await transport.request("ping")
    assert [call.method for call in app.calls].count("GET") == 1


@pytest.mark.usefixtures("impatient")
async def test_a_stream_that_was_given_up_is_tried_again_when_the_server_is_back(
    caplog: pytest.LogCaptureFixture,
) -> None:
    is_ill, tries, gave_up = True, 0, asyncio.Event()

    async def script(call: Call) -> None:
        nonlocal tries
        if await shake_hands(call):
            return
        if call.method == "POST":
            await call.result({})
        elif is_ill:
            tries += 1
            await call.reply(503)
            if tries > MAX_FAILURES:
                gave_up.set()
        else:
            await call.events()
            await call.event(note(1))
            await call.hang_up_of_client()

    async with calling(Scripted(script)) as transport:
        heard = Heard(transport, "notifications/x")
        await begin(transport)
        await gave_up.wait()
        listener = transport._listener
        assert listener is not None
        await asyncio.wait({listener})
        assert tries == MAX_FAILURES + 1
        assert "could not be resumed" in caplog.text
        is_ill = False
        await transport.request("ping")
        assert (await heard.next())["number"] == 1


async def test_a_session_that_is_gone_for_the_stream_is_gone() -> None:
    async def script(call: Call) -> None:
        if not await shake_hands(call):
            await call.reply(404)

    async with calling(Scripted(script)) as transport:
        ended = asyncio.Event()
        transport.on_close(ended.set)
        await begin(transport)
        await ended.wait()
        with pytest.raises(TransportClosedError):
            await transport.request("ping")


# Answers


@pytest.mark.parametrize("breaks", [1, 3])
async def test_an_answer_is_fetched_where_its_stream_broke(breaks: int) -> None:
    fetched: list[str | None] = []

    async def script(call: Call) -> None:
        if await shake_hands(call):
            return
        if call.method == "POST":
            await call.events()
            await call.write(b"retry: 1\nid: p0\ndata:\n\n")
            await call.event(note(0), event_id="p1")
        elif "last-event-id" not in call.headers:
            await call.reply(405)
            return
        else:
            fetched.append(call.headers["last-event-id"])
            await call.events()
            await call.event(note(len(fetched)), event_id=f"p{len(fetched) + 1}")
            if len(fetched) == breaks:
                await call.event({"jsonrpc": "2.0", "id": "a", "result": {"late": True}}, event_id="p9")
        await call.end()

    async with calling(Scripted(script)) as transport:
        heard = Heard(transport, "notifications/x")
        await begin(transport)
        assert await transport.request("tools/call", {}, request_id="a") == {"late": True}
        assert [params["number"] for params in heard.all()] == list(range(breaks + 1))
    assert fetched == [f"p{number + 1}" for number in range(breaks)]


async def test_a_connection_that_is_reset_is_resumed_from_our_own_server() -> None:
    """A proxy in between cuts the stream; the server goes on, and has the rest when the client comes back."""
    with serving(build().asgi(path="/mcp")) as origin:
        host = origin.removeprefix("http://")
        proxy = CuttingProxy(int(host.rpartition(":")[2]))
        async with proxy as proxied, connected(f"http://127.0.0.1:{proxied}/mcp", headers={"host": host}) as transport:
            await begin(transport)
            heard = Heard(transport, "notifications/progress")
            params = {**tool("pause", key="go"), "_meta": {"progressToken": 1}}
            answer = asyncio.ensure_future(transport.request("tools/call", params))
            assert (await heard.next())["message"] == "waiting"
            proxy.cut()
            await transport.request("tools/call", tool("note", what="go"))
            assert (await answer)["content"][0]["text"] == "went on"
            assert (await heard.next())["message"] == "going on"
            assert proxy.cuts == 1


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("status", [503, 400])
async def test_an_answer_that_cannot_be_fetched_is_an_error(status: int) -> None:
    tries = 0

    async def script(call: Call) -> None:
        nonlocal tries
        if await shake_hands(call):
            return
        if call.method == "POST":
            await call.events()
            await call.event(note(0), event_id="p1")
            await call.end()
        elif "last-event-id" in call.headers:
            tries += 1
            await call.reply(status)
        else:
            await call.reply(405)

    async with calling(Scripted(script)) as transport:
        await begin(transport)
        kind, text = (ConnectionBrokenError, "could not be resumed") if status == 503 else (McpError, "HTTP 400")
        with pytest.raises(kind, match=text):
            await transport.request("tools/call", {})
    assert tries == (MAX_FAILURES + 1 if status == 503 else 1)


async def test_a_stream_without_ids_cannot_be_resumed() -> None:
    async def script(call: Call) -> None:
        await call.events()
        await call.event(note(0))
        await call.end()

    app = Scripted(script)
    async with calling(app) as transport:
        with pytest.raises(ConnectionBrokenError, match="ended before the answer"):
            await transport.request("tools/call", {})
    assert len(app.calls) == 1


async def test_a_stream_that_stays_open_after_its_answer_is_hung_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cloche.transports.http.posts.LINGER_SECONDS", 0.01)
    hung_up = asyncio.Event()

    async def script(call: Call) -> None:
        await call.events()
        await call.event({"jsonrpc": "2.0", "id": call.message["id"], "result": {}})
        await call.hang_up_of_client()
        hung_up.set()

    async with calling(Scripted(script)) as transport:
        await transport.request("ping")
        await hung_up.wait()


def test_waits_grow_and_are_bounded() -> None:
    place = Place()
    assert [delay(place, failures) for failures in range(3)] == [RETRY_SECONDS, 2 * RETRY_SECONDS, 4 * RETRY_SECONDS]
    assert delay(place, 50) == LONGEST_RETRY
    place.retry = 0.0
    assert delay(place, 0) == SHORTEST_RETRY
    place.retry = 999_999.0
    assert delay(place, 0) == LONGEST_RETRY


# A proxy that cuts connections


class CuttingProxy:
    """Passes bytes on to a port; `cut()` resets every connection through which an event stream comes."""

    def __init__(self, port: int) -> None:
        self._port = port
        self.cuts = 0
        self._streams: list[asyncio.StreamWriter] = []
        self._tasks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> int:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        return int(self._server.sockets[0].getsockname()[1])

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._server.wait_closed()

    def cut(self) -> None:
        self.cuts += len(self._streams)
        for writer in self._streams:
            writer.transport.abort()
        self._streams.clear()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        upstream_reader, upstream_writer = await asyncio.open_connection("127.0.0.1", self._port)
        for source, target in ((reader, upstream_writer), (upstream_reader, writer)):
            task = asyncio.ensure_future(self._pass_on(source, target, writer))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _pass_on(
        self, source: asyncio.StreamReader, target: asyncio.StreamWriter, client: asyncio.StreamWriter
    ) -> None:
        try:
            while data := await source.read(65536):
                if target is client and b"progress" in data:
                    self._streams.append(client)
                target.write(data)
                await target.drain()
        except (ConnectionError, asyncio.CancelledError):
            pass
        finally:
            target.close()
