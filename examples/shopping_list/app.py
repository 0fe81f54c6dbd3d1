"""The shopping list as a product: a page for Ann, one for Ben, and an address for models, all on one list in a file.

uvicorn examples.shopping_list.app:app       then open http://localhost:8000/ann and http://localhost:8000/ben
claude mcp add --transport http shopping http://localhost:8000/mcp      or any other client
"""

import os
from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, RedirectResponse
from starlette.routing import Route

from cloche.host import Host, Policy
from cloche.store.persistence import SQLiteStorage
from examples.shopping_list.shopping import server, store

HERE = Path(__file__).parent
PAGE = (HERE / "page.html").read_text("utf-8")
PEOPLE = ("ann", "ben")
"""A product of yours asks its login instead."""

store.keep_in(SQLiteStorage(os.environ.get("STATE", "shopping.db")))
host = Host(
    {"shopping": server},
    secret=os.environ.get("SECRET", "only good for development"),
    # It says that it is destructive, for the models of others; here a click on ✕ is question enough.
    policy=Policy(never_ask=["shopping.remove"]),
)


async def index(request: Request) -> RedirectResponse:
    """Somebody is somebody."""
    return RedirectResponse("/ann")


async def person(request: Request) -> HTMLResponse:
    """The page of one person."""
    name = request.path_params["name"]
    if name not in PEOPLE:
        raise HTTPException(404)
    call = await host.session(name).start("shopping.show", {})
    page = PAGE.replace(f'href="/{name}"', f'href="/{name}" aria-current="page"')
    return HTMLResponse(page.replace("<!-- view -->", call.embed()))


async def style(request: Request) -> FileResponse:
    """How the product looks."""
    return FileResponse(HERE / "page.css", media_type="text/css")


app = host.wrap(
    Starlette(
        routes=[
            Route("/", index),
            Route("/page.css", style),
            Route("/mcp", endpoint=server.asgi()),
            Route("/{name}", person),
        ]
    )
)
