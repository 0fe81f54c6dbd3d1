"""`Endpoint`: the URL of a server, and how it is called.

Tokens and headers go to this URL's origin only: a redirect to another one is handed back instead of followed.
"""

from __future__ import annotations

import ssl
from collections.abc import AsyncIterable, AsyncIterator, Callable, Mapping
from dataclasses import dataclass

import httpx2

from cloche.errors import ConfigurationError
from cloche.transports.http.bounded_answers import PLAINLY
from cloche.transports.http.credentials import Credentials, TokenSource

CONNECT_TIMEOUT = 10.0
"""Seconds until a connection must stand."""

WRITE_TIMEOUT = 30.0
"""Seconds that a server may leave a part of a message unread."""

MAX_REDIRECTS = 5
"""Redirects within the origin that one request follows."""

IDLE_SECONDS = 3.0
"""How long an unused connection is kept: less than the 5 seconds after which common servers close it."""

_KEEPING_METHOD = (307, 308)
_FOLLOWED_BY_GET = (301, 302, 303, 307, 308)


@dataclass(slots=True)
class Body:
    """A request's body that tells when it was written."""

    data: bytes
    written: Callable[[], None]

    async def __aiter__(self) -> AsyncIterator[bytes]:
        yield self.data
        self.written()


class Endpoint:
    """One URL. Every call gives a response that is still open."""

    def __init__(
        self,
        url: str,
        headers: Mapping[str, str] | None,
        auth: str | TokenSource | None,
        client: httpx2.AsyncClient | None,
        connect_timeout: float,
    ) -> None:
        self.url = _checked(url)
        self.shown = f"{self.url.scheme}://{self.url.netloc.decode('ascii')}{self.url.path}"
        """The URL as errors show it: without its query, which may hold a secret."""
        self._headers = {name.lower(): value for name, value in (headers or {}).items()}
        self._credentials = Credentials(auth)
        self._timeout = httpx2.Timeout(connect=connect_timeout, read=None, write=WRITE_TIMEOUT, pool=None)
        self._own = client is None
        self._client = _new_client(self.url) if client is None else client

    async def call(
        self,
        method: str,
        headers: Mapping[str, str],
        body: AsyncIterable[bytes] | None = None,
        to: httpx2.URL | None = None,
    ) -> httpx2.Response:
        """Send a request, to another address of the same origin when `to` is given; another token is tried once, and
        redirects are followed within the origin.
        """
        url, renewed, redirects = to or self.url, False, 0
        while True:
            token = await self._credentials.token()
            all_headers = {**self._headers, **headers, **PLAINLY}
            if token is not None:
                all_headers["authorization"] = f"Bearer {token}"
            request = self._client.build_request(method, url, headers=all_headers, content=body, timeout=self._timeout)
            response = await self._client.send(request, stream=True, follow_redirects=False)
            target = None
            if response.status_code == 401 and self._credentials.can_renew and not renewed:
                renewed = True
                await response.aclose()
                await self._credentials.renew(token)
                continue
            if 300 <= response.status_code < 400 and redirects < MAX_REDIRECTS:
                target = self._follow(method, url, response)
            if target is None:
                return response
            await response.aclose()
            url, redirects = target, redirects + 1

    def _follow(self, method: str, url: httpx2.URL, response: httpx2.Response) -> httpx2.URL | None:
        """Where a redirect leads, when it may be followed."""
        followed = _FOLLOWED_BY_GET if method == "GET" else _KEEPING_METHOD
        location = response.headers.get("location")
        if response.status_code not in followed or location is None:
            return None
        try:
            target = url.join(location)
        except httpx2.InvalidURL:
            return None
        return target if is_same_origin(self.url, target) and not target.userinfo else None

    async def close(self) -> None:
        """Close every connection; a client that somebody else made stays open."""
        if self._own:
            await self._client.aclose()


def is_same_origin(one: httpx2.URL, other: httpx2.URL) -> bool:
    """Whether what may be told to one may be told to the other. httpx2 leaves a default port out of both."""
    return (one.scheme, one.host, one.port) == (other.scheme, other.host, other.port)


def _checked(url: str) -> httpx2.URL:
    try:
        parsed = httpx2.URL(url)
    except httpx2.InvalidURL:
        raise ConfigurationError("The URL of an MCP server looks like 'https://example.com/mcp'") from None
    if parsed.scheme not in ("http", "https") or not parsed.host:
        raise ConfigurationError("The URL of an MCP server begins with 'http://' or 'https://' and has a host")
    if parsed.userinfo:
        raise ConfigurationError("A URL with a password in it ends up in logs: use auth=… or headers=… instead")
    return parsed.copy_with(fragment=None)


def _new_client(url: httpx2.URL) -> httpx2.AsyncClient:
    """A client of our own. Reading the system's certificates takes 50 ms of CPU, which plain HTTP need not pay: it gets
    a context that trusts nobody.
    """
    verify = True if url.scheme == "https" else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    limits = httpx2.Limits(max_connections=None, max_keepalive_connections=32, keepalive_expiry=IDLE_SECONDS)
    return httpx2.AsyncClient(verify=verify, limits=limits)
