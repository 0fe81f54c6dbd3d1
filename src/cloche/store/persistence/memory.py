"""States in memory: for tests, and for what need not outlive the process."""

from __future__ import annotations

from collections.abc import Mapping

from cloche.store.persistence.storage import Saved


class MemoryStorage:
    """Keeps states for as long as the process runs, also from one store to the next."""

    mode = "memory"

    def __init__(self) -> None:
        self._saved: dict[str, Saved] = {}

    def read(self, name: str) -> Saved | None:
        """A state, or None if it was never kept."""
        found = self._saved.get(name)
        return None if found is None else Saved(found.version, found.schema, dict(found.members))

    def write(self, name: str, version: int, schema: int, members: Mapping[str, bytes | None]) -> None:
        """Keep members of a state."""
        before = self._saved.get(name)
        kept = {**(before.members if before is not None else {}), **members}
        self._saved[name] = Saved(version, schema, {key: one for key, one in kept.items() if one is not None})

    def close(self) -> None:
        """Nothing is open."""
