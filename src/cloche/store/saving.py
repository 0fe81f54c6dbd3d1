"""Saving: what of a store is kept, when, and how an older state becomes a newer one."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import msgspec

from cloche.errors import ConfigurationError, StateFileError, StoreValueError, shorten
from cloche.store.journal import Change
from cloche.store.persistence.storage import must_be_waited_for
from cloche.store.pointer import parse
from cloche.store.visibility import EVERYTHING

if TYPE_CHECKING:
    from cloche.store.persistence.storage import AsyncStorage, Saved, Storage
    from cloche.store.state import StoreState

logger = logging.getLogger("cloche.store")

DEBOUNCE = 0.1
"""Seconds from a change until it is saved: the most that a crash can lose."""

RETRY = 2.0
"""Seconds until a save that failed is tried again."""

Migration = Callable[[Any], Any]
"""Gets a state of one schema as JSON, and returns it as the next schema has it."""


class Save:
    """How a store is kept: `Store(…, save=Save(SQLiteStorage("state.db")))`.

    `include` and `exclude` name members of the state; without them every member is kept. Names that begin with `_`
    never are. `schema` is the version of your types, and `migrations[n]` makes a state of version n one of version
    n + 1. Without `storage` the state is kept where `cloche run --state FILE` says.
    """

    def __init__(
        self,
        storage: Storage | AsyncStorage | None = None,
        *,
        include: Iterable[str] | None = None,
        exclude: Iterable[str] = (),
        debounce: float = DEBOUNCE,
        schema: int = 1,
        migrations: Mapping[int, Migration] | None = None,
    ) -> None:
        self.storage = storage
        self._include = None if include is None else frozenset(include)
        self._exclude = frozenset(exclude)
        self.debounce = debounce
        self.schema = schema
        self._migrations = dict(migrations or {})
        if unknown := [number for number in self._migrations if not 1 <= number < schema]:
            raise ConfigurationError(
                f"migrations[{unknown[0]}] makes schema {unknown[0] + 1}, and Save(schema={schema}) ends before it"
            )

    def keeps(self, name: str) -> bool:
        """Whether a member of the state is kept."""
        if name.startswith("_") or name in self._exclude:
            return False
        return self._include is None or name in self._include

    def migrated(self, name: str, saved: Saved) -> Any:
        """The members of a state as JSON, as this schema has them."""
        if saved.schema > self.schema:
            raise StateFileError(
                f"The state {name!r} was saved by a newer version of this server (schema {saved.schema}, and this one "
                f"has {self.schema}): start the newer version, or choose another file"
            )
        value: Any = {key: msgspec.json.decode(one) for key, one in saved.members.items()}
        value = value[""] if set(value) == {""} else value
        for number in range(saved.schema, self.schema):
            migration = self._migrations.get(number)
            if migration is None:
                raise StateFileError(
                    f"The state {name!r} has schema {number}, and nothing makes schema {number + 1} of it: "
                    f"add Save(migrations={{{number}: …}})"
                )
            value = migration(value)
        return value


class Saving:
    """Keeps one state: restores it, then saves what changes, a moment later."""

    def __init__(self, name: str, state: StoreState[Any], save: Save, storage: Storage | AsyncStorage) -> None:
        self.name = name
        self._state = state
        self._save = save
        self._storage = storage
        self._dirty: set[str] = set()
        self._known: set[str] = set()
        """The members that the storage has."""
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._task: asyncio.Task[None] | None = None
        self.error: StateFileError | None = None
        """Why the last save failed; None when it did not."""
        self._stop: Callable[[], None] = _nothing

    def restore(self) -> None:
        """Take up what was kept, then listen. Raises `StateFileError`, and leaves state and file as they are."""
        saved = self._storage.read(self.name)
        if saved is not None:
            self._take_up(saved)
        self._stop = self._state.subscribe(self._changed)

    def check(self) -> None:
        """Raise the `StateFileError` of what cannot be taken up."""
        saved = self._storage.read(self.name)
        if saved is not None:
            self._save.migrated(self.name, saved)

    def _take_up(self, saved: Saved) -> None:
        self._known = set(saved.members)
        try:
            value = self._save.migrated(self.name, saved)
            now = self._state.dehydrate()["state"]
            if isinstance(now, dict) and isinstance(value, dict):
                value = {**now, **{key: one for key, one in value.items() if self._save.keeps(key)}}
            self._state.resume(value, saved.version)
        except StoreValueError as error:
            raise StateFileError(
                f"The saved state {self.name!r} does not fit its type ({shorten(str(error), 200)}): "
                "raise Save(schema=…) and add a migration"
            ) from error
        if saved.schema != self._save.schema:
            self._mark([""] if self._state.is_list else {*self._state.member_names(), *self._known})

    def listen(self, loop: asyncio.AbstractEventLoop) -> None:
        """Save from this event loop."""
        self._loop = loop
        if self._dirty:
            loop.call_soon_threadsafe(self._soon, self._save.debounce)

    def _changed(self, change: Change) -> None:
        for operation in change.patch:
            parts = parse(operation.path)
            if self._state.is_list:
                self._mark([""])
            else:
                self._mark(parts[:1] or {*self._state.member_names(), *self._known})

    def _mark(self, names: Iterable[str]) -> None:
        kept = {name for name in names if self._save.keeps(name)}
        if not kept:
            return
        with self._lock:
            first = not self._dirty
            self._dirty |= kept
        if first and self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._soon, self._save.debounce)

    def _soon(self, seconds: float) -> None:
        if self._timer is None and self._loop is not None:
            self._timer = self._loop.call_later(seconds, self._begin)

    def _begin(self) -> None:
        self._timer = None
        assert self._loop is not None
        if self._task is None or self._task.done():
            self._task = self._loop.create_task(self._save_in_background())
        else:
            self._soon(self._save.debounce)

    async def _save_in_background(self) -> None:
        from cloche.server.threads import HAVE_THREADS

        try:
            if HAVE_THREADS and not must_be_waited_for(self._storage):
                await asyncio.to_thread(self.flush)
            else:
                await self._flush_here()
        except StateFileError as error:
            logger.error("a state was not saved, and will be tried again: %s", error)
            self._soon(RETRY)

    def flush(self) -> None:
        """Save now what has changed; raises `StateFileError`, and then it is still to be saved. A storage that must be
        waited for is written to in the background.
        """
        storage = self._storage
        if must_be_waited_for(storage):
            if self._loop is not None:
                self._loop.call_soon_threadsafe(self._begin)
            return
        with self._due() as due:
            if due is not None:
                storage.write(self.name, due[0], self._save.schema, due[1])

    async def _flush_here(self) -> None:
        storage = self._storage
        if not must_be_waited_for(storage):
            self.flush()
            return
        with self._due() as due:
            if due is not None:
                await storage.write(self.name, due[0], self._save.schema, due[1])

    @contextmanager
    def _due(self) -> Iterator[tuple[int, dict[str, bytes | None]] | None]:
        """What is to be saved, for a block that saves it; where that fails it is still to be saved."""
        with self._lock:
            dirty, self._dirty = self._dirty, set()
        if not dirty:
            yield None
            return
        try:
            yield self._members(dirty)
        except BaseException as error:
            self.error = error if isinstance(error, StateFileError) else self.error
            with self._lock:
                self._dirty |= dirty
            raise
        self.error = None
        self._known |= dirty

    def _members(self, names: set[str]) -> tuple[int, dict[str, bytes | None]]:
        with self._state.batch():
            version, found = self._state.version, dict[str, bytes | None]()
            for name in names:
                value = self._state.member_json(name)
                found[name] = None if value is msgspec.UNSET else msgspec.json.encode(EVERYTHING.value(value))
            return version, found

    async def close(self) -> None:
        """Stop listening, and save what is not saved yet."""
        self._stop()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._task is not None:
            await self._task
        self._loop = None
        try:
            await self._flush_here()
        except StateFileError as error:
            logger.error("the last changes of a state were not saved: %s", error)


def _nothing() -> None:
    """Nothing is listened to yet."""
