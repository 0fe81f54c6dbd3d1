"""A dashboard with somebody else's copilot beside it. The page is the MCP server, and the copilot in its frame is the
client: it sees and calls the tools that the product lets it have, and the person is asked before it changes something.

python -m examples.dashboard.app       then open http://localhost:8000/

The copilot is served from a second origin, http://localhost:8001, as if it were another company's. It understands a few
questions by their words: no model is needed.
"""

from __future__ import annotations

import asyncio
import html
import os
import socket
import sys
from dataclasses import asdict
from pathlib import Path

import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from cloche.frames import frames_script
from cloche.host import Copilot, Host
from cloche.views.page_client import page_client
from examples.dashboard import dashboard

HERE = Path(__file__).parent
PAGE = (HERE / "page.html").read_text("utf-8")
PRODUCT = os.environ.get("PRODUCT", "http://localhost:8000")
COPILOT = os.environ.get("COPILOT", "http://localhost:8001")
SCOPE = ["dashboard.get_current_user", "dashboard.get_user_projects", "dashboard.get_system_health"]
SCOPE += ["dashboard.get_team_stats", "dashboard.restart_service"]

host = Host(
    {"dashboard": dashboard.dashboard_of},
    secret=os.environ.get("SECRET", "only good for development"),
    copilots={"harry": Copilot(f"{COPILOT}/", tools=SCOPE, title="Harry")},
)


async def index(request: Request) -> RedirectResponse:
    """Somebody is somebody; a product of yours asks its login."""
    return RedirectResponse("/ada")


def user_of(request: Request) -> str:
    """Whose dashboard it is."""
    name: str = request.path_params["name"]
    if name not in dashboard.USERS:
        raise HTTPException(404)
    return name


async def person(request: Request) -> HTMLResponse:
    """The dashboard of one person, with the copilot."""
    name = user_of(request)
    page = PAGE.replace("<!-- copilot -->", host.session(name).copilot_element("harry"))
    return HTMLResponse(page.replace("{name}", html.escape(dashboard.USERS[name].name)), headers=HEADERS)


async def numbers(request: Request) -> JSONResponse:
    """What the page draws: of the same functions that the tools are."""
    name = user_of(request)
    return JSONResponse(
        {
            "user": asdict(dashboard.USERS[name]),
            "projects": [asdict(one) for one in dashboard.PROJECTS[name]],
            "health": asdict(dashboard.system_health()),
            "team": asdict(dashboard.team_stats(name)),
        }
    )


HEADERS = {
    "Content-Security-Policy": f"default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    f"img-src data:; frame-src {COPILOT}"
}
"""A strict product needs to allow nothing for a copilot but its frame."""


def file(name: str, kind: str) -> Route:
    """A file of the product's, or of the copilot's."""

    async def answer(request: Request) -> FileResponse:
        return FileResponse(HERE / name, media_type=kind)

    return Route(f"/{Path(name).name}", answer)


def script(name: str, text: str) -> Route:
    """A script of Cloche's for the copilot, which is no page of the host's."""

    async def answer(request: Request) -> Response:
        return Response(text, media_type="text/javascript")

    return Route(f"/{name}", answer)


async def talk(request: Request) -> HTMLResponse:
    """The copilot's page. Which product it works for its script says, so that whoever opens the dashboard under another
    name, as http://127.0.0.1:8000, is told of both.
    """
    text = (HERE / "copilot" / "index.html").read_text("utf-8").replace("{product}", PRODUCT)
    rules = "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:"
    return HTMLResponse(text, headers={"Content-Security-Policy": rules})


app = host.wrap(
    Starlette(
        routes=[
            Route("/", index),
            file("page.css", "text/css"),
            file("page.js", "text/javascript"),
            Route("/{name}", person),
            Route("/{name}/numbers", numbers),
        ]
    )
)
copilot = Starlette(
    routes=[
        Route("/", talk),
        file("copilot/copilot.css", "text/css"),
        file("copilot/copilot.js", "text/javascript"),
        file("copilot/answers.js", "text/javascript"),
        script("client.js", page_client()),
        script("frames.js", frames_script()),
    ]
)


async def main() -> None:
    """Serve both until somebody presses Ctrl+C."""
    both = [
        (
            uvicorn.Server(uvicorn.Config(served, log_level="warning")),
            socket.create_server(("127.0.0.1", int(origin.rpartition(":")[2]))),
        )
        for served, origin in ((app, PRODUCT), (copilot, COPILOT))
    ]
    sys.stdout.write(f"The dashboard: {PRODUCT}/   (the copilot beside it, another company's, is from {COPILOT})\n")
    sys.stdout.flush()
    await asyncio.gather(*(server.serve(sockets=[listening]) for server, listening in both))


if __name__ == "__main__":
    asyncio.run(main())
