"""`RequestTransport.on_notification`: handlers do not depend on each other, nor on what a peer sends."""

from __future__ import annotations

import logging
from typing import Any

import pytest

from cloche.transports.memory import create_memory_pair


async def test_a_handler_that_fails_keeps_nobody_else_from_hearing(caplog: pytest.LogCaptureFixture) -> None:
    near, far = create_memory_pair()
    heard: list[dict[str, Any]] = []

    def fail(params: dict[str, Any]) -> None:
        raise RuntimeError("from a handler")

    near.on_notification("custom/event", fail)
    near.on_notification("custom/event", heard.append)
    with caplog.at_level(logging.ERROR, "cloche.transports"):
        await far.notify("custom/event", {"n": 1})
    assert heard == [{"n": 1}]
    assert "RuntimeError: from a handler" in caplog.text


@pytest.mark.parametrize("params", [b"[1]", b"7", b"null"], ids=bytes.decode)
async def test_parameters_that_are_no_object_are_dropped_and_counted(
    params: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    near, far = create_memory_pair()
    heard: list[dict[str, Any]] = []
    near.on_notification("custom/event", heard.append)
    await far.send(b'{"jsonrpc":"2.0","method":"custom/event","params":' + params + b"}")
    assert (heard, near.dropped, caplog.text) == ([], 1, "")
