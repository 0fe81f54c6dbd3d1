"""Cancellation: tokens, and requests that can be given up."""

from __future__ import annotations

import asyncio
import gc
import logging

import pytest

from cloche import Client, Context, Server
from cloche.errors import McpError, RequestCancelledError, RequestTimeoutError, TransportClosedError
from cloche.transports.base import Transport
from cloche.transports.resilience import CancellationTokenSource, Reconnecting, cancellable_request
from tests.conftest import pending_tasks
from tests.support.resilience_peers import Gate, Silent, Wires, turns, until


@pytest.mark.requirement(65)
def test_the_token_is_live() -> None:
    source = CancellationTokenSource()
    token = source.token
    assert not token.is_cancelled
    source.cancel("enough")
    assert (token.is_cancelled, token.reason) == (True, "enough")
    assert source.token is token


@pytest.mark.requirement(65)
def test_listeners_fire_once() -> None:
    source, told = CancellationTokenSource(), []
    source.token.on_cancel(lambda: told.append(1))
    source.cancel()
    source.cancel()
    assert told == [1]


@pytest.mark.requirement(65)
def test_late_listeners_fire_at_once_and_once() -> None:
    source, told = CancellationTokenSource(), []
    source.cancel()
    unsubscribe = source.token.on_cancel(lambda: told.append(1))
    assert told == [1]
    unsubscribe()
    source.cancel()
    assert told == [1]


@pytest.mark.requirement(65)
def test_a_listener_that_unsubscribed_does_not_fire() -> None:
    source, told = CancellationTokenSource(), []
    unsubscribe = source.token.on_cancel(lambda: told.append(1))
    unsubscribe()
    unsubscribe()
    source.cancel()
    assert told == []


def test_a_listener_may_take_out_the_next_one() -> None:
    source, told = CancellationTokenSource(), []

    def take_out_the_next() -> None:
        second()

    source.token.on_cancel(take_out_the_next)
    second = source.token.on_cancel(lambda: told.append(2))
    source.cancel()
    assert told == []


def test_a_listener_that_comes_while_others_are_told_fires_once() -> None:
    source, told = CancellationTokenSource(), []
    source.token.on_cancel(lambda: source.token.on_cancel(lambda: told.append(1)))
    source.cancel()
    assert told == [1]


def test_a_listener_that_fails_does_not_stop_the_others(caplog: pytest.LogCaptureFixture) -> None:
    source, told = CancellationTokenSource(), []

    def fail() -> None:
        raise RuntimeError("from a listener")

    source.token.on_cancel(fail)
    source.token.on_cancel(lambda: told.append(1))
    with caplog.at_level(logging.ERROR, "cloche.transports"):
        source.cancel()
        source.token.on_cancel(fail)
    assert told == [1]
    assert caplog.text.count("RuntimeError: from a listener") == 2


async def test_a_request_that_is_not_cancelled_gives_its_result() -> None:
    peer = Silent()
    request = cancellable_request(peer.near, "tools/list", {"cursor": "x"})
    await until(lambda: peer.heard)
    assert peer.heard[0]["params"] == {"cursor": "x"}
    await peer.answer(result={"tools": []})
    assert await request == {"tools": []}
    assert await request.result == {"tools": []}
    assert not pending_tasks()


async def test_an_error_that_is_answered_is_raised() -> None:
    peer = Silent()
    request = cancellable_request(peer.near, "tools/list")
    await until(lambda: peer.heard)
    await peer.answer(error={"code": -32000, "message": "no"})
    with pytest.raises(McpError, match="no"):
        await request


@pytest.mark.requirement(65, 189)
async def test_cancel_tells_the_server_and_raises_at_once() -> None:
    peer = Silent()
    request = cancellable_request(peer.near, "tools/call", {"name": "slow"})
    await until(lambda: peer.heard)
    request.cancel("no longer needed")
    with pytest.raises(RequestCancelledError) as caught:
        await request
    assert (caught.value.request_id, caught.value.code) == (request.id, "REQUEST_CANCELLED")
    await until(lambda: len(peer.heard) == 2)
    assert peer.heard[1] == {
        "jsonrpc": "2.0",
        "method": "notifications/cancelled",
        "params": {"requestId": request.id, "reason": "no longer needed"},
    }
    assert peer.heard[0]["id"] == request.id


