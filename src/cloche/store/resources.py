"""A store as resources: `store://name` is all that a model may see, `store://name/{+path}` a part of it, and
`store://name?version=…` what has changed since a version.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from cloche.errors import InvalidParamsError, ResourceNotFoundError
from cloche.server.context import Context
from cloche.store.pointer import as_parts
from cloche.store.state import StoreState
from cloche.store.visibility import Visibility
from cloche.wire.types import TextResourceContents

if TYPE_CHECKING:
    from cloche.server.server import Server
    from cloche.store.store import Store

VERSION_META_KEY = "cloche/version"
"""Where the contents of a store's resource say which version of the state they are."""

EPOCH_META_KEY = "cloche/epoch"
"""Where they say which life of the state the version counts in."""

NEVER = -1
"""The version of somebody who has seen nothing of this life of the state."""


class StoreResources:
    """The resources of one store."""

    def __init__(self, store: Store[Any]) -> None:
        self._store = store

    def register(self, server: Server) -> None:
        """Register them."""
        store = self._store
        about = {
            "mime_type": "application/json",
            "title": store.title,
            **{key: value for key, value in store.options.items() if value},
        }
        what = store.description or f"The state {store.name!r}, which may change: subscribe to hear of it."
        server.register_resource(store.uri, self._read_all, name=store.name, description=what, **about)
        server.register_resource(
            store.uri + "/{+path}",
            self._read_part,
            name=f"{store.name}-part",
            description=f"A part of {store.uri}, by its path: {store.uri}/items/0",
            **about,
        )

        server.register_resource(
            store.uri + "{?version,epoch}",
            self._read_changes,
            name=f"{store.name}-changes",
            description=f"What has changed in {store.uri} since a version, as a JSON Patch; too long ago, all of it.",
            **about,
        )

    async def _read_changes(self, ctx: Context, version: int = NEVER, epoch: str = "") -> Any:
        store = self._store
        await store.ready()
        state = store.of(ctx)
        known = version if epoch in ("", state.epoch) else NEVER
        text = msgspec.json.encode(changes_since(store, state, known, store.for_models)).decode()
        return TextResourceContents(store.uri, text, "application/json")

    async def _read_all(self, ctx: Context) -> Any:
        return await self._read(ctx, ())

    async def _read_part(self, ctx: Context, path: str) -> Any:
        return await self._read(ctx, as_parts("/" + path))

    async def _read(self, ctx: Context, parts: tuple[str, ...]) -> Any:
        store = self._store
        await store.ready()
        uri = store.uri + "".join(f"/{part}" for part in parts)
        if not store.for_models.shows(parts):
            raise ResourceNotFoundError(uri)
        state = store.of(ctx)
        try:
            with state.batch():
                version, value = state.version, state.shown(parts)
        except InvalidParamsError:
            raise ResourceNotFoundError(uri) from None
        text = msgspec.json.encode(store.for_models.value(value, parts)).decode()
        about = {VERSION_META_KEY: version, EPOCH_META_KEY: state.epoch}
        return TextResourceContents(uri, text, "application/json", about)


def changes_since(store: Store[Any], state: StoreState[Any], version: int, seen: Visibility) -> dict[str, Any]:
    """What has changed since a version, as a patch; the whole value for who has seen too little."""
    with state.batch():
        changes = state.since(version) if version > NEVER else None
        head = {"store": store.name, "epoch": state.epoch, "version": state.version}
        if changes is None:
            return {**head, "value": seen.value(state.json())}
        return {**head, "patch": seen.patch(one for change in changes for one in change.patch)}
