"""Actions: functions that change a store, and that models and views call as tools."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from cloche.errors import RegistrationError, StoreValueError, ToolError
from cloche.server.context import Context

if TYPE_CHECKING:
    from cloche.server.server import Server
    from cloche.store.store import Store


class Action:
    """One action of a store, with the options of its tool."""

    def __init__(self, store: Store[Any], fn: Callable[..., Any], options: dict[str, Any]) -> None:
        self.store = store
        self.fn = fn
        self.options = {**{key: value for key, value in store.options.items() if value}, **options}
        hints = inspect.get_annotations(fn, eval_str=True)
        takes_context = any(hint is Context or getattr(hint, "__origin__", None) is Context for hint in hints.values())
        if store.per_user and not takes_context:
            raise RegistrationError(
                f"The store {store.name!r} has a state for each user, so the action {getattr(fn, '__name__', '')!r} "
                "needs a parameter ctx: Context, and changes store.of(ctx).state"
            )

    def register(self, server: Server) -> None:
        """Make it a tool of the server."""
        server.register_tool(self._tool(), **self.options)

    def _tool(self) -> Callable[..., Any]:
        fn, store = self.fn, self.store
        if inspect.iscoroutinefunction(fn):

            @functools.wraps(fn)
            async def run_async(*args: Any, **kwargs: Any) -> Any:
                await store.ready()
                try:
                    return await fn(*args, **kwargs)
                except StoreValueError as error:
                    raise ToolError(str(error)) from error

            return run_async

        @functools.wraps(fn)
        def run(*args: Any, **kwargs: Any) -> Any:
            if store.loading is not None:
                store.loading.check()
            state = store.of(_context(args, kwargs)) if store.per_user else store
            try:
                with state.transaction():
                    return fn(*args, **kwargs)
            except StoreValueError as error:
                raise ToolError(str(error)) from error

        return run


def _context(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Context:
    return next(value for value in (*args, *kwargs.values()) if isinstance(value, Context))
