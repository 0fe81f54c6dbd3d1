"""Who is calling: bearer tokens in, a `Principal` out.

Give `server.asgi(auth=…)` a dict of tokens, a verifier, an `async def verify(token)`, or an `Auth` when clients have
to find an authorization server. Nothing here knows HTTP: header values come in as bytes and go out as strings, and the
transport decides about status codes. PyJWT, cryptography, asyncio and urllib are imported when they are first needed.
"""

from cloche.auth.bearer import Auth
from cloche.auth.discovery import metadata_path
from cloche.auth.jwt_verifier import ANY_AUDIENCE, JwtVerifier
from cloche.auth.principal import AuthenticationError, Principal, TokenVerifier
from cloche.auth.static_tokens import StaticTokens

__all__ = [
    "ANY_AUDIENCE",
    "Auth",
    "AuthenticationError",
    "JwtVerifier",
    "Principal",
    "StaticTokens",
    "TokenVerifier",
    "metadata_path",
]
