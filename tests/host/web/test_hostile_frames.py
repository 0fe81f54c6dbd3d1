"""Whatever a page sends, in whatever order: the connection goes on or ends with a reason, and nothing fails inside."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support.host_surface import connect, show, wrapped

SMALL = st.integers(-1, 6)
TEXT = st.sampled_from(["", "x", "ping", "tools/call", "ui/initialize", "notifications/cancelled", "__proto__", "2.0"])
VALUE = st.recursive(
    st.one_of(st.none(), st.booleans(), SMALL, st.floats(allow_nan=False, allow_infinity=False), TEXT),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(TEXT, inner, max_size=3)),
    max_leaves=6,
)
MESSAGE = st.fixed_dictionaries(
    {"jsonrpc": st.one_of(st.just("2.0"), VALUE)},
    optional={"id": VALUE, "method": st.one_of(TEXT, VALUE), "params": VALUE, "result": VALUE, "error": VALUE},
)
EVENTS = st.sampled_from(
    ["initialize", "initialized", "size", "display-mode", "violation", "error", "context", "sign-in", "x"]
)
WELL_FORMED = st.one_of(
    st.fixed_dictionaries({"view": st.just(1), "message": MESSAGE}),
    st.fixed_dictionaries(
        {"view": st.just(1), "event": EVENTS},
        optional={"params": VALUE, "width": VALUE, "height": VALUE, "mode": VALUE, "message": VALUE, "query": VALUE},
    ),
    st.fixed_dictionaries({"view": st.just(1), "answer": VALUE, "value": VALUE}),
)
OPENING = ["open", "ticket", "offer", "server", "tool", "arguments", "context", "origin", "resume", "key"]
KEYS = st.sampled_from([*OPENING, "got", "view", "n", "close"])
ANYTHING = st.dictionaries(KEYS, VALUE, max_size=5)


async def send_all(frames: list[dict[str, Any]], *, numbered: bool) -> tuple[int, str] | None:
    """Send them to a host with one view; how the connection ended, or None when it did not."""
    async with wrapped() as wrapper:
        socket = await connect(wrapper)
        view = await show(wrapper, socket)
        for frame in frames:
            if numbered:
                view.send(**{key: value for key, value in frame.items() if key != "view"})
            else:
                socket.say(frame)
        # Another page is served as before.
        other = await connect(wrapper)
        await show(wrapper, other)
        await other.drop()
        if socket.task.done() or socket.closed is not None:
            await socket.task
            return socket.closed
        await socket.drop()
        return None


SETTINGS = settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)


def complaints(caplog: pytest.LogCaptureFixture) -> list[logging.LogRecord]:
    """What was logged as an error, without what the official server of another test left behind for the collector."""
    errors = [record for record in caplog.records if record.levelno >= logging.ERROR]
    return [record for record in errors if "sse_starlette" not in record.getMessage()]


@SETTINGS
@given(st.lists(WELL_FORMED, max_size=12))
def test_frames_of_the_right_shape_with_anything_in_them(
    caplog: pytest.LogCaptureFixture, frames: list[dict[str, Any]]
) -> None:
    caplog.clear()
    ended = asyncio.run(send_all(frames, numbered=True))
    assert ended is None, ended
    assert complaints(caplog) == []


@SETTINGS
@given(st.lists(ANYTHING, max_size=6))
def test_frames_of_any_shape(caplog: pytest.LogCaptureFixture, frames: list[dict[str, Any]]) -> None:
    caplog.clear()
    ended = asyncio.run(send_all(frames, numbered=False))
    assert ended is None or (ended[0] == 1008 and 0 < len(ended[1]) <= 100), ended
    assert complaints(caplog) == []


TEXTS = {
    "nul": "\0",
    "deep": "[" * 5000,
    "deeper": '{"hello":' * 1000,
    "quotes": '"' * 2000,
    "many": "{}" * 500,
    "text": '"x"',
}


@pytest.mark.parametrize("name", TEXTS)
def test_text_that_is_no_frame(name: str) -> None:
    async def case() -> tuple[int, str]:
        async with wrapped() as wrapper:
            socket = await connect(wrapper)
            socket.say(TEXTS[name])
            return await socket.ended()

    assert asyncio.run(case())[0] == 1008
