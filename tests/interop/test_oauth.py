"""The official client finds our authorization server, registers, logs in and calls a tool.

Three parties as in real life, each behind its own port: an authorization server made of the official SDK's routes, our
server as the protected resource, and the official client with its OAuth provider. The only thing missing is the person:
the "browser" follows the redirects at once.
"""

from __future__ import annotations

import asyncio
import secrets
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import parse_qs, urlsplit

import httpx2
import pytest
from mcp import Client
from mcp.client.auth import OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.server.auth.provider import (
    AccessToken,
)
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientInformationFull, OAuthClientMetadata, OAuthToken
from pydantic import AnyUrl

from tests.support.authorization_server import DEADLINE, AuthorizationServer, protected_server, serving

REDIRECT_URI = "http://127.0.0.1:1/callback"


class Storage:
    """The memory of one client."""

    def __init__(self) -> None:
        self.tokens: OAuthToken | None = None
        self.client_info: OAuthClientInformationFull | None = None

    async def get_tokens(self) -> OAuthToken | None:
        return self.tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        self.tokens = tokens

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return self.client_info

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        self.client_info = client_info


class Browser:
    """Follows redirects until one leads back to the client."""

    def __init__(self) -> None:
        self.answer: AuthorizationCodeResult | None = None

    async def open(self, url: str) -> None:
        async with httpx2.AsyncClient() as http:
            while not url.startswith(REDIRECT_URI):
                response = await http.get(url)
                assert response.is_redirect, response.text
                url = str(response.headers["location"])
        values = {name: value for name, (value,) in parse_qs(urlsplit(url).query).items()}
        self.answer = AuthorizationCodeResult.model_validate(values)

    async def wait_for_callback(self) -> AuthorizationCodeResult:
        assert self.answer is not None
        return self.answer


class World:
    """The three parties."""

    def __init__(self, issuer: str, url: str, provider: AuthorizationServer) -> None:
        self.issuer = issuer
        self.url = url
        self.provider = provider
        self.storage = Storage()

    @asynccontextmanager
    async def client(self, mode: str) -> AsyncIterator[Client]:
        browser = Browser()
        metadata = OAuthClientMetadata(redirect_uris=[AnyUrl(REDIRECT_URI)], client_name="test")
        oauth = OAuthClientProvider(self.url, metadata, self.storage, browser.open, browser.wait_for_callback)
        async with (
            httpx2.AsyncClient(auth=oauth, timeout=DEADLINE) as http,
            Client(streamable_http_client(self.url, http_client=http), mode=mode) as client,
        ):
            yield client


@asynccontextmanager
async def world() -> AsyncIterator[World]:
    with socket.create_server(("127.0.0.1", 0)) as door, socket.create_server(("127.0.0.1", 0)) as office:
        issuer = f"http://127.0.0.1:{office.getsockname()[1]}"
        url = f"http://127.0.0.1:{door.getsockname()[1]}/mcp"
        provider = AuthorizationServer()
        async with (
            asyncio.timeout(DEADLINE),
            serving(provider.app(issuer), office, "off"),
            serving(protected_server(issuer, provider, url), door, "auto"),
        ):
            yield World(issuer, url, provider)


async def text_of(client: Client, tool: str) -> str:
    result = await client.call_tool(tool, {})
    assert not result.is_error, result
    (content,) = result.content
    assert content.type == "text"
    return content.text


eras = pytest.mark.parametrize("mode", ["legacy", "auto"])


@eras
async def test_the_official_client_logs_in_and_calls_a_tool(mode: str) -> None:
    async with world() as w, w.client(mode) as client:
        text = await text_of(client, "whoami")
        (client_id,) = w.provider.clients
        assert text == f"alice via {client_id}"
        (request,) = w.provider.requests
        assert request.scopes == ["read"]
        assert request.resource == w.url
        assert len(request.code_challenge) == 43
        await text_of(client, "whoami")
        assert len(w.provider.requests) == 1


@eras
async def test_a_tool_that_needs_more_makes_the_client_ask_for_more(mode: str) -> None:
    async with world() as w, w.client(mode) as client:
        await text_of(client, "whoami")
        assert await text_of(client, "save") == "read write"
        assert [request.scopes for request in w.provider.requests] == [["read"], ["read", "write"]]
        assert len(w.provider.clients) == 1


@eras
async def test_a_revoked_token_is_refused_at_once_and_the_client_logs_in_again(mode: str) -> None:
    async with world() as w, w.client(mode) as client:
        await text_of(client, "whoami")
        w.provider.tokens.clear()
        assert (await text_of(client, "whoami")).startswith("alice")
        assert len(w.provider.requests) == 2


@eras
async def test_a_stored_token_is_enough(mode: str) -> None:
    async with world() as w:
        async with w.client(mode) as client:
            await text_of(client, "whoami")
        async with w.client(mode) as client:
            assert (await text_of(client, "whoami")).startswith("alice")
        assert len(w.provider.requests) == 1


async def test_a_token_for_another_resource_does_not_open_this_one() -> None:
    async with world() as w, httpx2.AsyncClient() as http:
        statuses = {}
        for resource in (w.url, "https://other.example.com/mcp"):
            token = AccessToken(
                token=secrets.token_urlsafe(32), client_id="x", scopes=["read"], resource=resource, subject="alice"
            )
            w.provider.tokens[token.token] = token
            response = await http.post(w.url, json=PING, headers=HEADERS | {"Authorization": f"Bearer {token.token}"})
            statuses[resource] = response.status_code
        assert statuses.pop(w.url) != 401
        assert set(statuses.values()) == {401}


async def test_the_way_in_is_told_step_by_step() -> None:
    async with world() as w, httpx2.AsyncClient() as http:
        refused = await http.post(w.url, json=PING, headers=HEADERS)
        assert refused.status_code == 401
        metadata_url = f"{w.url.removesuffix('/mcp')}/.well-known/oauth-protected-resource/mcp"
        challenge = refused.headers["www-authenticate"]
        assert challenge == f'Bearer realm="mcp", scope="read", resource_metadata="{metadata_url}"'
        document = await http.get(metadata_url)
        assert document.status_code == 200
        assert document.headers["content-type"].partition(";")[0] == "application/json"
        assert document.json() == {
            "resource": w.url,
            "authorization_servers": [w.issuer],
            "scopes_supported": ["read"],
            "bearer_methods_supported": ["header"],
            "resource_name": "Notes",
        }
        wrong = await http.post(w.url, json=PING, headers=HEADERS | {"Authorization": "Bearer made-up"})
        assert wrong.status_code == 401
        assert 'error="invalid_token"' in wrong.headers["www-authenticate"]


PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
HEADERS = {"Accept": "application/json, text/event-stream"}
