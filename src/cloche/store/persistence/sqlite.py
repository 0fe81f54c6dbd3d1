"""States in a SQLite file: a row for each member, and one transaction for each save.

The file belongs to one process at a time. Whatever is wrong with it (locked, damaged, full, written by a newer Cloche)
is a `StateFileError` with a sentence, and the file is left as it is.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from cloche.errors import StateFileError
from cloche.store.persistence.storage import Saved

APPLICATION_ID = 0x436C6F63
"""`Cloc`: says in the file's header whose it is."""

FORMAT = 1
"""The version of the tables."""

_TABLES = """
CREATE TABLE states (name TEXT PRIMARY KEY, version INTEGER NOT NULL, schema INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE members (
    state TEXT NOT NULL, name TEXT NOT NULL, value BLOB NOT NULL, PRIMARY KEY (state, name)
) WITHOUT ROWID;
"""


class SQLiteStorage:
    """Keeps states in a file, which is made when it does not exist."""

    mode = "sqlite"

    def __init__(self, file: str | Path) -> None:
        self.file = Path(file)
        self._database: sqlite3.Connection | None = None
        self._lock = threading.RLock()  # several stores may share the file

    def read(self, name: str) -> Saved | None:
        """A state, or None if it was never kept."""
        with self._blaming():
            database = self._open()
            row = database.execute("SELECT version, schema FROM states WHERE name = ?", (name,)).fetchone()
            if row is None:
                return None
            members = dict(database.execute("SELECT name, value FROM members WHERE state = ?", (name,)))
            return Saved(row[0], row[1], members)

    def write(self, name: str, version: int, schema: int, members: Mapping[str, bytes | None]) -> None:
        """Keep members of a state, in one transaction."""
        with self._blaming():
            database = self._open()
            database.execute("BEGIN IMMEDIATE")
            try:
                for key, value in members.items():
                    if value is None:
                        database.execute("DELETE FROM members WHERE state = ? AND name = ?", (name, key))
                    else:
                        database.execute("INSERT OR REPLACE INTO members VALUES (?, ?, ?)", (name, key, value))
                database.execute("INSERT OR REPLACE INTO states VALUES (?, ?, ?)", (name, version, schema))
                database.execute("COMMIT")
            except BaseException:
                if database.in_transaction:
                    database.execute("ROLLBACK")
                raise

    def close(self) -> None:
        """Close the file, and let other processes have it."""
        with self._lock:
            database, self._database = self._database, None
            if database is not None:
                database.close()

    def _open(self) -> sqlite3.Connection:
        if self._database is None:
            if not self.file.parent.is_dir():
                raise StateFileError(f"{self.file}: there is no folder {self.file.parent}, so make it first")
            database = sqlite3.connect(self.file, timeout=0, isolation_level=None, check_same_thread=False)
            try:
                self._prepare(database)
            except BaseException:
                database.close()
                raise
            self._database = database
        return self._database

    def _prepare(self, database: sqlite3.Connection) -> None:
        database.execute("PRAGMA locking_mode = EXCLUSIVE")
        database.execute("BEGIN EXCLUSIVE")  # from here on no other process has it
        (application,) = database.execute("PRAGMA application_id").fetchone()
        (found,) = database.execute("PRAGMA user_version").fetchone()
        (tables,) = database.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if not tables and not application:
            for statement in _TABLES.split(";")[:-1]:
                database.execute(statement)
            database.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            database.execute(f"PRAGMA user_version = {FORMAT}")
        elif application != APPLICATION_ID:
            raise StateFileError(f"{self.file} is a database of another program: choose another file")
        elif found > FORMAT:
            raise StateFileError(
                f"{self.file} was written by a newer version of Cloche: update Cloche, or choose another file"
            )
        elif (check := database.execute("PRAGMA quick_check(1)").fetchone()[0]) != "ok":
            raise sqlite3.DatabaseError(check)
        database.execute("COMMIT")

    @contextmanager
    def _blaming(self) -> Iterator[None]:
        """Say in a sentence what is wrong with the file."""
        try:
            with self._lock:
                yield
        except sqlite3.Error as error:
            raise StateFileError(f"{self.file} {_reason(error)}") from error


def _reason(error: sqlite3.Error) -> str:
    code = getattr(error, "sqlite_errorcode", None)
    primary = code & 0xFF if isinstance(code, int) else None
    if primary in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return "is in use by another process: end that one, or choose another file"
    if primary == sqlite3.SQLITE_FULL:
        return "cannot grow, because the disk is full: the last changes are in memory only"
    if primary in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_IOERR):
        return f"cannot be opened or written ({error}): check its permissions"
    return f"is damaged, or not a state file ({error}): restore a copy of it, or choose another file"
