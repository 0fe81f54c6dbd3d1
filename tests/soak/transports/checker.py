"""Reads a history and names everything that may not be."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator

from tests.soak.transports.history import (
    OUTCOMES,
    Began,
    ClosedForGood,
    Delivered,
    Ended,
    History,
    Left,
    Progressed,
    Published,
    Subscribed,
    Unsubscribed,
)

OVERDUE_SECONDS = 12.0
"""A request of the soak has time-outs that together are far less: one that takes longer was stuck."""


def violations(history: History) -> list[str]:
    """One sentence for each thing that is wrong; empty when all is well."""
    checks = (_outcomes, _answers, _effects, _subscriptions, _the_end)
    return [sentence for check in checks for sentence in check(history)]


def _outcomes(history: History) -> Iterator[str]:
    began = {event.nonce: event for event in history.of(Began)}
    ended: dict[str, list[Ended]] = defaultdict(list)
    for event in history.of(Ended):
        ended[event.nonce].append(event)
    for nonce, event in began.items():
        outcomes = ended.get(nonce, [])
        if not outcomes:
            yield f"request {nonce} ({event.what}) has no outcome"
        elif len(outcomes) > 1:
            yield f"request {nonce} has {len(outcomes)} outcomes: {', '.join(one.outcome for one in outcomes)}"
        for one in outcomes:
            if one.outcome not in OUTCOMES:
                yield f"request {nonce} ended in a way that is not stated: {one.outcome} {one.detail}".rstrip()
            if one.at - event.at > OVERDUE_SECONDS:
                yield f"request {nonce} ({event.what}) was stuck for {one.at - event.at:.1f} s"
    for nonce in ended.keys() - began.keys():
        yield f"request {nonce} ended, but never began"


def _answers(history: History) -> Iterator[str]:
    for event in history.of(Ended):
        if event.outcome in ("result", "tool error") and event.echo != event.nonce:
            yield f"request {event.nonce} got the answer of another: {event.echo}"
    for event in history.of(Progressed):
        if event.echo != event.nonce:
            yield f"request {event.nonce} got the progress of another: {event.echo}"


def _effects(history: History) -> Iterator[str]:
    effects = Counter(history.effects)
    began = {event.nonce for event in history.of(Began)}
    for nonce, count in effects.items():
        if nonce not in began:
            yield f"{nonce} was carried out, but never requested"
        elif count > 1 + history.duplicated[nonce]:
            yield f"request {nonce} was carried out {count} times, and sent {1 + history.duplicated[nonce]} times"
    for event in history.of(Ended):
        if event.outcome == "result" and not effects[event.nonce]:
            yield f"request {event.nonce} has a result, but was not carried out"


def _subscriptions(history: History) -> Iterator[str]:
    listening = {event.listener: event.uri for event in history.of(Subscribed)}
    for event in history.of(Unsubscribed):
        listening.pop(event.listener, None)
    last = {event.uri: event.value for event in history.of(Published) if event.final}
    heard = {(event.listener, event.value) for event in history.of(Delivered)}
    for listener, uri in listening.items():
        if uri not in last:
            yield f"nothing was published for {listener} on {uri} at the end: what it hears is not known"
        elif (listener, last[uri]) not in heard:
            yield f"the subscription of {listener} to {uri} was lost: it did not hear of {last[uri]}"
    published = {(event.uri, event.value) for event in history.of(Published)}
    for event in history.of(Delivered):
        if event.value and (event.uri, event.value) not in published:
            yield f"{event.listener} heard of {event.value} on {event.uri}, which nobody published"


def _the_end(history: History) -> Iterator[str]:
    for _ in history.of(ClosedForGood):
        yield "the client closed for good although it may reconnect for ever"
    for event in history.of(Left):
        yield f"left behind: {event.kind} {event.what}"
