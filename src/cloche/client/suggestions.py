"""A server that does not know a name answers with an error; the client adds what was probably meant."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from difflib import get_close_matches
from typing import Any

from cloche.errors import ERROR_TEXT_LIMIT, ClocheError, InvalidParamsError, shorten

SIGNS = ("unknown", "not found", "no such", "not exist", "no tool", "no prompt")
"""What servers say of a name that they do not know; other errors cost no further request."""


async def with_suggestion(
    error: InvalidParamsError, name: str, list_known: Callable[[], Awaitable[Iterable[Any]]]
) -> InvalidParamsError:
    """The error, with the nearest name of those that the server lists, when it lists no such name."""
    if not any(sign in error.message.lower() for sign in SIGNS):
        return error
    try:
        names = [str(one.name) for one in await list_known()]
    except ClocheError:
        return error
    near = [] if name in names else get_close_matches(name, names, 1)
    if near:
        # The suggestion is what helps, so it is not what a long error loses.
        hint = f" (did you mean {shorten(near[0])!r}?)"
        error.message = shorten(error.message, ERROR_TEXT_LIMIT - len(hint)) + hint
        error.args = (error.message,)
    return error
