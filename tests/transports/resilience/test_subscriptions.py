"""`ResourceSubscriptions`: many listeners, one server subscription, and nobody is left in the dark."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest

from cloche import Client, Server
from cloche.errors import McpError, RemoteProtocolError, TransportClosedError
from cloche.transports.resilience import Reconnecting, ResourceSubscriptions
from tests.conftest import pending_tasks
from tests.support.resilience_peers import Gate, Naps, Silent, Wires, turns, until

URI = "note://1"


class Board:
    """A server with notes, that counts what it is asked."""

    def __init__(self) -> None:
        self.server = Server("board")
        self.text = "first"
        self.asked: list[str] = []
        self.refusing: set[str] = set()
        self.gate: asyncio.Event | None = None

        @self.server.resource("note://{number}")
        async def note(number: str) -> str:
            text = self.text
            if self.gate is not None:
                await self.gate.wait()
            return text

        @self.server.middleware
        async def count(message: Any, call_next: Callable[..., Any]) -> Any:
            if message.method.startswith(("resources/", "subscriptions/")):
                self.asked.append(message.method)
            if message.method in self.refusing:
                raise McpError(f"{message.method} is refused today", code=-32050)
            return await call_next(message)

    def change(self, text: str, uri: str = URI) -> None:
        self.text = text
        self.server.resource_updated(uri)


class Listener:
    """Remembers what it was told."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.errors: list[Exception] = []

    def on_change(self, uri: str, contents: list[Any]) -> None:
        (content,) = contents
        self.texts.append(content["text"] if isinstance(content, dict) else content.text)

    def on_error(self, error: Exception) -> None:
        self.errors.append(error)


@asynccontextmanager
async def bare(board: Board, **options: Any) -> AsyncIterator[tuple[Reconnecting, Wires]]:
    """A reconnecting transport of the handshake era, without a client."""
    wires = Wires(board.server)
    transport = Reconnecting(wires.open, **{"sleep": Naps(), **options})
    await transport.connect()
    try:
        yield transport, wires
    finally:
        await transport.close()
        await board.server.close()


@asynccontextmanager
async def through_client(board: Board, version: str, **options: Any) -> AsyncIterator[tuple[Client, Wires]]:
    wires = Wires(board.server, greeting=False)
    async with Client(Reconnecting(wires.open, **{"sleep": Naps(), **options}), version=version) as client:
        yield client, wires
    await board.server.close()


@asynccontextmanager
async def peer_of(kind: str, board: Board, **options: Any) -> AsyncIterator[tuple[Any, Wires]]:
    """The same connection, by hand or through a client of either era."""
    opened = bare(board, **options) if kind == "transport" else through_client(board, kind, **options)
    async with opened as pair:  # type: ignore[attr-defined]
        yield pair


KINDS = pytest.mark.parametrize("kind", ["transport", "2025-11-25", "2026-07-28"])


@KINDS
@pytest.mark.requirement(66)
async def test_a_change_is_read_and_delivered(kind: str) -> None:
    board, listener = Board(), Listener()
    async with peer_of(kind, board) as (peer, _), ResourceSubscriptions(peer) as subscriptions:
        subscription = await subscriptions.subscribe(URI, listener.on_change, listener.on_error)
        assert subscription.uri == URI
        board.change("second")
        await until(lambda: listener.texts)
        assert (listener.texts, listener.errors) == (["second"], [])


@pytest.mark.requirement(66)
async def test_one_server_subscription_and_one_read_for_many_listeners() -> None:
    board, listeners = Board(), [Listener() for _ in range(5)]
    async with bare(board) as (peer, _), ResourceSubscriptions(peer) as subscriptions:
        held = await asyncio.gather(*(subscriptions.subscribe(URI, one.on_change) for one in listeners))
        board.change("second")
        await until(lambda: all(one.texts for one in listeners))
        assert board.asked == ["resources/subscribe", "resources/read"]
        for subscription in held[:-1]:
            await subscription.unsubscribe()
        assert "resources/unsubscribe" not in board.asked
        await held[-1].unsubscribe()
        assert board.asked.count("resources/unsubscribe") == 1
        assert len(subscriptions) == 0


