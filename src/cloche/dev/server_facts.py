"""What the page of a server shows: how it is reached, what it said of itself, how the connection is."""

from __future__ import annotations

from cloche.dev.servers import DevServer
from cloche.host.upstreams import Upstream
from cloche.host.upstreams.remote import Command, Remote
from cloche.wire.types import Json
from cloche.wire.versions import STATELESS_VERSIONS, SUPPORTED_VERSIONS

SPOKEN = SUPPORTED_VERSIONS[::-1]
"""Versions of the protocol that a person can choose, the newest first."""


def connection_facts(server: DevServer, upstream: Upstream, *, is_signed_in: bool = False) -> Json:
    """The connection, and what the server said when it was opened; `is_signed_in` when a person did so by OAuth."""
    said = upstream.greeting or {}
    version = said.get("protocolVersion")
    return {
        "info": upstream.server_info,
        "status": upstream.status,
        "version": version,
        "era": None if version is None else "stateless" if version in STATELESS_VERSIONS else "handshake",
        "chosen": upstream.version,
        "versions": list(SPOKEN),
        "logLevel": upstream.log_level,
        "instructions": said.get("instructions"),
        "capabilities": said.get("capabilities") or {},
        "environment": sorted(server.spec.env) if isinstance(server.spec, Command) else [],
        "signedIn": is_signed_in,
        "signIn": _sign_in(server, upstream, is_signed_in),
    }


def _sign_in(server: DevServer, upstream: Upstream, is_signed_in: bool) -> str:
    """Who the server thinks is asking, in a few words."""
    if upstream.awaits_person.is_set():
        return "Waits for you to sign in"
    if not isinstance(server.spec, Remote):
        return ""
    if server.spec.oauth:
        return "You are signed in by OAuth" if is_signed_in else "Not signed in: the server has not asked for it"
    return "A token or header of yours is sent" if server.spec.auth or server.spec.headers else "Nothing is sent"
