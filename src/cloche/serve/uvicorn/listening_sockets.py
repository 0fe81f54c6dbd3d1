"""From `--http HOST:PORT` to listening sockets, with a sentence for everything that can be wrong with them."""

from __future__ import annotations

import errno
import ipaddress
import os
import socket
from collections.abc import Sequence
from typing import Any

from cloche.errors import ConfigurationError, LocalError, shorten

DEFAULT_HOST = "127.0.0.1"
DEFAULT_PORT = 8000
BACKLOG = 2048

Address = tuple[socket.AddressFamily, tuple[Any, ...]]


def parse_address(text: str, option: str = "--http") -> tuple[str, int]:
    """`8000`, `:8000`, `HOST`, `HOST:8000` and `[::1]:8000` as host and port; without a host it is loopback (H09)."""
    shown = shorten(text)
    if "://" in text or "/" in text:
        raise ConfigurationError(
            f"{option} takes HOST:PORT, not a URL: got {shown!r}, write for example 127.0.0.1:8000"
        )
    if text.startswith("["):
        host, bracket, rest = text[1:].partition("]")
        if not bracket or (rest and not rest.startswith(":")):
            raise ConfigurationError(f"{option} {shown!r} is not HOST:PORT: write an IPv6 address as [::1]:8000")
        port = rest[1:] if rest else str(DEFAULT_PORT)
    elif text.count(":") > 1:
        raise ConfigurationError(f"{option} {shown!r} is not HOST:PORT: write an IPv6 address in brackets, [::1]:8000")
    elif ":" in text:
        host, _, port = text.rpartition(":")
    elif text.isascii() and text.isdigit():
        host, port = "", text
    else:
        host, port = text, str(DEFAULT_PORT)
    if not (port.isascii() and port.isdigit() and len(port) <= 5 and int(port) <= 65535):
        raise ConfigurationError(
            f"{option} {shown!r} has no valid port: it is a number from 0 to 65535, and 0 picks a free one"
        )
    return host or DEFAULT_HOST, int(port)


def resolve(host: str, port: int) -> list[Address]:
    """The socket addresses that `host` stands for."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, UnicodeError):
        raise ConfigurationError(
            f"the host {shorten(host)!r} cannot be resolved: use 127.0.0.1, or an address or name of this machine"
        ) from None
    return list(dict.fromkeys((family, address) for family, _, _, _, address in found))


def public_address(host: str) -> bool:
    """Whether listening on `host` lets other machines connect."""
    return is_public(resolve(host or "0.0.0.0", 0))


def is_public(addresses: Sequence[Address]) -> bool:
    """Whether any of these addresses is more than loopback."""
    return not all(_is_loopback(str(address[0])) for _, address in addresses)


def _is_loopback(text: str) -> bool:
    address = ipaddress.ip_address(text.partition("%")[0])
    mapped = getattr(address, "ipv4_mapped", None)
    return bool((mapped or address).is_loopback)


def check_exposure(host: str, addresses: Sequence[Address], *, safe: bool) -> None:
    """Refuse to listen to the world without knowing who calls (H09), unless that is `safe`: with auth, or meant."""
    if not safe and is_public(addresses):
        raise ConfigurationError(
            f"{shorten(host)} can be reached from other machines and this server asks nobody who they are: give it auth"
            " (--token-file FILE, or auth= in Python), or say that you mean it (--allow-public, or allow_public=True)"
        )


def bind(host: str, addresses: Sequence[Address]) -> list[socket.socket]:
    """Listening sockets for `addresses`, all on one port."""
    sockets: list[socket.socket] = []
    failure: OSError | None = None
    port = addresses[0][1][1]
    for family, address in addresses:
        try:
            sock = _listen(family, (address[0], port, *address[2:]))
        except OSError as error:
            # A name may stand for IPv4 and IPv6 on a machine that has only one of them.
            if error.errno in (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT) and len(addresses) > 1:
                failure = failure or error
                continue
            for opened in sockets:
                opened.close()
            raise _binding_error(host, port, error) from None
        sockets.append(sock)
        port = sock.getsockname()[1]
    if not sockets and failure is not None:
        raise _binding_error(host, port, failure)
    return sockets


def _listen(family: socket.AddressFamily, address: tuple[Any, ...]) -> socket.socket:
    sock = socket.socket(family, socket.SOCK_STREAM)
    try:
        if os.name == "posix":
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        sock.bind(address)
        # Here and not in uvicorn: with SO_REUSEADDR, Linux says only at this point that somebody else is listening.
        sock.listen(BACKLOG)
        sock.setblocking(False)
    except BaseException:
        sock.close()
        raise
    return sock


def _binding_error(host: str, port: int, error: OSError) -> LocalError:
    if error.errno == errno.EADDRINUSE:
        return LocalError(
            f"port {port} on {shorten(host)} is taken: stop what uses it, choose another, or 0 for a free one"
        )
    if error.errno == errno.EACCES:
        return LocalError(f"this user may not listen on port {port}: choose one above 1023")
    if error.errno == errno.EADDRNOTAVAIL:
        return ConfigurationError(
            f"{shorten(host)} is not an address of this machine: use 127.0.0.1, or one that it has"
        )
    return LocalError(f"cannot listen on {shorten(host)} port {port}: {error.strerror or error}")


def own_hosts(host: str, port: int) -> list[str]:
    """The Host header of clients that use the very address one listens on; loopback's usual names are known anyway."""
    if host in ("0.0.0.0", "::") or "%" in host:
        return []
    return [f"[{host}]:{port}" if ":" in host else f"{host}:{port}"]


def url_of(host: str, port: int, path: str = "/mcp", scheme: str = "http") -> str:
    """The URL a client on this machine uses."""
    if host in ("0.0.0.0", "::"):
        host = DEFAULT_HOST if host == "0.0.0.0" else "::1"
    return f"{scheme}://{f'[{host}]' if ':' in host else host}:{port}{path}"
