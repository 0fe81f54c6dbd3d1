"""Messages made to exhaust the stack or the memory: each gets an error, and the next call works.

These run in the browser's Python too (tests/browser/core), where an exhausted stack would end the worker.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from pydantic import BaseModel

from cloche import Limits, Server
from cloche.wire.json import MAX_DEPTH
from tests.support.server_peer import Peer

MEGABYTE = 1_000_000

AROUND = 3
"""Levels of a message around a tool's argument: the message, its params, their arguments."""


@dataclass
class Plain:
    inner: Plain | None = None


class Model(BaseModel):
    inner: Model | None = None


def nested(levels: int) -> bytes:
    """Lists in lists."""
    return b"[" * levels + b"]" * levels


def chain(levels: int) -> bytes:
    """Objects in objects."""
    return b'{"inner":' * (levels - 1) + b"{}" + b"}" * (levels - 1)


def call(tool: str, argument: bytes) -> bytes:
    """A `tools/call` with one argument, as it is written."""
    return b'{"jsonrpc":"2.0","id":"it","method":"tools/call","params":{"name":"%s","arguments":{"x":%s}}}' % (
        tool.encode(),
        argument,
    )


def tools() -> Server:
    server = Server("s", limits=Limits(message_bytes=2 * MEGABYTE))

    @server.tool
    async def anything(x: Any) -> str:
        return "taken"

    @server.tool
    async def plain(x: Plain) -> str:
        return "taken"

    @server.tool
    async def model(x: Model) -> str:
        return "taken"

    @server.prompt
    async def summary(x: list[Any]) -> str:
        return "taken"

    @server.prompt
    async def quote(x: str) -> str:
        return f"{len(x)} characters"

    @server.prompt
    async def review(x: Model) -> str:
        return "taken"

    @server.resource("s://{x}")
    async def page(x: list[Any]) -> str:
        return "taken"

    return server


HOSTILE = {
    "thousands of lists": nested(5_000),
    "a megabyte of lists": nested(MEGABYTE // 2),
    "a megabyte of lists that are never closed": b"[" * MEGABYTE,
    "one call with thousands of lists": call("anything", nested(5_000)),
    "one call with a megabyte of lists": call("anything", nested(MEGABYTE // 2)),
    "one call with thousands of objects": call("plain", chain(5_000)),
    "one call with thousands of objects for a model": call("model", chain(5_000)),
    "one call with one list too many": call("anything", nested(MAX_DEPTH - AROUND + 1)),
    "a message that is too long": b'"' + b"a" * (2 * MEGABYTE),
    "a megabyte that is not a message": b'"' + b"a" * MEGABYTE + b'"',
}


@pytest.mark.parametrize("what", HOSTILE)
async def test_it_is_answered_with_an_error_and_the_next_call_works(what: str) -> None:
    async with Peer(tools()) as peer:
        before = len(peer.received)
        await peer.send(HOSTILE[what])
        answer = await peer.wait_for(lambda message: message in peer.received[before:])
        assert answer["error"]["code"] in (-32700, -32600)
        assert len(str(answer)) < 300, "what was sent is not sent back"
        assert (await peer.call("anything", x=1))["content"][0]["text"] == "taken"


@pytest.mark.parametrize(
    ("tool", "argument", "text"),
    [
        pytest.param("anything", nested(MAX_DEPTH - AROUND), "taken", id="lists"),
        pytest.param("plain", chain(MAX_DEPTH - AROUND), "taken", id="dataclasses"),
        pytest.param("model", chain(150), "taken", id="models"),
        pytest.param("model", chain(MAX_DEPTH - AROUND), "Invalid arguments for model: $.x: ", id="too deep a model"),
        pytest.param("anything", b'"' + b"a" * MEGABYTE + b'"', "taken", id="a megabyte"),
    ],
)
async def test_the_deepest_and_the_longest_that_is_admitted_is_answered(tool: str, argument: bytes, text: str) -> None:
    async with Peer(tools()) as peer:
        await peer.send(call(tool, argument))
        answer = await peer.answer_to("it")
        assert answer["result"]["content"][0]["text"].startswith(text)
        assert (await peer.call("anything", x=1))["content"][0]["text"] == "taken"


def of_prompt(name: str, text: bytes) -> dict[str, Any]:
    return {"name": name, "arguments": {"x": text.decode()}}


def of_address(levels: int) -> dict[str, Any]:
    return {"uri": f"s://{'%5B' * levels}{'%5D' * levels}"}


@pytest.mark.parametrize("levels", [MAX_DEPTH + 1, 5_000])
@pytest.mark.parametrize(
    ("method", "params"),
    [
        pytest.param("prompts/get", lambda levels: of_prompt("summary", nested(levels)), id="a prompt"),
        pytest.param("prompts/get", lambda levels: of_prompt("review", chain(levels)), id="a prompt for a model"),
        pytest.param("resources/read", lambda levels: of_address(min(levels, 1_250)), id="an address"),
    ],
)
async def test_json_in_a_text_may_not_be_deeper_than_a_message(
    method: str, params: Callable[[int], dict[str, Any]], levels: int
) -> None:
    """Prompts and addresses carry arguments as texts, and brackets in a text nest nothing that the message counts."""
    async with Peer(tools()) as peer:
        error = await peer.error(method, **params(levels))
        assert error["code"] in (-32602, -32002)
        assert "nested too deeply" in error["message"]
        assert (await peer.result("prompts/get", **of_prompt("summary", nested(9))))["messages"]


async def test_a_text_that_stays_a_text_may_hold_any_brackets() -> None:
    async with Peer(tools()) as peer:
        result = await peer.result("prompts/get", **of_prompt("quote", nested(5_000)))
        assert result["messages"][0]["content"]["text"] == "10000 characters"
