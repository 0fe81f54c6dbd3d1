"""Who is calling over HTTP: the token in, a refusal with directions out (RFC 6750), and where to get one (RFC 9728)."""

from __future__ import annotations

from collections.abc import Coroutine, Iterable, MutableMapping
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from cloche.auth import Auth, AuthenticationError, Principal, metadata_path
from cloche.auth.discovery import WELL_KNOWN
from cloche.errors import ForbiddenError
from cloche.serve.replies import JSON, refuse, reply
from cloche.wire.json import encode
from cloche.wire.messages import encode_error

if TYPE_CHECKING:
    from cloche.asgi import Headers, Scope, Send


class Authorization:
    """An app's `auth`, spoken in HTTP."""

    def __init__(self, auth: Auth, path: str | None) -> None:
        self._auth = auth
        self._path = path

    async def identify(self, scope: Scope, headers: dict[bytes, bytes], send: Send, cors: Headers) -> Principal | None:
        """Whose token came with the request; None when it was refused."""
        try:
            principal = await self._auth.authenticate(headers.get(b"authorization"))
        except AuthenticationError as error:
            challenge = self.challenge(scope, error.error, error.description)
            await refuse(send, 401, error.description or "A bearer token is needed", [*cors, *challenge])
            return None
        if not principal.has(*self._auth.scopes):
            lacking = ForbiddenError(self._auth.scopes)
            challenge = self.challenge(scope, "insufficient_scope", lacking.message)
            await reply(send, 403, encode_error(None, lacking), [JSON, *cors, *challenge])
            return None
        return principal

    def lapse(self, scope: Scope, principal: Principal) -> Coroutine[Any, Any, str]:
        """Wait until the token that came with the request is good no longer, and return why."""
        return self._auth.lapse(dict(scope["headers"]).get(b"authorization"), principal)

    def challenge(
        self, scope: MutableMapping[str, Any], error: str | None, description: str | None, scopes: Iterable[str] = ()
    ) -> Headers:
        """`WWW-Authenticate`, which tells a client where to get a token."""
        base, mount = self._place(scope)
        at_root = self._path is not None and not mount
        where = base + (metadata_path(self._path or "") if at_root else mount + WELL_KNOWN)
        value = self._auth.challenge(where, error=error, description=description, scopes=tuple(scopes))
        return [(b"www-authenticate", value.encode("latin-1", "replace"))]

    async def send_metadata(self, scope: Scope, send: Send) -> None:
        """Which authorization servers give tokens for this server. Public by nature, for any origin."""
        base, mount = self._place(scope)
        document = self._auth.metadata(base + mount + (self._path or ""))
        await reply(send, 200, encode(document), [JSON, (b"access-control-allow-origin", b"*")])

    def _place(self, scope: MutableMapping[str, Any]) -> tuple[str, str]:
        """The origin that clients call, and where the app is mounted there. `Auth(resource=…)` knows it best: a proxy
        that ends TLS makes every request look like http.
        """
        mount = scope.get("root_path", "")
        if self._auth.resource is not None:
            said = urlsplit(self._auth.resource)
            return f"{said.scheme}://{said.netloc}", mount
        host = dict(scope["headers"]).get(b"host", b"").decode("latin-1")
        scheme = scope.get("scheme", "http").replace("ws", "http", 1)  # where to get a token is told over HTTP
        return f"{scheme}://{host}", mount
