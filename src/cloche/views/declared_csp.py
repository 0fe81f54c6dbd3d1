"""`Csp`: which other origins a view may talk to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from cloche.errors import RegistrationError, shorten
from cloche.wire.apps.origins import MAX_ENTRIES, MAX_TEXT, parse_source

_WIRE = {
    "connect": "connectDomains",
    "resources": "resourceDomains",
    "frames": "frameDomains",
    "base": "baseUriDomains",
}


@dataclass(frozen=True)
class Csp:
    """The origins a view needs beyond itself; what is not listed stays closed.

    `connect` is for fetch and WebSockets, `resources` for scripts, styles, images and fonts, `frames` for frames inside
    the view, `base` for `<base>`. An entry is an origin (`https://api.example.com`, `wss://…`), all subdomains of a
    name (`https://*.example.com`) or a bare host, which means https.
    """

    connect: Iterable[str] = ()
    resources: Iterable[str] = ()
    frames: Iterable[str] = ()
    base: Iterable[str] = ()

    def __post_init__(self) -> None:
        total = 0
        for name in _WIRE:
            entries = checked_sources(getattr(self, name), f"Csp({name}=…)")
            total += sum(map(len, entries))
            object.__setattr__(self, name, entries)
        if total > MAX_TEXT:
            raise RegistrationError(
                f"This Csp has {total} characters, and hosts put it into a header: keep it under {MAX_TEXT}, "
                "with https://*.example.com for many hosts of one name"
            )

    @classmethod
    def of(cls, given: Csp | Mapping[str, Any] | None) -> Csp | None:
        """A policy as a `Csp`, or as a dictionary in the wire's spelling (`connectDomains` …) or in ours."""
        if given is None or isinstance(given, Csp):
            return given
        if not isinstance(given, Mapping):
            raise RegistrationError(f"csp is a {type(given).__name__}: write csp=Csp(connect=['https://…'])")
        names = {wire: name for name, wire in _WIRE.items()} | {name: name for name in _WIRE}
        for key in given:
            if key not in names:
                raise RegistrationError(f"csp has no {shorten(str(key))!r}: it takes {', '.join(_WIRE)}")
        return cls(**{names[key]: value for key, value in given.items()})

    def as_meta(self) -> dict[str, list[str]]:
        """`_meta.ui.csp`."""
        return {wire: list(getattr(self, name)) for name, wire in _WIRE.items() if getattr(self, name)}


def checked_sources(given: Iterable[str], what: str) -> tuple[str, ...]:
    """Entries of one list, rebuilt; the same one twice counts once."""
    if isinstance(given, str):
        raise RegistrationError(f"{what} is one text: give a list, such as [{shorten(given)!r}]")
    if not isinstance(given, list | tuple | set | frozenset):
        raise RegistrationError(f"{what} is a {type(given).__name__}: give a list of origins")
    if len(given) > MAX_ENTRIES:
        raise RegistrationError(
            f"{what} has {len(given)} entries, and at most {MAX_ENTRIES} are taken: https://*.example.com covers many"
        )
    return tuple(dict.fromkeys(parse_source(entry, what) for entry in given))