@KINDS
@pytest.mark.requirement(66)
async def test_the_last_unsubscribe_ends_it_at_the_server(kind: str) -> None:
    board, listener = Board(), Listener()
    async with peer_of(kind, board) as (peer, _), ResourceSubscriptions(peer) as subscriptions:
        subscription = await subscriptions.subscribe(URI, listener.on_change)
        await subscription.unsubscribe()
        await subscription.unsubscribe()
        heard: list[Any] = []
        peer.on_notification("notifications/resources/updated", heard.append)
        board.change("second")
        await turns(50)
        assert (listener.texts, heard) == ([], [])


async def test_a_listener_that_left_hears_nothing_of_a_read_under_way() -> None:
    board, stays, leaves = Board(), Listener(), Listener()
    async with bare(board) as (peer, _), ResourceSubscriptions(peer) as subscriptions:
        await subscriptions.subscribe(URI, stays.on_change)
        subscription = await subscriptions.subscribe(URI, leaves.on_change)
        board.gate = asyncio.Event()
        board.change("second")
        await until(lambda: "resources/read" in board.asked)
        await subscription.unsubscribe()
        board.gate.set()
        await until(lambda: stays.texts)
        assert leaves.texts == []


async def test_updates_during_a_read_are_joined_and_the_last_state_is_delivered() -> None:
    board, listener = Board(), Listener()
    async with bare(board) as (peer, _), ResourceSubscriptions(peer) as subscriptions:
        await subscriptions.subscribe(URI, listener.on_change)
        board.gate = asyncio.Event()
        board.change("2")
        await until(lambda: board.asked.count("resources/read") == 1)
        for number in range(3, 50):
            board.change(str(number))
        await turns(50)
        board.gate.set()
        await until(lambda: listener.texts[-1:] == ["49"])
        assert listener.texts == ["2", "49"]
        assert board.asked.count("resources/read") == 2


async def test_an_update_right_behind_the_answer_to_the_subscription_is_not_missed() -> None:
    peer, listener = Silent(), Listener()
    subscriptions = ResourceSubscriptions(peer.near)
    subscribing = asyncio.create_task(subscriptions.subscribe(URI, listener.on_change))
    await until(lambda: peer.heard)
    await peer.answer(result={})
    await peer.tell(method="notifications/resources/updated", params={"uri": URI})  # in the same turn of the loop
    await subscribing
    await until(lambda: peer.methods()[-1] == "resources/read")
    await peer.answer(result={"contents": [{"uri": URI, "text": "new"}]})
    await until(lambda: listener.texts == ["new"])
    await peer.near.close()


async def test_updates_of_other_resources_and_odd_ones_are_ignored() -> None:
    peer, listener = Silent(), Listener()
    subscriptions = ResourceSubscriptions(peer.near)
    subscribing = asyncio.create_task(subscriptions.subscribe(URI, listener.on_change))
    await until(lambda: peer.heard)
    await peer.answer(result={})
    await subscribing
    for params in ({"uri": "note://2"}, {"uri": 7}, {"uri": [URI]}, {}):
        await peer.tell(method="notifications/resources/updated", params=params)
    await turns()
    assert peer.methods() == ["resources/subscribe"]
    await peer.near.close()


async def test_a_subscription_that_is_refused_is_raised_and_leaves_nothing() -> None:
    board, listener = Board(), Listener()
    async with bare(board) as (peer, _), ResourceSubscriptions(peer) as subscriptions:
        board.refusing = {"resources/subscribe"}
        with pytest.raises(McpError, match="refused today"):
            await subscriptions.subscribe(URI, listener.on_change, listener.on_error)
        await turns()
        assert (len(subscriptions), listener.errors) == (0, [])
        board.refusing = set()
        await subscriptions.subscribe(URI, listener.on_change)
        board.change("second")
        await until(lambda: listener.texts == ["second"])


