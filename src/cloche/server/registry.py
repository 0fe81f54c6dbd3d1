"""`Registry`: the entries of one kind, found by key; and the resource behind a URI."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Generic, TypeVar

from cloche.errors import RegistrationError, shorten
from cloche.server.entries import Entry, ResourceEntry

if TYPE_CHECKING:
    from cloche.server.server import Server

E = TypeVar("E", bound=Entry)


class Registry(Generic[E]):
    """Entries of one kind, found by key in one look-up; tells when it changes."""

    def __init__(self, kind: str, on_change: Callable[[str], None]) -> None:
        self.kind = kind
        self.entries: dict[str, E] = {}
        self.get = self.entries.get
        self.guarded = False
        """Whether some entry was ever for some callers only."""
        self._on_change = on_change

    def add(self, entry: E) -> E:
        """Register; a key that is taken is a mistake."""
        self.check_free(entry.key)
        self.entries[entry.key] = entry
        self.guarded = self.guarded or entry.guarded
        self._on_change(self.kind)
        return entry

    def check_free(self, key: str) -> None:
        """Refuse a key that is taken."""
        if key in self.entries:
            raise RegistrationError(
                f"{self.kind} {shorten(key)!r} is registered already: choose another name or remove the first"
            )

    def remove(self, key: str) -> None:
        """Take an entry out, and what belongs to it."""
        if key not in self.entries:
            raise RegistrationError(f"There is no {self.kind} {shorten(key)!r} to remove")
        entry = self.entries.pop(key)
        self._on_change(self.kind)
        for undo in entry.on_remove:
            undo()

    def in_order(self) -> list[E]:
        """The entries as lists show them: in the order of registration, helpers last."""
        return sorted(self.entries.values(), key=lambda entry: entry.is_helper)

    def __iter__(self) -> Iterator[E]:
        return iter(self.entries.values())

    def __len__(self) -> int:
        return len(self.entries)


def match_resource(server: Server, uri: str) -> tuple[ResourceEntry, dict[str, str]] | None:
    """The resource behind a URI: by its exact URI, else by the first template that matches."""
    entry = server.resources.get(uri)
    if entry is not None:
        return entry, {}
    for candidate in server.templates:
        values = candidate.template.match(uri) if candidate.template is not None else None
        if values is not None:
            return candidate, values
    # Clients that pass URIs through a URL class give an empty path its slash: file://logo/ for file://logo.
    if uri.endswith("/") and uri.count("/") == 3 and (entry := server.resources.get(uri[:-1])) is not None:
        return entry, {}
    return None
