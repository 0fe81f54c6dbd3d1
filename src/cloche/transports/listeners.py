"""Plain functions to call when something happens: one that fails is logged, and keeps nobody else from hearing."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

logger = logging.getLogger("cloche.transports")


class Listeners:
    """Functions that want to hear of something. The same function may be added twice and is then called twice."""

    def __init__(self) -> None:
        self._functions: dict[int, Callable[..., object]] = {}
        self._added = 0

    def __len__(self) -> int:
        return len(self._functions)

    def add(self, function: Callable[..., object]) -> Callable[[], None]:
        """Call `function` from now on, until the function that is returned is called."""
        self._added += 1
        key = self._added
        self._functions[key] = function

        def unsubscribe() -> None:
            self._functions.pop(key, None)

        return unsubscribe

    def tell(self, *arguments: Any) -> None:
        """Call everybody, in the order they came; whoever was taken out meanwhile is left out."""
        for key, function in tuple(self._functions.items()):
            if key in self._functions:
                call_safely(function, *arguments)

    def clear(self) -> None:
        """Forget everybody."""
        self._functions.clear()


def call_safely(function: Callable[..., object] | None, *arguments: Any) -> None:
    """Call a user's function, if there is one; what it raises is logged."""
    if function is None:
        return
    try:
        function(*arguments)
    except Exception:
        logger.exception("the handler %r failed", function)


def nothing() -> None:
    """For whoever needs a function and has nothing to do, such as to unsubscribe what was never subscribed."""