async def test_subscribing_and_unsubscribing_at_the_same_time_do_not_race() -> None:
    board = Board()
    async with bare(board) as (peer, _), ResourceSubscriptions(peer) as subscriptions:
        last = Listener()

        async def come_and_go(number: int) -> None:
            subscription = await subscriptions.subscribe(URI, Listener().on_change)
            for _ in range(number % 5):
                await asyncio.sleep(0)
            await subscription.unsubscribe()

        for _ in range(20):
            await asyncio.gather(*(come_and_go(number) for number in range(10)))
        await asyncio.gather(
            *(come_and_go(number) for number in range(10)), subscriptions.subscribe(URI, last.on_change)
        )
        balance = 0
        for method in board.asked:
            balance += {"resources/subscribe": 1, "resources/unsubscribe": -1}[method]
            assert balance in (0, 1), board.asked
        assert balance == 1
        board.change("heard")
        await until(lambda: last.texts == ["heard"])


async def test_a_subscriber_that_comes_during_the_last_unsubscribe_is_subscribed() -> None:
    peer, listener = Silent(), Listener()
    subscriptions = ResourceSubscriptions(peer.near)
    first = asyncio.create_task(subscriptions.subscribe(URI, Listener().on_change))
    await until(lambda: peer.heard)
    await peer.answer(result={})
    leaving = asyncio.create_task((await first).unsubscribe())
    await until(lambda: peer.methods()[-1] == "resources/unsubscribe")
    second = asyncio.create_task(subscriptions.subscribe(URI, listener.on_change))
    await turns()
    assert peer.methods() == ["resources/subscribe", "resources/unsubscribe"]  # not before that is answered
    await peer.answer(result={})
    await leaving
    await until(lambda: len(peer.heard) == 3)
    await peer.answer(result={})
    await second
    assert peer.methods() == ["resources/subscribe", "resources/unsubscribe", "resources/subscribe"]
    await peer.near.close()


async def test_a_subscriber_that_gives_up_leaves_nothing_at_the_server() -> None:
    peer = Silent()
    subscriptions = ResourceSubscriptions(peer.near)
    subscribing = asyncio.create_task(subscriptions.subscribe(URI, Listener().on_change))
    await until(lambda: peer.heard)
    subscribing.cancel()
    await asyncio.gather(subscribing, return_exceptions=True)
    await until(lambda: peer.methods() == ["resources/subscribe", "resources/unsubscribe"])
    await peer.answer(result={})
    await until(lambda: len(subscriptions) == 0)
    await peer.near.close()


@KINDS
@pytest.mark.requirement(66)
async def test_on_error_is_called_when_the_read_fails_and_the_next_change_is_delivered(kind: str) -> None:
    board, listener = Board(), Listener()
    async with peer_of(kind, board) as (peer, _), ResourceSubscriptions(peer) as subscriptions:
        await subscriptions.subscribe(URI, listener.on_change, listener.on_error)
        board.refusing = {"resources/read"}
        board.change("second")
        await until(lambda: listener.errors)
        assert str(listener.errors[0]) == "resources/read is refused today"
        board.refusing = set()
        board.change("third")
        await until(lambda: listener.texts == ["third"])
        assert len(listener.errors) == 1


async def test_on_error_is_called_when_the_answer_makes_no_sense() -> None:
    peer, listener = Silent(), Listener()
    subscriptions = ResourceSubscriptions(peer.near)
    subscribing = asyncio.create_task(subscriptions.subscribe(URI, listener.on_change, listener.on_error))
    await until(lambda: peer.heard)
    await peer.answer(result={})
    await subscribing
    await peer.tell(method="notifications/resources/updated", params={"uri": URI})
    await until(lambda: len(peer.heard) == 2)
    await peer.answer(result=["?"])
    await until(lambda: listener.errors)
    assert isinstance(listener.errors[0], RemoteProtocolError)
    await peer.near.close()


