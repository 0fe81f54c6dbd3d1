"""States in a file: what is kept, what is wrong with a file, and a process that is killed while it writes."""

from __future__ import annotations

import asyncio
import contextlib
import random
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from cloche import Client, Context, Principal, Server, Store
from cloche.errors import ConfigurationError, StateFileError
from cloche.store import Save, create_store_with_fallback
from cloche.store.persistence import MemoryStorage, SQLiteStorage
from tests.store.shopping import Cart, Item


async def run(store: Store[Any], *acts: Any) -> None:
    """Do something while a server with this store runs, and end it."""
    server = Server("s")
    server.attach(store)
    async with Client(server) as client:
        await client.list_tools()
        for act in acts:
            act()


@pytest.mark.requirement(73, 179)
@pytest.mark.parametrize("kind", ["memory", "sqlite"])
async def test_a_state_is_there_again_with_its_types_and_its_version(kind: str, tmp_path: Path) -> None:
    storage = MemoryStorage() if kind == "memory" else SQLiteStorage(tmp_path / "state.db")
    assert storage.mode == kind
    first = Store(Cart(), name="cart", save=Save(storage))
    await run(
        first,
        lambda: first.state.items.append(Item("bread", 2)),
        lambda: setattr(first.state.shop, "note", "x"),
        lambda: first.state.notes.update(a=1, _b=2, deep={"_c": 3, "d": 4}),
    )
    second = Store(Cart(), name="cart", save=Save(storage))
    await run(second, lambda: second.state.notes.pop("a"))
    assert second.state.items == [Item("bread", 2)]
    assert second.state.shop.note == "x"
    assert second.version == first.version + 1 == 4
    third = Store(Cart(), name="cart", save=Save(storage))
    third.restore()
    assert third.state.notes == {"deep": {"d": 4}}
    storage.close()


@pytest.mark.requirement(179)
async def test_only_what_is_included_is_kept_and_underscores_never(tmp_path: Path) -> None:
    def made() -> Store[dict[str, Any]]:
        save = Save(SQLiteStorage(tmp_path / "state.db"), include=["a", "b", "_c"], exclude=["b"])
        return Store({"a": 0, "b": 0, "_c": 0, "d": 0}, save=save)

    store = made()
    await run(store, lambda: store.state.update(a=1, b=1, _c=1, d=1))
    again = made()
    await run(again)
    assert again.state == {"a": 1, "b": 0, "_c": 0, "d": 0}


async def test_members_that_went_and_lists_are_kept_as_they_are(tmp_path: Path) -> None:
    storage = SQLiteStorage(tmp_path / "state.db")
    one: Store[Any] = Store({"a": 1, "b": 2}, name="one", save=Save(storage))
    await run(one, lambda: one.state.update(c=3), lambda: one.hydrate({"state": {"b": 5}}))
    two: Store[Any] = Store({}, name="one", save=Save(storage))
    two.restore()
    assert two.state == {"b": 5}
    rows: Store[Any] = Store([], name="rows", save=Save(storage))
    await run(rows, lambda: rows.state.extend([1, {"x": 2}]))
    again: Store[Any] = Store([], name="rows", save=Save(storage))
    again.restore()
    assert again.state == [1, {"x": 2}]
    storage.close()


async def test_each_user_has_a_kept_state_and_nobody_elses(tmp_path: Path) -> None:
    def made() -> tuple[Server, Store[dict[str, str]]]:
        store = Store({"text": ""}, name="draft", per_user=True, save=Save(SQLiteStorage(tmp_path / "state.db")))

        @store.action
        def write(ctx: Context, text: str) -> None:
            """Write."""
            store.of(ctx).state["text"] = text

        server = Server("s")
        server.attach(store)
        return server, store

    server, _ = made()
    async with Client(await server.join(principal=Principal("ada"))) as client:
        await client.call_tool("write", {"text": "mine"})
    server, store = made()
    async with Client(await server.join(principal=Principal("eve"))) as client:
        assert (await client.read_resource("store://draft")).contents[0].text == '{"text":""}'
        assert store.of("ada").state == {"text": "mine"}


