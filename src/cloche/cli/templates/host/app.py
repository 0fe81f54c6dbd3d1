"""__NAME__: a product with an MCP App on its page.

    uvicorn app:app --reload        then open http://localhost:8000

`server.py` is the MCP server whose view is shown: put your own in its place, a command, or a URL. `page/` is the
product's own page. What a view asks of the product comes through the policy and the hook below.
"""

import asyncio
import contextlib
import json
import os
import secrets
from collections.abc import AsyncIterator
from html import escape
from pathlib import Path
from typing import Annotated

from fastapi import Cookie, FastAPI, Header
from fastapi.responses import HTMLResponse, StreamingResponse
from fastapi.staticfiles import StaticFiles
from server import server as lunch

from cloche.errors import ClocheError
from cloche.host import Host, MountedView, Policy, Request, ViewMessage
from cloche.host.policy import Answer

PAGE = Path(__file__).parent / "page"
SANDBOX = os.environ.get("SANDBOX")
ORIGIN = os.environ.get("ORIGIN")

CONTENT_POLICY = "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; frame-src " + (
    SANDBOX.replace("{name}", "*") if SANDBOX else "http://*.localhost:*"
)
"""The product's own. Views need one thing of it: frames from the sandbox."""

STREAM_SECONDS = 15.0
"""A stream ends after this long and the browser asks for the next: a web server that stops waits for open ones."""

MOST_KEPT = 500
"""Messages of one person."""


class HousePolicy(Policy):
    """What views may do here. "ask" puts a question over the view; with Policy(ask=…) it goes where you want it."""

    async def decide(self, request: Request) -> Answer:
        """Nobody clears the list by accident. For everything else the defaults are good."""
        if request.kind == "tool" and request.details["name"] == "clear":
            return "ask"
        return await super().decide(request)


host = Host(
    {"lunch": lunch},
    secret=os.environ.get("SECRET", "only good for development"),
    policy=HousePolicy(),
    origins=[ORIGIN] if ORIGIN else [],
    sandbox=SANDBOX,
    name="__NAME__",
)
api = FastAPI(openapi_url=None)
User = Annotated[str | None, Cookie(max_length=64)]


class Messages:
    """What views said to one person. A real product keeps this in its database."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self._more = asyncio.Event()

    def add(self, text: str) -> bool:
        """One more, and the page hears of it; False when there are too many."""
        if len(self.texts) >= MOST_KEPT:
            return False
        self.texts.append(text)
        self._more.set()
        self._more = asyncio.Event()
        return True

    async def follow(self, after: int) -> AsyncIterator[tuple[int, str]]:
        """Those after a number, and each that comes."""
        while True:
            more = self._more
            for number, text in enumerate(self.texts[after:], after + 1):
                yield number, text
            after = max(after, len(self.texts))
            await more.wait()


messages: dict[str, Messages] = {}


@host.on_message
def take_message(view: MountedView, message: ViewMessage) -> bool:
    """A view says something in the person's name. It is the view's text: show it as such. False refuses it."""
    text = message.text.strip()
    return bool(text) and messages.setdefault(view.user, Messages()).add(f"{message.server}: {text[:500]}")


@api.get("/")
async def index(user: User = None) -> HTMLResponse:
    """The page, with one view. Who opens it for the first time becomes a user; a real product has a login."""
    known = user or secrets.token_urlsafe(16)
    try:
        call = await host.session(known).start("lunch.board", {})
        view = call.embed()
    except ClocheError as error:  # the server cannot be reached, or has no such tool
        view = f'<p role="alert">{escape(str(error))}</p>'
    page = (PAGE / "index.html").read_text(encoding="utf-8").replace("<!-- view -->", view)
    # A page with a ticket in it is this user's alone: no cache may keep it.
    headers = {"Content-Security-Policy": CONTENT_POLICY, "Cache-Control": "no-store"}
    response = HTMLResponse(page, headers=headers)
    if user is None:
        response.set_cookie("user", known, httponly=True, samesite="strict", secure=ORIGIN is not None)
    return response


@api.get("/messages")
async def follow(user: User = None, last_event_id: Annotated[int, Header(ge=0)] = 0) -> StreamingResponse:
    """What views said, as it comes."""

    async def lines() -> AsyncIterator[str]:
        if user is None:
            return
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(STREAM_SECONDS):
                async for number, text in messages.setdefault(user, Messages()).follow(last_event_id):
                    yield f"id: {number}\nretry: 100\ndata: {json.dumps(text)}\n\n"

    return StreamingResponse(lines(), media_type="text/event-stream", headers={"Cache-Control": "no-store"})


api.mount("/page", StaticFiles(directory=PAGE))

app = host.wrap(api)  # outermost: your own middleware goes on `api`
