"""A server whose view is made of the official library's `App`, and everything that its host owes such a view."""

from __future__ import annotations

import asyncio
import copy
import threading
from typing import Any

import mcp.types
from mcp.server.apps import Apps
from mcp.server.mcpserver import Context, MCPServer
from playwright.sync_api import Frame, Page

from tests.support.official_app.bundles import bundle
from tests.support.official_app.harness import read
from tests.support.official_app.oracle import Oracle

URI = "ui://strict/page.html"

RECORDER = """
const fromHost = [];
addEventListener("message", (event) => { if (event.source === parent) fromHost.push(event.data) });
const outcome = (promise) => promise.then((value) => ({ value }), ({ code, message }) => ({ code, message }));
const ask = (method, params, options) => app.request({ method, params }, anything, options);
const anything = { "~standard": { version: 1, vendor: "tests", validate: (value) => ({ value }) } };
anything.parse = (value) => value;
anything.safeParse = (data) => ({ success: true, data });
"""
"""Before the view itself: keeps what arrives, and asks what the library has no method for."""

TEARDOWN = """
app.onteardown = async () => { console.log("torn down"); return {}; };
"""

NOTIFICATIONS = {
    "ui/notifications/tool-input": "McpUiToolInputNotification",
    "ui/notifications/tool-input-partial": "McpUiToolInputPartialNotification",
    "ui/notifications/tool-result": "McpUiToolResultNotification",
    "ui/notifications/tool-cancelled": "McpUiToolCancelledNotification",
    "ui/notifications/host-context-changed": "McpUiHostContextChangedNotification",
    "ui/resource-teardown": "McpUiResourceTeardownRequest",
}
TYPES = {
    "notifications/progress": mcp.types.ProgressNotification,
    "notifications/tools/list_changed": mcp.types.ToolListChangedNotification,
    "notifications/resources/list_changed": mcp.types.ResourceListChangedNotification,
    "notifications/prompts/list_changed": mcp.types.PromptListChangedNotification,
    "tools/list": mcp.types.ListToolsRequest,
    "tools/call": mcp.types.CallToolRequest,
}


class StrictServer:
    """A server of the official package, and what happened in it."""

    def __init__(self, version: str) -> None:
        self.cancelled = threading.Event()
        self.apps = Apps()
        body = '<div id="box" style="width: 300px; height: 120px"></div>'
        scripts = (RECORDER, bundle(version, "app"), read("views/official.js"), TEARDOWN)
        inline = "".join(f"<script>{script}</script>" for script in scripts)
        self.apps.add_html_resource(URI, f"<!doctype html><html><body>{body}{inline}</body></html>")
        self._add_tools()
        self.server = MCPServer("strict", extensions=[self.apps])

    def _add_tools(self) -> None:
        @self.apps.tool(resource_uri=URI)
        async def show(text: str) -> dict[str, str]:
            return {"shown": text}

        @self.apps.tool(resource_uri=URI, visibility=["app"])
        async def count(to: int, ctx: Context) -> int:
            for step in range(to):
                await ctx.report_progress(step, to, f"at {step}")
            return to

        @self.apps.tool(resource_uri=URI, visibility=["model"])
        async def for_models() -> str:
            return "not for views"

        @self.apps.tool(resource_uri=URI)
        async def hang(ctx: Context) -> str:
            await ctx.report_progress(0)
            try:
                await asyncio.Event().wait()
            finally:
                self.cancelled.set()
            return "never"

        @self.apps.tool(resource_uri=URI)
        async def grow(ctx: Context) -> str:
            self.server.add_tool(lambda: "late", name="late")
            await ctx.notify_tools_changed()
            return "grown"


class StrictView:
    """The view in the page, driven from the test."""

    def __init__(self, page: Page, version: str) -> None:
        self.page = page
        self._oracle = Oracle(version)

    @property
    def frame(self) -> Frame:
        """The innermost frame."""
        return self.page.frames[-1]

    def act(self, call: str, *arguments: Any) -> Any:
        """Do one of the things that views can do; the value, or the code and message of the error."""
        return self.frame.evaluate(f"(given) => outcome(Promise.resolve(act.{call}(...given)))", list(arguments))

    def ask(self, method: str, params: Any) -> Any:
        """Make any request; the same outcome."""
        return self.frame.evaluate("([method, params]) => outcome(ask(method, params))", [method, params])

    def seen(self, name: str) -> Any:
        """Wait until the library's handler of this name was called, and give what it got first."""
        return self.frame.wait_for_function(
            "(name) => window.seen.find(([seen]) => seen === name)", arg=name
        ).json_value()[1]

    def received(self) -> list[dict[str, Any]]:
        """Every message from the host, each of them judged by the official schema."""
        messages: list[dict[str, Any]] = self.frame.evaluate("() => fromHost")
        for message in messages:
            self._judge(message)
        return messages

    def _judge(self, message: dict[str, Any]) -> None:
        assert message["jsonrpc"] == "2.0"
        method = message.get("method")
        message = without_dimensions(message)
        plain = {key: value for key, value in message.items() if key in ("method", "params")}
        if method in NOTIFICATIONS:
            self._oracle.judge(NOTIFICATIONS[method], plain)
        elif method is not None:
            TYPES[method].model_validate(plain)
        elif "hostContext" in message.get("result", {}):
            self._oracle.judge("McpUiInitializeResult", message["result"])

    def methods(self) -> list[str]:
        """The methods of what the host sent on its own, in order."""
        return [message["method"] for message in self.received() if "method" in message]


def without_dimensions(message: dict[str, Any]) -> dict[str, Any]:
    """The message without its container's dimensions, which are judged here: in the published schema a width excludes a
    height and a height a width, where the library's own types want one of each.
    """
    message = copy.deepcopy(message)
    context = message.get("result", {}).get("hostContext") or message.get("params") or {}
    given = context.pop("containerDimensions", {})
    assert all(isinstance(value, int | float) for value in given.values())
    assert len(given.keys() & {"width", "maxWidth"}) <= 1
    assert len(given.keys() & {"height", "maxHeight"}) <= 1
    assert given.keys() <= {"width", "maxWidth", "height", "maxHeight"}
    return message
