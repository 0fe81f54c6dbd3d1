"""The peers, set up for speed: JSON responses, logging down, lists built beforehand where they allow it."""

from __future__ import annotations

import logging
import os
from collections.abc import Sequence
from typing import Any

os.environ.setdefault("FASTMCP_LOG_LEVEL", "ERROR")
os.environ.setdefault("FASTMCP_CHECK_FOR_UPDATES", "off")

import mcp_types as types
from fastmcp import FastMCP
from mcp.server.lowlevel import Server
from mcp.server.mcpserver import MCPServer
from mcp.server.subscriptions import InMemorySubscriptionBus
from starlette.applications import Starlette

from benchmarks.apps.tools import PAGE, Tool
from benchmarks.traffic import RESOURCE

logging.getLogger("mcp").setLevel(logging.ERROR)


def mcp_object(tools: Sequence[Tool], bus: InMemorySubscriptionBus | None = None) -> MCPServer:
    """The high-level server of the official SDK."""
    server = MCPServer("bench", log_level="ERROR", subscriptions=bus)
    for tool in tools:
        server.add_tool(tool)
    server.resource(RESOURCE, mime_type="text/html")(_page)
    return server


def mcp_server(tools: Sequence[Tool], bus: InMemorySubscriptionBus | None = None) -> Starlette:
    return mcp_object(tools, bus).streamable_http_app(json_response=True)


def fastmcp_object(tools: Sequence[Tool]) -> FastMCP[Any]:
    server: FastMCP[Any] = FastMCP("bench")
    for tool in tools:
        server.add_tool(tool)
    server.resource(RESOURCE, mime_type="text/html")(_page)
    return server


def fastmcp(tools: Sequence[Tool]) -> Starlette:
    return fastmcp_object(tools).http_app(json_response=True, stateless_http=False)


def low_object() -> Server[Any]:
    """The official SDK's low-level server with the one tool `echo`, written by hand as its users do."""
    schema = {"type": "object", "properties": {"value": {"type": "integer"}}, "required": ["value"]}
    listed = types.ListToolsResult(tools=[types.Tool(name="echo", input_schema=schema)])

    async def list_tools(context: Any, params: Any) -> types.ListToolsResult:
        return listed

    async def call_tool(context: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
        value = (params.arguments or {})["value"]
        return types.CallToolResult(content=[types.TextContent(text=str(value))], structured_content={"result": value})

    return Server("bench", on_list_tools=list_tools, on_call_tool=call_tool)


def mcp_low(tools: Sequence[Tool]) -> Starlette:
    """The official SDK's low-level server, whose user has made the list once."""
    listed = types.ListToolsResult(tools=[_described(tool) for tool in tools])
    contents: list[types.TextResourceContents | types.BlobResourceContents] = [
        types.TextResourceContents(uri=RESOURCE, mime_type="text/html", text=PAGE)
    ]

    async def list_tools(context: Any, params: Any) -> types.ListToolsResult:
        return listed

    async def read_resource(context: Any, params: Any) -> types.ReadResourceResult:
        return types.ReadResourceResult(contents=contents)

    server: Server[Any] = Server("bench", on_list_tools=list_tools, on_read_resource=read_resource)
    return server.streamable_http_app(json_response=True)


async def _page() -> str:
    return PAGE


def _described(tool: Tool) -> types.Tool:
    schema = {
        "type": "object",
        "properties": {
            "query": {"type": "string"},
            "limit": {"type": "integer", "default": 10},
            "exact": {"type": "boolean", "default": False},
        },
        "required": ["query"],
    }
    return types.Tool(name=tool.__name__, description=tool.__doc__, input_schema=schema)
