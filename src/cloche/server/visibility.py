"""Who may call a tool: the model, views, or both."""

from __future__ import annotations

from collections.abc import Sequence

from cloche.errors import RegistrationError, shorten
from cloche.wire.apps.metadata import VISIBILITIES


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
