"""A storage that must be waited for: here a file that is written on another loop's thread, slowly."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from cloche import Client, Server, Store
from cloche.errors import StateFileError
from cloche.store import Save
from cloche.store.persistence import Saved

BOUND = 10.0


class FileStorage:
    """One JSON file, replaced as a whole."""

    mode = "file"

    def __init__(self, file: Path) -> None:
        self.file = file
        self.full = False
        self.written = asyncio.Event()
        self.refused = asyncio.Event()
        self._states: dict[str, Any] | None = None

    async def open(self) -> None:
        text = await asyncio.to_thread(lambda: self.file.read_text() if self.file.exists() else "{}")
        self._states = json.loads(text)

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
        await asyncio.to_thread(self.file.write_text, json.dumps(states))
        self._states = states
        self.written.set()

    def close(self) -> None:
        self._states = None


def made(storage: FileStorage) -> tuple[Server, Store[dict[str, Any]]]:
    server, store = Server("s"), Store[dict[str, Any]]({"a": 0, "b": 0}, name="s", save=Save(storage, debounce=0))
    server.attach(store)
    return server, store


@pytest.mark.requirement(73)
async def test_a_state_in_a_storage_that_must_be_waited_for_is_there_again(tmp_path: Path) -> None:
    file = tmp_path / "state.json"
    server, store = made(FileStorage(file))
    async with Client(server) as client:
        await client.list_tools()
        store.state["a"] = 1
    server, store = made(FileStorage(file))
    async with Client(server) as client:
        await client.list_tools()
        assert store.state == {"a": 1, "b": 0}
        del store.state["b"]
    assert json.loads(file.read_text())["s"][2] == {"a": "1"}


async def test_what_could_not_be_written_is_still_to_be_saved_and_the_old_is_untouched(tmp_path: Path) -> None:
    storage = FileStorage(tmp_path / "state.json")
    server, store = made(storage)
    async with Client(server) as client:
        await client.list_tools()
        store.state["a"] = 1
        async with asyncio.timeout(BOUND):
            await storage.written.wait()
        before = storage.file.read_text()
        storage.full = True
        store.state["a"] = 2
        async with asyncio.timeout(BOUND):
            await storage.refused.wait()
        assert str(store.saving_error) == "The disk is full"
        assert storage.file.read_text() == before
        storage.full = False
    assert json.loads(storage.file.read_text())["s"][2]["a"] == "2"


def test_a_storage_that_is_not_open_says_so(tmp_path: Path) -> None:
    _, store = made(FileStorage(tmp_path / "state.json"))
    with pytest.raises(StateFileError, match="not open"):
        store.restore()
