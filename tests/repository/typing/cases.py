"""What a type checker knows of a user's code. It is never run: `make check` has mypy look at it. A type that is not the
one written here fails there, and so does an error that is none.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, assert_type

from cloche import Client, Context, Elicited, Server
from cloche.host import Call, Host, HostProfile


@dataclass
class Form:
    """What a user is asked."""

    guests: int


@dataclass
class State:
    """What the lifespan yields."""

    prices: dict[str, float]


@asynccontextmanager
async def lifespan(_: Server) -> AsyncIterator[State]:
    """Open what every request needs."""
    yield State({})


server = Server("typed", lifespan=lifespan)


@server.tool
async def plain(ctx: Context) -> str:
    """A context without a state of its own type."""
    assert_type(ctx.state, Any)
    return ""


@server.tool(title="Booking", visible_to=lambda principal: principal is not None)
async def book(ctx: Context[State], name: str) -> str:
    """A context that knows its state, and forms that come back as what they are."""
    assert_type(ctx.state, State)
    assert_type(ctx.state.prices["bread"], float)
    answer = await ctx.elicit("How many?", Form)
    assert_type(answer, Elicited[Form])
    if answer.data is not None:
        assert_type(answer.data.guests, int)
    anything = await ctx.elicit("What?", {"type": "object", "properties": {}})
    assert_type(anything, Elicited[dict[str, Any]])
    return name


async def asks(client: Client) -> None:
    """A call that names its type gives it."""
    assert_type(await client.call_tool("book", {"name": "Ann"}, returns=Form), Form)
    await book(Context[State](None, None), 7)  # type: ignore[arg-type]


async def hosts(host: Host, profile: HostProfile) -> None:
    """What a product uses."""
    host.profile = profile
    call = await host.session("ann").start("typed.book", {"name": "Ann"})
    assert_type(call, Call)
    assert_type(call.embed(), str)
