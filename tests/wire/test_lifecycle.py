"""The life of a connection: every step in every state."""

from __future__ import annotations

import pytest

from cloche.errors import RemoteProtocolError
from cloche.wire.lifecycle import REFUSALS, TRANSITIONS, ConnectionState, Event, next_state

STEPS = [(state, event) for state in ConnectionState for event in Event]


@pytest.mark.parametrize(("state", "event"), STEPS)
def test_every_step_is_taken_or_refused_with_its_text(state: ConnectionState, event: Event) -> None:
    wanted = TRANSITIONS[state].get(event)
    if wanted is not None:
        assert next_state(state, event) is wanted
        return
    with pytest.raises(RemoteProtocolError) as caught:
        next_state(state, event)
    assert str(caught.value) == REFUSALS[event]
    assert caught.value.code == -32600


def test_the_rules_in_words() -> None:
    connected = [ConnectionState.INITIALIZING, ConnectionState.READY]
    for state in ConnectionState:
        assert next_state(state, Event.PING) is state  # ping is answered in every state, and changes nothing
        assert next_state(state, Event.CLOSE) is ConnectionState.DISCONNECTED
        assert next_state(state, Event.FAIL) is ConnectionState.ERROR
        assert (Event.INITIALIZE in TRANSITIONS[state]) == (state is ConnectionState.DISCONNECTED)
        assert (Event.INITIALIZED in TRANSITIONS[state]) == (state is ConnectionState.INITIALIZING)
        assert (Event.REQUEST in TRANSITIONS[state]) == (state in connected)


def test_a_whole_life() -> None:
    state = ConnectionState.DISCONNECTED
    for event in (Event.PING, Event.INITIALIZE, Event.REQUEST, Event.INITIALIZED, Event.REQUEST, Event.PING):
        state = next_state(state, event)
    assert state is ConnectionState.READY
    assert next_state(next_state(state, Event.CLOSE), Event.INITIALIZE) is ConnectionState.INITIALIZING
