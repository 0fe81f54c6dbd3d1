"""A small chat product: FastAPI, an agent, and MCP Apps in the conversation.

    uvicorn examples.host_fastapi.app:app        then open http://localhost:8000

The agent is scripted and needs no model. With `pip install 'pydantic-ai-slim[openai]'` and OPENAI_API_KEY (or another
provider's extra, key and CHAT_MODEL) a real one answers.
"""

import asyncio
import contextlib
import json
import os
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Annotated

from fastapi import Cookie, FastAPI, Header, Request, Response
from fastapi.responses import FileResponse, StreamingResponse
from fastapi.staticfiles import StaticFiles
from pydantic import BaseModel, Field
from starlette.middleware.trustedhost import TrustedHostMiddleware

from cloche.host import Host, MountedView, ViewMessage
from examples.canvas import server as canvas
from examples.chart import server as chart
from examples.clock import server as clock
from examples.host_fastapi import model, scripted
from examples.host_fastapi.conversation import Conversation
from examples.todo_view import server as todo

PAGE = Path(__file__).parent / "page"

POLICY = (
    "default-src 'self'; frame-src http://*.localhost:*; frame-ancestors 'none'; base-uri 'none'; form-action 'self'"
)
"""The product's own. Views need one thing of it: frames from the sandbox."""

STREAM_SECONDS = 20.0
"""A stream of events ends after this long and the browser asks for the next: a web server that stops waits for it."""

host = Host(
    {"todo": todo, "chart": chart, "canvas": canvas, "clock": clock},
    secret=os.environ.get("SECRET", "only good for development"),
    name="Parlour",
)
conversations: dict[str, Conversation] = {}
api = FastAPI(openapi_url=None)

User = Annotated[str | None, Cookie(max_length=64)]


class Said(BaseModel):
    """What the person wrote."""

    text: str = Field(min_length=1, max_length=4000)


def conversation_of(user: str) -> Conversation:
    """The conversation of a user; everything in it belongs to that user alone."""
    if user not in conversations:
        agent = model.agent_from_environment() or scripted.answer
        conversations[user] = Conversation(host.session(user), agent)
    return conversations[user]


@host.on_message
def take_message(view: MountedView, message: ViewMessage) -> None:
    """A view speaks in the conversation. It is the view's text, and the page says so, by our name for its server."""
    conversation_of(view.user).say(message.text[:4000], source=message.server)


@api.get("/")
async def index(user: User = None) -> Response:
    """The page. Who opens it for the first time becomes a user; a real product has a login."""
    response = FileResponse(PAGE / "index.html")
    if user is None:
        response.set_cookie("user", secrets.token_urlsafe(16), httponly=True, samesite="strict")
    return response


@api.post("/api/messages", status_code=202)
async def say(said: Said, user: User = None) -> None:
    """The person says something; what follows comes as events."""
    if user is not None:
        conversation_of(user).say(said.text)


@api.post("/api/stop", status_code=202)
async def stop(user: User = None) -> None:
    """The person has heard enough: the agent stops, and what it had running is cancelled."""
    if user is not None:
        await conversation_of(user).stop()


@api.get("/api/events")
async def events(user: User = None, last_event_id: Annotated[int | None, Header()] = None) -> StreamingResponse:
    """Everything that happens in the conversation; after a break, what came since."""

    async def lines() -> AsyncIterator[str]:
        if user is None:
            return
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(STREAM_SECONDS):
                async for number, event in conversation_of(user).follow(last_event_id):
                    yield f"id: {number}\nretry: 100\ndata: {json.dumps(event)}\n\n"

    return StreamingResponse(lines(), media_type="text/event-stream", headers={"Cache-Control": "no-store"})


@api.middleware("http")
async def security_headers(request: Request, call_next: Callable[[Request], Awaitable[Response]]) -> Response:
    """On every answer of the product."""
    response = await call_next(request)
    response.headers["Content-Security-Policy"] = POLICY
    response.headers["X-Frame-Options"] = "DENY"
    return response


api.mount("/static", StaticFiles(directory=PAGE))
api.add_middleware(TrustedHostMiddleware, allowed_hosts=["localhost", "127.0.0.1"])

app = host.wrap(api)
