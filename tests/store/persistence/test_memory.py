"""Keeping a state without a file, as in the browser's Python: what is saved when, whose it is, and migrations."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest

from cloche import Client, Context, Principal, Server, Store
from cloche.errors import McpError, StateFileError
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


@pytest.mark.requirement(180)
@pytest.mark.parametrize("fails", [False, True])
async def test_a_state_that_is_still_loaded_is_not_saved_over_what_was_kept(
    fails: bool, caplog: pytest.LogCaptureFixture
) -> None:
    storage = Watched()
    storage.write("s", 7, 1, {"mine": b"1"})
    storage.saved.clear()
    storage.again.clear()
    gate = asyncio.Event()

    async def load() -> dict[str, int]:
        await gate.wait()
        if fails:
            raise OSError("nobody answers")
        return {"mine": 0, "theirs": 5}

    store = Store({"mine": -1, "theirs": -1}, name="s", load=load, save=Save(storage, debounce=0))
    server = Server("s")
    server.attach(store)
    async with Client(server) as client:
        store.state["mine"] = 2  # by code that did not wait
        setting = asyncio.get_running_loop().create_task(client.call_tool("store_set", {"path": "/theirs", "value": 6}))
        await client.list_tools()
        assert (store.status, storage.saved, setting.done()) == ("loading", [], False)
        gate.set()
        if fails:
            with pytest.raises(McpError, match="could not be loaded"):
                await setting
            store.state["mine"] = 3
            assert store.status == "error"
        else:
            assert not (await setting).is_error
            assert store.json() == {"mine": 1, "theirs": 6}
            async with asyncio.timeout(20):
                await storage.again.wait()
            assert "await store.ready()" in caplog.text
    assert storage.saved == ([] if fails else [("s", 8, {"theirs"})])
    kept = storage.read("s")
    assert kept is not None
    assert kept.members == ({"mine": b"1"} if fails else {"mine": b"1", "theirs": b"6"})


async def test_a_kept_state_that_cannot_be_taken_up_is_an_error_before_anything_is_loaded() -> None:
    storage = MemoryStorage()
    storage.write("s", 7, 3, {"mine": b"1"})
    asked: list[bool] = []

    async def load() -> dict[str, int]:
        asked.append(True)
        return {"mine": 0}

    store = Store({"mine": -1}, name="s", load=load)
    with pytest.raises(StateFileError, match="newer version"):
        store.keep_in(storage)
    assert asked == []
