"""`Wrapper`: a product's ASGI app with the host around it, the outermost layer of all.

Outermost, because a product's own middleware would break the sandbox (X-Frame-Options, a host check that does not know
the sandbox's names, a policy that is not the view's) and must not be loosened for it. What is not the host's goes to
the app untouched.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from typing import TYPE_CHECKING, Any

from cloche.asgi import AsgiApp, Receive, Scope, Send, path_of
from cloche.errors import ConfigurationError, shorten
from cloche.host.web.routes import Routes

if TYPE_CHECKING:
    from cloche.host.host import Host


class Wrapper:
    """An ASGI app: `host` below the path `at` and on the sandbox's names, `app` everywhere else."""

    def __init__(self, host: Host, app: AsgiApp, at: str = "/cloche") -> None:
        if not at.startswith("/") or at.rstrip("/") != at or not at.isascii():
            raise ConfigurationError(f"at={shorten(at)!r} is not a path: it begins with '/' and does not end with one")
        self.host = host
        self.app = app
        self.at = at
        self.routes = Routes(host, at)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or pass on."""
        if scope["type"] == "lifespan":
            await self._lifespan(scope, receive, send)
            return
        path = path_of(scope)
        if scope["type"] in ("http", "websocket") and self.routes.sandboxes.is_sandbox(_host(scope)):
            await self._sandbox(scope, path, receive, send)
        elif scope["type"] == "http" and path.startswith(f"{self.at}/"):
            await self.routes.http(scope, path[len(self.at) + 1 :], receive, send)
        elif scope["type"] == "websocket" and path == f"{self.at}/socket":
            await self.routes.socket(scope, receive, send)
        else:
            # The product may call a server that signs users in before any page has shown a view.
            if scope["type"] == "http":
                self.host.reached_at(f"{scope.get('scheme', 'http')}://{_host(scope)}")
            await self.app(scope, receive, send)

    async def _sandbox(self, scope: Scope, path: str, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await self.routes.sandbox(scope, path, send)
        else:
            await receive()
            await send({"type": "websocket.close", "code": 1008})

    async def close(self) -> None:
        """End every view, every connection and the host itself."""
        await self.routes.close()
        await self.host.close()

    async def _lifespan(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass it through, and close the host when the app is done. Django knows no lifespan: then it is ours."""
        asked = False

        async def receiving() -> MutableMapping[str, Any]:
            nonlocal asked
            asked = True
            return await receive()

        async def sending(event: MutableMapping[str, Any]) -> None:
            if event["type"].startswith("lifespan.shutdown"):
                await self.close()
            await send(event)

        try:
            await self.app(scope, receiving, sending)
        except Exception:
            if asked:  # it does know, and failed
                await self.close()
                raise
        if not asked:
            await serve_lifespan(receive, send, self.close)


async def serve_lifespan(receive: Receive, send: Send, close: Callable[[], Awaitable[None]]) -> None:
    """The lifespan of an app that has nothing to start: `close` is called at its end."""
    while True:
        event = await receive()
        if event["type"] == "lifespan.shutdown":
            await close()
        await send({"type": f"{event['type']}.complete"})
        if event["type"] == "lifespan.shutdown":
            return


def wrap(host: Host, app: AsgiApp, at: str = "/cloche") -> Wrapper:
    """Put a host around an app."""
    if isinstance(app, Wrapper) and app.at == at and app.host is not host:
        raise ConfigurationError(
            f"Two hosts would answer at {at!r}: put all servers into one Host, or give one of them another path, "
            "host.wrap(app, at='/…'), and its elements base='/…/'"
        )
    return Wrapper(host, app, at)


def _host(scope: Scope) -> str:
    """What the Host header says; one that stands twice names no sandbox, and is refused later or by the app."""
    found = [value for name, value in scope["headers"] if name == b"host"]
    return found[0].decode("latin-1") if len(found) == 1 else ""
