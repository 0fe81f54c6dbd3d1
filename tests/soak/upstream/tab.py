"""A hostile server in a visitor's tab: `python -m tests.soak.upstream.tab SEED URL USER` offers it, again and again.

It speaks the page's protocol over a real socket, where it likes.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import sys
from random import Random
from typing import Any
from urllib.request import urlopen

import websockets
from websockets.asyncio.client import ClientConnection
from websockets.typing import Origin, Subprotocol

from tests.soak.upstream.shapes import MEGABYTE, answer_of, chatter, tools_of
from tests.support.hostile_upstream import honest

LONGEST = MEGABYTE - 1000
"""A longer frame ends the connection."""


async def offer(random: Random, url: str, user: str) -> None:
    """One connection, to its end."""
    ticket = await asyncio.to_thread(lambda: urlopen(f"{url}/{user}", timeout=30).read().decode())
    options: Any = {"origin": Origin(url), "subprotocols": [Subprotocol("cloche.1")], "max_size": 2**26}
    async with websockets.connect(url.replace("http", "ws") + "/cloche/socket", **options) as socket:
        await socket.send('{"hello": 1}')
        await socket.send(json.dumps({"open": 1, "offer": ticket}))
        numbers = itertools.count(1)
        async for text in socket:
            frame = json.loads(text)
            if "ask" in frame:
                await socket.send(json.dumps({"view": 1, "n": next(numbers), "answer": frame["ask"], "value": True}))
            elif "message" in frame:
                await react(random, socket, numbers, frame["message"])


async def react(random: Random, socket: ClientConnection, numbers: Any, asked: dict[str, Any]) -> None:
    """Answer, or say something else."""
    method, request_id = asked.get("method"), asked.get("id")
    if method is None or request_id is None:
        return
    answers = [honest(method, request_id)]
    if method == "tools/call":
        random = Random(asked["params"].get("arguments", {}).get("seed", 0))
        answers = [*(chatter(random) if random.random() < 0.3 else []), answer_of(random, request_id)]
    elif method == "tools/list":
        answers = [tools_of(random, request_id, None)]
    for answer in answers:
        frame = b'{"view":1,"n":%d,"message":%b}' % (next(numbers), answer)
        if len(frame) < LONGEST or random.random() < 0.2:
            await socket.send(frame.decode("utf-8", "replace"))


async def main(seed: int, url: str, user: str) -> None:
    random = Random(f"{seed} {user}")
    while True:
        with contextlib.suppress(OSError, websockets.WebSocketException):
            await offer(random, url, user)
        await asyncio.sleep(1.1)  # a host takes one offer a second


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), *sys.argv[2:]))
