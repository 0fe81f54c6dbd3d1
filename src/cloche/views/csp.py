"""`Csp`: which other origins a view may talk to.

What stands here ends up in a header of a host, between sources that somebody else chose. So an entry is parsed, and
what is written is put together from the parsed parts: nothing of the given text gets through as it was (W03).
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from cloche.errors import RegistrationError, shorten

MAX_ENTRIES = 50
"""Entries in one list."""

MAX_TEXT = 4096
"""Characters in all lists together: hosts put them into a header, and headers end at 8 kB (W04)."""

MAX_ENTRY = 280
"""Characters of one entry: the longest host name, with scheme and port."""

_ENTRY = re.compile(
    r"(?:(?P<scheme>[A-Za-z]+)://)?(?P<star>\*\.)?(?P<host>[A-Za-z0-9.\-]+)(?::(?P<port>[0-9]{1,5}))?/?"
)
_LABEL = re.compile(r"[a-z0-9](?:[a-z0-9\-]{0,61}[a-z0-9])?")
_DEFAULT_PORTS = {"https": 443, "wss": 443, "http": 80, "ws": 80}
_LOOPBACK = ("localhost", "127.0.0.1")
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

    def as_openai(self) -> dict[str, list[str]]:
        """`_meta["openai/widgetCSP"]`, in which the two first lists always stand."""
        found = {"connect_domains": list(self.connect), "resource_domains": list(self.resources)}
        if self.frames:
            found["frame_domains"] = list(self.frames)
        return found


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


def parse_source(entry: object, what: str = "Csp") -> str:
    """One entry, taken apart and put together again; anything that is not an origin is refused."""
    if not isinstance(entry, str):
        raise RegistrationError(f"{what}: an entry is a text, and this is a {type(entry).__name__}")
    found = _ENTRY.fullmatch(entry) if len(entry) <= MAX_ENTRY else None
    if found is None:
        raise _refusal(entry, what, _why_no_match(entry))
    scheme, host = (found["scheme"] or "https").lower(), found["host"].lower()
    if scheme not in _DEFAULT_PORTS:
        raise _refusal(entry, what, "the scheme is https or wss")
    if scheme in ("http", "ws") and host not in _LOOPBACK:
        raise _refusal(entry, what, f"it is not encrypted; write {scheme}s://{host}")
    _check_host(host, entry, what, bare=found["scheme"] is None, star=bool(found["star"]))
    return f"{scheme}://{'*.' if found['star'] else ''}{host}{_port(found['port'], scheme, entry, what)}"


def _check_host(host: str, entry: str, what: str, *, bare: bool, star: bool) -> None:
    labels = host.split(".")
    if len(host) > 253 or not all(_LABEL.fullmatch(label) for label in labels):
        raise _refusal(entry, what, "the host is no host name")
    if labels[-1].isdigit() or labels[-1].startswith("0x"):
        _check_address(host, entry, what, star=star)
    elif star and len(labels) < 2:
        raise _refusal(entry, what, "a star needs two names after it, as in https://*.example.com")
    elif bare and len(labels) < 2 and host not in _LOOPBACK:
        raise _refusal(
            entry, what, "it is one word; an origin is listed with its scheme, as in https://api.example.com"
        )


def _check_address(host: str, entry: str, what: str, *, star: bool) -> None:
    try:
        ipaddress.IPv4Address(host)
    except ValueError:
        raise _refusal(entry, what, "the host is neither a name nor an address") from None
    if star:
        raise _refusal(entry, what, "an address has no subdomains")


def _port(port: str | None, scheme: str, entry: str, what: str) -> str:
    if port is None:
        return ""
    if not 1 <= int(port) <= 65535:
        raise _refusal(entry, what, "a port is 1 to 65535")
    return "" if int(port) == _DEFAULT_PORTS[scheme] else f":{int(port)}"


def _why_no_match(entry: str) -> str:
    if len(entry) > MAX_ENTRY:
        return f"it is longer than {MAX_ENTRY} characters"
    if not entry or not entry.isascii() or re.search(r"[\s\x00-\x1f\x7f;,'\"\\]", entry):
        return "it holds a character that no origin has (for other alphabets, write the xn-- form)"
    if "@" in entry:
        return "a user name has no place in an origin"
    if re.fullmatch(r"[A-Za-z]+:(//)?\*?|\*", entry):
        return "it would allow every host; list the ones that the view needs"
    if re.match(r"[A-Za-z]+://[^/?#]+[/?#]", entry):
        return "only the origin counts; leave the path out"
    return "it is no origin"


def _refusal(entry: str, what: str, why: str) -> RegistrationError:
    return RegistrationError(
        f"{what}: {shorten(entry, 60)!r} is not taken: {why}. "
        "Entries look like 'https://api.example.com', 'https://*.example.com' or 'wss://live.example.com'"
    )
