"""`Auth`: what a transport asks about every request."""

from __future__ import annotations

import logging
import math
import re
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from cloche.auth.discovery import challenge_header, checked_scopes, checked_url
from cloche.auth.principal import AuthenticationError, Principal, TokenVerifier
from cloche.auth.static_tokens import StaticTokens
from cloche.errors import ConfigurationError
from cloche.logs import Block, printable_traceback

AUTHORIZATION_LIMIT = 16 * 1024
"""A longer Authorization header is refused before it is looked at."""

RECHECK_SECONDS = 60.0
"""How often a token is verified again that keeps something open."""

logger = logging.getLogger("cloche.auth")

# RFC 6750 wants base64 characters; tokens with "|" or ":" are in use all the same, and harmless.
_visible = re.compile(rb"[!-~]+").fullmatch


Verifier = TokenVerifier | Mapping[str, Principal | str] | Callable[[str], Awaitable[Principal | str | None]]
"""What `Auth` makes a `TokenVerifier` of."""


class Auth:
    """A verifier, and what clients are told about getting a token.

    `authorization_servers` are the issuers clients may go to. `scopes` are what every request's token must have, so
    clients are told to ask for them at first; a tool's own `scopes=[…]` come on top. `resource` is the public URL of
    this server where it differs from the one the request shows (behind a proxy). A token that keeps a stream or a
    connection open is verified again every `recheck_seconds`, and when it expires.
    """

    def __init__(
        self,
        verifier: Verifier,
        *,
        authorization_servers: Sequence[str] = (),
        scopes: Sequence[str] = (),
        resource: str | None = None,
        resource_name: str | None = None,
        realm: str = "mcp",
        recheck_seconds: float = RECHECK_SECONDS,
        clock: Callable[[], float] = time.time,
    ) -> None:
        if isinstance(authorization_servers, str):
            raise ConfigurationError("authorization_servers is one text: give a list of URLs")
        self.verifier = _verifier_of(verifier)
        self.authorization_servers = tuple(checked_url(url, "authorization_servers") for url in authorization_servers)
        self.scopes = checked_scopes(scopes)
        self.resource = None if resource is None else checked_url(resource, "resource")
        self.resource_name = resource_name
        self.realm = realm
        self._recheck_seconds = recheck_seconds
        self._clock = clock

    @classmethod
    def of(cls, value: object) -> Auth:
        """What `auth=` accepts: an `Auth`, a verifier, a dict of tokens, or an `async def verify(token)`."""
        return value if isinstance(value, Auth) else cls(_verifier_of(value))

    async def authenticate(self, authorization: bytes | None) -> Principal:
        """The principal of a request with this Authorization header; raises `AuthenticationError`."""
        token = _bearer_token(authorization)
        try:
            principal: object = await self.verifier.verify(token)
        except AuthenticationError:
            raise
        except Exception as error:
            _log_failure(error, token)
            raise AuthenticationError("invalid_token", "The token could not be verified") from None
        if principal is None:
            raise AuthenticationError("invalid_token", "The token is not valid")
        if not isinstance(principal, Principal):
            # Also `True`: whatever it means, it names nobody.
            logger.error("The verifier answered with %s: it must return a Principal or None", type(principal).__name__)
            raise AuthenticationError("invalid_token", "The token could not be verified")
        # "not >" instead of "<=", so that NaN is refused.
        if principal.expires_at is not None and not principal.expires_at > self._clock():
            raise AuthenticationError("invalid_token", "The token has expired")
        return principal

    async def lapse(self, authorization: bytes | None, principal: Principal) -> str:
        """Wait until the token of this header stands for `principal` no longer, and return why: it has expired, or the
        verifier refuses it. What was opened with the token must not outlive it.
        """
        import asyncio  # not before it is needed: it is half of what `import cloche` may cost

        while True:
            left = math.inf if principal.expires_at is None else principal.expires_at - self._clock()
            await asyncio.sleep(max(0.0, min(left, self._recheck_seconds)))
            if principal.expires_at is not None and not principal.expires_at > self._clock():
                return "The token has expired"
            try:
                now = await self.authenticate(authorization)
            except AuthenticationError as error:
                return error.description
            if now.id != principal.id or not now.has(*self.scopes):
                return "The token is not valid any more"
            principal = now

    def metadata(self, resource: str) -> dict[str, Any]:
        """The RFC 9728 document of this resource."""
        document = {
            "resource": self.resource or resource,
            "bearer_methods_supported": ["header"],
            "authorization_servers": list(self.authorization_servers),
            "scopes_supported": list(self.scopes),
            "resource_name": self.resource_name,
        }
        return {name: value for name, value in document.items() if value}  # as the RFC wants it

    def challenge(
        self,
        metadata_url: str,
        *,
        error: str | None = None,
        description: str | None = None,
        scopes: Sequence[str] = (),
    ) -> str:
        """The value of `WWW-Authenticate`. Without `scopes`, the client is told to ask for those of this `Auth`."""
        return challenge_header(self.realm, metadata_url, error, description, scopes or self.scopes)


class _Callback:
    """An `async def verify(token)` in the form of a verifier."""

    def __init__(self, verify: Callable[[str], Awaitable[Principal | str | None]]) -> None:
        self._verify = verify

    async def verify(self, token: str) -> Principal | None:
        answer = await self._verify(token)
        return Principal(answer) if isinstance(answer, str) else answer


def _verifier_of(value: object) -> TokenVerifier:
    if isinstance(value, Mapping):
        return StaticTokens(value)
    if not isinstance(value, type):
        verify = getattr(value, "verify", None)
        if _is_async(verify):
            return value  # type: ignore[return-value]  # looked at one line above
        if verify is None and _is_async(value):
            return _Callback(value)  # type: ignore[arg-type]
    # Only the type: the value may be the secret itself.
    raise ConfigurationError(
        f"auth cannot be {'the class ' + value.__name__ if isinstance(value, type) else type(value).__name__}: give "
        "{'<token>': '<name>'}, a verifier such as JwtVerifier(…), an Auth(…), or an `async def verify(token)` that "
        "returns a Principal, a name or None"
    )


def _is_async(function: object) -> bool:
    from inspect import iscoroutinefunction

    return callable(function) and (iscoroutinefunction(function) or iscoroutinefunction(type(function).__call__))


def _bearer_token(authorization: bytes | None) -> str:
    if not authorization:
        raise AuthenticationError(None, "This needs a token: send the header Authorization: Bearer <token>")
    if len(authorization) > AUTHORIZATION_LIMIT:
        raise AuthenticationError("invalid_token", f"The Authorization header exceeds {AUTHORIZATION_LIMIT} bytes")
    scheme, _, token = authorization.partition(b" ")
    if scheme.lower() != b"bearer":
        raise AuthenticationError(None, "The Authorization scheme must be Bearer")
    token = token.strip(b" ")
    if _visible(token) is None:
        raise AuthenticationError("invalid_token", "The Authorization header is not Bearer and one token")
    return token.decode("ascii")


def _log_failure(error: Exception, token: str) -> None:
    """Log what happened in a verifier without the token, which messages of HTTP and JWT libraries like to quote."""
    from urllib.parse import quote

    text = printable_traceback(error)
    parts = {token, repr(token)[1:-1], quote(token, safe=""), *token.split(".")}
    for part in sorted(parts, key=len, reverse=True):
        # Three characters are no secret, and replacing every "e" would only ruin the text.
        if len(part) > 3:
            text = text.replace(part, "[token]")
    logger.error("The verifier failed, so the request was refused\n%s", Block(text))
