"""What a page may send is a short list; everything else is refused, shortly."""

from __future__ import annotations

import json

import pytest

from cloche.errors import McpError
from cloche.host.web import socket_frames
from cloche.host.web.socket_frames import MAX_BYTES, MAX_FRAME_DEPTH, read_frame

GOOD = {
    "hello": ({"hello": 1}, socket_frames.Hello),
    "ticket": ({"open": 1, "ticket": "t", "context": {"theme": "dark"}, "origin": "http://a"}, socket_frames.Open),
    "offer": ({"open": 3, "offer": "t", "visible": False}, socket_frames.Offer),
    "tool": ({"open": 2, "server": "s", "tool": "t", "arguments": {"a": 1}, "context": {}}, socket_frames.OpenTool),
    "resume": ({"open": 1, "resume": "id", "key": "k", "got": 0}, socket_frames.Resume),
    "message": ({"view": 1, "n": 1, "message": {"jsonrpc": "2.0"}}, socket_frames.MessageFrame),
    "event": ({"view": 1, "n": 1, "event": "size", "width": 1, "height": 2}, socket_frames.Event),
    "answer": ({"view": 1, "n": 1, "answer": 7, "value": True}, socket_frames.Answer),
    "got": ({"view": 1, "got": 3}, socket_frames.Got),
    "close": ({"close": 1}, socket_frames.Close),
}


@pytest.mark.parametrize("name", GOOD)
def test_each_frame_of_the_protocol_is_read(name: str) -> None:
    given, kind = GOOD[name]
    assert type(read_frame(json.dumps(given))) is kind


def test_what_an_event_says_is_all_that_is_not_its_name() -> None:
    event = read_frame(json.dumps({"view": 3, "n": 4, "event": "size", "width": 1, "message": {"no": "message"}}))
    assert isinstance(event, socket_frames.Event)
    assert (event.view, event.n, event.event) == (3, 4, "size")
    assert event.value == {"width": 1, "message": {"no": "message"}}


NESTED = '{"view":1,"n":1,"message":' + '{"a":' * MAX_FRAME_DEPTH + "1" + "}" * (MAX_FRAME_DEPTH + 1)
BAD = {
    "empty": "",
    "no-json": "hello",
    "nan": '{"hello": NaN}',
    "trailing": '{"hello":1} x',
    "list": "[]",
    "text": '"hello"',
    "nothing-known": "{}",
    "unknown-key": '{"hello":1,"more":2}',
    "both": '{"view":1,"n":1,"message":{},"got":1}',
    "no-number": '{"view":1,"message":{}}',
    "view-is-text": '{"view":"1","n":1,"message":{}}',
    "view-zero": '{"view":0,"n":1,"message":{}}',
    "view-fraction": '{"view":1.5,"n":1,"message":{}}',
    "negative": '{"view":1,"got":-1}',
    "huge-number": '{"view":1,"n":99999999999999999999999,"message":{}}',
    "gesture-negative": '{"view":1,"n":1,"message":{},"gesture":-1}',
    "gesture-is-text": '{"view":1,"n":1,"message":{},"gesture":"1"}',
    "gesture-is-true": '{"view":1,"n":1,"message":{},"gesture":true}',
    "message-is-list": '{"view":1,"n":1,"message":[]}',
    "message-is-text": '{"view":1,"n":1,"message":"x"}',
    "event-name": '{"view":1,"n":1,"event":"<script>"}',
    "event-is-number": '{"view":1,"n":1,"event":5}',
    "ticket-is-number": '{"open":1,"ticket":5}',
    "ticket-too-long": json.dumps({"open": 1, "ticket": "x" * 70_000}),
    "offer-too-long": json.dumps({"open": 1, "offer": "x" * 5000}),
    "offer-and-ticket": '{"open":1,"offer":"x","ticket":"y"}',
    "context-is-text": '{"open":1,"ticket":"x","context":"dark"}',
    "lone-surrogate": '{"open":1,"ticket":"\\ud800"}',
    "nested": NESTED,
    "deep-garbage": "[" * 100_000,
    "too-long": json.dumps({"view": 1, "n": 1, "message": {"x": "y" * MAX_BYTES}}),
}


@pytest.mark.requirement(153)
@pytest.mark.parametrize("name", BAD)
def test_anything_else_is_refused_with_a_short_reason(name: str) -> None:
    with pytest.raises(McpError) as failure:
        read_frame(BAD[name])
    assert 0 < len(str(failure.value)) < 150
