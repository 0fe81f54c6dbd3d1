"""Servers with views, for hosts to show."""

from __future__ import annotations

import asyncio
from typing import Any

from cloche import Context, Csp, Server, ToolAnnotations, ToolResult, View
from cloche.views import create_ui_resource

PAGE = "<!doctype html><title>Weather</title><p id=city></p>"


class Weather:
    """A server that counts its calls and can be held up."""

    def __init__(self, name: str = "weather") -> None:
        self.calls: list[tuple[str, Any]] = []
        self.started = asyncio.Event()
        self.release = asyncio.Event()
        self.cancelled = asyncio.Event()
        self.server = server = Server(name, version="1.0")

        @server.tool(view=View(PAGE, csp=Csp(connect=["https://api.example.com"]), prefers_border=True))
        async def forecast(city: str) -> dict[str, Any]:
            """The weather of tomorrow."""
            self.calls.append(("forecast", city))
            return {"city": city, "degrees": 21}

        @server.tool
        async def plain(text: str) -> str:
            self.calls.append(("plain", text))
            return text

        @server.tool(visibility=["app"])
        async def refresh(city: str = "Paris") -> str:
            self.calls.append(("refresh", city))
            return f"sunny in {city}"

        @server.tool(visibility=["model"])
        async def for_models() -> str:
            self.calls.append(("for_models", None))
            return "secret"

        @server.tool(annotations=ToolAnnotations(destructive_hint=True))
        async def erase(city: str) -> str:
            self.calls.append(("erase", city))
            return f"{city} is gone"

        @server.tool(view=View(PAGE))
        async def slow(steps: int, ctx: Context) -> str:
            self.calls.append(("slow", steps))
            self.started.set()
            try:
                for step in range(steps):
                    await ctx.progress(step + 1, steps, f"step {step + 1}")
                await self.release.wait()
            except asyncio.CancelledError:
                self.cancelled.set()
                raise
            return "done"

        @server.tool(view=View(PAGE))
        async def failing() -> str:
            raise RuntimeError("broken inside")

        @server.tool
        async def with_meta() -> ToolResult:
            return ToolResult("text", meta={"vendor/key": {"a": 1}, "ui": {"x": 1}})

        @server.resource("weather://stations")
        def stations() -> str:
            return "Paris, Rome"


def embedding() -> Server:
    """A server whose results carry their page."""
    server = Server("embedding")

    @server.tool
    async def show(alone: bool = False) -> ToolResult:
        page = create_ui_resource("<p>inside</p>", width=300, height=200, csp=Csp(connect=["https://api.example.com"]))
        return ToolResult([page] if alone else ["for the model", page])

    return server


def capturing() -> Server:
    """A server whose view wants the camera."""
    server = Server("capturing")
    server.register_tool(lambda: "smile", name="photo", view=View(PAGE, permissions=["camera", "microphone"]))
    return server