async def test_a_change_is_saved_a_moment_later_and_not_each_time(tmp_path: Path) -> None:
    class Counted(SQLiteStorage):
        writes = 0

        def write(self, *args: Any) -> None:
            super().write(*args)
            self.writes += 1
            loop.call_soon_threadsafe(saved.set)

    loop, saved = asyncio.get_running_loop(), asyncio.Event()
    storage = Counted(tmp_path / "state.db")
    store = Store({"n": 0}, save=Save(storage))
    server = Server("s")
    server.attach(store)
    async with Client(server) as client:
        await client.list_tools()
        for _ in range(200):
            store.state["n"] += 1
        async with asyncio.timeout(10):
            await saved.wait()
        assert storage.writes == 1
        saved_state = storage.read("state")
        assert saved_state is not None
        assert saved_state.members == {"n": b"200"}
        assert saved_state.version == 200


@pytest.mark.requirement(179)
async def test_migrations_run_in_order_and_a_missing_one_is_named(tmp_path: Path) -> None:
    file = tmp_path / "state.db"
    old: Store[Any] = Store({"names": "bread,milk"}, name="cart", save=Save(SQLiteStorage(file)))
    await run(old, lambda: old.state.update(names="bread,milk,salt"))

    def split(state: Any) -> Any:
        return {"names": state["names"].split(",")}

    def items(state: Any) -> Any:
        return {"items": [{"name": name} for name in state["names"]]}

    half: Store[Any] = Store(Cart(), name="cart", save=Save(SQLiteStorage(file), schema=3, migrations={1: split}))
    before = file.read_bytes()
    with pytest.raises(StateFileError, match="nothing makes schema 3"):
        half.restore()
    half.save.storage.close()  # type: ignore[union-attr]
    assert file.read_bytes() == before
    save = Save(SQLiteStorage(file), schema=3, migrations={1: split, 2: items})
    new = Store(Cart(), name="cart", save=save)
    await run(new)
    assert [item.name for item in new.state.items] == ["bread", "milk", "salt"]
    assert look_at(file, "SELECT schema FROM states") == [(3,)]
    assert ("names",) not in look_at(file, "SELECT name FROM members")
    older = Store(Cart(), name="cart", save=Save(SQLiteStorage(file)))
    with pytest.raises(StateFileError, match="newer version of this server"):
        older.restore()
    older.save.storage.close()  # type: ignore[union-attr]
    wrong: Store[Any] = Store({"items": 0}, name="cart", type=dict[str, int], save=save)
    with pytest.raises(StateFileError, match="does not fit its type"):
        wrong.restore()
    assert wrong.state == {"items": 0}
    with pytest.raises(ConfigurationError, match="ends before"):
        Save(schema=1, migrations={1: split})


def test_the_first_storage_that_works_is_taken(tmp_path: Path) -> None:
    (tmp_path / "bad.db").write_text("not a database " * 100)
    bad, good = SQLiteStorage(tmp_path / "bad.db"), SQLiteStorage(tmp_path / "good.db")
    for storages, mode in (([bad, good, MemoryStorage()], "sqlite"), ([bad], "memory")):
        store = create_store_with_fallback({"n": 1}, storages)
        assert store.save.storage is not None
        assert store.save.storage.mode == mode
    good.close()


def look_at(file: Path, statement: str) -> list[Any]:
    """What a statement finds in a file that nobody has open."""
    with contextlib.closing(sqlite3.connect(file, isolation_level=None)) as database:
        return database.execute(statement).fetchall()


