"""The lives of the outer and of the inner page: what the tables allow, and that both always come to an end."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cloche.errors import LocalProtocolError
from cloche.wire.frames.lifecycle import (
    ANNOUNCE_AFTER,
    INNER,
    INNER_DEADLINES,
    OUTER,
    OUTER_DEADLINES,
    TIMEOUTS,
    FrameEvent,
    InnerState,
    OuterState,
    Table,
    next_step,
)
from cloche.wire.frames.messages import TO_INNER, TO_OUTER
from tests.support.examples import examples

E, OUT, INN = FrameEvent, OuterState, InnerState
SIDES = {"outer": (OUTER, OuterState, TO_OUTER), "inner": (INNER, InnerState, TO_INNER)}
OUTCOMES = {"idle", "configured", "connected", "lost", "reloaded", "setup required", "failed", "closed"}
"""States in which nothing is waited for."""


def is_message(event: str) -> bool:
    return event.startswith("MCP_")


def walk(table: Table, events: list[FrameEvent]) -> list[tuple[str, FrameEvent, str]]:
    """The steps that were taken; what is refused changes nothing."""
    state, taken = "idle", []
    for event in events:
        try:
            after = next_step(table, state, event).state
        except LocalProtocolError:
            continue
        taken.append((state, event, after))
        state = after
    return taken


@pytest.mark.parametrize("side", SIDES)
def test_every_state_has_a_row_and_every_step_leads_to_one(side: str) -> None:
    table, states, messages = SIDES[side]
    assert list(table) == list(states)
    for row in table.values():
        assert {step.state for step in row.values()} <= set(states)
        heard = {event.split(" ")[0] for event in row if is_message(event)}
        assert heard <= {str(kind.__struct_config__.tag) for kind in messages}, "a side hears what is meant for it"


def test_what_waits_has_a_deadline_and_every_way_out() -> None:
    waiting = dict.fromkeys(set(OUT) - OUTCOMES, OUTER_DEADLINES)
    assert set(waiting) == set(OUTER_DEADLINES)
    assert set(INN) - OUTCOMES - {INN.CONFIGURING} == set(INNER_DEADLINES)
    assert set(OUTER_DEADLINES.values()) | set(INNER_DEADLINES.values()) == set(TIMEOUTS)
    for table in (OUTER, INNER):
        for state, row in table.items():
            if state not in OUTCOMES:
                assert row[E.FAIL].state == "failed"
                assert row[E.GONE].state == "failed"
            if state != "closed":
                assert row[E.CLOSE].state == "closed"


def test_a_failure_is_always_told() -> None:
    for table, effect in ((OUTER, "refuse"), (INNER, "tell")):
        assert {row[E.FAIL].effect for row in table.values() if E.FAIL in row} == {effect}


def test_announcements_end_before_the_wait_does() -> None:
    assert 20_000 < sum(ANNOUNCE_AFTER) < TIMEOUTS["handshake"]
    assert TIMEOUTS["consent"] < TIMEOUTS["handshake"], "the inner page would give up before the person answers"


EVENTS = st.lists(st.sampled_from(list(FrameEvent)), max_size=40)


@given(EVENTS)
@settings(max_examples=examples(500), deadline=None)
def test_the_outer_page_takes_nothing_out_of_turn(events: list[FrameEvent]) -> None:
    replied = announced = False
    for before, event, after in walk(OUTER, events):
        if event in (E.SETUP, E.CONNECT, E.LOAD_AGAIN):
            announced = before == OUT.RELOADED and event is E.CONNECT
            replied = announced
        if event in (E.SETUP_HANDSHAKE, E.TRANSPORT_HANDSHAKE):
            announced = True
            replied = replied or event is E.TRANSPORT_HANDSHAKE
        replied = replied or event is E.GRANT
        if after == OUT.CONFIGURED:
            assert announced
            assert replied
            assert event is E.SETUP_COMPLETE
        if after == OUT.CONNECTED and before != OUT.CONNECTED:
            assert (before, event) == (OUT.REPLIED, E.TRANSPORT_ACCEPTED)
        if event is E.MESSAGE:
            assert (before, after) == (OUT.CONNECTED, OUT.CONNECTED)
        if event is E.GRANT:
            assert before == OUT.DECIDING, "nothing is granted that nobody asked for"


@given(EVENTS)
@settings(max_examples=examples(500), deadline=None)
def test_the_inner_page_takes_nothing_out_of_turn(events: list[FrameEvent]) -> None:
    for before, event, after in walk(INNER, events):
        if after == INN.CONFIGURING and before != after:
            assert (before, event) == (INN.ANNOUNCING_SETUP, E.SETUP_HANDSHAKE_REPLY)
        if after == INN.CONNECTED and before != after:
            assert (before, event) == (INN.ANNOUNCING, E.TRANSPORT_HANDSHAKE_REPLY)
        if event is E.MESSAGE:
            assert before == INN.CONNECTED
        if event is E.COMPLETE:
            assert before == INN.CONFIGURING


@pytest.mark.parametrize(
    ("table", "state", "event", "told"),
    [
        (INNER, INN.IDLE, E.COMPLETE, "Must call prepareSetup() first"),
        (INNER, INN.CONFIGURED, E.COMPLETE, "Setup already completed"),
        (INNER, INN.IDLE, E.REQUIRE, "Must call prepareToConnect() first"),
        (OUTER, OUT.CONNECTED, E.SETUP, "Transport already in use"),
        (OUTER, OUT.CLOSED, E.CONNECT, "Transport already closed"),
        (OUTER, OUT.IDLE, E.GRANT, "Not now: the transport is idle"),
    ],
)
def test_a_call_too_early_or_too_late_is_told_so(table: Table, state: str, event: FrameEvent, told: str) -> None:
    with pytest.raises(LocalProtocolError, match=told.replace("(", r"\(").replace(")", r"\)")):
        next_step(table, state, event)
