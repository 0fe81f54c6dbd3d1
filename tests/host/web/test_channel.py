"""Numbered frames: none lost, none twice, whatever breaks."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cloche.errors import InvalidRequestError
from cloche.host.web import channel as channel_module
from cloche.host.web.channel import ACKNOWLEDGE_EVERY, ChannelFullError, ResumableChannel


def test_frames_are_numbered_and_kept_until_acknowledged() -> None:
    channel = ResumableChannel()
    assert [channel.number(b"{}").number for _ in range(3)] == [1, 2, 3]
    assert [kept.number for kept in channel.acknowledged(2)] == [1, 2]
    assert [kept.number for kept in channel.kept] == [3]
    assert list(channel.acknowledged(2)) == []


def test_what_was_never_sent_cannot_be_acknowledged() -> None:
    with pytest.raises(InvalidRequestError):
        list(ResumableChannel().acknowledged(1))


def test_a_frame_is_taken_once_and_a_gap_is_an_error() -> None:
    channel = ResumableChannel()
    assert channel.take(1)
    assert not channel.take(1)
    with pytest.raises(InvalidRequestError, match="Frame 2"):
        channel.take(3)
    assert channel.take(2)


def test_the_page_is_told_at_once_after_many_frames() -> None:
    channel = ResumableChannel()
    for number in range(1, ACKNOWLEDGE_EVERY):
        channel.take(number)
        assert not channel.must_tell
    channel.take(ACKNOWLEDGE_EVERY)
    assert channel.must_tell
    assert channel.told() == ACKNOWLEDGE_EVERY
    assert channel.told() is None


def test_no_more_is_kept_than_the_bounds_allow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(channel_module, "MAX_KEPT", 3)
    monkeypatch.setattr(channel_module, "MAX_KEPT_BYTES", 100)
    channel = ResumableChannel()
    channel.number(b"x" * 90)
    with pytest.raises(ChannelFullError):
        channel.number(b"x" * 11)
    assert len(list(channel.acknowledged(1))) == 1
    for _ in range(3):
        channel.number(b"x")
    with pytest.raises(ChannelFullError):
        channel.number(b"x")


def test_one_frame_may_be_larger_than_the_bound_or_it_could_never_be_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(channel_module, "MAX_KEPT_BYTES", 100)
    assert ResumableChannel().number(b"x" * 1000).number == 1


# A frame is sent, so many of those in flight arrive, they are acknowledged, or the connection breaks.
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("send"), st.just(0)),
        st.tuples(st.just("arrive"), st.integers(0, 5)),
        st.tuples(st.just("acknowledge"), st.just(0)),
        st.tuples(st.just("break"), st.just(0)),
    ),
    max_size=60,
)


@given(STEPS)
def test_over_any_breaks_the_other_side_gets_each_frame_once_and_in_order(steps: list[tuple[str, int]]) -> None:
    ours, theirs = ResumableChannel(), ResumableChannel()
    in_flight: list[int] = []
    sent = 0
    received: list[int] = []

    def arrive(count: int) -> None:
        for _ in range(min(count, len(in_flight))):
            number = in_flight.pop(0)
            if theirs.take(number):
                received.append(number)

    def mend() -> None:
        in_flight.clear()
        list(ours.acknowledged(theirs.received))
        in_flight.extend(kept.number for kept in ours.kept)

    for step, count in steps:
        if step == "send":
            sent += 1
            in_flight.append(ours.number(b"{}").number)
        elif step == "arrive":
            arrive(count)
        elif step == "acknowledge":
            list(ours.acknowledged(theirs.received))
        else:
            mend()
    mend()
    arrive(len(in_flight))
    assert received == list(range(1, sent + 1))