@KINDS
@pytest.mark.requirement(66)
async def test_on_error_is_called_when_the_connection_closes_for_good(kind: str) -> None:
    board, listener, without = Board(), Listener(), Listener()
    async with peer_of(kind, board, max_attempts=0) as (peer, wires):
        subscriptions = ResourceSubscriptions(peer)
        subscription = await subscriptions.subscribe(URI, listener.on_change, listener.on_error)
        await subscriptions.subscribe(URI, without.on_change)
        await wires.cut()
        await until(lambda: listener.errors)
        assert [type(error) for error in listener.errors] == [TransportClosedError]
        await subscription.unsubscribe()
        with pytest.raises(TransportClosedError):
            await subscriptions.subscribe(URI, listener.on_change)
        await subscriptions.close()


async def test_on_error_is_called_once_when_the_connection_closes_during_a_read() -> None:
    board, listener = Board(), Listener()
    async with bare(board, max_attempts=0) as (peer, wires):
        subscriptions = ResourceSubscriptions(peer)
        await subscriptions.subscribe(URI, listener.on_change, listener.on_error)
        board.gate = asyncio.Event()
        board.change("second")
        await until(lambda: "resources/read" in board.asked)
        await wires.cut()
        await until(lambda: listener.errors)
        await turns()
        assert [type(error) for error in listener.errors] == [TransportClosedError]


@KINDS
@pytest.mark.requirement(66)
async def test_on_error_is_called_when_the_subscription_after_a_reconnect_fails(kind: str) -> None:
    board, listener = Board(), Listener()
    async with peer_of(kind, board) as (peer, wires), ResourceSubscriptions(peer) as subscriptions:
        await subscriptions.subscribe(URI, listener.on_change, listener.on_error)
        board.refusing = {"resources/subscribe", "subscriptions/listen"}
        await wires.cut()
        await until(lambda: listener.errors)
        board.refusing = set()
        if kind == "2026-07-28":
            # There one stream carries all subscriptions: a server that refuses it ends the client's connection.
            assert isinstance(listener.errors[0], TransportClosedError)
        else:
            assert "resources/subscribe is refused today" in str(listener.errors[0])
            assert peer.is_connected


@KINDS
@pytest.mark.requirement(62, 66)
async def test_after_a_reconnect_the_missed_change_is_delivered_and_the_next_one_too(kind: str) -> None:
    board, listener, gate = Board(), Listener(), Gate()
    async with peer_of(kind, board, sleep=gate) as (peer, wires), ResourceSubscriptions(peer) as subscriptions:
        await subscriptions.subscribe(URI, listener.on_change, listener.on_error)
        await wires.cut()
        board.change("while nobody was there")
        await gate.open()
        await until(lambda: listener.texts == ["while nobody was there"])
        board.change("after")
        await until(lambda: listener.texts[-1:] == ["after"])
        assert listener.errors == []


async def test_after_a_reconnect_each_resource_is_subscribed_once() -> None:
    board = Board()
    uris = [f"note://{number}" for number in range(300)]  # more than a server takes at a time
    async with bare(board) as (peer, wires), ResourceSubscriptions(peer) as subscriptions:
        told: list[str] = []
        errors: list[Exception] = []
        for uri in uris:
            await subscriptions.subscribe(uri, lambda uri, _: told.append(uri), errors.append)
        board.asked.clear()
        await wires.cut()
        await until(lambda: len(told) == len(uris))
        assert (board.asked.count("resources/subscribe"), errors) == (len(uris), [])
        assert sorted(told) == sorted(uris)


