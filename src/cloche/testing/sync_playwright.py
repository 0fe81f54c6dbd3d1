"""Asynchronous objects of Playwright, for tests that do not await."""

from __future__ import annotations

import inspect
from typing import Any

from cloche.testing.background import BackgroundLoop


class Blocking:
    """Stands for an object that lives on the loop: methods wait for their outcome, and what they give is the same.

    `note` is added to expectations that are not met.
    """

    def __init__(self, inner: Any, background: BackgroundLoop, note: str | None = None) -> None:
        self._inner = inner
        self._background = background
        self._note = note

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._inner!r}>"

    def __getattr__(self, name: str) -> Any:
        member = getattr(self._inner, name)
        if not callable(member):
            return self._wrapped(member)

        def call(*args: Any, **options: Any) -> Any:
            try:
                return self._wrapped(self._background.run(_outcome(member, args, options)))
            except AssertionError as error:
                if self._note is not None:
                    error.add_note(self._note)
                raise

        return call

    def _wrapped(self, value: Any) -> Any:
        if isinstance(value, list):
            return [self._wrapped(item) for item in value]
        of_playwright = type(value).__module__.startswith("playwright.")
        return Blocking(value, self._background) if of_playwright else value


async def _outcome(member: Any, args: tuple[Any, ...], options: dict[str, Any]) -> Any:
    plain = [arg._inner if isinstance(arg, Blocking) else arg for arg in args]
    value = member(*plain, **options)
    return await value if inspect.isawaitable(value) else value
