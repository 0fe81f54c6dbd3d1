"""A storage that must be waited for: it answers in a later turn of the loop, as a browser does."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import Any

import pytest

from cloche import Client, Server, Store
from cloche.errors import StateFileError
from cloche.store import Save
from cloche.store.persistence import Saved

BOUND = 10.0


class LateStorage:
    """One JSON text, replaced as a whole."""

    mode = "late"

    def __init__(self, disk: dict[str, str]) -> None:
        self.disk = disk
        self.full = False
        self.written = asyncio.Event()
        self.refused = asyncio.Event()
        self._states: dict[str, Any] | None = None

    async def open(self) -> None:
        await asyncio.sleep(0)
        self._states = json.loads(self.disk.get("text", "{}"))

    def read(self, name: str) -> Saved | None:
        if self._states is None:
            raise StateFileError("It is not open")
        found = self._states.get(name)
        return None if found is None else Saved(*found[:2], {key: one.encode() for key, one in found[2].items()})

    async def write(self, name: str, version: int, schema: int, members: Mapping[str, bytes | None]) -> None:
        assert self._states is not None
        if self.full:
            self.refused.set()
            raise StateFileError("The disk is full")
        before = self._states.get(name, [0, 0, {}])[2]
        kept = {**before, **{key: one and one.decode() for key, one in members.items()}}
        states = {**self._states, name: [version, schema, {key: one for key, one in kept.items() if one is not None}]}
        await asyncio.sleep(0)
        self.disk["text"] = json.dumps(states)
        self._states = states
        self.written.set()

    def close(self) -> None:
        self._states = None


def made(storage: LateStorage) -> tuple[Server, Store[dict[str, Any]]]:
    server, store = Server("s"), Store[dict[str, Any]]({"a": 0, "b": 0}, name="s", save=Save(storage, debounce=0))
    server.attach(store)
    return server, store


@pytest.mark.requirement(73)
async def test_a_state_in_a_storage_that_must_be_waited_for_is_there_again() -> None:
    disk: dict[str, str] = {}
    server, store = made(LateStorage(disk))
    async with Client(server) as client:
        await client.list_tools()
        store.state["a"] = 1
    server, store = made(LateStorage(disk))
    async with Client(server) as client:
        await client.list_tools()
        assert store.state == {"a": 1, "b": 0}
        del store.state["b"]
    assert json.loads(disk["text"])["s"][2] == {"a": "1"}


async def test_what_could_not_be_written_is_still_to_be_saved_and_the_old_is_untouched() -> None:
    storage = LateStorage({})
    server, store = made(storage)
    async with Client(server) as client:
        await client.list_tools()
        store.state["a"] = 1
        async with asyncio.timeout(BOUND):
            await storage.written.wait()
        before = storage.disk["text"]
        storage.full = True
        store.state["a"] = 2
        async with asyncio.timeout(BOUND):
            await storage.refused.wait()
        assert str(store.saving_error) == "The disk is full"
        assert storage.disk["text"] == before
        storage.full = False
    assert json.loads(storage.disk["text"])["s"][2]["a"] == "2"


def test_a_storage_that_is_not_open_says_so() -> None:
    _, store = made(LateStorage({}))
    with pytest.raises(StateFileError, match="not open"):
        store.restore()
