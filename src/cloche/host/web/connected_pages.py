"""Which pages are connected: those that show something, and those that do not, which anybody can open.

A ticket is what makes a visitor somebody. A connection on which none was shown is worth nothing: there are few of them
at a time, few from one address, and when there are more, the oldest is closed. So nobody with a ticket is ever turned
away because strangers were here first.
"""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import IPv6Address, ip_address
from typing import TYPE_CHECKING

from cloche.asgi import Scope
from cloche.errors import BudgetError
from cloche.host.budgets import Budgets

if TYPE_CHECKING:
    from cloche.host.web.socket import PageSocket

TRY_LATER = 1013
"""Why a connection is closed to make room (RFC 6455)."""


class Sockets:
    """Every connection of pages to a host."""

    def __init__(self, budgets: Budgets) -> None:
        self._budgets = budgets
        self._busy: set[PageSocket] = set()
        self._idle: dict[PageSocket, None] = {}
        """Those without a view, oldest first."""

    def __len__(self) -> int:
        return len(self._busy) + len(self._idle)

    def __iter__(self) -> Iterator[PageSocket]:
        return iter((*self._busy, *self._idle))

    def add(self, socket: PageSocket) -> None:
        """A page has connected; whatever was idle longest may have to go for it."""
        limits = self._budgets.limits
        here = [other for other in self._idle if socket.address and other.address == socket.address]
        if len(here) >= limits.address_sockets:
            self._close(here[0], "address_sockets", limits.address_sockets)
        elif len(self._idle) >= limits.idle_sockets:
            self._close(next(iter(self._idle)), "idle_sockets", limits.idle_sockets)
        self._idle[socket] = None

    def _close(self, socket: PageSocket, limit: str, most: int) -> None:
        del self._idle[socket]
        error = BudgetError("Too many pages are connected and show nothing", limit, most)
        self._budgets.exceeded(error, socket.address)
        socket.end(TRY_LATER, "Too many pages are connected and show nothing")

    def opened(self, socket: PageSocket) -> None:
        """The page shows something from now on. Raises `BudgetError` when too many do."""
        if socket not in self._busy:
            self._budgets.sockets.put("", socket)
            self._busy.add(socket)
            self._idle.pop(socket, None)

    def emptied(self, socket: PageSocket) -> bool:
        """The page shows nothing any more; whether it did before."""
        if socket not in self._busy:
            return False
        self._leave(socket)
        self._idle[socket] = None
        return True

    def remove(self, socket: PageSocket) -> None:
        """The page is gone."""
        self._idle.pop(socket, None)
        if socket in self._busy:
            self._leave(socket)

    def _leave(self, socket: PageSocket) -> None:
        self._busy.discard(socket)
        self._budgets.sockets.take("", socket)


def address_of(scope: Scope) -> str:
    """Where a request comes from, as the web server says; one customer's IPv6 addresses are one. Empty when unknown."""
    client = scope.get("client")
    text = str(client[0]) if client else ""
    try:
        address = ip_address(text)
    except ValueError:
        return text
    if isinstance(address, IPv6Address) and address.ipv4_mapped is None:
        return f"{IPv6Address(int(address) >> 64 << 64)}/64"
    return text
