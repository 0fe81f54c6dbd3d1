"""Servers that talk back while a tool runs: progress and logs. The same tools by each of three libraries.

`python -m tests.support.talking cloche|mcp|fastmcp` runs one over stdio; `app(maker)` is one as an ASGI app, at `/mcp`.
"""

import sys
from typing import Any

STEPS = 3


def of_cloche() -> Any:
    """One of our own."""
    from cloche import Context, Server

    server = Server("talking", "1.0")

    @server.tool
    async def steps(ctx: Context) -> str:
        for step in range(1, STEPS + 1):
            await ctx.progress(step, STEPS, f"step {step}")
        await ctx.log("warning", {"disk": "full"}, "disks")
        return "done"

    return server


def of_mcp() -> Any:
    """One of the official package."""
    from mcp.server.mcpserver import Context, MCPServer

    server = MCPServer("talking", version="1.0")

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

    server = FastMCP("talking", version="1.0")

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


if __name__ == "__main__":
    made = MAKERS[sys.argv[1]]()
    if sys.argv[1] == "fastmcp":
        made.run(show_banner=False)
    else:
        made.run()
