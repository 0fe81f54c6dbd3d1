"""Whose state it is, in a store with one per user: a principal's, or that of a session without one."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from cloche.auth import Principal
from cloche.errors import LocalError, UnauthorizedMutationError
from cloche.server.context import Context

if TYPE_CHECKING:
    from cloche.server.session import Session

_connections: WeakKeyDictionary[Any, str] = WeakKeyDictionary()


def owner_of(principal: Principal | None, session: Session | Any) -> str:
    """The name under which the state of a caller is kept; raises when nobody knows who the caller is."""
    if principal is not None:
        return f"user:{principal.id}"
    if session is None:
        raise UnauthorizedMutationError(
            "This store has a state for each user, and the request does not say whose it is: "
            "the server needs auth=…, or a client with sessions"
        )
    if session.session_id is not None:
        return f"session:{session.session_id}"
    if session not in _connections:
        _connections[session] = secrets.token_urlsafe(16)
    return f"connection:{_connections[session]}"


def owner_from(who: Context | Principal | str) -> str:
    """The same, for what an author has at hand: the context of a call, a principal, or a user's id."""
    if isinstance(who, Context):
        return owner_of(who.principal, who._exchange.session)
    if isinstance(who, Principal):
        return f"user:{who.id}"
    if not who:
        raise LocalError("store.of takes a Context, a Principal or a user's id, and got nothing")
    return f"user:{who}"
