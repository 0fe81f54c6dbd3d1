"""A FastAPI site that offers the Python functions of examples/shop.py to the agents in its visitors' browsers.

uvicorn examples.agents_fastapi:app        then open http://localhost:8000
"""

import os
import secrets
from pathlib import Path
from typing import Annotated

from fastapi import Cookie, FastAPI
from fastapi.responses import FileResponse, HTMLResponse

from cloche.host import Host
from examples.shop import server as shop

HERE = Path(__file__).parent
PAGE = (HERE / "shop.html").read_text("utf-8")
POLICY = "default-src 'self'; frame-ancestors 'none'; base-uri 'none'"

host = Host({"shop": shop}, secret=os.environ.get("SECRET", "only good for development"), agent_tools=["shop.*"])
api = FastAPI(openapi_url=None)


@api.get("/")
async def index(visitor: Annotated[str | None, Cookie(max_length=64)] = None) -> HTMLResponse:
    """The page. Who opens it for the first time becomes a visitor; a real site has sessions."""
    name = visitor or secrets.token_urlsafe(16)
    tools = host.session(name).agent_tools_element()
    response = HTMLResponse(PAGE.replace("<!-- tools -->", tools), headers={"Content-Security-Policy": POLICY})
    response.set_cookie("visitor", name, httponly=True, samesite="strict")
    return response


@api.get("/style.css")
async def style() -> FileResponse:
    """How the shop looks."""
    return FileResponse(HERE / "host_page.css")


app = host.wrap(api)
