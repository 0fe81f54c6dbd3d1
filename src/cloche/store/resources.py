"""A store as resources: `store://name` is all that a model may see, `store://name/{+path}` a part of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from cloche.errors import InvalidParamsError, ResourceNotFoundError
from cloche.server.context import Context
from cloche.store.pointer import as_parts
from cloche.wire.types import TextResourceContents

if TYPE_CHECKING:
    from cloche.server.server import Server
    from cloche.store.store import Store

VERSION_META_KEY = "cloche/version"
"""Where the contents of a store's resource say which version of the state they are."""


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
        return TextResourceContents(uri, text, "application/json", {VERSION_META_KEY: version})
