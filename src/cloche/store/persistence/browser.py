"""States in the visitor's browser, for servers that run in the page: IndexedDB, localStorage, or memory.

`cloche/web/storage.js` does the work. What is in the browser is read once, when the server starts; writing waits for
the browser. Whatever is wrong (full, in use by another tab, damaged, written by a newer Cloche) is a `StateFileError`
with a sentence, and what was kept before is left as it is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from cloche.errors import StateFileError, TransportError
from cloche.store.persistence.storage import Saved

MODES = ("indexeddb", "localstorage", "memory")
"""What is tried, in this order."""


class _Kept(msgspec.Struct):
    """A state as the page has it."""

    version: int
    schema: int
    members: dict[str, str]


class BrowserStorage:
    """Keeps states in the browser, for this page's origin: `Save(BrowserStorage("shopping"))`.

    `mode` is which of `modes` it became, and `reasons` say why those before it do not work here. One tab has a storage
    at a time; another one that wants it waits five seconds, and is then refused.
    """

    def __init__(self, name: str = "state", *, modes: Sequence[str] = MODES) -> None:
        self.name = name
        self.modes = tuple(modes)
        self.mode = "unopened"
        self.reasons: list[str] = []
        self._page: Any = None
        self._saved: dict[str, Saved] = {}

    async def open(self) -> None:
        """Take what the browser has; a server does it when it starts."""
        if self._page is not None:
            return
        from cloche.transports.browser import open_page_storage

        try:
            page = await open_page_storage(self.name, self.modes)
        except TransportError as error:
            raise StateFileError(str(error)) from None
        kept = msgspec.json.decode(page.states, type=dict[str, _Kept])
        self._saved = {
            name: Saved(one.version, one.schema, {key: text.encode() for key, text in one.members.items()})
            for name, one in kept.items()
        }
        self.reasons = msgspec.json.decode(page.reasons, type=list[str])
        self.mode = page.mode
        self._page = page

    def read(self, name: str) -> Saved | None:
        """A state as it was when the storage was opened, or None if it was never kept."""
        if self._page is None:
            raise StateFileError("The browser's storage is opened when the server starts: attach the store to a server")
        return self._saved.get(name)

    async def write(self, name: str, version: int, schema: int, members: Mapping[str, bytes | None]) -> None:
        """Keep members of a state: all of it, or nothing."""
        from cloche.transports.browser import promised

        if self._page is None:
            raise StateFileError("The browser's storage is closed")
        texts = {key: None if one is None else one.decode() for key, one in members.items()}
        try:
            await promised(self._page.write(name, version, schema, msgspec.json.encode(texts).decode()))
        except TransportError as error:
            raise StateFileError(str(error)) from None
        before = self._saved.get(name)
        kept = {**(before.members if before is not None else {}), **members}
        self._saved[name] = Saved(version, schema, {key: one for key, one in kept.items() if one is not None})

    def close(self) -> None:
        """Let go of it, and let other tabs have it."""
        page, self._page = self._page, None
        if page is not None:
            page.close()
