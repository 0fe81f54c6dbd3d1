"""A list of plain functions to call: one that fails is logged, and keeps nobody else from hearing."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from cloche.transports.base import Unsubscribe

logger = logging.getLogger("cloche.transports")


class Listeners:
    """Functions that want to hear of something. The same function may be added twice and is then called twice."""

    def __init__(self) -> None:
        self._functions: dict[int, Callable[..., object]] = {}
        self._added = 0

    def __len__(self) -> int:
        return len(self._functions)

    def add(self, function: Callable[..., object]) -> Unsubscribe:
        """Call `function` from now on, until the function that is returned is called."""
        self._added += 1
        key = self._added
        self._functions[key] = function

        def unsubscribe() -> None:
            self._functions.pop(key, None)

        return unsubscribe

    def tell(self, *arguments: Any) -> None:
        """Call everybody, in the order they came; whoever was taken out meanwhile is left out."""
        for key in tuple(self._functions):
            function = self._functions.get(key)
            if function is not None:
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
        logger.exception("a function that was to be told of something failed")
