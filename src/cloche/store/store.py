"""`Store`: state that Python changes in place, and that models, views and other clients see change."""

from __future__ import annotations

import asyncio
import re
import threading
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import TYPE_CHECKING, Any, TypeVar, Unpack, overload

from cloche.errors import ConfigurationError, LocalError, RegistrationError, ResourceNotFoundError, shorten
from cloche.server.capability import Capability
from cloche.server.options import ToolOptions, takes
from cloche.server.schema import schema_of
from cloche.store.actions import Action
from cloche.store.derived import Derived
from cloche.store.guards import Guards, MutationGuard
from cloche.store.loading import Loading
from cloche.store.notices import Notices
from cloche.store.owners import owner_from, owner_of
from cloche.store.persistence.storage import must_be_waited_for
from cloche.store.pointer import as_parts
from cloche.store.resources import StoreResources
from cloche.store.saving import Save, Saving
from cloche.store.shapes import is_object
from cloche.store.state import S, StoreState
from cloche.store.visibility import EVERYTHING, Visibility

if TYPE_CHECKING:
    from cloche.auth import Principal
    from cloche.errors import StateFileError
    from cloche.server.context import Context
    from cloche.server.server import Server
    from cloche.store.persistence.storage import Storage

F = TypeVar("F", bound=Callable[..., Any])

SCHEME = "store://"
MAX_USERS = 10_000
"""States of users that are in memory at once."""

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_.\-]{0,63}")
_RESERVED = ("components", "stores", "tasks", "views")


