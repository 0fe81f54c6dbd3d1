"""Where a host goes when a server wants its users to sign in: the addresses are the server's words, and a server may be
hostile. It must not be able to make the host ask machines that only the host can reach.

Every request of such a connection is looked at here, also those of discovery, registration and redirects. Its name is
resolved once, all its addresses are judged, and the connection goes to one of those that were judged: a name that is
resolved a second time could mean something else by then.
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from collections.abc import Iterable
from typing import Literal, TypeAlias
from urllib.request import getproxies, proxy_bypass

import httpx2

from cloche.errors import UpstreamError, shorten
from cloche.host.upstreams.remote import Remote

Kind: TypeAlias = Literal["public", "loopback", "private", "link-local", "metadata", "reserved"]

METADATA = frozenset(("169.254.169.254", "fd00:ec2::254", "100.100.100.200", "168.63.129.16", "192.0.0.192"))
"""Where clouds tell a machine its own secrets."""

LOCAL_NAMES = ("local", "internal", "home.arpa", "lan", "corp", "home", "intranet")
"""Endings of names that nobody can own on the public network."""

_Address: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address


def kind_of(text: str) -> Kind:
    """What kind of address this is; one inside another (mapped, 6to4, NAT64, Teredo) counts as what is inside."""
    address = _inner(ipaddress.ip_address(text.partition("%")[0]))
    if str(address) in METADATA:
        return "metadata"
    if address.is_loopback:
        return "loopback"
    if address.is_link_local:
        return "link-local"
    if address.is_unspecified or address.is_multicast or address.is_reserved:
        return "reserved"
    if address.is_global:
        return "public"
    return "private" if address.is_private else "reserved"


def _inner(address: _Address) -> _Address:
    if isinstance(address, ipaddress.IPv4Address):
        return address
    if address.ipv4_mapped is not None:
        return address.ipv4_mapped
    if address.sixtofour is not None:
        return address.sixtofour
    if address.teredo is not None:
        return address.teredo[1]
    if address in ipaddress.ip_network("64:ff9b::/96") or address in ipaddress.ip_network("::/96"):
        low = int(address) & 0xFFFFFFFF
        return ipaddress.IPv4Address(low) if low > 1 else address
    return address


def trusted_kinds(remote: Remote) -> frozenset[Kind]:
    """The kinds of addresses, besides public ones, that the product itself named: its server is at one."""
    host = httpx2.URL(remote.url).host
    found: set[Kind] = {"private"} if remote.intranet else set()
    literal = _literal(host)
    if literal is not None:
        found.add(kind_of(literal))
    elif host == "localhost" or host.endswith(".localhost"):
        found.add("loopback")
    elif "." not in host or host.endswith(tuple(f".{name}" for name in LOCAL_NAMES)):
        found |= {"private", "loopback"}
    return frozenset(found - {"public"})


def _literal(host: str) -> str | None:
    try:
        return str(ipaddress.ip_address(host.strip("[]").partition("%")[0]))
    except ValueError:
        return None


async def resolve(host: str, port: int) -> list[str]:
    """The addresses of a name."""
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(address[0]) for *_, address in found))


class GuardedTransport(httpx2.AsyncBaseTransport):
    """HTTP for one server that signs users in. Raises `UpstreamError` for an address that the host must not ask."""

    def __init__(self, name: str, remote: Remote) -> None:
        self._name = name
        self._own = httpx2.URL(remote.url)
        self._trusted = trusted_kinds(remote)
        self._transports: dict[tuple[str, str | None], httpx2.AsyncHTTPTransport] = {}

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send a request to an address of its host that was looked at."""
        url = request.url
        proxy = _proxy_for(url)
        literal = _literal(url.host)
        if proxy is not None and literal is None:  # the proxy finds the address, and is what keeps the host in
            self._check(url, ())
            return await self._transport(url.host, proxy).handle_async_request(request)
        addresses = [literal] if literal is not None else await self._resolved(url)
        self._check(url, [kind_of(address) for address in addresses])
        transport = self._transport(url.host, proxy)
        for place, address in enumerate(addresses, 1):
            try:
                return await transport.handle_async_request(_pinned(request, address))
            except httpx2.ConnectError:
                if place == len(addresses):
                    raise
        raise httpx2.ConnectError(f"{url.host} has no address", request=request)

    async def _resolved(self, url: httpx2.URL) -> list[str]:
        try:
            return await resolve(url.host, url.port or (443 if url.scheme == "https" else 80))
        except OSError as error:
            raise httpx2.ConnectError(str(error)) from error

    def _check(self, url: httpx2.URL, kinds: Iterable[Kind]) -> None:
        known = set(kinds)
        foreign = known - self._trusted - {"public"}
        is_own = (url.scheme, url.host, url.port) == (self._own.scheme, self._own.host, self._own.port)
        if foreign:
            hint = "; if it is yours, set Remote(…, intranet=True)" if is_own and foreign == {"private"} else ""
            raise self._refusal(url, f"is a {'/'.join(sorted(foreign))} address{hint}")
        if not is_own and url.scheme != "https" and not (known and known <= self._trusted):
            raise self._refusal(url, "is not https")

    def _refusal(self, url: httpx2.URL, why: str) -> UpstreamError:
        place = shorten(f"{url.scheme}://{url.netloc.decode('ascii', 'replace')}", 120)
        return UpstreamError(f"Signing in at {self._name!r} was stopped: {place!r}, where the server leads, {why}")

    def _transport(self, host: str, proxy: str | None) -> httpx2.AsyncHTTPTransport:
        """One for each name: a connection that was opened for one name must not carry what is meant for another."""
        if (host, proxy) not in self._transports:
            self._transports[host, proxy] = httpx2.AsyncHTTPTransport(proxy=proxy)
        return self._transports[host, proxy]

    async def aclose(self) -> None:
        """Close every connection."""
        for transport in self._transports.values():
            await transport.aclose()


def _pinned(request: httpx2.Request, address: str) -> httpx2.Request:
    """The same request to this address; certificate and Host header are those of the name."""
    return httpx2.Request(
        request.method,
        request.url.copy_with(host=address),
        headers=request.headers,
        stream=request.stream,
        extensions={**request.extensions, "sni_hostname": request.url.host},
    )


def _proxy_for(url: httpx2.URL) -> str | None:
    proxies = getproxies()
    found = proxies.get(url.scheme) or proxies.get("all")
    return None if found is None or proxy_bypass(url.host) else found
