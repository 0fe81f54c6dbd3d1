"""An authorization server made of the official SDK's routes, and a server of ours that its tokens open."""

from __future__ import annotations

import asyncio
import secrets
import socket
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Literal

import uvicorn
from mcp.server.auth.provider import (
    AccessToken,
    AuthorizationCode,
    AuthorizationParams,
    OAuthAuthorizationServerProvider,
    RefreshToken,
    construct_redirect_uri,
)
from mcp.server.auth.routes import create_auth_routes
from mcp.server.auth.settings import AuthSettings, ClientRegistrationOptions
from mcp.shared.auth import OAuthClientInformationFull, OAuthToken
from starlette.applications import Starlette

from cloche import Context, Server
from cloche.auth import Auth, Principal

DEADLINE = 20.0


class AuthorizationServer(OAuthAuthorizationServerProvider[AuthorizationCode, RefreshToken, AccessToken]):
    """Knows one person, alice, who agrees to everything."""

    def __init__(self) -> None:
        self.clients: dict[str, OAuthClientInformationFull] = {}
        self.requests: list[AuthorizationParams] = []
        self.codes: dict[str, AuthorizationCode] = {}
        self.tokens: dict[str, AccessToken] = {}

    async def get_client(self, client_id: str) -> OAuthClientInformationFull | None:
        return self.clients.get(client_id)

    async def register_client(self, client_info: OAuthClientInformationFull) -> None:
        # The server decides what a client may ask for later; this client registers with the first scopes it hears of.
        client_info.scope = "read write"
        self.clients[client_info.client_id] = client_info

    async def authorize(self, client: OAuthClientInformationFull, params: AuthorizationParams) -> str:
        self.requests.append(params)
        code = AuthorizationCode(
            code=secrets.token_urlsafe(32),
            scopes=params.scopes or [],
            expires_at=time.time() + 60,
            client_id=client.client_id,
            code_challenge=params.code_challenge,
            redirect_uri=params.redirect_uri,
            redirect_uri_provided_explicitly=params.redirect_uri_provided_explicitly,
            resource=params.resource,
            subject="alice",
        )
        self.codes[code.code] = code
        return construct_redirect_uri(str(params.redirect_uri), code=code.code, state=params.state)

    async def load_authorization_code(
        self, client: OAuthClientInformationFull, authorization_code: str
    ) -> AuthorizationCode | None:
        return self.codes.get(authorization_code)

    async def exchange_authorization_code(
        self, client: OAuthClientInformationFull, authorization_code: AuthorizationCode
    ) -> OAuthToken:
        del self.codes[authorization_code.code]
        token = AccessToken(
            token=secrets.token_urlsafe(32),
            client_id=client.client_id,
            scopes=authorization_code.scopes,
            expires_at=int(time.time()) + 300,
            resource=authorization_code.resource,
            subject=authorization_code.subject,
        )
        self.tokens[token.token] = token
        return OAuthToken(access_token=token.token, expires_in=300, scope=" ".join(token.scopes))

    async def load_refresh_token(self, client: OAuthClientInformationFull, refresh_token: str) -> RefreshToken | None:
        return None  # none are issued

    async def exchange_refresh_token(
        self, client: OAuthClientInformationFull, refresh_token: RefreshToken, scopes: list[str]
    ) -> OAuthToken:
        raise NotImplementedError

    async def load_access_token(self, token: str) -> AccessToken | None:
        return self.tokens.get(token)

    async def revoke_token(self, token: AccessToken | RefreshToken) -> None:
        self.tokens.pop(token.token, None)

    def app(self, issuer: str) -> Starlette:
        settings = AuthSettings.model_validate(
            {"issuer_url": issuer, "resource_server_url": None}  # as a model, because it keeps the issuer to the letter
        )
        options = ClientRegistrationOptions(enabled=True, valid_scopes=["read", "write"])
        return Starlette(
            routes=create_auth_routes(self, settings.issuer_url, client_registration_options=options),
        )


def protected_server(issuer: str, provider: AuthorizationServer, url: str) -> Any:
    """Our side: a server whose principals come from the table of the authorization server."""

    async def verify(token: str) -> Principal | None:
        access = provider.tokens.get(token)
        if access is None or access.subject is None or access.resource != url:
            return None
        return Principal(
            access.subject,
            scopes=frozenset(access.scopes),
            client_id=access.client_id,
            expires_at=access.expires_at,
        )

    server = Server("notes", version="1.0")

    @server.tool(scopes=["read"])
    async def whoami(ctx: Context) -> str:
        assert ctx.principal is not None
        return f"{ctx.principal.id} via {ctx.principal.client_id}"

    @server.tool(scopes=["write"])
    async def save(ctx: Context) -> str:
        assert ctx.principal is not None
        return " ".join(sorted(ctx.principal.scopes))

    auth = Auth(verify, authorization_servers=[issuer], scopes=["read"], resource_name="Notes")
    return server.asgi(auth=auth, path="/mcp")


@asynccontextmanager
async def serving(app: Any, listener: socket.socket, lifespan: Literal["auto", "off"]) -> AsyncIterator[None]:
    # The socket listens already, so a client may connect before uvicorn is ready, and nobody has to wait for that.
    server = uvicorn.Server(uvicorn.Config(app, log_level="warning", lifespan=lifespan, timeout_graceful_shutdown=1))
    task = asyncio.create_task(server.serve(sockets=[listener]))
    try:
        yield
    finally:
        server.should_exit = True
        await task
