"""Keeping a state without a file, as in the browser's Python: what is saved when, whose it is, and migrations."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest

from cloche import Client, Context, Principal, Server, Store
from cloche.errors import StateFileError
from cloche.store import Save
from cloche.store.persistence import MemoryStorage
from tests.store.shopping import Cart, Item


class Watched(MemoryStorage):
    """Tells of each state that is saved."""

    def __init__(self) -> None:
        super().__init__()
        self.saved: list[tuple[str, int, set[str]]] = []
        self.again = asyncio.Event()
        self._loop = asyncio.get_running_loop()

    def write(self, name: str, version: int, schema: int, members: Mapping[str, bytes | None]) -> None:
        super().write(name, version, schema, members)
        self.saved.append((name, version, set(members)))
        self._loop.call_soon_threadsafe(self.again.set)  # where there are threads, one of them writes


@pytest.mark.requirement(188)
def test_a_tenth_of_a_second_is_the_moment_unless_told_otherwise() -> None:
    assert Save(MemoryStorage()).debounce == 0.1


async def test_a_moment_after_a_change_what_changed_is_saved_and_a_batch_is_never_split() -> None:
    storage = Watched()
    store = Store(Cart([Item("bread")]), name="cart", save=Save(storage, debounce=0.01))
    server = Server("s")
    server.attach(store)
    async with Client(server) as client:
        await client.list_tools()
        with store.batch() as cart:
            cart.count += 1
            cart.items.append(Item("milk", 2))
        async with asyncio.timeout(10):
            await storage.again.wait()
        assert storage.saved == [("cart", 1, {"count", "items"})]
    again = Store(Cart(), name="cart", save=Save(storage))
    again.restore()
    assert (again.version, again.state.count, again.state.items) == (1, 1, [Item("bread"), Item("milk", 2)])


async def test_each_user_gets_the_kept_state_of_their_own() -> None:
    storage = Watched()

    def served() -> Server:
        store = Store({"text": ""}, name="draft", per_user=True, save=Save(storage))

        @store.action
        def write(ctx: Context, text: str) -> None:
            """Write."""
            store.of(ctx).state["text"] = text

        server = Server("s")
        server.attach(store)
        return server

    for user in ("ada", "eve"):
        async with Client(await (server := served()).join(principal=Principal(user))) as client:
            await client.call_tool("write", {"text": f"of {user}"})
        await server.close()
    server = served()
    for user in ("ada", "eve", "bob"):
        async with Client(await server.join(principal=Principal(user))) as client:
            (content,) = (await client.read_resource("store://draft")).contents
            assert content.text == f'{{"text":"{"" if user == "bob" else f"of {user}"}"}}'
    await server.close()


def test_a_state_of_an_older_schema_migrates_and_one_that_cannot_is_left() -> None:
    def split(state: dict[str, Any]) -> dict[str, Any]:
        return {"items": [{"name": name} for name in state["names"].split(",")]}

    storage = MemoryStorage()
    storage.write("cart", version=7, schema=1, members={"names": b'"bread,milk"'})
    stuck = Store(Cart(), name="cart", save=Save(storage, schema=3, migrations={1: split}))
    with pytest.raises(StateFileError, match="nothing makes schema 3"):
        stuck.restore()
    new = Store(Cart(), name="cart", save=Save(storage, schema=2, migrations={1: split}))
    new.restore()
    assert [item.name for item in new.state.items] == ["bread", "milk"]
