"""`--state FILE`: the file in which the stores of a server are kept."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from cloche.errors import ConfigurationError

if TYPE_CHECKING:
    from cloche.cli.loader import Loaded


def keep_state(loaded: Loaded, file: Path | None) -> None:
    """Keep every store of the server in `file`, and take up what it has. What is wrong with it is said at once."""
    if file is None:
        return
    if loaded.kind != "cloche":
        raise ConfigurationError(f"--state is for servers of Cloche, and this is one of {loaded.kind}: leave it out")
    from cloche.store import Store
    from cloche.store.persistence import SQLiteStorage

    stores = [one for one in loaded.server.capabilities.values() if isinstance(one, Store)]
    if not stores:
        raise ConfigurationError("--state keeps the stores of a server, and this one has none: server.attach(Store(…))")
    storage = SQLiteStorage(file.absolute())
    for store in stores:
        store.keep_in(storage)
    storage.read("")  # the file is opened now, also when every store has a state per user
