"""Addresses that only the reader's own machine or network has: where a server on the internet must not send anybody.

A page at such an address trusts whoever can reach it: the settings of a router, a program that a developer runs. A
server that is at such an address itself may lead there.
"""

from __future__ import annotations

from urllib.parse import urlsplit

from cloche.wire.apps.origins import address_of, is_private

LOCAL_NAMES = ("local", "internal", "home.arpa", "lan", "corp", "home", "intranet", "localdomain")
"""Endings of names that nobody can own on the public network."""


def leads_inside(host: str) -> bool:
    """Whether this host, as a URL names it, is not one of the public network, as far as its name tells."""
    name = host.rstrip(".").lower()
    last = name.rpartition(".")[2]
    if address_of(name) is None and (last.isdigit() or last.startswith("0x")):
        return True  # a number is an address for browsers, in whatever way it is written
    return is_private(name) or "." not in name or name.endswith(tuple(f".{one}" for one in LOCAL_NAMES))


def is_led_inside(url: str, server: str | None) -> bool:
    """Whether a server at this address (None for one that runs here) leads to an inner address from an outer one."""
    if server is None:
        return False
    own = urlsplit(server).hostname or ""
    return leads_inside(urlsplit(url).hostname or "") and not leads_inside(own.strip("[]"))
