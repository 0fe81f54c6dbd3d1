"""What is known of hosts and how they differ, as data: hosts.json, and the table in the documentation made from it."""

from __future__ import annotations

import hashlib
import re
from functools import cache
from importlib.resources import files

import msgspec

HASHED = re.compile(r"\{sha256:(\d+)\}")


class Quirk(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One way in which a host differs from what the specification makes you expect."""

    topic: str
    what: str
    answer: str
    """What Cloche does about it, or what a view's author can do."""
    source: str
    dated: str | None = None
    """When it was reported or seen, an ISO date; None for what was looked at with the whole table."""
    emulated: bool = False
    """Whether `cloche.testing.profiles` has it."""


class KnownHost(msgspec.Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """A program that shows views."""

    id: str
    name: str
    speaks: tuple[str, ...]
    sandbox_domain: str | None
    """The domain its views run on; `{sha256:N}` stands for the first N digits of the hash of the server's URL."""
    quirks: tuple[Quirk, ...]


class KnownHosts(msgspec.Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """All of hosts.json."""

    as_of: str
    hosts: tuple[KnownHost, ...]


@cache
def known_hosts() -> KnownHosts:
    """What is known of hosts, and when it was looked at."""
    return msgspec.json.decode((files("cloche.views") / "hosts.json").read_bytes(), type=KnownHosts)


def sandbox_domain(host: str, server_url: str) -> str | None:
    """The domain on which a host shows the views of the server at this URL; None where it is not known beforehand.

    An API that a view calls has to admit this origin: `f"https://{sandbox_domain('claude', url)}"`.
    """
    hosts = {one.id: one for one in known_hosts().hosts}
    if host not in hosts:
        raise LookupError(f"No host is known as {host!r}; known are {', '.join(hosts)}.")
    known = hosts[host]
    if known.sandbox_domain is None:
        return None
    digest = hashlib.sha256(server_url.encode()).hexdigest()
    return HASHED.sub(lambda found: digest[: int(found.group(1))], known.sandbox_domain)
