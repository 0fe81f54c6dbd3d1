"""The tools of a server's stores: `store_set` for models, and `store_sync`, through which views keep up."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import msgspec

from cloche.errors import McpError, StoreValueError, ToolError, VersionConflictError, shorten
from cloche.server.capability import Capability
from cloche.server.context import Context
from cloche.store.patches import Operation, read_patch
from cloche.store.pointer import as_parts, pointer_to
from cloche.store.resources import NEVER, changes_since
from cloche.store.state import StoreState
from cloche.store.visibility import Visibility

if TYPE_CHECKING:
    from cloche.server.server import Server
    from cloche.store.store import Store

SET_TOOL = "store_set"
SYNC_TOOL = "store_sync"

MAX_WAIT = 25.0
"""Seconds that one call of `store_sync` waits for a change."""

MAX_WRITE = 256 * 1024
"""Bytes of what one call writes, as JSON."""


class Base(msgspec.Struct):
    """What somebody saw before a change: which life of the state, and the version in it."""

    epoch: str = ""
    version: int = NEVER


class StoreTools(Capability):
    """The tools that all stores of a server share: attached by the first one."""

    name = "stores"

    def __init__(self) -> None:
        self._stores: dict[str, Store[Any]] = {}

    def add(self, server: Server, store: Store[Any]) -> None:
        """One more store."""
        self._stores[store.name] = store
        if SYNC_TOOL not in server.tools.entries:
            entry = server.register_tool(self.sync, name=SYNC_TOOL, visibility=["app"])
            entry.is_helper = True
        if store.settable and SET_TOOL not in server.tools.entries:
            server.register_tool(
                self.set, name=SET_TOOL, annotations={"idempotent_hint": True, "open_world_hint": False}
            )

    def _find(self, name: str | None, ctx: Context, *, settable: bool = False) -> Store[Any]:
        known = {
            key: one
            for key, one in self._stores.items()
            if one.admits(ctx.principal) and (one.settable or not settable)
        }
        if name is None and len(known) == 1:
            return next(iter(known.values()))
        if name is None or name not in known:
            said = "Say which store" if name is None else f"There is no store {shorten(name)!r}"
            raise ToolError(f"{said}: it is one of {', '.join(sorted(known)) or 'none'}")
        return known[name]

    async def set(
        self,
        ctx: Context,
        path: Annotated[str, msgspec.Meta(description="Where: a JSON Pointer such as /items/0/name")],
        value: Annotated[Any, msgspec.Meta(description="The new value")] = None,
        remove: Annotated[bool, msgspec.Meta(description="Remove what is there instead")] = False,
        store: Annotated[str | None, msgspec.Meta(description="Which store, when there are several")] = None,
        version: Annotated[
            int | None, msgspec.Meta(description="The version that was read: refuse if this changed since")
        ] = None,
    ) -> dict[str, int]:
        """Set a value in the state that the user sees, or remove it. A path that ends with /- adds to a list."""
        found = self._find(store, ctx, settable=True)
        await found.ready()
        state = found.of(ctx)
        try:
            parts = as_parts(path)
            op = "remove" if remove else _op(state, parts)
            operation = Operation(op, pointer_to(parts), value)  # type: ignore[arg-type]
            return {"version": write(state, [operation], version, ctx, found.for_models)}
        except (McpError, StoreValueError) as error:
            raise ToolError(str(error)) from None

    async def sync(
        self,
        ctx: Context,
        store: str | None = None,
        epoch: str = "",
        version: int = -1,
        patch: Any = None,
        base: Base | None = None,
        writer: Annotated[str, msgspec.Meta(max_length=64)] = "",
        wait: float = 0.0,
    ) -> dict[str, Any]:
        """Keep a view's copy of a store equal. Only views call it.

        `epoch` and `version` say what the copy has, and `base` what the patch was made from, which is older where
        somebody typed while others wrote. `writer` names the copy: what it wrote itself it has seen.
        """
        found = self._find(store, ctx)
        await found.ready()
        state, refused = found.of(ctx), None
        known = version if epoch == state.epoch else -1
        if patch is not None:
            made_from = base or Base(epoch, version)
            # Of another life of the state nobody knows what has changed since.
            seen = made_from.version if made_from.epoch == state.epoch else NEVER
            try:
                is_blind = base is None and not epoch
                write(state, read_patch(patch), None if is_blind else seen, ctx, found.for_views, writer)
            except VersionConflictError as error:
                refused = {"conflict": True, "message": error.message}
            except (McpError, StoreValueError) as error:
                refused = {"conflict": False, "message": str(error)}
        elif wait > 0 and known == state.version:
            await next_change(state, min(wait, MAX_WAIT))
        answer = changes_since(found, state, known, found.for_views)
        return {**answer, "refused": refused} if refused else answer


def write(
    state: StoreState[Any],
    patch: list[Operation],
    version: int | None,
    ctx: Context,
    seen: Visibility,
    writer: str = "",
) -> int:
    """Write what somebody outside wants to a state."""
    if len(msgspec.json.encode(patch)) > MAX_WRITE:
        raise StoreValueError(f"one change has at most {MAX_WRITE} bytes")
    return state.apply(patch, version=version, principal=ctx.principal, seen=seen, writer=writer)


async def next_change(state: StoreState[Any], seconds: float) -> None:
    """Wait until a state changes, or the time is up."""
    loop, changed = asyncio.get_running_loop(), asyncio.Event()
    known = state.version
    stop = state.subscribe(lambda change: loop.call_soon_threadsafe(changed.set))
    try:
        if state.version == known:
            async with asyncio.timeout(seconds):
                await changed.wait()
    except TimeoutError:
        pass
    finally:
        stop()


def _op(state: StoreState[Any], parts: Sequence[str]) -> str:
    """`store_set` replaces an item of a list, and adds a member that is not there."""
    if not parts:
        return "replace"
    return "replace" if isinstance(state.get(parts[:-1]), list) and parts[-1] != "-" else "add"
