"""An agent that needs no model: it knows four wishes, and does what a model would do with the same tools."""

from __future__ import annotations

import asyncio
import os
from typing import Any

from examples.host_fastapi.conversation import Reply

PACE = float(os.environ.get("CHAT_PACE", "0.03"))
"""Seconds between two words, as models have them."""

SALES = "Day,Sold\nMonday,124\nTuesday,98\nWednesday,143\nThursday,117\nFriday,176\n"

HOUSE: list[dict[str, Any]] = [
    {"points": [[25, 90], [25, 45], [75, 45], [75, 90], [25, 90]], "colour": "#8a5a3b"},
    {"points": [[20, 47], [50, 15], [80, 47]], "colour": "#b3261e"},
    {"points": [[45, 90], [45, 65], [56, 65], [56, 90]], "colour": "#5c3d2e"},
    {"points": [[32, 55], [32, 68], [40, 68], [40, 55], [32, 55]], "colour": "#2f6fde"},
    {"points": [[61, 55], [61, 68], [69, 68], [69, 55], [61, 55]], "colour": "#2f6fde"},
    {"points": [[5, 90], [95, 90]], "colour": "#4a7c3a"},
]

WISHES = (
    (("to-do", "todo", "to do", "task"), "todo"),
    (("chart", "sales", "sold"), "chart"),
    (("draw", "house", "sketch"), "canvas"),
    (("time", "clock"), "clock"),
)

HELP = (
    "I am a small script, so I know four things: your to-do list, a chart of last week's sales, "
    "a drawing of a house, and the time. Ask for one of them."
)


async def answer(text: str, reply: Reply) -> None:
    """Find out which wish it is, and grant it."""
    lowered = text.lower()
    wish = next((name for words, name in WISHES if any(word in lowered for word in words)), None)
    if wish is None:
        await speak(reply, HELP)
    else:
        await GRANTING[wish](reply)


async def speak(reply: Reply, text: str) -> None:
    """Say something, word by word."""
    for word in text.split(" "):
        reply.write(f"{word} ")
        await pause(1)


async def pause(words: int) -> None:
    """Take as long as so many words."""
    await asyncio.sleep(words * PACE)


async def show_todos(reply: Reply) -> None:
    """A tool without arguments."""
    await speak(reply, "Here is your list. You can tick things off right here.")
    call = await reply.chat.start("todo.todos", {})
    reply.show(call)
    todos = (await call.result()).get("structuredContent", {}).get("result", [])
    left = sum(not one["done"] for one in todos)
    await speak(reply, f"{left} of {len(todos)} things are still open." if todos else "It is empty so far.")


async def show_chart(reply: Reply) -> None:
    """A result that the model reads, too."""
    await speak(reply, "Last week's sales, day by day:")
    call = await reply.chat.start("chart.chart", {"data": SALES, "title": "Sales last week", "unit": "pieces"})
    reply.show(call)
    bars = (await call.result())["structuredContent"]["bars"]
    best, sold = max(bars, key=lambda bar: bar[1])
    await speak(reply, f"{best} was the best day, with {sold:g} sold.")


async def draw_house(reply: Reply) -> None:
    """Arguments that arrive while they are written: the view draws along."""
    await speak(reply, "A house, line by line:")
    call = await reply.chat.start("canvas.draw", streaming=True)
    reply.show(call)
    for count in range(1, len(HOUSE) + 1):
        call.partial({"title": "A house", "lines": HOUSE[:count]})
        await pause(10)
    await call.run({"title": "A house", "lines": HOUSE})
    await speak(reply, "You can draw on it with the mouse.")


async def show_clock(reply: Reply) -> None:
    """The smallest one."""
    call = await reply.chat.start("clock.now", {})
    reply.show(call)
    await speak(reply, f"It was {(await call.result())['content'][0]['text']} UTC when you asked.")


GRANTING = {"todo": show_todos, "chart": show_chart, "canvas": draw_house, "clock": show_clock}
