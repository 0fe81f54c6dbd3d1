"""Whether a declared CSP lets a page reach an address."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from cloche.errors import RegistrationError
from cloche.wire.apps.origins import parse_source

LISTS = {
    **dict.fromkeys(("script", "style", "image", "font", "media"), "resourceDomains"),
    "connect": "connectDomains",
    "frame": "frameDomains",
}
"""Which list of `_meta.ui.csp` is asked; what is not here is never allowed."""

OURS = {"resourceDomains": "resources", "connectDomains": "connect", "frameDomains": "frames", "baseUriDomains": "base"}
"""The lists under the names that `Csp` has for them."""

PORTS = {"https": 443, "wss": 443, "http": 80, "ws": 80}


def allowing(origin: str, name: str) -> str:
    """What to do so that a list of the CSP has an origin."""
    return (
        f'Add "{origin}" to _meta.ui.csp.{name} of the resource; '
        f'with Cloche: View(…, csp=Csp({OURS[name]}=["{origin}"])).'
    )


def sources(csp: Any, name: str) -> tuple[list[str], list[tuple[object, str]]]:
    """The entries of one list that hosts take, and those that they do not, with the reason."""
    given = csp.get(name) if isinstance(csp, dict) else None
    if given is None:
        return [], []
    if not isinstance(given, list):
        return [], [(given, "it is not a list")]
    good: list[str] = []
    bad: list[tuple[object, str]] = []
    for entry in given:
        try:
            good.append(parse_source(entry, name))
        except RegistrationError as error:
            bad.append((entry, str(error)))
    return good, bad


def origin_of(url: str) -> str:
    """The origin of an address, as an entry of a CSP names it."""
    parts = urlsplit(url if "://" in url else f"https:{url}")
    scheme = parts.scheme if parts.scheme in PORTS else "https"
    host = (parts.hostname or "").lower()
    port = parts.port
    return f"{scheme}://{host}" + (f":{port}" if port is not None and port != PORTS[scheme] else "")


def covers(entries: list[str], url: str) -> bool:
    """Whether one of the entries admits the address."""
    origin = origin_of(url)
    return any(_admits(entry, origin) for entry in entries)


def _admits(entry: str, origin: str) -> bool:
    scheme, _, host = entry.partition("://")
    wanted_scheme, _, wanted = origin.partition("://")
    upgrade = {"http": "https", "ws": "wss"}
    if wanted_scheme != scheme and upgrade.get(scheme) != wanted_scheme:
        return False
    return wanted.endswith(host[1:]) and wanted != host[2:] if host.startswith("*.") else wanted == host
