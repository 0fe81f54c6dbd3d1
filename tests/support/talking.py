"""Servers that talk back while a tool runs: progress, logs and questions. The same tools by each of three libraries.

`steps` reports and logs. `talk(about)` asks for a "form", a "url", a "sample" or "roots", and returns the answer.
`hold` has a view; it reports and then runs until it is cancelled, which it writes down. `bake` runs as a task.

`python -m tests.support.talking cloche|mcp|fastmcp` runs one over stdio; `app(maker)` is one as an ASGI app, at `/mcp`.
"""

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

STEPS = 3

MESSAGE = "Where shall it go?"
FORM: dict[str, Any] = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "title": "Your name", "minLength": 2, "maxLength": 40},
        "mail": {"type": "string", "format": "email"},
        "site": {"type": "string", "format": "uri"},
        "day": {"type": "string", "format": "date"},
        "count": {"type": "integer", "minimum": 1, "maximum": 9, "default": 2},
        "weight": {"type": "number", "description": "In kilograms"},
        "gift": {"type": "boolean", "default": False},
        "size": {"type": "string", "enum": ["s", "l"], "enumNames": ["Small", "Large"]},
        "colour": {"type": "string", "oneOf": [{"const": "#f00", "title": "Red"}, {"const": "#00f", "title": "Blue"}]},
        "extras": {
            "type": "array",
            "items": {"anyOf": [{"const": "b", "title": "Bow"}, {"const": "c", "title": "Card"}]},
        },
        "tags": {"type": "array", "items": {"type": "string", "enum": ["new", "old"]}, "maxItems": 1},
        "when": {"type": "string", "format": "date-time"},
        "wrap": {"type": "string", "enum": ["paper", "foil"], "default": "foil"},
        "note": {"type": "string", "description": "For the driver", "default": "Ring twice"},
    },
    "required": ["name", "count"],
}
URL = "https://pay.example/checkout?order=7"

VIEW = "ui://talking/hold"
VIEW_TYPE = "text/html;profile=mcp-app"
PAGE = """<p id=said>Waiting</p><script>
const say = (message) => parent.postMessage({ jsonrpc: "2.0", ...message }, "*");
addEventListener("message", ({ data }) => {
  if (data.id === 1) say({ method: "ui/notifications/initialized", params: {} });
  if (data.method === "ui/notifications/tool-cancelled") said.textContent = "Cancelled";
});
const appInfo = { name: "hold", version: "1" };
say({ id: 1, method: "ui/initialize", params: { protocolVersion: "2026-01-26", appInfo, appCapabilities: {} } });
</script>"""

WHO = {"type": "object", "properties": {"name": {"type": "string"}}}


async def until_cancelled(trace: str) -> str:
    """Wait, and write down that nobody waits any more."""
    try:
        await asyncio.Event().wait()
    except asyncio.CancelledError:
        Path(trace).touch()  # noqa: ASYNC240
        raise
    return "never"


def of_cloche() -> Any:
    """One of our own."""
    from cloche import Context, Server, View

    server = Server("talking", "1.0")

    @server.tool(view=View(html=PAGE, script=False))
    async def hold(trace: str, ctx: Context) -> str:
        await ctx.progress(1, 4, "heating")
        await ctx.log("warning", {"disk": "full"}, "disks")
        return await until_cancelled(trace)

    @server.tool(task="required")
    async def bake(ctx: Context) -> str:
        said = await ctx.elicit("Who?", WHO)
        return f"Baked for {said.data['name'] if said.accepted else 'nobody'}"

    @server.tool
    async def steps(ctx: Context) -> str:
        for step in range(1, STEPS + 1):
            await ctx.progress(step, STEPS, f"step {step}")
        await ctx.log("warning", {"disk": "full"}, "disks")
        return "done"

    @server.tool
    async def talk(about: str, ctx: Context) -> str:
        if about == "form":
            said = await ctx.elicit(MESSAGE, FORM)
            return json.dumps([said.action, said.data if said.accepted else None])
        if about == "url":
            return json.dumps([(await ctx.elicit_url(MESSAGE, URL)).action, None])
        if about == "sample":
            return json.dumps((await ctx.sample("Name a bread.", max_tokens=20)).text)
        return json.dumps([root.uri for root in await ctx.roots()])

    return server


async def talk_officially(ctx: Any, about: str) -> Any:
    """The same with the official package's types."""
    import mcp_types

    text = mcp_types.TextContent(type="text", text="Name a bread.")
    message = mcp_types.SamplingMessage(role="user", content=text)
    requests: dict[str, tuple[Any, Any]] = {
        "form": (
            mcp_types.ElicitRequest(params=mcp_types.ElicitRequestFormParams(message=MESSAGE, requested_schema=FORM)),
            mcp_types.ElicitResult,
        ),
        "url": (
            mcp_types.ElicitRequest(
                params=mcp_types.ElicitRequestURLParams(message=MESSAGE, url=URL, elicitation_id="e1")
            ),
            mcp_types.ElicitResult,
        ),
        "sample": (
            mcp_types.CreateMessageRequest(
                params=mcp_types.CreateMessageRequestParams(messages=[message], max_tokens=20)
            ),
            mcp_types.CreateMessageResult,
        ),
        "roots": (mcp_types.ListRootsRequest(), mcp_types.ListRootsResult),
    }
    request, kind = requests[about]
    if ctx.request_context.protocol_version >= "2026-07-28":
        if not ctx.input_responses:
            return mcp_types.InputRequiredResult(input_requests={"q": request})
        answer = ctx.input_responses["q"]
    else:
        answer = await ctx.session.send_request(request, kind)
    plain = answer if isinstance(answer, dict) else answer.model_dump(by_alias=True, mode="json", exclude_none=True)
    if about == "sample":
        return json.dumps(plain["content"]["text"])
    return json.dumps(
        [root["uri"] for root in plain["roots"]] if about == "roots" else [plain["action"], plain.get("content")]
    )