async def test_cancelling_twice_tells_once() -> None:
    peer = Silent()
    request = cancellable_request(peer.near, "tools/list")
    await until(lambda: peer.heard)
    request.cancel()
    request.cancel()
    await turns()
    assert peer.methods() == ["tools/list", "notifications/cancelled"]


@pytest.mark.requirement(65)
async def test_cancel_after_the_answer_does_nothing() -> None:
    peer = Silent()
    request = cancellable_request(peer.near, "tools/list")
    await until(lambda: peer.heard)
    await peer.answer(result={"tools": []})
    request.cancel()  # not even a turn of the loop after it arrived
    assert await request == {"tools": []}
    request.cancel()
    await turns()
    assert peer.methods() == ["tools/list"]


async def test_an_answer_after_the_cancellation_is_dropped() -> None:
    peer = Silent()
    request = cancellable_request(peer.near, "tools/list")
    await until(lambda: peer.heard)
    request.cancel()
    await peer.answer(0, result={"tools": []})
    with pytest.raises(RequestCancelledError):
        await request
    assert peer.near._read_answers().stray == 1


@pytest.mark.requirement(65)
async def test_a_token_cancels_the_requests_that_were_given_it() -> None:
    peer, source = Silent(), CancellationTokenSource()
    requests = [cancellable_request(peer.near, "tools/list", token=source.token) for _ in range(3)]
    await until(lambda: len(peer.heard) == 3)
    source.cancel("the page was left")
    for request in requests:
        with pytest.raises(RequestCancelledError):
            await request
    await turns()
    assert [message["params"]["reason"] for message in peer.heard[3:]] == ["the page was left"] * 3


async def test_a_token_that_is_cancelled_already_sends_nothing() -> None:
    peer, source = Silent(), CancellationTokenSource()
    source.cancel()
    request = cancellable_request(peer.near, "tools/list", token=source.token)
    with pytest.raises(RequestCancelledError):
        await request
    await turns()
    assert peer.heard == []


async def test_a_request_that_is_over_no_longer_listens_to_its_token() -> None:
    peer, source = Silent(), CancellationTokenSource()
    request = cancellable_request(peer.near, "tools/list", token=source.token)
    await until(lambda: peer.heard)
    await peer.answer(result={})
    await request
    assert len(source.token._listeners) == 0


@pytest.mark.requirement(29)
async def test_a_request_without_an_answer_times_out_and_the_server_is_told() -> None:
    peer = Silent()
    with pytest.raises(RequestTimeoutError):
        await cancellable_request(peer.near, "tools/list", timeout=0.005)
    await until(lambda: len(peer.heard) == 2)
    assert peer.heard[1]["params"]["reason"] == "timed out"
    assert len(peer.near._read_answers()) == 0


async def test_a_task_that_is_cancelled_while_it_waits_cancels_the_request() -> None:
    peer = Silent()

    async def wait() -> None:
        await cancellable_request(peer.near, "tools/list")

    task = asyncio.create_task(wait())
    await until(lambda: peer.heard)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await until(lambda: len(peer.heard) == 2)
    assert peer.methods()[1] == "notifications/cancelled"
    assert len(peer.near._read_answers()) == 0


@pytest.mark.requirement(30)
async def test_the_end_of_the_connection_ends_it_and_nobody_is_told() -> None:
    peer = Silent()
    request = cancellable_request(peer.near, "tools/list")
    await until(lambda: peer.heard)
    await peer.far.close()
    with pytest.raises(TransportClosedError):
        await request
    request.cancel()
    await turns()
    assert not pending_tasks()


async def test_a_closed_transport_is_said() -> None:
    peer = Silent()
    await peer.near.close()
    with pytest.raises(TransportClosedError):
        await cancellable_request(peer.near, "tools/list")


