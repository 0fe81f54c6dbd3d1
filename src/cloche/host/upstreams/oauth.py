"""Signing users in at servers that want OAuth: one authorization, one set of tokens per user and server.

The official client does the protocol (discovery, registration, PKCE, issuer check, refresh). Here is what it leaves to
the host:

- The user is asked before the host registers itself anywhere and before anything opens, and only an https address is
  opened (http on this machine, for development): the address comes from the server, and `javascript:` or a file would
  run in the product's own page. What the host itself asks on the way is looked at in `outbound.py`.
- The answer comes back to `{at}/oauth/callback`, in a browser that could be anybody's: an attacker can send the link of
  a sign-in that *they* started to somebody else, and would then own a connection to that person's account. So the
  callback page takes no decision. It hands its query to the page of the product that is open in the same browser,
  which sends it over its own socket, and `finish` takes it only from the user who started.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from functools import partial
from typing import Any, Protocol, TypeAlias
from urllib.parse import parse_qs, urlsplit

import msgspec

from cloche.errors import InvalidParamsError, UpstreamError, shorten
from cloche.host.upstreams.remote import Remote
from cloche.host.upstreams.supervised import Events
from cloche.wire.types import Json

SIGN_IN_SECONDS = 300.0
"""How long a person may take."""

MAX_SIGN_INS = 1000
"""Sign-ins that may be under way in one host."""

MAX_QUERY = 8192
MAX_FIELDS = 100
LOOPBACK = ("localhost", "127.0.0.1", "::1")


class Authorization(msgspec.Struct, frozen=True):
    """A sign-in that a user has to agree to: `url` is opened in their browser when they do."""

    user: str
    server: str
    url: str
    agreed: bool = False
    """Whether they have agreed to this site already, before the host registered itself there."""

    @property
    def site(self) -> str:
        """Where they would sign in, for the question."""
        return urlsplit(self.url).netloc


Authorize: TypeAlias = Callable[[Authorization], Awaitable[bool]]
"""Asks the user, and opens the address when they agree; False when they do not, or nobody is there to ask."""

Consent: TypeAlias = Callable[[str, str, str], Awaitable[bool]]
"""`(user, server, site)`: asks the user whether they would sign in at this site, and opens nothing."""


async def _left_to_the_product(user: str, server: str, site: str) -> bool:
    return True


class TokenStore(Protocol):
    """Where tokens are kept. `user` and `url` are part of the key: one user's tokens are never another's, and one
    server's never sent to another.
    """

    async def get(self, user: str, url: str, kind: str) -> Json | None:
        """What was put there; `kind` is "tokens" or "client"."""

    async def put(self, user: str, url: str, kind: str, value: Json) -> None:
        """Keep it. It is a secret."""


class MemoryTokens:
    """Tokens that are gone when the process ends; users sign in again."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, str, str], Json] = {}

    async def get(self, user: str, url: str, kind: str) -> Json | None:
        """What was put there."""
        return self._kept.get((user, url, kind))

    async def put(self, user: str, url: str, kind: str, value: Json) -> None:
        """Keep it."""
        self._kept[user, url, kind] = value

    def drop(self, user: str, url: str, kind: str) -> None:
        """Keep it no longer."""
        self._kept.pop((user, url, kind), None)


class _Pending(msgspec.Struct, frozen=True):
    user: str
    answer: asyncio.Future[dict[str, str]]


class SignIns:
    """Every sign-in of a host that is under way."""

    def __init__(
        self,
        authorize: Authorize,
        *,
        consent: Consent = _left_to_the_product,
        tokens: TokenStore | None = None,
        callback_url: str | None = None,
        client_name: str = "Cloche",
    ) -> None:
        self.client_name = client_name
        """What people read at the authorization server as the name of who wants access."""
        self.callback_url = callback_url
        """The address of `{at}/oauth/callback` as browsers know it; known when the host is told, or a page opens."""
        self.tokens: TokenStore = tokens if tokens is not None else MemoryTokens()
        self._authorize = authorize
        self._consent = consent
        self._pending: dict[str, _Pending] = {}

    def finish(self, user: str, query: str) -> None:
        """Take the query of the callback from the page of `user`; raises `InvalidParamsError` when it is not theirs."""
        values = _values(query)
        found = self._pending.get(values.get("state", ""))
        if found is None or found.user != user or found.answer.done():
            # The same words for all three: a stranger is not told which states there are.
            raise InvalidParamsError("This sign-in is not under way here: start it again")
        found.answer.set_result(values)

    def for_server(self, user: str, name: str, remote: Remote) -> Callable[[Events], Any]:
        """What signs `user` in at one server; given the connection that needs it, an `httpx2.Auth`."""
        return partial(_provider, self, user, name, remote)

    async def agree(self, user: str, name: str, site: str) -> None:
        """Ask the user whether they would sign in at `site`; raises `UpstreamError` when they would not."""
        try:
            async with asyncio.timeout(SIGN_IN_SECONDS):
                agreed = await self._consent(user, name, site)
        except TimeoutError:
            agreed = False
        if not agreed:
            raise UpstreamError(f"The server {name!r} needs you to sign in, and that was not agreed to")

    async def ask(self, user: str, name: str, url: str, agreed_site: str | None = None) -> dict[str, str]:
        """Have the user sign in at `url`, and return what came back; `agreed_site` is where they agreed to."""
        check_authorization_url(url)
        state = _values(urlsplit(url).query).get("state", "")
        if not state or state in self._pending or len(self._pending) >= MAX_SIGN_INS:
            raise UpstreamError(f"Signing in at {name!r} failed: too many sign-ins are under way")
        answer: asyncio.Future[dict[str, str]] = asyncio.get_running_loop().create_future()
        self._pending[state] = _Pending(user, answer)
        try:
            async with asyncio.timeout(SIGN_IN_SECONDS):
                wanted = Authorization(user, name, url, agreed_site == urlsplit(url).netloc)
                if not await self._authorize(wanted):
                    raise UpstreamError(f"The server {name!r} needs you to sign in, and that was not agreed to")
                values = await answer
        except TimeoutError:
            raise UpstreamError(f"Nobody signed in at {name!r} within {SIGN_IN_SECONDS / 60:g} minutes") from None
        finally:
            del self._pending[state]
        if "error" in values:
            raise UpstreamError(f"Signing in at {name!r} was refused: {shorten(values['error'], 80)!r}")
        return values


