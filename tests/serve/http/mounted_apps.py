"""Web applications of four frameworks with a server mounted at /mcp, for tests that start them as processes.

LIFESPAN_LOG names the file that says what was opened and closed.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from cloche import Server


def note(what: str) -> None:
    """Write one line to the log."""
    with Path(os.environ["LIFESPAN_LOG"]).open("a") as log:
        log.write(f"{what}\n")


@asynccontextmanager
async def data(_server: Server) -> AsyncIterator[str]:
    """Opens at once; to close, it has to wait for the loop several times, as a database does."""
    note("open")
    try:
        yield "data"
    finally:
        for _ in range(20):
            await asyncio.sleep(0.01)
        note("close")


server = Server("mounted", lifespan=data)


@server.tool
async def hello() -> str:
    """Open what the lifespan opens."""
    return "hello"


@asynccontextmanager
async def around(_app: Any) -> AsyncIterator[None]:
    """The application's own lifespan, which must end after the server's."""
    yield
    note("application closes")


def starlette() -> Any:
    """Mounted in Starlette."""
    from starlette.applications import Starlette
    from starlette.routing import Mount

    return Starlette(routes=[Mount("/mcp", app=server.asgi())], lifespan=around)


def fastapi() -> Any:
    """A route of FastAPI."""
    from fastapi import FastAPI
    from starlette.routing import Route

    app = FastAPI(lifespan=around)
    app.router.routes.append(Route("/mcp/", endpoint=server.asgi()))
    return app


def litestar() -> Any:
    """Mounted in Litestar."""
    from litestar import Litestar, asgi

    return Litestar([asgi("/mcp", is_mount=True, copy_scope=True)(server.asgi())], lifespan=[around])


def django() -> Any:
    """Beside Django, which knows no lifespan."""
    from django.conf import settings
    from django.core.asgi import get_asgi_application

    settings.configure(SECRET_KEY="test", ALLOWED_HOSTS=["*"], ROOT_URLCONF=__name__, LOGGING_CONFIG=None)
    ours, theirs = server.asgi(), get_asgi_application()

    async def app(scope: Any, receive: Any, send: Any) -> None:
        is_ours = scope["type"] == "http" and scope["path"].startswith("/mcp")
        await (ours if is_ours else theirs)(scope, receive, send)

    return app


urlpatterns: list[Any] = []
