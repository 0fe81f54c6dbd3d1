"""Every promise `make bench` holds us to, in one table."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Bound:
    """What is compared, and how large or small the value may be."""

    label: str
    limit: float
    at_least: bool = False
    unit: str = "×"

    def admits(self, value: float) -> bool:
        return value >= self.limit if self.at_least else value <= self.limit

    def __str__(self) -> str:
        return f"{'≥' if self.at_least else '≤'} {self.limit:g} {self.unit}"


def _at_most(label: str, limit: float, unit: str = "×") -> Bound:
    return Bound(label, limit, unit=unit)


def _cheaper(label: str, factor: float) -> Bound:
    return Bound(label, factor, at_least=True)


BOUNDS: dict[str, Bound] = {
    "call.modern.floor": _at_most("tools/call, 2026-07-28, to a bare Starlette echo", 0.5),
    "call.legacy.floor": _at_most("tools/call, 2025-11-25 session, to a bare Starlette echo", 0.5),
    "call.modern.floor_suspending": _at_most("the same, 2026-07-28, when the echo suspends too", 0.5),
    "call.legacy.floor_suspending": _at_most("the same, 2025-11-25, when the echo suspends too", 0.5),
    # As Python's json.dumps writes it; the echo gets the same bytes.
    "call.modern.spaced": _at_most("tools/call, 2026-07-28, JSON with spaces, to a bare Starlette echo", 0.5),
    "call.legacy.spaced": _at_most("tools/call, 2025-11-25, JSON with spaces, to a bare Starlette echo", 0.5),
    "call.modern.growth": _at_most("tools/call, 2026-07-28, 202 tools to 2 tools", 1.15),
    "call.legacy.growth": _at_most("tools/call, 2025-11-25, 202 tools to 2 tools", 1.15),
    "call.mcp": _cheaper("tools/call, mcp MCPServer to Cloche", 12),
    "call.fastmcp": _cheaper("tools/call, fastmcp to Cloche", 50),
    "threads.call": _at_most("tools/call of a `def` tool to a bare asyncio.to_thread", 1.3),
    "threads.stuck": _at_most("`def` tools that waited behind six stuck ones", 0, "of 1"),
    "lists.tools": _cheaper("tools/list of 200 tools, cheapest peer to Cloche", 100),
    "lists.resource": _cheaper("resources/read of 100 KB, cheapest peer to Cloche", 5),
    # 1.4 before: it left so little room that it decided how the code was cut. The handshake era has the same bound.
    "sockets.modern": _at_most("server CPU per request, 2026-07-28, to raw ASGI + msgspec", 1.5),
    "sockets.legacy": _at_most("server CPU per request, 2025-11-25, to raw ASGI + msgspec", 1.5),
    "fanout.cpu": _at_most("one update to 500 streams, to raw ASGI fan-out", 1.5),
    "fanout.memory": _at_most("memory per subscriptions/listen stream", 20, "KB"),
    "sessions.memory": _at_most("memory per session with an open GET stream", 40, "KB"),
    "sessions.returned": _at_most("memory blocks kept per session after it closed", 1, "blocks"),
    "sessions.reused": _at_most("memory that a second thousand sessions add, each", 2, "KB"),
    "churn.blocks": _at_most("growth per session, 10,000 to 100,000 opened and closed", 0.05, "blocks"),
    "churn.rss": _at_most("resident growth, 10,000 to 100,000 opened and closed", 1, "MB"),
    "clients.memory.modern": _cheaper("client and server in memory, 2026-07-28, mcp MCPServer to Cloche", 8),
    "clients.memory.legacy": _cheaper("client and server in memory, 2025-11-25, mcp MCPServer to Cloche", 8),
    "clients.memory.fastmcp": _cheaper("client and server in memory, fastmcp to Cloche", 8),
    # Its tool is written by hand, without a schema or a type, and in 2026-07-28 no JSON is made at all.
    "clients.memory.low": _cheaper("the same, 2026-07-28, mcp's low-level server to Cloche", 5),
    "clients.memory.low_legacy": _cheaper("the same, 2025-11-25, mcp's low-level server to Cloche", 8),
    "clients.stdio.mcp": _cheaper("client and server over stdio, mcp to Cloche", 3),
    "clients.stdio.fastmcp": _cheaper("client and server over stdio, fastmcp to Cloche", 3),
    "clients.websocket": _at_most("client and server, WebSocket to HTTP", 1),
    "views.bridge.gzip": _at_most("the view runtime with all adapters, gzip", 4.4, "kB"),
    "views.bridge.raw": _at_most("the view runtime with all adapters, as it is", 12, "kB"),
    "views.interact.gzip": _at_most("the interaction script, gzip", 2, "kB"),
    "views.table": _at_most("rows replaced by an edit in a table of 200", 1, "rows"),
    "views.start": _cheaper("srcdoc to ui/initialize, official App to Cloche", 3),
    "views.call.one": _at_most("tools/call of a view, one frame, to the official App's", 1),
    "views.call.two": _at_most("tools/call of a view, behind a proxy frame, to the official App's", 1),
    "views.megabyte.one": _at_most("tools/call with a result of 1 MB, one frame, to the official App's", 1),
    "views.megabyte.two": _at_most("tools/call with a result of 1 MB, behind a proxy frame, to the official App's", 1),
    "host.call.near": _at_most("view to tool and back through the host, loopback, to the official basic-host's", 1),
    "host.call.far": _at_most("the same, 80 ms away", 1),
    # With `session.preload`; the official design is warm, too.
    "host.paint.near": _at_most("start to first paint through the host, loopback, to the official basic-host's", 1),
    "host.paint.far": _at_most("the same, 80 ms away", 1),
    # Without it, where the official design is still warm: a new process for each server's own site comes first.
    "host.cold.paint.near": _at_most("the same without session.preload, loopback", 3),
    "host.cold.paint.far": _at_most("the same without session.preload, 80 ms away", 3),
    "host.page.near": _at_most("page to first paint, nothing loaded before, loopback, to the official basic-host's", 1),
    "host.page.far": _at_most("the same, 80 ms away", 1),
    "host.many": _at_most("20 views of 4 servers painted, to the official basic-host's", 1),
    "host.behind": _at_most("a small call behind one of 7 MB, to the official basic-host's", 1),
    "dev.choose": _at_most("playground with 200 tools and 10,000 messages, click on a tool to its paint", 100, "ms"),
    "dev.show": _at_most("playground, click on 5 MB of JSON to its paint", 200, "ms"),
    "dev.message": _at_most("playground with 10,000 messages, click on one to its paint", 100, "ms"),
    "dev.memory": _at_most("playground after all that, heap of the page", 120, "MB"),
    "dev.start": _at_most("CPU time of cloche dev FILE until the page has its list", 1.5, "s"),
    "host.memory": _at_most("memory of the host's process per open view", 100, "KB"),
    "store.keys": _at_most("a mutation, store of 10,000 keys with 500 subscribers to one of 100 with 50", 1.3),
    "store.subscribers": _at_most("a mutation, per subscriber that is told, 500 of them to 50", 1.5),
    "store.pixel": _cheaper("mutation to pixel in a view, a tool asked every 500 ms to data-bind", 5),
    "charts.bytes": _cheaper("chart of 10,000 points, page and messages to it, prefab-ui to Cloche", 20),
    "charts.messages": _cheaper("the same, the messages alone", 2.5),
    "charts.paint": _cheaper("the same, page to paint", 2),
    "browser.size": _at_most("the page's client and all transports as one file, gzip", 11, "kB"),
    "browser.webmcp.core": _at_most("the WebMCP polyfill without forms, gzip", 6.3, "kB"),
    "browser.webmcp": _at_most("the WebMCP polyfill, forms included, gzip", 8.6, "kB"),
    "browser.snapshot": _cheaper("page to the first answer of Python in it, plain to with the snapshot", 2),
    "browser.first": _at_most("the same with the snapshot, in a browser that has never seen the page", 1.5, "s"),
    "browser.page": _at_most("the page that cloche build writes, gzip", 60, "kB"),
    "browser.site": _at_most("everything that its first visit loads, gzip", 16, "MB"),
    "browser.opened": _at_most("page that cloche build wrote to Python that is ready, first visit", 2, "s"),
    "browser.call.20": _at_most("a call of Python in the page, 20 B, to HTTP on loopback", 1),
    "browser.call.100000": _at_most("a call of Python in the page, 100 KB, to HTTP on loopback", 1),
    "browser.call.1000000": _at_most("a call of Python in the page, 1 MB, to HTTP on loopback", 1),
    "imports.cpu": _at_most("`from cloche import Server`", 100, "ms"),
    "imports.rss": _at_most("`from cloche import Server`, resident", 25, "MB"),
}