def of_mcp() -> Any:
    """One of the official package."""
    from mcp.server.mcpserver import Context, MCPServer
    from mcp_types import InputRequiredResult

    from tests.support.official_tasks import ServedTasks

    server = MCPServer("talking", version="1.0", extensions=[ServedTasks("bake")])

    @server.tool()
    async def bake() -> str:
        return "Baked for nobody"

    @server.resource(VIEW, mime_type=VIEW_TYPE)
    def view() -> str:
        return PAGE

    @server.tool(meta={"ui": {"resourceUri": VIEW}})
    async def hold(trace: str, ctx: Context) -> str:
        await ctx.report_progress(1, 4, "heating")
        await ctx.session.send_log_message("warning", {"disk": "full"}, "disks", related_request_id=ctx.request_id)
        return await until_cancelled(trace)

    @server.tool()
    async def talk(about: str, ctx: Context) -> str | InputRequiredResult:
        return await talk_officially(ctx, about)  # type: ignore[no-any-return]

    @server.tool()
    async def steps(ctx: Context) -> str:
        for step in range(1, STEPS + 1):
            await ctx.report_progress(step, STEPS, f"step {step}")
        await ctx.session.send_log_message("warning", {"disk": "full"}, "disks", related_request_id=ctx.request_id)
        return "done"

    return server


def of_fastmcp() -> Any:
    """One of fastmcp."""
    from fastmcp import Context, FastMCP
    from fastmcp_tasks import TasksExtension
    from mcp_types import InputRequiredResult

    server = FastMCP("talking", version="1.0")
    server.add_extension(TasksExtension(url="memory://"))

    @server.tool(task=True)
    async def bake() -> str:
        return "Baked for nobody"

    @server.resource(VIEW, mime_type=VIEW_TYPE)
    def view() -> str:
        return PAGE

    @server.tool(meta={"ui": {"resourceUri": VIEW}})
    async def hold(trace: str, ctx: Context) -> str:
        await ctx.report_progress(1, 4, "heating")
        await ctx.session.send_log_message("warning", {"disk": "full"}, "disks", related_request_id=ctx.request_id)
        return await until_cancelled(trace)

    @server.tool
    async def talk(about: str, ctx: Context) -> str | InputRequiredResult:
        return await talk_officially(ctx, about)  # type: ignore[no-any-return]

    @server.tool
    async def steps(ctx: Context) -> str:
        for step in range(1, STEPS + 1):
            await ctx.report_progress(step, STEPS, f"step {step}")
        await ctx.session.send_log_message("warning", {"disk": "full"}, "disks", related_request_id=ctx.request_id)
        return "done"

    return server


MAKERS = {"cloche": of_cloche, "mcp": of_mcp, "fastmcp": of_fastmcp}


def command(maker: str) -> list[str]:
    """The words that start one as a program."""
    return [sys.executable, "-W", "ignore", "-m", "tests.support.talking", maker]


def app(maker: str, *, legacy: bool = False) -> Any:
    """One by HTTP; a `legacy` one does not know the method that asks for the newer era."""
    server = MAKERS[maker]()
    if maker == "cloche":
        inner = server.asgi(path="/mcp")
    else:
        inner = server.streamable_http_app() if maker == "mcp" else server.http_app()
    if not legacy:
        return inner

    async def older(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http" and (b"mcp-method", b"server/discover") in scope["headers"]:
            body = b'{"jsonrpc": "2.0", "id": null, "error": {"code": -32601, "message": "Method not found"}}'
            kind = [(b"content-type", b"application/json")]
            await send({"type": "http.response.start", "status": 404, "headers": kind})
            await send({"type": "http.response.body", "body": body})
        else:
            await inner(scope, receive, send)

    return older


@asynccontextmanager
async def upstream_of(kind: str) -> AsyncIterator[Any]:
    """What `Host(servers=…)` takes for a server of this library, reached in this way."""
    from cloche.host import Command

    maker, _, way = kind.partition(" ")
    if way == "object":
        yield MAKERS[maker]()
    elif way == "command":
        yield Command(command(maker), env={"PYTHONPATH": os.getcwd()})
    else:
        from tests.support.served import Served

        with Served(app(maker, legacy=way == "URL before 2026")) as served:
            yield served.url("/mcp")


WAYS = [f"{maker} {way}" for maker in MAKERS for way in ("object", "command", "URL", "URL before 2026")]
"""Every library, in every way."""


if __name__ == "__main__":
    made = MAKERS[sys.argv[1]]()
    if sys.argv[1] == "fastmcp":
        made.run(show_banner=False)
    else:
        made.run()