def check_authorization_url(url: str) -> None:
    """Refuse an address that must not be opened in a browser: it comes from the server's metadata."""
    try:
        parts = urlsplit(url)
        host = parts.hostname
    except ValueError:
        host = None
    allowed = host is not None and (parts.scheme == "https" or (parts.scheme == "http" and host in LOOPBACK))
    if not allowed or "@" in parts.netloc or "\\" in url or not url.isascii() or not url.isprintable() or " " in url:
        raise UpstreamError("The server wants a sign-in at an address that is not safe to open, and it was not opened")


def _values(query: str) -> dict[str, str]:
    """A query string; a name that comes twice is not an answer of an authorization server."""
    if len(query) > MAX_QUERY:
        raise InvalidParamsError("The answer to the sign-in is too long")
    try:
        found = parse_qs(query.removeprefix("?"), keep_blank_values=True, max_num_fields=MAX_FIELDS)
    except ValueError:
        raise InvalidParamsError("The answer to the sign-in has too many parts") from None
    return {name: values[0] for name, values in found.items() if len(values) == 1}


def _provider(sign_ins: SignIns, user: str, name: str, remote: Remote, events: Events) -> Any:
    """The official client's OAuth provider, with this user's tokens and this host's way to ask."""
    from mcp.client.auth import OAuthClientProvider, OAuthRegistrationError
    from mcp.shared.auth import AuthorizationCodeResult, OAuthClientInformationFull, OAuthClientMetadata, OAuthToken
    from pydantic import AnyUrl

    if sign_ins.callback_url is None:
        raise UpstreamError(
            f"Signing in at {name!r} needs the address of the host: set Host(url='https://…'), the product's own; on "
            "this machine it is known when a page was loaded"
        )
    answers: list[dict[str, str]] = []
    agreed: list[str] = []
    redirect_uris = [AnyUrl(sign_ins.callback_url)]

    class Storage:
        """This user's part of the store, as the official client wants it."""

        async def get_tokens(self) -> OAuthToken | None:
            kept = await sign_ins.tokens.get(user, remote.url, "tokens")
            return None if kept is None else OAuthToken.model_validate(kept)

        async def set_tokens(self, tokens: OAuthToken) -> None:
            await sign_ins.tokens.put(user, remote.url, "tokens", tokens.model_dump(mode="json"))

        async def get_client_info(self) -> OAuthClientInformationFull | None:
            if remote.client_id is not None:
                return OAuthClientInformationFull(
                    client_id=remote.client_id,
                    client_secret=remote.client_secret,
                    token_endpoint_auth_method="none" if remote.client_secret is None else "client_secret_post",
                    redirect_uris=redirect_uris,
                    issuer=remote.issuer,
                )
            kept = await sign_ins.tokens.get(user, remote.url, "client")
            return None if kept is None else OAuthClientInformationFull.model_validate(kept)

        async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
            await sign_ins.tokens.put(user, remote.url, "client", client_info.model_dump(mode="json"))

    async def redirect(url: str) -> None:
        async with events.waiting_for_person():
            answers.append(await sign_ins.ask(user, name, url, agreed[-1] if agreed else None))

    async def callback() -> AuthorizationCodeResult:
        return AuthorizationCodeResult.model_validate(answers.pop())

    class Provider(OAuthClientProvider):
        """The official one, which asks before it registers."""

        async def _auth_flow(self, request: Any) -> AsyncGenerator[Any, Any]:
            flow = super()._auth_flow(request)
            try:
                wanted = await flow.__anext__()
                while True:
                    # Without a client there is one thing that the flow posts: the registration of one.
                    if wanted is not request and wanted.method == "POST" and self.context.client_info is None:
                        await self._before_registration(wanted)
                    wanted = await flow.asend((yield wanted))
            except StopAsyncIteration:
                return
            except OAuthRegistrationError:  # a server that takes tokens, and has no authorization server to get one at
                raise UpstreamError(
                    f"The server {name!r} at {shorten(remote.url, 120)} wants to know who is asking, and has no place "
                    "to sign in: use Remote(url, auth=…), or on the command line --token, --header or CLOCHE_TOKEN"
                ) from None
            finally:
                await flow.aclose()

        async def _before_registration(self, registration: Any) -> None:
            if remote.client_id is not None:
                raise UpstreamError(f"The server {name!r} names an authorization server that is not Remote(issuer=…)")
            found = self.context.oauth_metadata
            site = urlsplit(str(found.authorization_endpoint if found is not None else registration.url)).netloc
            async with events.waiting_for_person():
                await sign_ins.agree(user, name, site)
            agreed.append(site)

    metadata = OAuthClientMetadata(redirect_uris=redirect_uris, client_name=sign_ins.client_name)
    return Provider(remote.url, metadata, Storage(), redirect, callback, remote.client_metadata_url)