@KINDS
async def test_subscribing_while_there_is_no_connection_waits_for_one(kind: str) -> None:
    board, listener, gate = Board(), Listener(), Gate()
    async with peer_of(kind, board, sleep=gate) as (peer, wires), ResourceSubscriptions(peer) as subscriptions:
        await wires.cut()
        subscribing = asyncio.create_task(subscriptions.subscribe(URI, listener.on_change, listener.on_error))
        await turns()
        assert not subscribing.done()
        await gate.open()
        await asyncio.wait_for(subscribing, 2)
        board.change("second")
        await until(lambda: listener.texts[-1:] == ["second"])
        if kind != "2026-07-28":
            assert board.asked.count("resources/subscribe") == 1


@KINDS
async def test_unsubscribing_while_there_is_no_connection_does_not_wait(kind: str) -> None:
    board, listener, gate = Board(), Listener(), Gate()
    async with peer_of(kind, board, sleep=gate) as (peer, wires), ResourceSubscriptions(peer) as subscriptions:
        subscription = await subscriptions.subscribe(URI, listener.on_change)
        await wires.cut()
        board.asked.clear()
        await asyncio.wait_for(subscription.unsubscribe(), 2)
        await gate.open()
        await until(lambda: peer.is_connected)
        await turns(50)
        board.change("second")
        await turns(50)
        assert (board.asked, listener.texts, len(subscriptions)) == ([], [], 0)


async def test_a_listener_that_fails_does_not_disturb_the_others(caplog: pytest.LogCaptureFixture) -> None:
    board, listener = Board(), Listener()

    def fail(*_: Any) -> None:
        raise RuntimeError("from a listener")

    with caplog.at_level(logging.ERROR, "cloche.transports"):
        async with bare(board) as (peer, _), ResourceSubscriptions(peer) as subscriptions:
            await subscriptions.subscribe(URI, fail, fail)
            await subscriptions.subscribe(URI, listener.on_change, listener.on_error)
            board.change("second")
            await until(lambda: listener.texts == ["second"])
            board.refusing = {"resources/read"}
            board.change("third")
            await until(lambda: listener.errors)
    assert caplog.text.count("RuntimeError: from a listener") == 2


@KINDS
async def test_close_unsubscribes_everything_and_leaves_no_task(kind: str) -> None:
    board, listener = Board(), Listener()
    async with peer_of(kind, board) as (peer, _):
        idle = len(pending_tasks())
        subscriptions = ResourceSubscriptions(peer)
        for number in range(3):
            await subscriptions.subscribe(f"note://{number}", listener.on_change, listener.on_error)
        board.gate = asyncio.Event()
        board.change("second")
        await until(lambda: "resources/read" in board.asked)
        await subscriptions.close()
        await subscriptions.close()
        if kind != "2026-07-28":
            assert board.asked.count("resources/unsubscribe") == 3
        board.gate.set()
        await until(lambda: len(pending_tasks()) <= idle)
        board.change("third")
        await turns(50)
        assert (listener.texts, listener.errors) == ([], [])
        with pytest.raises(TransportClosedError):
            await subscriptions.subscribe(URI, listener.on_change)


async def test_a_subscription_under_way_when_it_is_closed_is_taken_back() -> None:
    peer = Silent()
    subscriptions = ResourceSubscriptions(peer.near)
    subscribing = asyncio.create_task(subscriptions.subscribe(URI, Listener().on_change))
    await until(lambda: peer.heard)
    closing = asyncio.create_task(subscriptions.close())
    await turns()
    await peer.answer(result={})
    with pytest.raises(TransportClosedError):
        await subscribing
    await until(lambda: peer.methods()[-1] == "resources/unsubscribe")
    await peer.answer(result={})
    await closing
    await peer.near.close()


async def test_on_a_closed_transport_subscribing_says_so() -> None:
    peer = Silent()
    await peer.near.close()
    with pytest.raises(TransportClosedError):
        await ResourceSubscriptions(peer.near).subscribe(URI, Listener().on_change)