async def test_initialize_is_given_up_but_never_cancelled_at_the_server() -> None:
    peer = Silent()
    request = cancellable_request(peer.near, "initialize", {})
    await until(lambda: peer.heard)
    request.cancel()
    with pytest.raises(RequestCancelledError):
        await request
    await turns()
    assert peer.methods() == ["initialize"]


async def test_a_cancelled_request_that_nobody_awaits_is_not_reported(caplog: pytest.LogCaptureFixture) -> None:
    peer = Silent()
    request = cancellable_request(peer.near, "tools/list")
    await until(lambda: peer.heard)
    request.cancel()
    await turns()
    del request
    gc.collect()
    assert caplog.text == ""


async def test_while_there_is_no_connection_a_cancelled_request_is_never_sent() -> None:
    server, gate = Server("s"), Gate()
    wires = Wires(server)
    transport = Reconnecting(wires.open, sleep=gate)
    await transport.connect()
    await wires.cut()
    request = cancellable_request(transport, "tools/list")
    await turns()
    request.cancel()
    with pytest.raises(RequestCancelledError):
        await request
    heard: list[bytes] = []
    await gate.open()
    await until(lambda: transport.is_connected)
    wires.theirs[-1].on_message(heard.append)
    await turns()
    assert heard == []
    await transport.close()
    await server.close()


async def test_a_request_that_failed_before_it_was_sent_is_not_sent_later() -> None:
    """It waits for a connection; the next one is lost at once, which fails it; it must not go out over a third."""
    silents, gate = [Silent(), Silent(), Silent()], Gate()
    made = iter(silents)

    async def open_next() -> Transport:
        return next(made).near

    transport = Reconnecting(open_next, sleep=gate)
    await transport.connect()
    transport.drop()
    request = cancellable_request(transport, "tools/call", {"name": "pay"})
    await turns()
    stop = transport.on_restored(transport.drop)
    await gate.open()
    with pytest.raises(TransportClosedError):
        await request
    stop()
    await gate.open()
    await until(lambda: transport.is_connected)
    await turns()
    assert [silent.heard for silent in silents] == [[], [], []]
    await transport.close()


def waiting_server() -> tuple[Server, list[str]]:
    server, log = Server("s"), []

    @server.tool
    async def wait(ctx: Context) -> str:
        log.append("begun")
        try:
            await asyncio.get_running_loop().create_future()
        finally:
            log.append("cancelled")
        return ""

    return server, log


@pytest.mark.requirement(65)
async def test_the_tool_really_stops() -> None:
    server, log = waiting_server()
    transport = await Wires(server).open()
    request = cancellable_request(transport, "tools/call", {"name": "wait", "arguments": {}})
    await until(lambda: log)
    request.cancel()
    with pytest.raises(RequestCancelledError):
        await request
    await until(lambda: log == ["begun", "cancelled"])
    await server.close()


@pytest.mark.requirement(65)
async def test_the_server_accepts_the_spelling_of_the_source_documents() -> None:
    server, log = waiting_server()
    transport = await Wires(server).open()
    call = transport.request("tools/call", {"name": "wait", "arguments": {}}, request_id="mine")
    task = asyncio.create_task(call)
    await until(lambda: log)
    await transport.notify("$/cancelRequest", {"id": "mine"})
    await until(lambda: log == ["begun", "cancelled"])
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    await server.close()


@pytest.mark.requirement(65)
@pytest.mark.parametrize("version", ["2025-11-25", "2026-07-28"])
async def test_a_client_takes_the_token_in_either_era(version: str) -> None:
    server, log = waiting_server()
    source = CancellationTokenSource()
    async with Client(server, version=version) as client:
        call = asyncio.create_task(client.call_tool("wait", token=source.token))
        await until(lambda: log)
        source.cancel()
        with pytest.raises(RequestCancelledError):
            await call
        await until(lambda: log == ["begun", "cancelled"])
