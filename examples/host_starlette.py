"""The to-do list of examples/todo_view.py inside a Starlette product, under a strict policy.

uvicorn examples.host_starlette:app        then open http://localhost:8000
"""

import os
from collections.abc import Awaitable, Callable
from pathlib import Path

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.base import BaseHTTPMiddleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.routing import Route

from cloche.host import Host
from examples.todo_view import server as todo

HERE = Path(__file__).parent
PAGE = (HERE / "host_page.html").read_text("utf-8")

POLICY = "default-src 'self'; frame-src http://*.localhost:*; frame-ancestors 'none'; base-uri 'none'"
"""The product's own. Views need one thing of it: frames from the sandbox."""

host = Host({"todo": todo}, secret=os.environ.get("SECRET", "only good for development"))


async def index(request: Request) -> HTMLResponse:
    """The product's page, with a view in it."""
    call = await host.session("ann").start("todo.todos", {})
    return HTMLResponse(PAGE.replace("<!-- view -->", call.embed()))


async def style(request: Request) -> FileResponse:
    """How the product looks."""
    return FileResponse(HERE / "host_page.css", media_type="text/css")


class SecurityHeaders(BaseHTTPMiddleware):
    """On every answer of the product."""

    async def dispatch(self, request: Request, call_next: Callable[[Request], Awaitable[Response]]) -> Response:
        """Add them."""
        response = await call_next(request)
        response.headers["Content-Security-Policy"] = POLICY
        response.headers["X-Frame-Options"] = "DENY"
        return response


app = host.wrap(
    Starlette(
        routes=[Route("/", index), Route("/style.css", style)],
        middleware=[
            Middleware(TrustedHostMiddleware, allowed_hosts=["localhost", "127.0.0.1"]),
            Middleware(SecurityHeaders),
        ],
    )
)
