"""Stores by the calls of the source documents. Each makes a `Store`; `docs/names.md` has the names."""

from __future__ import annotations

import inspect
import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from cloche.auth import Principal
from cloche.errors import StateFileError
from cloche.store.guards import MutationGuard
from cloche.store.persistence import MemoryStorage, Storage
from cloche.store.saving import Save
from cloche.store.state import S
from cloche.store.store import Store

logger = logging.getLogger("cloche.store")


def create_store(initial: S | Callable[[], S], **options: Any) -> Store[S]:
    """A store: `Store(initial, …)` as a call."""
    return Store(initial, **options)


def create_secure_store(
    initial: S | Callable[[], S],
    *,
    guards: Iterable[MutationGuard] = (),
    read_only_paths: Iterable[str | Sequence[str]] = (),
    allowed_clients: Iterable[str] | None = None,
    **options: Any,
) -> Store[S]:
    """A store with guards. With `allowed_clients` it exists only for principals with one of these ids."""
    if allowed_clients is not None:
        ids = frozenset(allowed_clients)

        def is_allowed(principal: Principal | None) -> bool:
            return principal is not None and principal.id in ids

        options["visible_to"] = is_allowed
    return Store(initial, guards=guards, read_only=read_only_paths, **options)


def create_store_with_fallback(
    initial: S | Callable[[], S], storages: Iterable[Storage], *, name: str = "state", **options: Any
) -> Store[S]:
    """A store that is kept in the first of these storages that works: `store.save.storage.mode` says which. When none
    does, the state is in memory only.
    """
    for storage in storages:
        try:
            storage.read(name)
        except StateFileError as error:
            logger.warning("the state %s is not kept in %s: %s", name, storage.mode, error)
            continue
        return Store(initial, name=name, save=Save(storage), **options)
    return Store(initial, name=name, save=Save(MemoryStorage()), **options)


def define_store(
    name: str,
    initial: S | Callable[[], S],
    actions: Mapping[str, Callable[..., Any]] | None = None,
    **options: Any,
) -> Store[S]:
    """A store with its actions, whose tools are called `name.action`. The first parameter of each action gets the
    state; the others are the tool's arguments. `server.attach(store)` puts it on a server.
    """
    store: Store[S] = Store(initial, name=name, **options)
    for key, action in (actions or {}).items():
        store.action(name=f"{name}.{key}")(_with_state(store, key, action))
    return store


def _with_state(store: Store[S], name: str, action: Callable[..., Any]) -> Callable[..., Any]:
    """The action without its first parameter, which gets the state."""
    signature = inspect.signature(action, eval_str=True)
    parameters = list(signature.parameters.values())[1:]

    def run(*args: Any, **kwargs: Any) -> Any:
        return action(store.state, *args, **kwargs)

    run.__name__, run.__doc__ = name, action.__doc__
    run.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {one.name: one.annotation for one in parameters} | {"return": signature.return_annotation}
    return run
