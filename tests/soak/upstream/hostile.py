"""A hostile server by URL, in a process of its own: `python -m tests.soak.upstream.hostile SEED` prints its address."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterable
from random import Random
from typing import Any

from tests.soak.upstream.shapes import answer_of, http_answer, tools_of
from tests.support.hostile_upstream import INITIALIZED, Piece, Scripts, body, message, over_http


def scripts(seed: int) -> Scripts:
    """What it answers. A call names its own seed; lists and greetings follow one after the other."""
    listing = Random(seed)

    def call(request_id: Any, params: dict[str, Any]) -> Iterable[Piece]:
        random = Random(params.get("arguments", {}).get("seed", 0))
        return http_answer(random, request_id, answer_of(random, request_id))

    def tools(request_id: Any, params: dict[str, Any]) -> Iterable[Piece]:
        return body(tools_of(listing, request_id, params.get("cursor")))

    def resource(request_id: Any, params: dict[str, Any]) -> Iterable[Piece]:
        return http_answer(listing, request_id, answer_of(listing, request_id))

    def greet(request_id: Any, _: dict[str, Any]) -> Iterable[Piece]:
        if listing.random() < 0.8:
            return body(message(request_id, INITIALIZED))
        long = INITIALIZED | {"instructions": "i" * listing.choice([1000, 500_000, 3_000_000])}
        return body(message(request_id, long))

    return {
        "tools/call": call,
        "tools/list": tools,
        "resources/read": resource,
        "resources/list": resource,
        "prompts/list": resource,
        "initialize": greet,
    }


async def main(seed: int) -> None:
    async with over_http(scripts(seed)) as url:
        print(url, flush=True)
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1])))
