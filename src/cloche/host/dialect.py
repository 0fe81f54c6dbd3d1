"""Views of the legacy dialects: their methods in current terms, and current errors in their codes."""

from __future__ import annotations

from cloche.errors import (
    ExtAppsNotSupportedError,
    ExtAppsToolNotFoundError,
    McpError,
    MethodNotFoundError,
    PolicyDeniedError,
    UnknownNameError,
    UserDeclinedError,
)
from cloche.views import dialects
from cloche.wire.types import Json

REGISTERING = ("ui/registerTool", "ui/unregisterTool")

LEGACY_METHODS: dict[str, str | None] = {
    **{legacy: now for now, legacy in dialects.table()["toHost"].items()},
    **dict.fromkeys(REGISTERING),
}
"""Requests of the legacy dialect and their current names; None where no current request corresponds."""


def in_current_words(method: str, params: Json) -> tuple[str | None, Json]:
    """A view's method and parameters under their current names; None for what only the legacy dialect has."""
    if method in REGISTERING:
        return None, params
    if method == "ui/callServerTool" and "args" in params and "arguments" not in params:
        params = {**params, "arguments": params["args"]}
    return dialects.from_view(method, params)


def as_legacy_error(method: str, error: McpError) -> McpError:
    """The error with the code that the legacy dialect has for it; on current methods it stays as it is."""
    if method not in LEGACY_METHODS:
        return error
    if isinstance(error, UnknownNameError):
        return ExtAppsToolNotFoundError(error.message.replace("Unknown tool", "Tool not found", 1))
    if isinstance(error, MethodNotFoundError | PolicyDeniedError | UserDeclinedError):
        return ExtAppsNotSupportedError(error.message)
    return error
