"""Who calls a tool, the model or views, as hosts read it in the tool's `_meta`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cloche.errors import RegistrationError, shorten

VISIBILITIES = ("model", "app")


def checked_visibility(given: Sequence[str]) -> list[str]:
    """Who may call a tool: the model, the view, or both."""
    if isinstance(given, str):
        raise RegistrationError(f"visibility is one text: give a list, such as [{shorten(given)!r}]")
    if not isinstance(given, list | tuple | set | frozenset) or not given or not set(given) <= set(VISIBILITIES):
        raise RegistrationError(
            f"visibility={shorten(repr(given))} says nobody or somebody unknown: "
            "use ['model', 'app'] (the default), ['model'] or ['app']"
        )
    return [one for one in VISIBILITIES if one in given]


def visibility_meta(visibility: Sequence[str]) -> dict[str, Any]:
    """`_meta` of a tool that says who may call it."""
    return {
        "ui": {"visibility": list(visibility)},
        "openai/widgetAccessible": "app" in visibility,
        "openai/visibility": "public" if "model" in visibility else "private",
    }


def merged(*parts: dict[str, Any] | None) -> dict[str, Any]:
    """Several `_meta` as one: later ones win, and objects such as `ui` are merged key by key."""
    found: dict[str, Any] = {}
    for part in parts:
        for key, value in (part or {}).items():
            before = found.get(key)
            found[key] = {**before, **value} if isinstance(before, dict) and isinstance(value, dict) else value
    return found
