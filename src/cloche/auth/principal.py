"""The caller, what finds out who it is, and the refusal."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol

import msgspec

from cloche.errors import ClocheError, ConfigurationError


class Principal(msgspec.Struct, frozen=True):
    """Who is calling, as `ctx.principal` gives it.

    `id` is what sessions are bound to, so it has to be unique among everybody the verifier admits. From `expires_at` on
    (seconds since the epoch) the principal is refused.
    """

    id: str
    scopes: frozenset[str] = frozenset()
    claims: dict[str, Any] = {}
    client_id: str | None = None
    expires_at: float | None = None

    def __post_init__(self) -> None:
        # Verifiers are other people's code, and not all of it is type-checked.
        name: object = self.id
        scopes: object = self.scopes
        if not isinstance(name, str) or not name:
            raise ConfigurationError("A principal needs an id: give a text that is not empty")
        if isinstance(scopes, frozenset):
            return
        if isinstance(scopes, str) or not isinstance(scopes, Iterable):
            raise ConfigurationError("Principal.scopes must be a set of scopes, such as {'read'}")
        msgspec.structs.force_setattr(self, "scopes", frozenset(scopes))

    def has(self, *scopes: str) -> bool:
        """Whether every one of `scopes` was granted."""
        return self.scopes.issuperset(scopes)


class TokenPrincipal(Principal, frozen=True):
    """Who is calling, with the token that says so: what a page hands to the server that it starts, for the services
    which the server calls in the visitor's name. `ctx.auth` is the token.
    """

    token: str = ""

    def __repr__(self) -> str:
        return f"TokenPrincipal(id={self.id!r})"  # a token has no place in a log


class TokenVerifier(Protocol):
    """Turns a token into the principal it stands for."""

    async def verify(self, token: str) -> Principal | None:
        """The principal, or None for a token that is not good. Called for every request: answers are never cached."""


class AuthenticationError(ClocheError):
    """The request has no principal: answer 401 with a challenge.

    `error` is the code of RFC 6750, or None when there were no credentials to judge. A verifier may raise it instead of
    returning None, to give a description of its own; the description goes to the client.
    """

    def __init__(self, error: str | None, description: str) -> None:
        super().__init__(description)
        self.error = error
        self.description = description
