"""Views of the older dialects: their methods in today's words, and today's errors in their codes."""

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

OLDER_METHODS: dict[str, str | None] = {
    **{older: now for now, older in dialects.table()["toHost"].items()},
    **dict.fromkeys(REGISTERING),
}
"""Requests of the older dialect and what they are called today; None where today has no request for it."""


def in_todays_words(method: str, params: Json) -> tuple[str | None, Json]:
    """A view's method and parameters as of today; None for what only the older dialect has."""
    if method in REGISTERING:
        return None, params
    if method == "ui/callServerTool" and "args" in params and "arguments" not in params:
        params = {**params, "arguments": params["args"]}
    return dialects.from_view(method, params)


def as_older_error(method: str, error: McpError) -> McpError:
    """The error with the code that the older dialect has for it; on today's methods it stays as it is."""
    if method not in OLDER_METHODS:
        return error
    if isinstance(error, UnknownNameError):
        return ExtAppsToolNotFoundError(error.message.replace("Unknown tool", "Tool not found", 1))
    if isinstance(error, MethodNotFoundError | PolicyDeniedError | UserDeclinedError):
        return ExtAppsNotSupportedError(error.message)
    return error
