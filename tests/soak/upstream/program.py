"""A hostile server that is a program: `python -m tests.soak.upstream.program SEED`."""

from __future__ import annotations

import json
import sys
from random import Random
from typing import Any

from tests.soak.upstream.shapes import MEGABYTE, answer_of, chatter, tools_of
from tests.support.hostile_upstream import honest


def say(data: bytes) -> None:
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def called(random: Random, request_id: Any) -> None:
    """Answer a call, or do something else."""
    kind = random.randrange(12)
    answer = answer_of(random, request_id).replace(b"\n", b" ")
    if kind == 0:
        say(b"x" * random.choice([1000, MEGABYTE, 40 * MEGABYTE]))  # and no line break
    elif kind == 1:
        say(b"".join(one + b"\n" for one in chatter(random)))
    elif kind == 2:
        say(b"printed\n" * random.choice([10, 10_000]))
    elif kind == 3:
        sys.stderr.write("noise\n" * random.choice([10, 20_000]))
    elif kind == 4:
        say(answer[: len(answer) // 2])
        sys.exit(1)
    elif kind == 5:
        return
    say(b"\n" + answer + b"\n")


def main(seed: int) -> None:
    listing = Random(seed)
    for line in sys.stdin.buffer:
        given = json.loads(line)
        method, request_id = given.get("method"), given.get("id")
        if request_id is None or method is None:
            continue
        if method == "tools/call":
            called(Random(given["params"].get("arguments", {}).get("seed", 0)), request_id)
        elif method == "tools/list":
            say(tools_of(listing, request_id, None) + b"\n")
        else:
            say(honest(method, request_id) + b"\n")


if __name__ == "__main__":
    main(int(sys.argv[1]))
