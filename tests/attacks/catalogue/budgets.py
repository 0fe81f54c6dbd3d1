"""What a hostile server, user or visitor makes a host keep, read or do: too much of it.

B01 answers, B02 lists, B03 what is kept, B04 connections, B05 rates. Nothing here is timed: what is counted is what the
host took in.
"""

from __future__ import annotations

import asyncio
import gzip
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from cloche import Server, View
from cloche.errors import BudgetError, McpError, TransportError
from cloche.host import Host, HostLimits
from cloche.host.web.wrapper import Wrapper
from tests.attacks.attack import Attack, Direct
from tests.support.controls import Control, Patch
from tests.support.host_surface import SECRET, Socket, connect, product, show, ticket_of
from tests.support.hostile_upstream import Scripts, body, events, message, over_http, raw, text_result
from tests.support.house import House

KIND = "too much of everything"
MEGABYTE = 1024 * 1024
LIMITS = HostLimits(answer_bytes=MEGABYTE, list_bytes=MEGABYTE)


# Controls


def without_limit(original: Any, self: Any, *given: Any, **options: Any) -> None:
    original(self, *given, **{**options, "limit": 10**12})


async def unread(original: Any, response: Any, limit: int) -> None:
    """Nobody looks at an answer before it is read."""


def anything(original: Any, *given: Any) -> None:
    """Nobody counts."""


async def every_tool(original: Any, self: Any) -> list[Any]:
    tools: list[Any] = []
    cursor: Any = None
    while cursor != "the end":
        page = await self.request("tools/list", {} if cursor is None else {"cursor": cursor})
        tools += page["tools"]
        cursor = page.get("nextCursor", "the end")
    return tools


def counted_again(original: Any, self: Any, holder: str, key: Any, size: int = 1) -> None:
    original(self, holder, object(), size)


def of_all(original: Any, self: Any, holder: str, key: Any, size: int) -> str | None:
    return None if self.total + size <= getattr(self._budgets.limits, self._whole) else str(self._whole)


def first_come(original: Any, self: Any, socket: Any) -> None:
    if len(self) >= self._budgets.limits.idle_sockets:
        socket.end(1013, "Too many pages are connected: try again later")
    else:
        self._idle[socket] = None


def at_once(original: Any, self: Any, what: Any) -> None:
    self._tell(what)


def all_admitted(original: Any, self: Any, visitor: Any) -> None:
    visitor.admitted()


NO_SIZE = Control(
    "answers-of-any-size",
    "the limit of an answer's size",
    (
        Patch("cloche.transports.http.client:HttpTransport.__init__", without_limit),
        Patch("cloche.transports.stdio.client:StdioTransport.__init__", without_limit),
        Patch("cloche.transports.http.bounded_answers:bound", unread),
    ),
)
NO_COUNT = Control(
    "answers-of-any-shape", "the count of an answer's values", (Patch("cloche.wire.json:check_bulk", anything),)
)
NO_WEIGHT = Control(
    "lists-of-any-length",
    "the weight of a server's list of tools",
    (Patch("cloche.host.upstreams.base:Upstream._all_tools", every_tool),),
)
ALL_KEPT = Control(
    "results-for-ever",
    "the budget for results",
    (Patch("cloche.host.session:HostSession.keep_result", anything),),
)
COUNTED_AGAIN = Control(
    "pages-counted-again", "pages that count once", (Patch("cloche.host.budgets:Shelf.put", counted_again),)
)
ONE_FOR_ALL = Control(
    "one-budget-for-all", "budgets of each user's own", (Patch("cloche.host.budgets:Shelf.lacks", of_all),)
)
FIRST_COME = Control(
    "first-come-first-served",
    "the eviction of connections that show nothing",
    (Patch("cloche.host.web.connected_pages:Sockets.add", first_come),),
)
NO_RATES = Control("no-rates", "rates by user, page and address", (Patch("cloche.host.budgets:Rate.take", anything),))
EVERY_CHANGE = Control(
    "every-change-told",
    "the pause between two reports of a change",
    (Patch("cloche.host.upstreams.base:Upstream._tell_soon", at_once),),
)


# Answers and lists of a hostile server


