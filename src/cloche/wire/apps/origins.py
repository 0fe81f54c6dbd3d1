"""Origins that a resource declares in `_meta.ui.csp`, parsed, and origins of pages and servers compared.

What stands in a declaration ends up in a header of a host, between sources that somebody else chose. So an entry is
parsed, and what is written is put together from the parsed parts: nothing of the given text gets through (W03).
"""

from __future__ import annotations

import ipaddress
import re

from cloche.errors import RegistrationError, shorten

CSP_LISTS = ("connectDomains", "resourceDomains", "frameDomains", "baseUriDomains")
"""The lists of `_meta.ui.csp`."""

MAX_ENTRIES = 50
"""Entries in one list."""

MAX_TEXT = 4096
"""Characters in all lists together: hosts put them into a header, and headers end at 8 kB (W04)."""

MAX_ENTRY = 280
"""Characters of one entry: the longest host name, with scheme and port."""

_ENTRY = re.compile(
    r"(?:(?P<scheme>[A-Za-z]+)://)?(?P<star>\*\.)?(?P<host>[A-Za-z0-9.\-]+)(?::(?P<port>[0-9]{1,5}))?/?"
)
_HOST = re.compile(r"(?P<name>\[[0-9a-f:.]+\]|[a-z0-9_.\-]+)(?::[0-9]{1,5})?")
_LABEL = re.compile(r"[a-z0-9](?:[a-z0-9\-]{0,61}[a-z0-9])?")
_DEFAULT_PORTS = {"https": 443, "wss": 443, "http": 80, "ws": 80}
_LOOPBACK = ("localhost", "127.0.0.1")


def checked_csp(declared: object, left_out: list[str]) -> dict[str, list[str]]:
    """The declared origins, each rebuilt from its parts. What is not an origin is left out, and `left_out` says why."""
    found: dict[str, list[str]] = {name: [] for name in CSP_LISTS}
    total = 0
    for name in CSP_LISTS:
        given = declared.get(name) if isinstance(declared, dict) else None
        if given is None:
            continue
        if not isinstance(given, list) or len(given) > MAX_ENTRIES:
            left_out.append(f"csp.{name} is not a list of at most {MAX_ENTRIES} origins")
            continue
        for entry in given:
            try:
                source = parse_source(entry, f"csp.{name}")
            except RegistrationError as error:
                left_out.append(str(error))
                continue
            total += len(source)
            if total > MAX_TEXT:
                left_out.append(f"csp has more than {MAX_TEXT} characters")
                return found
            if source not in found[name]:
                found[name].append(source)
    return found


def parse_source(entry: object, what: str = "Csp") -> str:
    """One entry, taken apart and put together again; anything that is not an origin is refused."""
    if not isinstance(entry, str):
        raise RegistrationError(f"{what}: an entry is a text, and this is a {type(entry).__name__}")
    try:
        return _parsed(entry)
    except ValueError as error:
        raise RegistrationError(
            f"{what}: {shorten(entry, 60)!r} is not taken: {error}. "
            "Entries look like 'https://api.example.com', 'https://*.example.com' or 'wss://live.example.com'"
        ) from None


def _parsed(entry: str) -> str:
    found = _ENTRY.fullmatch(entry) if len(entry) <= MAX_ENTRY else None
    if found is None:
        raise ValueError(_why_no_match(entry))
    scheme, host = (found["scheme"] or "https").lower(), found["host"].lower()
    if scheme not in _DEFAULT_PORTS:
        raise ValueError("the scheme is https or wss")
    if scheme in ("http", "ws") and host not in _LOOPBACK:
        raise ValueError(f"it is not encrypted; write {scheme}s://{host}")
    _check_host(host, bare=found["scheme"] is None, star=bool(found["star"]))
    return f"{scheme}://{'*.' if found['star'] else ''}{host}{_port(found['port'], scheme)}"


def _check_host(host: str, *, bare: bool, star: bool) -> None:
    labels = host.split(".")
    if len(host) > 253 or not all(_LABEL.fullmatch(label) for label in labels):
        raise ValueError("the host is not a host name")
    if labels[-1].isdigit() or labels[-1].startswith("0x"):
        if address_of(host) is None:
            raise ValueError("the host is neither a name nor an address")
        if star:
            raise ValueError("an address has no subdomains")
    elif star and len(labels) < 2:
        raise ValueError("a star needs two names after it, as in https://*.example.com")
    elif bare and len(labels) < 2 and host not in _LOOPBACK:
        raise ValueError("it is one word; an origin is listed with its scheme, as in https://api.example.com")


def _port(port: str | None, scheme: str) -> str:
    if port is None:
        return ""
    if not 1 <= int(port) <= 65535:
        raise ValueError("a port is 1 to 65535")
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
    return "it is not an origin"


# Origins of pages and servers


def host_name(netloc: str) -> str:
    """The name of a Host header or netloc, in lower case, without its port; empty when it is none."""
    found = _HOST.fullmatch(netloc.lower())
    return found["name"].rstrip(".") if found else ""


def address_of(name: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """The address that a host name is; None for a real name."""
    try:
        return ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return None


def is_loopback(name: str) -> bool:
    """Whether a name is this machine, whatever the network says."""
    if name == "localhost" or name.endswith(".localhost"):
        return True
    address = address_of(name)
    return address is not None and address.is_loopback


def is_private(name: str) -> bool:
    """Whether a name is this machine, or an address that is not of the public internet."""
    address = address_of(name)
    return is_loopback(name) or (address is not None and not address.is_global)


def default_port(scheme: str) -> int:
    """The port that an origin without one has."""
    return _DEFAULT_PORTS.get(scheme, 80)
