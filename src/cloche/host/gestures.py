"""What a click, tap or key in a view pays for: one message, one display mode, one question.

A browser knows whether the person has just used a frame, and a click elsewhere on the page does not count for it. The
sandbox's proxy page, which is ours, numbers such gestures and sends the number along with what the view says; the view
cannot write there. A view with a granted permission shares the proxy's origin and can: `docs/security.md` says so.
"""

from __future__ import annotations

from contextvars import ContextVar

current_gesture: ContextVar[int] = ContextVar("current_gesture", default=0)
"""The gesture that the request in hand may come from; every request of a view is answered in a task of its own."""


class Gestures:
    """The gestures in one view, and what each has paid for."""

    def __init__(self) -> None:
        self._spent: dict[str, int] = {}

    def pays(self, purpose: str, gesture: int) -> bool:
        """Whether this gesture pays for the purpose: once. 0 is not a gesture."""
        if gesture <= self._spent.get(purpose, 0):
            return False
        self._spent[purpose] = gesture
        return True

    def give_back(self, purpose: str, gesture: int) -> None:
        """The gesture may pay for the purpose once more."""
        if self._spent.get(purpose) == gesture > 0:
            self._spent[purpose] = gesture - 1
