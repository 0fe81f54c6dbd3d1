"""A process that changes and saves a state as fast as it can, until it is killed. Run with the file's name."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Mapping

from cloche import Client, Server, Store
from cloche.store import Save
from cloche.store.persistence import SQLiteStorage


class Telling(SQLiteStorage):
    """Prints the version of each state that was saved."""

    def write(self, name: str, version: int, schema: int, members: Mapping[str, bytes | None]) -> None:
        super().write(name, version, schema, members)
        print("saved", version, flush=True)


async def write(file: str) -> None:
    """In every committed state `left` and `right` are equal, and so is the number of `rows`, up to 50."""
    save = Save(Telling(file), debounce=0.0)
    store = Store({"left": 0, "right": 0, "rows": list[dict[str, int]]()}, name="pair", save=save)
    server = Server("writer")
    server.attach(store)
    async with Client(server) as client:
        await client.list_tools()  # opens the server's lifespan
        print("ready", store.state["left"], flush=True)
        while True:
            with store.batch() as state:
                state["left"] += 1
                state["rows"].append({"n": state["left"]})
                del state["rows"][:-50]
                state["right"] += 1
            await asyncio.sleep(0)


if __name__ == "__main__":
    asyncio.run(write(sys.argv[1]))
