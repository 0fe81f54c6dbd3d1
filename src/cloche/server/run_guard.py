"""Whether `Server.run` may serve now: not while a file is only being loaded to find its server."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from cloche.errors import LoadError

_loading: ContextVar[str | None] = ContextVar("cloche_loading", default=None)


@contextmanager
def loading_guard(path: str) -> Iterator[None]:
    """While a user's file is imported, its own `server.run()` is a mistake that would never return."""
    token = _loading.set(path)
    try:
        yield
    finally:
        _loading.reset(token)


def check_run_allowed() -> None:
    """Raise when a file is being loaded."""
    path = _loading.get()
    if path is not None:
        raise LoadError(f'{path} calls server.run() when it is imported: put it under `if __name__ == "__main__":`')
