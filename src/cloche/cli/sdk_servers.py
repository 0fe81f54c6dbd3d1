"""Serving the servers of `mcp` and `fastmcp` as we serve our own: the same checks in front, theirs switched off.

Nothing of them is imported unless the user's file brought such a server.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cloche.cli.loader import Loaded
from cloche.errors import LocalError
from cloche.serve.replies import reply

if TYPE_CHECKING:
    from cloche.auth import Auth


def serve_stdio(loaded: Loaded, log_level: str) -> None:
    """Serve on stdin and stdout until the client leaves."""
    if loaded.kind == "lowlevel":
        _serve_lowlevel_stdio(loaded.server)
    elif loaded.kind == "fastmcp":
        loaded.server.run(transport="stdio", show_banner=False, log_level=log_level.upper())
    else:
        loaded.server.run(transport="stdio")


def _serve_lowlevel_stdio(server: Any) -> None:
    import anyio
    from mcp.server.stdio import stdio_server

    async def run() -> None:
        async with stdio_server() as (reading, writing):
            await server.run(reading, writing, server.create_initialization_options())

    anyio.run(run)


def asgi_app(
    loaded: Loaded, *, hosts: Sequence[str], origins: Sequence[str], auth: Auth | None, sessionless: bool, path: str
) -> Any:
    """The server's own HTTP app behind our guard, its lifespan included."""
    app: Any
    if loaded.kind == "fastmcp":
        app = loaded.server.http_app(path=path, stateless_http=sessionless, host_origin_protection=False)
    else:
        from mcp.server.transport_security import TransportSecuritySettings

        app = loaded.server.streamable_http_app(
            streamable_http_path=path,
            stateless_http=sessionless,
            # It admits any port of localhost and nothing behind a proxy: two checks that disagree help nobody.
            transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
        )
    if auth is not None:
        app = BearerGate(app, auth)
    from cloche.serve.guard import Guard

    return Guard(app, hosts=hosts, origins=origins)


def has_auth(loaded: Loaded) -> bool:
    """Whether the server itself asks its callers for a token."""
    if loaded.kind == "fastmcp":
        return loaded.server.auth is not None
    if loaded.kind == "mcp":
        # Without a verifier its settings protect no route.
        return getattr(loaded.server, "_token_verifier", None) is not None
    return False


async def count(loaded: Loaded) -> dict[str, int]:
    """How many tools, resources and prompts there are; empty where one has to be a client to find out."""
    if loaded.kind == "lowlevel":
        return {}
    server = loaded.server
    return {
        "tool": len(await server.list_tools()),
        "resource": len(await server.list_resources()) + len(await server.list_resource_templates()),
        "prompt": len(await server.list_prompts()),
    }


@dataclass
class BearerGate:
    """Lets requests with a known token through to an app that asks for none itself."""

    app: Any
    auth: Auth

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
        elif scope["type"] != "http":
            raise LocalError("--token-file protects HTTP requests only")
        elif (problem := await self._problem(scope)) is None:
            await self.app(scope, receive, send)
        else:
            kind = (b"content-type", b"text/plain; charset=utf-8")
            await reply(send, 401, problem.encode(), [kind, (b"www-authenticate", b'Bearer realm="mcp"')])

    async def _problem(self, scope: Any) -> str | None:
        from cloche.auth import AuthenticationError

        found = [value for name, value in scope["headers"] if name == b"authorization"]
        try:
            await self.auth.authenticate(found[0] if len(found) == 1 else None)
        except AuthenticationError as error:
            return str(error)
        return None
