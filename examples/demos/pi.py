"""π from points that fall at random: a store that a view draws while Python computes, progress, and cancelling.

As a web page:   cloche build examples/demos/pi.py -o site
Over stdio:      cloche run examples/demos/pi.py
"""

import asyncio
import struct
import zlib
from dataclasses import dataclass, field
from random import random
from time import perf_counter
from typing import Annotated

from msgspec import Meta

from cloche import Context, Image, Server, Store, ToolResult

server = Server(
    "pi",
    version="1.0",
    title="Pi calculator",
    description="Throws points at a square, and counts how many fall into the quarter of a circle.",
)

SLICE = 0.03
"""Seconds of computing between two looks at who else wants something."""
PAUSE = 0.01
"""Seconds for whoever wants to cancel, or to look at the board."""
SHOWN, KEPT = 100, 60
"""Points of each slice that are drawn, and slices that somebody who comes late still sees."""
SIDE = 160
"""Pixels of the picture."""
INSIDE, OUTSIDE = 1, 2
PALETTE = bytes((255, 255, 255, 47, 111, 222, 232, 176, 84))
"""Of the picture: paper, points inside, points outside."""


@dataclass
class Board:
    """What has been thrown so far. `points` are some of each slice: across, up, across, up, in thousandths."""

    thrown: int = 0
    inside: int = 0
    goal: int = 0
    is_running: bool = False
    points: list[list[int]] = field(default_factory=list)


@dataclass
class Estimate:
    """What came of it."""

    pi: float
    thrown: int
    inside: int


@dataclass
class Settings:
    """A setup that asks nothing, so that clients may show the board or hide it."""

    first: Annotated[int, Meta(title="Points that are thrown when nobody says how many")] = 2_000_000


store = Store(Board(), name="pi", settable=False)
picture = bytearray(SIDE * SIDE)


@server.setup(fields=Settings, visible=False, visibility="optional", description="The points, as they fall")
def setup(settings: Settings) -> str:
    """Nothing is asked."""
    return "Pi calculator"


@server.tool(title="Calculate π", view="pi.html")
async def calculate_pi(
    ctx: Context, points: Annotated[int, Meta(ge=1_000, le=50_000_000, examples=[2_000_000])] = 2_000_000
) -> ToolResult:
    """Throw more points at random, and estimate π from all that have fallen so far.

    Args:
        points: How many points to throw. Example: 2000000
    """
    start = store.state.thrown
    goal = start + points
    store.state.goal, store.state.is_running = goal, True
    try:
        while (thrown := store.state.thrown) < goal:
            throw_for(SLICE, goal - thrown)
            done = store.state.thrown - start
            await ctx.progress(done, points, f"π ≈ {estimate().pi:.6f}")
            await asyncio.sleep(PAUSE)
    finally:
        store.state.is_running = False
    found = estimate()
    text = f"π ≈ {found.pi:.6f}: {found.inside:,} of {found.thrown:,} points fell into the quarter of a circle."
    return ToolResult([text, Image(drawn(), mime_type="image/png")], structured=found)


@server.tool(title="Start over", annotations={"idempotentHint": True})
async def reset() -> str:
    """Take all points off the board."""
    if store.state.is_running:
        return "Points are being thrown: cancel that first."
    picture[:] = bytes(len(picture))
    with store.batch() as board:
        board.thrown, board.inside, board.goal, board.points = 0, 0, 0, []
    return "The board is empty."


def throw_for(seconds: float, most: int) -> None:
    """Throw points for so long, but not more than `most`, and put them on the board in one change."""
    end = perf_counter() + seconds
    thrown = inside = 0
    shown: list[int] = []
    while thrown < most and perf_counter() < end:
        for _ in range(min(1_000, most - thrown)):
            x, y = random(), random()
            is_inside = x * x + y * y <= 1
            inside += is_inside
            if len(shown) < 2 * SHOWN:
                shown += (int(x * 1000), int(y * 1000))
                picture[int((1 - y) * SIDE - 1e-9) * SIDE + int(x * SIDE)] = INSIDE if is_inside else OUTSIDE
        thrown += min(1_000, most - thrown)
    with store.batch() as board:
        board.thrown += thrown
        board.inside += inside
        board.points.append(shown)
        del board.points[:-KEPT]


def estimate() -> Estimate:
    """π, as far as the board knows it."""
    board = store.state
    return Estimate(4 * board.inside / board.thrown if board.thrown else 0.0, board.thrown, board.inside)


def drawn() -> bytes:
    """The board as a PNG, for those who see no views."""
    rows = b"".join(b"\0" + picture[at : at + SIDE] for at in range(0, len(picture), SIDE))
    head = struct.pack(">IIBBBBB", SIDE, SIDE, 8, 3, 0, 0, 0)
    parts = [(b"IHDR", head), (b"PLTE", PALETTE), (b"IDAT", zlib.compress(rows)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in parts
    )


server.attach(store)

if __name__ == "__main__":
    server.run()
