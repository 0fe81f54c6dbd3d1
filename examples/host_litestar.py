"""The to-do list of examples/todo_view.py inside a Litestar product, under a strict policy.

uvicorn examples.host_litestar:app        then open http://localhost:8000
"""

import os
from pathlib import Path

from litestar import Litestar, MediaType, get
from litestar.config.allowed_hosts import AllowedHostsConfig
from litestar.datastructures import ResponseHeader

from cloche.host import Host
from examples.todo_view import server as todo

HERE = Path(__file__).parent
PAGE = (HERE / "host_page.html").read_text("utf-8")

POLICY = "default-src 'self'; frame-src http://*.localhost:*; frame-ancestors 'none'; base-uri 'none'"
"""The product's own. Views need one thing of it: frames from the sandbox."""

PORT = os.environ.get("PORT", "8000")
"""Litestar compares the whole Host header, port and all."""

host = Host({"todo": todo}, secret=os.environ.get("SECRET", "only good for development"))


@get("/", media_type=MediaType.HTML)
async def index() -> str:
    """The product's page, with a view in it."""
    call = await host.session("ann").start("todo.todos", {})
    return PAGE.replace("<!-- view -->", call.embed())


@get("/style.css", media_type="text/css")
async def style() -> str:
    """How the product looks."""
    return (HERE / "host_page.css").read_text("utf-8")


app = host.wrap(
    Litestar(
        [index, style],
        allowed_hosts=AllowedHostsConfig(allowed_hosts=[f"localhost:{PORT}", f"127.0.0.1:{PORT}"]),
        response_headers=[
            ResponseHeader(name="Content-Security-Policy", value=POLICY),
            ResponseHeader(name="X-Frame-Options", value="DENY"),
        ],
        openapi_config=None,
    )
)