@asynccontextmanager
async def hosting(servers: dict[str, Any], limits: HostLimits = LIMITS, **options: Any) -> AsyncIterator[Wrapper]:
    host = Host(servers, secret=SECRET, limits=limits, **options)
    wrapper = host.wrap(product)
    try:
        yield wrapper
    finally:
        await wrapper.close()


async def took(scripts: Scripts) -> int:
    """How many characters of an answer the host took in."""
    async with over_http(scripts) as url, hosting({"hostile": url}) as wrapper:
        try:
            result = await wrapper.host.session("ann").run("hostile.answer", {})
        except (McpError, TransportError):
            return 0
        return len(str(result))


async def gzip_bomb(_: House, user: str) -> bool:
    """Eight megabytes, packed to eight kilobytes: unpacked before they are counted."""

    def answer(number: Any, _: Any) -> Any:
        return body(gzip.compress(raw(number, text_result(8 * MEGABYTE)), 1), b"content-encoding: gzip")

    return await took({"tools/call": answer}) > LIMITS.answer_bytes


async def long_body(_: House, user: str) -> bool:
    """Eight megabytes, as they are."""
    return await took({"tools/call": lambda n, _: body(raw(n, text_result(8 * MEGABYTE)))}) > LIMITS.answer_bytes


async def long_event(_: House, user: str) -> bool:
    """The same in one event of a stream."""
    return await took({"tools/call": lambda n, _: events(raw(n, text_result(3 * MEGABYTE)))}) > LIMITS.answer_bytes


async def many_values(_: House, user: str) -> bool:
    """No megabyte of brackets, which would be fifty in memory and seconds for the collector."""
    result = b'{"content":[],"structuredContent":{"x":[' + b"[]," * 340_000 + b"0]}}"
    small = HostLimits(answer_bytes=4 * MEGABYTE)
    scripts: Scripts = {"tools/call": lambda n, _: body(raw(n, result.replace(b"0]", b"[]," * 340_000 + b"0]")))}
    async with over_http(scripts) as url, hosting({"hostile": url}, small) as wrapper:
        try:
            answer = await wrapper.host.session("ann").run("hostile.answer", {})
        except (McpError, TransportError):
            return False
        return len(answer["structuredContent"]["x"]) > 500_000


PROGRAM = """
import json, sys
for line in sys.stdin:
    given = json.loads(line)
    if given.get("id") is None:
        continue
    answer = {"jsonrpc": "2.0", "id": given["id"]}
    if given["method"] == "initialize":
        info = {"name": "hostile", "version": "1"}
        answer["result"] = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": info}
    elif given["method"] == "tools/list":
        answer["result"] = {"tools": [{"name": "answer", "inputSchema": {"type": "object"}}]}
    elif given["method"] == "tools/call":
        answer["result"] = {"content": [{"type": "text", "text": "x" * 4_000_000}]}
    else:
        answer["error"] = {"code": -32601, "message": "Method not found"}
    print(json.dumps(answer), flush=True)
"""


async def long_line(_: House, user: str) -> bool:
    """A program that writes megabytes without a line break."""
    async with hosting({"hostile": [sys.executable, "-c", PROGRAM]}) as wrapper:
        try:
            result = await wrapper.host.session("ann").run("hostile.answer", {})
        except (McpError, TransportError):
            return False
        return len(str(result)) > LIMITS.answer_bytes


async def listed(scripts: Scripts) -> int:
    """How much of a list of tools the host took in."""
    async with over_http(scripts) as url, hosting({"hostile": url}) as wrapper:
        return len(str(await wrapper.host.session("ann").tools()))


def tool(number: int, size: int) -> dict[str, Any]:
    return {"name": f"t{number}", "description": "x" * size, "inputSchema": {"type": "object"}}