def spoiled(kind: str, file: Path) -> None:
    """Make a file that cannot be used."""
    if kind == "text":
        file.write_text("this is not a database, whatever its name says " * 50)
        return
    storage = SQLiteStorage(file)
    storage.write("state", 1, 1, {"n": b"1" * 20_000})
    storage.close()
    if kind == "damaged":
        data = bytearray(file.read_bytes())
        data[4096:12_288] = b"\xff" * 8192
        file.write_bytes(bytes(data))
    else:
        look_at(file, "PRAGMA user_version = 99" if kind == "newer" else "PRAGMA application_id = 5")


@pytest.mark.requirement(179)
@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        ("text", "not a state file"),
        ("damaged", "is damaged"),
        ("newer", "newer version of Cloche"),
        ("foreign", "another program"),
    ],
)
def test_a_file_that_cannot_be_used_is_left_as_it_is(kind: str, reason: str, tmp_path: Path) -> None:
    file = tmp_path / "state.db"
    spoiled(kind, file)
    before = file.read_bytes()
    store = Store({"n": 0}, save=Save(SQLiteStorage(file)))
    with pytest.raises(StateFileError, match=reason):
        store.restore()
    assert file.read_bytes() == before
    assert [one.name for one in tmp_path.iterdir()] == ["state.db"]
    with pytest.raises(StateFileError, match="no folder"):
        SQLiteStorage(tmp_path / "missing" / "state.db").read("x")


async def test_a_file_that_another_process_uses_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "state.db"
    one, two = SQLiteStorage(file), SQLiteStorage(file)
    one.write("state", 1, 1, {"n": b"1"})
    with pytest.raises(StateFileError, match="in use by another process"):
        two.read("state")
    one.close()
    assert two.read("state") is not None
    two.close()


@pytest.mark.requirement(179)
async def test_a_full_disk_keeps_the_old_state_and_says_so(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    file = tmp_path / "state.db"
    storage = SQLiteStorage(file)
    store = Store({"text": "small"}, save=Save(storage))
    storage.write("state", 1, 1, {"text": b'"small"'})
    (pages,) = storage._open().execute("PRAGMA page_count").fetchone()
    storage._open().execute(f"PRAGMA max_page_count = {pages}")
    await run(store, lambda: store.state.update(text="x" * 100_000))
    assert store.state["text"] == "x" * 100_000
    assert "disk is full" in caplog.text
    again = Store({"text": ""}, save=Save(SQLiteStorage(file)))
    again.restore()
    assert again.state == {"text": "small"}


def kill_and_look(file: Path, times: int, seed: int) -> None:
    """Kill a writer at some moment, again and again, and look at what it left."""
    chance, last = random.Random(seed), 0
    for _ in range(times):
        words = [sys.executable, "-m", "tests.store.persistence.writer", str(file)]
        with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            told = [process.stdout.readline().split() for _ in range(1 + chance.randint(1, 25))]
            process.kill()  # while it writes: after some save, it goes on at once
            assert told[0] == ["ready", str(last)], "the writer did not start on what the killed one left"
            told += [line.split() for line in process.stdout if line.endswith("\n")]
        store: Store[Any] = Store({"left": 0, "right": 0, "rows": []}, name="pair", save=Save(SQLiteStorage(file)))
        store.restore()
        state = store.state
        assert state["left"] == state["right"] == store.version
        assert [row["n"] for row in state["rows"]] == list(range(max(1, state["left"] - 49), state["left"] + 1))
        assert state["left"] >= int(told[-1][1]) > last, "what was saved is lost"
        last = state["left"]
        store.save.storage.close()  # type: ignore[union-attr]


@pytest.mark.requirement(73)
def test_a_killed_process_never_leaves_half_a_state(tmp_path: Path) -> None:
    kill_and_look(tmp_path / "state.db", times=5, seed=1)


@pytest.mark.long
def test_a_process_killed_two_hundred_times_never_leaves_half_a_state(tmp_path: Path) -> None:
    kill_and_look(tmp_path / "state.db", times=200, seed=2)
