"""`JwtVerifier`: access tokens that an authorization server signed."""

from __future__ import annotations

import binascii
import logging
from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from cloche.auth.jwks import KeySet, RemoteKeys
from cloche.auth.keys import ASYMMETRIC, SYMMETRIC, Keys, checked_algorithms, single_key
from cloche.auth.principal import Principal
from cloche.errors import ConfigurationError, MissingExtraError

logger = logging.getLogger("cloche.auth")


class _AnyAudience:
    def __repr__(self) -> str:
        return "ANY_AUDIENCE"


ANY_AUDIENCE: Final = _AnyAudience()
"""Accept tokens that were issued for any service: only right when this issuer has no other."""


class _Header(msgspec.Struct):
    alg: str
    kid: str | None = None
    crit: Any = None


class JwtVerifier:
    """Accepts JWTs that were signed for this server.

    Give one of `jwks_url` (fetched and cached), `jwks` (the document) or `key` (a PEM public key, or a shared secret
    together with `algorithms=("HS256",)`). `audience` is this server's URL as clients name it (RFC 8707): without the
    check, a token that the same issuer made for another service would open this one. `exp` is required, `leeway` is in
    seconds.
    """

    def __init__(
        self,
        *,
        jwks_url: str | None = None,
        jwks: Mapping[str, Any] | None = None,
        key: str | bytes | None = None,
        issuer: str | None = None,
        audience: str | Sequence[str] | _AnyAudience | None = None,
        algorithms: Sequence[str] = ASYMMETRIC,
        scope_claim: str = "scope",
        leeway: float = 30,
        subject_claim: str = "sub",
    ) -> None:
        self._algorithms = checked_algorithms(algorithms)
        self._audience = _checked_audience(audience)
        self._issuer = issuer
        self._scope_claim = scope_claim
        self._subject_claim = subject_claim
        self._leeway = leeway
        _require_jwt()
        self._keys = self._source(jwks_url, jwks, key)

    def _source(self, jwks_url: str | None, jwks: Mapping[str, Any] | None, key: str | bytes | None) -> Keys:
        if sum(source is not None for source in (jwks_url, jwks, key)) != 1:
            raise ConfigurationError("JwtVerifier takes exactly one of jwks_url, jwks and key")
        if key is not None:
            return single_key(key, self._algorithms)
        if not self._algorithms.isdisjoint(SYMMETRIC):
            raise ConfigurationError(
                "A key set is public, so nothing in it can be a shared secret: leave HS algorithms out, or use key="
            )
        return RemoteKeys(jwks_url) if jwks_url is not None else KeySet(dict(jwks or {}))

    async def verify(self, token: str) -> Principal | None:
        """The principal of a token that is signed, current and meant for this server."""
        header = _header_of(token)
        # Before a key is looked for, so that "none" and foreign algorithms do not get that far. Extensions that the
        # token calls critical must be understood (RFC 7515, 4.1.11), and none is.
        if header is None or header.alg not in self._algorithms or header.crit is not None:
            return None
        key = await self._keys.find(header.kid, header.alg)
        return None if key is None else self._principal(self._claims(token, key, header.alg))

    def _claims(self, token: str, key: Any, algorithm: str) -> dict[str, Any] | None:
        import jwt

        try:
            return jwt.decode(
                token,
                key,
                algorithms=[algorithm],
                audience=self._audience,
                issuer=self._issuer,
                leeway=self._leeway,
                options={"require": ["exp"], "verify_aud": self._audience is not None},
            )
        except jwt.PyJWTError as error:
            # The class only: the texts quote the token.
            logger.debug("A token was refused: %s", type(error).__name__)
            return None

    def _principal(self, claims: dict[str, Any] | None) -> Principal | None:
        subject = claims.get(self._subject_claim) if claims else None
        if claims is None or not isinstance(subject, str) or not subject:
            return None
        client = claims.get("client_id", claims.get("azp"))
        return Principal(
            id=subject,
            scopes=_scopes_of(claims.get(self._scope_claim)),
            claims=claims,
            client_id=client if isinstance(client, str) else None,
            # With the leeway, or `Auth` would refuse what was just accepted.
            expires_at=float(claims["exp"]) + self._leeway,
        )


def _require_jwt() -> None:
    try:
        import jwt
    except ImportError:
        raise MissingExtraError("JwtVerifier", "auth") from None
    if not jwt.algorithms.has_crypto:
        raise MissingExtraError("JwtVerifier", "auth")


def _header_of(token: str) -> _Header | None:
    encoded = token.partition(".")[0]
    try:
        decoded = binascii.a2b_base64(
            encoded.translate(_from_url_alphabet) + "=" * (-len(encoded) % 4), strict_mode=True
        )
        return msgspec.json.decode(decoded, type=_Header)
    except (ValueError, msgspec.MsgspecError, RecursionError):
        return None


_from_url_alphabet = str.maketrans("-_", "+/")


def _scopes_of(claim: object) -> frozenset[str]:
    """Scopes are one text with spaces (RFC 8693), with some issuers a list."""
    if isinstance(claim, str):
        return frozenset(claim.split())
    if isinstance(claim, list):
        return frozenset(scope for scope in claim if isinstance(scope, str))
    return frozenset()


def _checked_audience(audience: str | Sequence[str] | _AnyAudience | None) -> str | list[str] | None:
    """The audiences to insist on; None for any."""
    if isinstance(audience, _AnyAudience):
        return None
    if not audience or not all(audience):
        raise ConfigurationError(
            "JwtVerifier needs audience=, the URL of this server that tokens are issued for; "
            "to accept tokens for other services too, say audience=ANY_AUDIENCE"
        )
    return audience if isinstance(audience, str) else list(audience)