class Store(StoreState[S], Capability):
    """State of a server: `store = Store(Cart(), name="cart")`, then `server.attach(store)`.

    `store.state` is the state: a dataclass, a Struct, a dict or a list. Change it in place; whoever subscribed to
    `store://cart`, or to a part such as `store://cart/items/0`, is told, and every view that shows it is updated.

    `private` lists paths that views see and models do not; names that begin with `_` never leave the process.
    `read_only` lists paths that only this process may change, and each of `guards` is asked, with path, value and
    principal, before anybody else changes something. With `per_user=True` each user has a state of their own, a copy
    of `initial`: `store.of(ctx).state`. `load` is an async function that returns the state that the store begins with.
    `save` says what is kept over a restart, and where; what was kept stands over what is loaded. `history` is how many
    changes can be undone. `settable=False` leaves the tool `store_set` out for this store.
    """

    def __init__(
        self,
        initial: S | Callable[[], S],
        *,
        name: str = "state",
        type: Any = None,
        title: str | None = None,
        description: str | None = None,
        private: Iterable[str | Sequence[str]] = (),
        read_only: Iterable[str | Sequence[str]] = (),
        guards: Iterable[MutationGuard] = (),
        per_user: bool = False,
        load: Callable[[], Awaitable[S]] | None = None,
        history: int = 100,
        settable: bool = True,
        scopes: Sequence[str] = (),
        visible_to: Callable[[Principal | None], bool] | None = None,
        save: Save | None = None,
    ) -> None:
        if not _NAME.fullmatch(name) or name in _RESERVED:
            raise ConfigurationError(
                f"A store's name is a letter, then up to 63 letters, digits, '_', '-' or '.', and not one of "
                f"{', '.join(_RESERVED)}; got {shorten(name)!r}"
            )
        if per_user and load is not None:
            raise ConfigurationError("Store(load=…) is for a state that all share: leave per_user=True out")
        self.name = name
        self.uri = SCHEME + name
        self.title = title
        self.description = description
        self.per_user = per_user
        self.settable = settable
        self.options: dict[str, Any] = {"scopes": scopes, "visible_to": visible_to}
        """Who may see the store, as `@server.resource` takes it."""
        self.for_models = Visibility(_checked_hidden(private))
        """What a model sees."""
        self.for_views = EVERYTHING
        """What a view sees."""
        self._initial = initial
        self._hint = type if type is not None else _hint_of(self._first())
        if self._hint is not Any:
            schema_of(self._hint, what=f"store {name!r}")  # what cannot be read back is refused now
        self._history_limit = history
        self._guard = Guards(read_only, guards)
        self._derivations: list[Derived] = []
        self._states: OrderedDict[str, StoreState[S]] = OrderedDict()
        self.actions: list[Action] = []
        self.server: Server | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._lock = threading.RLock()
        self.notices = Notices(self)
        self.save = save or Save()
        self._savings: dict[str, Saving] = {}
        self.loading: Loading[S] | None = Loading(self, load) if load is not None else None
        if per_user:
            self._new_state()  # an initial state that cannot be kept is refused now
        else:
            super().__init__(self._first(), self._hint, **self._settings())
            self._states[""] = self
            self.subscribe(lambda change: self.notices.changed(None, change))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") and not name.startswith("__") and self.__dict__.get("per_user"):
            raise LocalError("This store has a state for each user: store.of(ctx).state")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __repr__(self) -> str:
        return f"<Store {self.name!r}>"

    def _first(self) -> S:
        initial: Any = self._initial
        return initial() if callable(initial) else initial  # type: ignore[no-any-return]

    def _settings(self) -> dict[str, Any]:
        return {"guards": self._guard, "derived": self._derivations, "history": self._history_limit}

    def _new_state(self) -> StoreState[S]:
        return StoreState(self._first(), self._hint, **self._settings())

    # Whose state

    def of(self, who: Context | Principal | str) -> StoreState[S]:
        """The state of a user: of the caller of a tool (`store.of(ctx)`), of a principal, or by a user's id. In a
        store that is shared it is the one that all have.
        """
        return self._of(owner_from(who)) if self.per_user else self

    def _of(self, owner: str) -> StoreState[S]:
        with self._lock:
            found = self._states.get(owner)
            if found is None:
                found = self._new_state()
                if owner.startswith("user:"):
                    self._keep(owner, found)
                self._states[owner] = found
                found.subscribe(lambda change: self.notices.changed(owner, change))
                if len(self._states) > MAX_USERS:
                    self._drop_oldest()
            self._states.move_to_end(owner)
            return found

    def _drop_oldest(self) -> None:
        owner, _ = self._states.popitem(last=False)
        saving = self._savings.pop(owner, None)
        if saving is not None:
            saving.flush()

    # Keeping

    def keep_in(self, storage: Storage) -> None:
        """Keep the state in a storage, unless `save` names one already; what the storage has is taken up at once."""
        if self.save.storage is None:
            self.save.storage = storage
        self.restore()

    def restore(self) -> None:
        """Take up the state that was kept; raises `StateFileError`. A server does it when it starts.

        A state that is loaded first is only looked at: until it is there nothing is taken up, and nothing saved.
        """
        if self.loading is not None:
            self._saving("", self, Saving.check)
        elif not self.per_user and "" not in self._savings:
            self._keep("", self)

    def take_up_kept(self) -> None:
        """Put what was kept over what was loaded, and begin to save."""
        self._keep("", self)

    def _keep(self, owner: str, state: StoreState[S]) -> None:
        saving = self._saving(owner, state, Saving.restore)
        if saving is None:
            return
        self._savings[owner] = saving
        if self._loop is not None:
            saving.listen(self._loop)

    def _saving(self, owner: str, state: StoreState[S], begin: Callable[[Saving], None]) -> Saving | None:
        if self.save.storage is None:
            return None
        saving = Saving(f"{self.name}/{owner}" if owner else self.name, state, self.save, self.save.storage)
        begin(saving)
        return saving

    @property
    def saving_error(self) -> StateFileError | None:
        """Why the state could not be saved; None when all is well."""
        return next((saving.error for saving in self._savings.values() if saving.error is not None), None)

    @asynccontextmanager
    async def _running(self) -> AsyncIterator[None]:
        """Load and save while the server runs."""
        storage = self.save.storage
        if storage is not None and must_be_waited_for(storage):
            await storage.open()
        self.restore()
        self._loop = asyncio.get_running_loop()
        for saving in self._savings.values():
            saving.listen(self._loop)
        try:
            if self.loading is None:
                yield
            else:
                async with self.loading.running():
                    yield
        finally:
            self._loop = None
            for saving in self._savings.values():
                await saving.close()
            self._savings.clear()
            if self.save.storage is not None:
                self.save.storage.close()

    def reset(self) -> None:
        """Go back to the initial state, as one change."""
        with self.transaction():
            self._tree.change("replace", (), self._first())

    # What belongs to it

    @overload
    def action(self, fn: F, /) -> F: ...
    @overload
    def action(self, fn: None = None, /, **options: Unpack[ToolOptions]) -> Callable[[F], F]: ...
    @takes(ToolOptions)
    def action(self, fn: Any = None, /, **options: Any) -> Any:
        """Make a function a tool that changes the store: `@store.action`, with the options of `@server.tool`.

        A `def` function is one change: when it raises, nothing has changed. An `async def` function uses
        `with store.transaction():` itself, around what it does between two awaits. In a store with a state per user
        the function takes a `Context`, and uses `store.of(ctx)`.
        """

        def register(function: F) -> F:
            action = Action(self, function, options)
            self.actions.append(action)
            if self.server is not None:
                action.register(self.server)
            return function

        return register if fn is None else register(fn)

    @overload
    def derived(self, fn: F, /) -> F: ...
    @overload
    def derived(
        self, fn: None = None, /, *, name: str | None = None, of: Iterable[str | Sequence[str]] = ()
    ) -> Callable[[F], F]: ...
    def derived(self, fn: Any = None, /, *, name: str | None = None, of: Iterable[str | Sequence[str]] = ()) -> Any:
        """Show what a function computes from the state as one more, read-only, member of it: `@store.derived`.

        It is computed after each change, or with `of=["/items"]` after changes of these paths.
        """

        def register(function: F) -> F:
            self._add_derived(Derived(name or function.__name__, function, of))
            return function

        return register if fn is None else register(fn)

    def _add_derived(self, derived: Derived) -> None:
        taken = {one.name for one in self._derivations}
        example = self._first()
        if isinstance(example, list):
            raise RegistrationError("A state that is a list has no members: give the store a dataclass or a dict")
        members = set(example) if isinstance(example, dict) else set(vars(type(example)).get("__annotations__", ()))
        if derived.name in taken | members:
            raise RegistrationError(f"The state has a member {derived.name!r} already: @store.derived(name='…')")
        self._derivations.append(derived)
        for state in self._states.values():
            state._derived.compute(state.state)

    # On a server

    def attach(self, server: Server) -> None:
        """Register the store's resources, tools and actions: called by `server.attach`."""
        if self.server is not None:
            raise RegistrationError(f"The store {self.name!r} is attached to the server {self.server.name!r} already")
        from cloche.store.tools import StoreTools

        self.server = server
        if StoreTools.name not in server.capabilities:
            server.attach(StoreTools())
        tools = server.capabilities[StoreTools.name]
        assert isinstance(tools, StoreTools)
        StoreResources(self).register(server)
        tools.add(server, self)
        for action in self.actions:
            action.register(server)

    def lifespan(self, server: Server) -> AbstractAsyncContextManager[Any] | None:
        """Loads and saves the state while the server runs."""
        return self._running()

    def admits(self, principal: Principal | None) -> bool:
        """Whether the store exists for a principal."""
        visible_to, scopes = self.options["visible_to"], self.options["scopes"]
        if visible_to is not None and not visible_to(principal):
            return False
        return not scopes or (principal is not None and principal.has(*scopes))

    def parts_of(self, uri: str) -> tuple[str, ...] | None:
        """The path that a URI of this store names; None for other URIs."""
        from urllib.parse import unquote

        if uri in (self.uri, self.uri + "/"):
            return ()
        if not uri.startswith(self.uri + "/"):
            return None
        return as_parts("/" + unquote(uri[len(self.uri) + 1 :]))

    def audience(self, uri: str, principal: Principal | None, session: object) -> str | None:
        """Users of a store with a state per user hear of their own state only."""
        if not self.per_user or self.parts_of(uri) is None:
            return None
        return owner_of(principal, session)

    def on_subscribe(self, uri: str, principal: Principal | None) -> None:
        """Somebody wants to hear of a path's changes."""
        parts = self.parts_of(uri)
        if parts is None:
            if uri.startswith(self.uri + "?"):
                raise ResourceNotFoundError(uri)  # what changed since is read, and the state itself subscribed to
            return
        if not self.for_models.shows(parts):
            raise ResourceNotFoundError(uri)
        self.notices.subscribed.add(parts, uri)

    def on_unsubscribe(self, uri: str, principal: Principal | None) -> None:
        """A subscription ended."""
        parts = self.parts_of(uri)
        if parts is not None:
            self.notices.subscribed.remove(parts, uri)

    async def ready(self) -> None:
        """Wait until the state is loaded; raises what went wrong. Without `load` it is there at once."""
        if self.loading is not None:
            await self.loading.wait()

    @property
    def status(self) -> str:
        """`"loading"`, `"ready"` or `"error"`."""
        return self.loading.status if self.loading is not None else "ready"


def _hint_of(value: Any) -> Any:
    return type(value) if is_object(value) else Any


def _checked_hidden(paths: Iterable[str | Sequence[str]]) -> list[tuple[str, ...]]:
    found = [as_parts(path) for path in paths]
    for path in found:
        if not path or path[-1] == "*" or path[-1].isdecimal():
            raise ConfigurationError("Store(private=…) names members such as '/session' or '/items/*/price'")
    return found
