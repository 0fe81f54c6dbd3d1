"""What a page reports of a view that it shows: its first words, its size, what was blocked, and how it ended."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING

from cloche.errors import McpError, shorten
from cloche.host.view_handshake import OFFERED_MODES, checked_context
from cloche.problems import Problem
from cloche.wire.types import Json

if TYPE_CHECKING:
    from cloche.host.bridge import MountedView

logger = logging.getLogger("cloche.host.view")

MAX_ERRORS = 20
"""Errors of one view that the product is told of."""


class PageEvents:
    """Takes the reports about one view."""

    def __init__(self, view: MountedView) -> None:
        self._view = view
        self._errors = 0
        self._handlers: dict[str, Callable[[Json], None]] = {
            "initialize": self._initialize,
            "initialized": lambda _: view.armed(),
            "size": self._size,
            "display-mode": self._display_mode,
            "context": lambda value: view.context_changed(checked_context(value)),
            "violation": lambda value: view.note("violation", args=value),
            "error": self._error,
            "sign-in": self._sign_in,
            "allow-questions": lambda _: view.session.allow_questions(view.server),
            "navigated": lambda _: view.cut_off(Problem("view-navigated")),
            "flood": lambda value: view.cut_off(Problem("view-flooded", count=shorten(str(value.get("count")), 20))),
            "unresponsive": lambda _: view.cut_off(Problem("view-unresponsive")),
            "leaky": self._leaky,
        }

    def take(self, name: str, value: Json) -> None:
        """Something happened; what is not known says nothing."""
        handler = self._handlers.get(name)
        if handler is not None:
            handler(value)

    def _initialize(self, value: Json) -> None:
        params = value.get("params")
        # The context as it was when the page answered.
        self._view.greeted(params if isinstance(params, dict) else {}, checked_context(value.get("context")))

    def _size(self, value: Json) -> None:
        said = {
            name: min(value[name], self._view.limits.height)
            for name in ("width", "height")
            if isinstance(value.get(name), int | float) and value[name] >= 0
        }
        self._view.resized(said)

    def _display_mode(self, value: Json) -> None:
        mode = value.get("mode")
        self._view.mode_changed(mode if mode in OFFERED_MODES else self._view.display_mode)

    def _error(self, value: Json) -> None:
        self._errors += 1
        if self._errors <= MAX_ERRORS:
            self._view.failed(Problem("view-failed", message=str(value.get("message"))))

    def _leaky(self, value: Json) -> None:
        """The page tried its browser, which does not enforce Connection-Allowlist."""
        view = self._view
        refused = value.get("refused") is True
        view.note("leaky-browser", outcome="refused" if refused else "done")
        problem = Problem("leaky-browser")
        if refused:
            view.cut_off(problem)
        else:
            logger.warning("The view of %s.%s is shown in a leaky browser: %s", view.server, view.tool, problem)

    def _sign_in(self, value: Json) -> None:
        """The browser came back from a sign-in, and this page heard of it."""
        view = self._view
        try:
            view.session.host.sign_ins.finish(view.user, str(value.get("query")))
            view.note("sign-in", outcome="done")
        except McpError as error:
            view.note("sign-in", outcome="refused", problem=error.message)