async def heavy_tools(_: House, user: str) -> bool:
    """Few tools, each with a description of half a megabyte."""

    def page(number: Any, params: Any) -> Any:
        at = int(params.get("cursor", 0))
        more = {"nextCursor": str(at + 1)} if at < 7 else {}
        return body(message(number, {"tools": [tool(at, MEGABYTE // 2)], **more}))

    return await listed({"tools/list": page}) > LIMITS.list_bytes


async def heavy_metadata(_: House, user: str) -> bool:
    """The same in annotations and `_meta`."""

    def page(number: Any, params: Any) -> Any:
        at = int(params.get("cursor", 0))
        one = tool(at, 1) | {"annotations": {"title": "x" * 400_000}, "_meta": {"x": "y" * 400_000}}
        return body(message(number, {"tools": [one], **({"nextCursor": str(at + 1)} if at < 3 else {})}))

    return await listed({"tools/list": page}) > LIMITS.list_bytes


async def endless_cursors(_: House, user: str) -> bool:
    """A list that goes on after the page at which a host stops."""
    asked = 0

    def page(number: Any, params: Any) -> Any:
        nonlocal asked
        asked += 1
        more = {"nextCursor": "again"} if asked < 150 else {}
        return body(message(number, {"tools": [tool(asked, 1)], **more}))

    await listed({"tools/list": page})
    return asked > LIMITS.list_pages


async def storm_of_changes(_: House, user: str) -> bool:
    """A list that changes two hundred times in a moment, each time for every view."""
    told: list[str] = []
    change = b'{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}'
    scripts: Scripts = {"tools/call": lambda n, _: events(*[change] * 200, raw(n, text_result(1)))}
    limits = HostLimits(change_seconds=60.0)
    async with over_http(scripts) as url, hosting({"hostile": url}, limits) as wrapper:
        session = wrapper.host.session("ann")
        await session.tools()
        session.upstream("hostile").on_change(told.append)
        await session.run("hostile.answer", {})
    return told.count("tools") > 100


# What users make it keep


def dice(html: int = 1000) -> Server:
    """Tools with views: a small one, a large one, and one of a page of its own each time."""
    server = Server("dice")

    @server.tool(view=View("<!doctype html><title>Dice</title>" + "x" * html))
    async def roll(size: int = 1) -> str:
        return "x" * size

    return server


async def kept_results(_: House, user: str) -> bool:
    """Forty results of half a megabyte, which are all remembered."""
    async with hosting({"dice": dice()}, HostLimits(kept_bytes=4 * MEGABYTE)) as wrapper:
        session = wrapper.host.session(user)
        for _ in range(40):
            await session.run("dice.roll", {"size": MEGABYTE // 2})
        return sum(len(str(call.known_result)) for call in session.calls.values()) > 5 * MEGABYTE


async def shown_results(_: House, user: str) -> bool:
    """The same with views, which hold them."""
    async with hosting({"dice": dice()}, HostLimits(kept_bytes=2 * MEGABYTE)) as wrapper:
        session, socket = wrapper.host.session(user), await connect(wrapper)
        for number in range(1, 13):
            try:
                await show(wrapper, socket, number, await ticket_of(wrapper, user=user, size=MEGABYTE // 2))
            except BudgetError:
                break
        held = sum(len(str(view.call.known_result)) for view in session.views.values())
        await socket.drop()
        return held > 3 * MEGABYTE


async def is_locked_out(wrapper: Wrapper) -> bool:
    """Whether another user cannot open a view."""
    socket = await connect(wrapper)
    socket.say({"open": 1, "ticket": await ticket_of(wrapper, user="somebody else")})
    await socket.until(lambda: [frame for frame in socket.frames if "mount" in frame or "error" in frame])
    locked = any("error" in frame for frame in socket.frames)
    await socket.drop()
    return locked


async def one_ticket_often(_: House, user: str) -> bool:
    """One ticket, opened thirty times: nobody else can open anything."""
    limits = HostLimits(host_body_bytes=3 * MEGABYTE)
    async with hosting({"dice": dice(html=150_000)}, limits) as wrapper:
        socket, ticket = await connect(wrapper), await ticket_of(wrapper, user=user)
        for number in range(1, 31):
            socket.say({"open": number, "ticket": ticket})
        await last_answer(socket, 30)
        locked = await is_locked_out(wrapper)
        await socket.drop()
        return locked


async def last_answer(socket: Socket, number: int) -> None:
    await socket.until(lambda: [f for f in socket.frames if f.get("view") == number and ("mount" in f or "error" in f)])


async def many_pages(_: House, user: str) -> bool:
    """Thirty views of one user, each with a page of its own."""
    server = Server("dice")
    for number in range(30):
        view = View(f"<!doctype html><title>{number}</title>" + "x" * 150_000)
        server.tool(name=f"roll{number}", view=view)(_rolled)
    server.tool(name="roll", view=View("<!doctype html><title>Dice</title>" + "y" * 150_000))(_rolled)
    limits = HostLimits(host_body_bytes=3 * MEGABYTE, body_bytes=MEGABYTE)
    async with hosting({"dice": server}, limits) as wrapper:
        socket = await connect(wrapper)
        for number in range(1, 31):
            socket.say({"open": number, "ticket": await ticket_of(wrapper, f"dice.roll{number - 1}", user=user)})
            await last_answer(socket, number)
        locked = wrapper.host.budgets.bodies.total > 2 * MEGABYTE and await is_locked_out(wrapper)
        await socket.drop()
        return locked


async def _rolled() -> str:
    return "6"


# Visitors


async def sockets_without_a_ticket(_: House, user: str) -> bool:
    """Fifty connections that never show a ticket: a user with one is turned away."""
    limits = HostLimits(idle_sockets=20, address_sockets=15)
    async with hosting({"dice": dice()}, limits) as wrapper:
        strangers = [await connect(wrapper) for _ in range(50)]
        try:
            away = await is_locked_out(wrapper)
        except AssertionError:  # its connection was closed
            away = True
        await asyncio.gather(*(one.drop() for one in strangers))
        return away


async def tools_of_visitors(_: House, user: str) -> bool:
    """A visitor without a name has a tool called four hundred times in a moment."""
    called = 0
    server = Server("dice")

    @server.tool(view=View("<!doctype html><title>Dice</title>"))
    async def roll() -> str:
        nonlocal called
        called += 1
        return "6"

    async with hosting({"dice": server}, HostLimits(), page_tools=["dice.roll"]) as wrapper:
        pages = [await connect(wrapper) for _ in range(4)]
        for number in range(1, 101):
            for page in pages:
                page.say({"open": number, "server": "dice", "tool": "roll"})
        for page in pages:
            await last_answer(page, 100)
            await page.drop()
    return called > 200


async def openings(_: House, user: str) -> bool:
    """A user's page opens and closes one view three hundred times."""
    async with hosting({"dice": dice()}, HostLimits(open_burst=50)) as wrapper:
        socket, ticket = await connect(wrapper), await ticket_of(wrapper, user=user)
        for number in range(1, 301):
            socket.say({"open": number, "ticket": ticket})
            await last_answer(socket, number)
            socket.say({"close": number})
        opened = sum("mount" in frame for frame in socket.frames)
        await socket.drop()
        return opened > 250


def attack(name: str, case: str, control: Control, direct: Direct) -> Attack:
    return Attack(name=name, kind=KIND, case=case, control=control, direct=direct)


ATTACKS = [
    attack("gzip-bomb", "B01", NO_SIZE, gzip_bomb),
    attack("long-body", "B01", NO_SIZE, long_body),
    attack("long-event", "B01", NO_SIZE, long_event),
    attack("long-line", "B01", NO_SIZE, long_line),
    attack("many-values", "B01", NO_COUNT, many_values),
    attack("heavy-tools", "B02", NO_WEIGHT, heavy_tools),
    attack("heavy-metadata", "B02", NO_WEIGHT, heavy_metadata),
    attack("endless-cursors", "B02", NO_WEIGHT, endless_cursors),
    attack("storm-of-changes", "B02", EVERY_CHANGE, storm_of_changes),
    attack("kept-results", "B03", ALL_KEPT, kept_results),
    attack("shown-results", "B03", ALL_KEPT, shown_results),
    attack("one-ticket-often", "B03", COUNTED_AGAIN, one_ticket_often),
    attack("many-pages-of-one-user", "B03", ONE_FOR_ALL, many_pages),
    attack("sockets-without-a-ticket", "B04", FIRST_COME, sockets_without_a_ticket),
    attack("tools-of-visitors", "B05", NO_RATES, tools_of_visitors),
    attack("openings", "B05", NO_RATES, openings),
]
