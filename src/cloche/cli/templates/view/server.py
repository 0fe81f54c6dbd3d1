"""An MCP server whose tool has a view: an HTML file that hosts show."""

import random
from dataclasses import dataclass

from cloche import Server

server = Server("__NAME__", version="0.1.0")


@dataclass
class Roll:
    """What was thrown."""

    dice: list[int]
    total: int


@server.tool(view="view.html")
def roll(count: int = 2) -> Roll:
    """Roll dice.

    Args:
        count: How many dice, 1 to 20.
    """
    dice = [random.randint(1, 6) for _ in range(min(max(count, 1), 20))]
    return Roll(dice, sum(dice))


if __name__ == "__main__":
    server.run()
