"""The host's side of a view, without I/O: any order of messages keeps to the table, strict and lenient."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest

from cloche.errors import InvalidRequestError, LocalProtocolError, McpError, MethodNotFoundError
from cloche.wire.apps.lifecycle import (
    CANCELLED,
    DELIVERIES,
    INPUT,
    PARTIAL,
    RESULT,
    TRANSITIONS,
    CallPhase,
    ViewEvent,
    ViewPhase,
    ViewState,
    next_call_phase,
    next_phase,
)
from cloche.wire.apps.methods import LEGACY, TO_HOST, Dialect
from cloche.wire.apps.peer import ViewPeer
from cloche.wire.apps.peer_events import (
    Answered,
    Asked,
    Breach,
    Cancelled,
    Initialized,
    OutOfOrder,
    PeerLimits,
    Refused,
    Stray,
    Told,
)

LIMITS = PeerLimits(rate=10, burst=5, refusals=3, pending=2, queued=3)
APP = {"appInfo": {"name": "a", "version": "1"}, "appCapabilities": {}, "protocolVersion": "2026-01-26"}
BOTH = pytest.mark.parametrize("strict", [True, False], ids=["strict", "lenient"])


def message(method: str | None = None, key: Any = None, **rest: Any) -> dict[str, Any]:
    found = {"jsonrpc": "2.0", **({} if method is None else {"method": method}), **rest}
    return found if key is None else {**found, "id": key}


def peer_of(strict: bool = False, **options: Any) -> ViewPeer:
    return ViewPeer("p", 0.0, strict=strict, **options)


def ready(strict: bool = False, **options: Any) -> ViewPeer:
    peer = peer_of(strict, **options)
    peer.receive(message("ui/initialize", 0, params=APP), 0.0)
    peer.answer(0, {})
    assert peer.receive(message("ui/notifications/initialized"), 0.0) == [Initialized()]
    peer.take_outbox()
    return peer


# The tables


def test_every_phase_says_what_becomes_of_every_event() -> None:
    assert set(TRANSITIONS) == set(ViewPhase)
    for phase, row in TRANSITIONS.items():
        assert set(row) == set(ViewEvent), phase


def test_the_strict_column_allows_nothing_that_the_lenient_one_refuses() -> None:
    for row in TRANSITIONS.values():
        for step in row.values():
            assert step.strict is None or step.strict == step.lenient
    for deliveries in DELIVERIES.values():
        for step in deliveries.values():
            assert step.strict is None or step.strict == step.lenient


def test_no_way_leads_back_and_every_phase_ends() -> None:
    order = list(ViewPhase)
    for phase, row in TRANSITIONS.items():
        assert row[ViewEvent.CLOSE].strict is row[ViewEvent.CLOSE].lenient is ViewPhase.CLOSED
        assert all(order.index(after) >= order.index(phase) for step in row.values() for after in step if after)


@BOTH
def test_what_is_refused_says_why(strict: bool) -> None:
    with pytest.raises(InvalidRequestError, match="a view says it once"):
        next_phase(ViewPhase.INITIALIZED, ViewEvent.INITIALIZE, strict=strict)
    awaited = "ui/notifications/initialized" if strict else "ui/initialize"
    with pytest.raises(InvalidRequestError, match=f"tools/call came before {awaited}"):
        next_phase(ViewPhase.LOADING, ViewEvent.REQUEST, strict=strict, method="tools/call")


@BOTH
def test_a_call_is_told_in_order(strict: bool) -> None:
    state = CallPhase.NOTHING
    assert next_call_phase(state, RESULT, strict=strict) is None
    for method in (PARTIAL, PARTIAL, INPUT):
        after = next_call_phase(state, method, strict=strict)
        assert after is not None
        state = after
    assert next_call_phase(state, PARTIAL, strict=strict) is next_call_phase(state, INPUT, strict=strict) is None
    for end in (RESULT, CANCELLED):
        assert next_call_phase(state, end, strict=strict) is CallPhase.OVER
    assert (next_call_phase(CallPhase.NOTHING, CANCELLED, strict=strict) is None) is strict


# The peer


METHODS = [*TO_HOST, *LEGACY, "nothing", "ui/notifications/nothing"]


def random_message(chance: random.Random, number: int) -> Any:
    method = chance.choice(METHODS)
    params = chance.choice([None, {}, APP, {"requestId": chance.randrange(40)}, {"x": 1}, [1]])
    kind = chance.randrange(10)
    if kind == 0:
        return chance.choice([None, 7, "text", [], {}, {"jsonrpc": "1.0"}, {"jsonrpc": "2.0", "id": True}])
    if kind == 1:
        return message(key=chance.choice([number, "p-1", "p-99", "x"]), **chance.choice([{"result": 1}, {"error": {}}]))
    return message(method, chance.randrange(40) if kind < 7 else None, params=params)


@BOTH
@pytest.mark.parametrize("seed", range(60))
def test_no_order_of_messages_breaks_the_table(seed: int, strict: bool) -> None:
    """Whatever comes: phases go forward, every request is answered exactly once, nothing is sent too early."""
    chance = random.Random(seed)
    peer = peer_of(strict, limits=None if strict else msgspec.structs.replace(LIMITS, rate=1e6, burst=1000, pending=9))
    order, seen, open_now, now = list(ViewPhase), [ViewPhase.LOADING], set[Any](), 0.0
    for number in range(300):
        now += chance.random()
        given = random_message(chance, number)
        before = peer.phase
        events = peer.receive(given, now)
        for event in events:
            if isinstance(event, Asked):
                assert event.id not in open_now
                allowed = event.method in ("ui/initialize", "ping") or peer.phase is ViewPhase.INITIALIZED
                assert allowed
                open_now.add(event.id)
            elif isinstance(event, Told):
                assert not strict or before is ViewPhase.INITIALIZED
            elif isinstance(event, Cancelled):
                assert event.id in open_now
            assert event != Initialized() or (before, peer.phase) == (ViewPhase.INITIALIZING, ViewPhase.INITIALIZED)
        refused = [event for event in events if isinstance(event, Refused)]
        assert len(refused) == sum("error" in sent for sent in peer.take_outbox())
        if open_now and chance.random() < 0.5:
            key = chance.choice(sorted(open_now))
            open_now.discard(key)
            peer.answer(key, {}) if chance.random() < 0.7 else peer.refuse(key, MethodNotFoundError("x"))
            assert [sent["id"] for sent in peer.take_outbox()] == [key]
            peer.answer(key, {})
            assert peer.take_outbox() == []
        if chance.random() < 0.1 and peer.phase is not ViewPhase.INITIALIZED and not strict:
            peer.notify("ui/notifications/host-context-changed", {})
            assert peer.take_outbox() == []
        if peer.phase != seen[-1]:
            seen.append(peer.phase)
    assert [order.index(phase) for phase in seen] == sorted(order.index(phase) for phase in seen)
    assert set(peer.pending) == open_now
    peer.close()
    assert peer.receive(message("ping", 1), now) == peer.take_outbox() == []


@BOTH
def test_a_life_in_order(strict: bool) -> None:
    peer = peer_of(strict)
    (asked,) = peer.receive(message("ui/initialize", 0, params=APP), 0.0)
    assert isinstance(asked, Asked)
    assert (asked.method, asked.params, peer.phase) == ("ui/initialize", APP, ViewPhase.LOADING)
    peer.answer(0, {"protocolVersion": "x"})
    assert (peer.phase, peer.state.app) == (ViewPhase.INITIALIZING, APP)
    assert peer.receive(message("ui/notifications/initialized"), 0.0) == [Initialized()]
    assert peer.receive(message("notifications/message", params={"data": 1}), 0.0) == [
        Told("notifications/message", {"data": 1})
    ]
    key = peer.ask("ui/resource-teardown", {})
    assert peer.receive(message(key=key, result={}), 0.0) == [Answered(key, {})]
    assert [sent.get("method", "answer") for sent in peer.take_outbox()] == ["answer", "ui/resource-teardown"]


def test_strict_and_lenient_differ_where_the_table_says_so() -> None:
    for strict in (True, False):
        peer = peer_of(strict)
        peer.receive(message("ui/initialize", 0, params=APP), 0.0)
        peer.answer(0, {})
        peer.take_outbox()
        early = peer.receive(message("notifications/message", params={}), 0.0)
        assert isinstance(early[0], OutOfOrder if strict else Told)
        events = peer.receive(message("tools/call", 1, params={"name": "x"}), 0.0)
        assert [type(event) for event in events] == ([Refused] if strict else [Initialized, Asked])
    assert isinstance(ready(strict=True).receive(message("ui/notifications/initialized"), 0.0)[0], OutOfOrder)
    assert ready().receive(message("ui/notifications/initialized"), 0.0) == []


def test_what_waits_for_a_lenient_view_is_sent_when_it_is_ready_and_partial_input_gives_way() -> None:
    peer = peer_of(limits=LIMITS)
    for number in range(2):
        assert peer.deliver(PARTIAL, {"arguments": {"n": number}})
    assert peer.deliver(INPUT, {})
    assert peer.deliver(RESULT, {})
    assert not peer.deliver(RESULT, {})
    peer.greeted({})
    assert peer.arm() == [Initialized()]
    assert [sent["method"] for sent in peer.take_outbox()] == [PARTIAL, INPUT, RESULT]
    with pytest.raises(LocalProtocolError, match="The view is loading"):
        peer_of(strict=True).notify(INPUT, {})
    with pytest.raises(LocalProtocolError, match="The view is loading"):
        peer_of().ask("ping", {})


def test_rates_and_pending_requests_are_bounded() -> None:
    peer = ready(limits=LIMITS)
    events = [event for number in range(8) for event in peer.receive(message("ping", number), 0.0)]
    assert [type(event) for event in events] == [Asked, Asked, Refused, Breach, Breach]
    assert events[-1] == Breach("sends more messages than a view may", True)
    codes = [sent["error"]["code"] for sent in peer.take_outbox()]
    assert len(codes) == 6
    peer.answer(0, {})
    assert isinstance(peer.receive(message("ping", 9), 60.0)[0], Asked)
    (again,) = peer.receive(message("ping", 9), 60.0)
    assert isinstance(again, Refused)
    assert "in use" in again.error.message


def test_older_words_are_understood_by_a_lenient_host_and_answered_in_their_codes() -> None:
    peer = ready()
    (asked,) = peer.receive(message("ui/callServerTool", 1, params={"name": "x", "args": {}}), 0.0)
    assert isinstance(asked, Asked)
    assert (asked.method, asked.called, asked.params["arguments"]) == ("tools/call", "ui/callServerTool", {})
    peer.refuse(1, MethodNotFoundError("x"))
    assert peer.take_outbox()[0]["error"]["code"] == -32003
    assert peer.deliver(CANCELLED, {})
    assert peer.take_outbox()[0]["method"] == "ui/notifications/cancelled"
    (closing,) = peer.receive(message("ui/close", 2), 0.0)
    assert isinstance(closing, Asked)
    assert closing.is_notification
    (strict,) = ready(strict=True).receive(message("ui/callServerTool", 1, params={"name": "x"}), 0.0)
    assert isinstance(strict, Asked)
    assert (strict.method, strict.is_notification) == ("ui/callServerTool", False)
    today = ready(strict=True)
    today.receive(message("ui/callServerTool", 1, params={"name": "x"}), 0.0)
    today.refuse(1, MethodNotFoundError("ui/callServerTool"))
    assert today.take_outbox()[0]["error"]["code"] == -32601


def test_a_host_of_an_older_dialect_speaks_its_own_words() -> None:
    dialect = Dialect(takes=frozenset(["ui/initialize", "ui/log"]), sends={INPUT: "ui/toolInput"}, waits=False)
    peer = peer_of(strict=True, dialect=dialect)
    peer.receive(message("ui/initialize", 0, params=APP), 0.0)
    peer.answer(0, {})
    assert peer.arm() == [Initialized()]
    assert peer.receive(message("ui/notifications/initialized"), 0.0) == []
    (refused,) = peer.receive(message("tools/call", 1), 0.0)
    assert isinstance(refused, Refused)
    peer.take_outbox()
    assert peer.deliver(INPUT, {})
    assert peer.take_outbox() == [{"jsonrpc": "2.0", "method": "ui/toolInput", "params": {}}]


@BOTH
def test_a_second_greeting(strict: bool) -> None:
    peer = ready(strict)
    assert isinstance(peer.receive(message("ui/initialize", 1, params=APP), 0.0)[0], Refused)
    again = ready(strict, greets_again=True)
    assert isinstance(again.receive(message("ui/initialize", 1, params=APP), 0.0)[0], Asked)
    assert again.receive(message("ui/notifications/initialized"), 0.0) == []
    fresh = peer_of(strict)
    fresh.receive(message("ui/initialize", 1, params=APP), 0.0)
    assert isinstance(fresh.receive(message("ui/initialize", 2, params=APP), 0.0)[0], Refused)


def test_answers_cancellations_and_strays() -> None:
    peer = ready()
    assert peer.receive(message(key="x", result=1), 0.0) == [Breach("answered something that was not asked")]
    key = peer.ask("ping", {})
    peer.give_up(key)
    assert peer.take_outbox()[-1]["params"] == {"requestId": key, "reason": "timeout"}
    assert peer.receive(message(key=key, result=1), 0.0) == []
    key = peer.ask("ping", {})
    (answered,) = peer.receive(message(key=key, error={"code": -32000, "message": "no"}), 0.0)
    assert isinstance(answered, Answered)
    assert isinstance(answered.error, McpError)
    assert (answered.error.code, answered.error.message) == (-32000, "no")
    peer.receive(message("tools/call", 5), 0.0)
    assert peer.receive(message("notifications/cancelled", params={"requestId": 5}), 0.0) == [Cancelled(5)]
    assert peer.receive(message("notifications/cancelled", params={"requestId": [5]}), 0.0) == []
    assert peer.receive("text", 0.0) == [Stray(message="text")]
    assert peer.receive(message("tools/list"), 0.0) == [Breach("sent tools/list, which views do not send")]


def test_the_state_can_be_stored_and_taken_up_in_another_process() -> None:
    peer = ready()
    peer.deliver(INPUT, {})
    peer.state.granted, peer.state.mode = ("camera",), "fullscreen"
    stored = msgspec.json.encode(peer.state)
    moved = peer_of(state=msgspec.json.decode(stored, type=ViewState))
    assert moved.state == peer.state
    assert isinstance(moved.receive(message("tools/list", 1), 0.0)[0], Asked)
    assert not moved.deliver(INPUT, {})
    assert moved.deliver(RESULT, {})
