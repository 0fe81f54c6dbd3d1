"""Who may talk to a local server at all: Host, Origin and Sec-Fetch-Site, looked at before anything else (H01 to
H08).

A web page anywhere can make its visitor's browser send requests to 127.0.0.1. What it cannot do is choose the Host
header of its own origin's name (DNS rebinding brings that name along) or leave out Origin and Sec-Fetch-Site. A
refusal names what it got and the option that admits it: behind a proxy the first answer must not be a riddle.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, MutableMapping
from typing import Any, NamedTuple

from cloche.asgi import AsgiApp, Headers, Receive, Scope, Send
from cloche.errors import ConfigurationError, shorten
from cloche.serve.replies import refuse, reply

LOOPBACK = (b"127.0.0.1", b"localhost", b"[::1]")

_HOST = re.compile(rb"(\[[0-9a-f:.]+\]|[a-z0-9_]([a-z0-9_.\-]*[a-z0-9_\-])?)(:[0-9]{1,5})?")
_PORT = re.compile(rb":[0-9]{1,5}$")
_ORIGIN = re.compile(r"[a-z][a-z0-9+.\-]*://[^/\s?#@*]+")
_SINGLE = (b"host", b"origin", b"authorization", b"content-type", b"content-length")
_SINGLE_PREFIX = b"mcp-"

ALLOWED_HEADERS = (
    "content-type",
    "accept",
    "authorization",
    "last-event-id",
    "mcp-session-id",
    "mcp-protocol-version",
    "mcp-method",
    "mcp-name",
)
EXPOSED_HEADERS = b"mcp-session-id, mcp-protocol-version, www-authenticate"


class Refusal(NamedTuple):
    """Why a request goes no further."""

    status: int
    text: str


class Admission:
    """The names a server answers to, and the web pages that may call it."""

    def __init__(
        self, hosts: Iterable[str] | None = None, origins: Iterable[str] = (), maker: str = "server.asgi"
    ) -> None:
        self._maker = maker
        given = _listed("hosts", hosts)
        self._any_host = "*" in given
        self._hosts = frozenset(
            _host_rule(host) for host in given if not host.endswith(":*") and not host.startswith("*")
        )
        self._names = frozenset(_host_rule(host[:-2]) for host in given if host.endswith(":*"))
        self._suffixes = tuple(_host_rule(host[2:]) for host in given if host.startswith("*."))
        allowed = _listed("origins", origins)
        self._any_origin = "*" in allowed
        self._origins = frozenset(_origin_rule(origin) for origin in allowed if origin != "*")
        self._by_port: dict[int | None, frozenset[bytes]] = {}

    def hosts_for(self, port: int | None) -> frozenset[bytes]:
        """The exact Host values that are admitted when the server listens on this port."""
        found = self._by_port.get(port)
        if found is None:
            local = {name + b":%d" % port for name in LOOPBACK} if port is not None else set()
            if port in (80, 443):
                local |= set(LOOPBACK)
            found = self._by_port[port] = frozenset(local | self._hosts)
        return found

    def check(self, scope: Scope, headers: dict[bytes, bytes]) -> Refusal | None:
        """Why this request is refused; None when it may go on."""
        if len(headers) != len(scope["headers"]):
            repeated = _repeated(scope["headers"])
            if repeated is not None:
                return Refusal(400, f"The header {repeated.decode('latin-1')} stands twice: send it once")
        return self._check_host(scope, headers.get(b"host")) or self._check_origin(scope, headers)

    def _check_host(self, scope: Scope, host: bytes | None) -> Refusal | None:
        if host is None:
            return Refusal(400, "The request has no Host header: send one")
        bound = scope.get("server")
        if host in self.hosts_for(bound[1] if bound else None):
            return None
        lowered = host.lower()
        if _HOST.fullmatch(lowered):
            name = _PORT.sub(b"", lowered)
            admitted = self._any_host or lowered in self.hosts_for(bound[1] if bound else None) or name in self._names
            if admitted or any(one.endswith(b"." + suffix) for suffix in self._suffixes for one in (name, lowered)):
                return None
        return Refusal(421, self.host_refusal(_show(host)))

    def _check_origin(self, scope: Scope, headers: dict[bytes, bytes]) -> Refusal | None:
        origin = headers.get(b"origin")
        if origin is None:
            site = headers.get(b"sec-fetch-site")
            if site is None or site in (b"same-origin", b"none") or self._any_origin:
                return None
            return Refusal(403, self.site_refusal(_show(site)))
        if self._any_origin or origin in self._origins or self._is_own(scope, origin, headers[b"host"]):
            return None
        return Refusal(403, self.origin_refusal(_show(origin)))

    def host_refusal(self, host: str) -> str:
        """The sentence about a name that this server does not have."""
        return (
            f"This server does not answer to the host {host!r}: to admit it, use hosts=[{host!r}] "
            f"in {self._maker}, or cloche run --allow-host {host}"
        )

    def origin_refusal(self, origin: str) -> str:
        """The sentence about pages that may not call."""
        return (
            f"Web pages of the origin {origin!r} may not call this server: to admit them, use origins=[{origin!r}] "
            f"in {self._maker}, or cloche run --allow-origin {origin}"
        )

    def site_refusal(self, site: str) -> str:
        """The sentence about pages of another site that do not say their origin."""
        return (
            f"A web page of another site (Sec-Fetch-Site: {site}) may not call this server without saying "
            f"its Origin: to admit it, let it send one, and name that in origins=[…] in {self._maker}, "
            "or cloche run --allow-origin"
        )

    @staticmethod
    def _is_own(scope: Scope, origin: bytes, host: bytes) -> bool:
        own = host.lower()
        in_clear = scope.get("scheme", "http") in ("http", "ws")
        return origin == b"https://" + own or (in_clear and origin == b"http://" + own)

    def cors(self, headers: dict[bytes, bytes]) -> Headers:
        """The CORS headers of an answer: for an admitted origin by name, for no other at all (H07)."""
        origin = headers.get(b"origin")
        if origin is None or not (self._any_origin or origin in self._origins):
            return []
        return [
            (b"access-control-allow-origin", origin),
            (b"vary", b"origin"),
            (b"access-control-expose-headers", EXPOSED_HEADERS),
        ]

    def preflight(self, headers: dict[bytes, bytes]) -> Headers:
        """The answer to an OPTIONS request of an admitted origin."""
        asked = headers.get(b"access-control-request-headers", b"").decode("latin-1").lower()
        names = [name.strip() for name in asked.split(",")][:50]
        granted = [
            name for name in names if name in ALLOWED_HEADERS or re.fullmatch(r"mcp-param-[a-z0-9_\-]{1,64}", name)
        ]
        return [
            *self.cors(headers),
            (b"access-control-allow-methods", b"GET, POST, DELETE"),
            (b"access-control-allow-headers", ", ".join(granted or ALLOWED_HEADERS).encode()),
            (b"access-control-max-age", b"600"),
        ]


class Guard:
    """The same checks in front of any ASGI app: every route of it, because some always forget one (H08)."""

    def __init__(self, app: AsgiApp, *, hosts: Iterable[str] | None = None, origins: Iterable[str] = ()) -> None:
        self._app = app
        self._admission = Admission(hosts, origins)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse, or pass on."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        headers = dict(scope["headers"])
        refusal = self._admission.check(scope, headers)
        if refusal is None and scope["type"] == "http" and scope["method"] == "OPTIONS" and b"origin" in headers:
            await reply(send, 204, b"", self._admission.preflight(headers))
        elif refusal is None:
            await self._app(scope, receive, self._with_cors(headers, send))
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008, "reason": shorten(refusal.text, 120)})
        else:
            await refuse(send, *refusal)

    def _with_cors(self, headers: dict[bytes, bytes], send: Send) -> Send:
        extra = self._admission.cors(headers)
        if not extra:
            return send

        async def sending(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message.get("headers", ()), *extra]}
            await send(message)

        return sending


def _listed(option: str, given: Iterable[str] | None) -> tuple[str, ...]:
    if isinstance(given, str):
        raise ConfigurationError(f"{option} is a list: {option}=[{given!r}]")
    return tuple(given or ())


def _host_rule(host: str) -> bytes:
    rule = host.lower().encode("latin-1", "replace")
    if not _HOST.fullmatch(rule):
        raise ConfigurationError(
            f"hosts: {shorten(host)!r} is not a host name; "
            "use 'example.com', 'example.com:8000', 'example.com:*' or '*.example.com'"
        )
    return rule


def _origin_rule(origin: str) -> bytes:
    if not _ORIGIN.fullmatch(origin.lower()):
        raise ConfigurationError(
            f"origins: {shorten(origin)!r} is not an origin; write it like 'https://app.example.com', without a path"
        )
    return origin.lower().encode("latin-1", "replace")


def _repeated(headers: Iterable[tuple[bytes, bytes]]) -> bytes | None:
    seen: set[bytes] = set()
    for name, _ in headers:
        if name in seen and (name in _SINGLE or name.startswith(_SINGLE_PREFIX)):
            return name
        seen.add(name)
    return None


def _show(value: bytes) -> str:
    text = value.decode("latin-1")
    return shorten(
        "".join(character if character.isprintable() and character not in "'\"\\" else "?" for character in text)
    )
