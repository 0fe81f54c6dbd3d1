"""Tokens from the configuration, for scripts and small teams."""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Mapping

from cloche.auth.principal import Principal
from cloche.errors import ConfigurationError

MINIMUM_TOKEN_LENGTH = 16

_visible = re.compile(r"[!-~]+").fullmatch


class StaticTokens:
    """Admits whoever has one of these tokens: `StaticTokens({"<token>": Principal("alice", scopes={"read"})})`.

    A plain text instead of the principal is its id. Only digests are kept, and each request is compared with all of
    them in constant time, so neither a dump of the object nor a stopwatch gives a token away. For a few dozen tokens.
    """

    __slots__ = ("_entries",)

    def __init__(self, tokens: Mapping[str, Principal | str]) -> None:
        if not tokens:
            raise ConfigurationError("There are no tokens, so nobody could call: give at least one")
        self._entries = tuple(_entry(token, holder) for token, holder in tokens.items())

    async def verify(self, token: str) -> Principal | None:
        """The principal of this token, if it is one of ours."""
        digest = hashlib.sha256(token.encode()).digest()
        found = None
        # No early exit: the time must not depend on which token it was.
        for known, principal in self._entries:
            if hmac.compare_digest(known, digest):
                found = principal
        return found

    def __repr__(self) -> str:
        return f"StaticTokens({len(self._entries)} tokens)"


def _entry(token: object, holder: object) -> tuple[bytes, Principal]:
    if not isinstance(holder, Principal | str):
        raise ConfigurationError(f"A token stands for a Principal or a name, not for {type(holder).__name__}")
    principal = holder if isinstance(holder, Principal) else Principal(holder)
    # The token is named by its holder: a secret has no place in an error.
    if not isinstance(token, str) or len(token) < MINIMUM_TOKEN_LENGTH:
        raise ConfigurationError(
            f"The token of {principal.id!r} has fewer than {MINIMUM_TOKEN_LENGTH} characters and could be guessed: "
            'make one with python -c "import secrets; print(secrets.token_urlsafe(32))"'
        )
    if _visible(token) is None:
        raise ConfigurationError(
            f"The token of {principal.id!r} cannot be sent in a header: use visible ASCII characters"
        )
    return hashlib.sha256(token.encode()).digest(), principal
