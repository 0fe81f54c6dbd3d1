"""What is fuzzed: a server in which everything a client sends can come back to it, and to nobody else."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from cloche import Context, Server, ToolError


@dataclass
class Typed:
    text: str
    number: int
    tags: list[str]


def make_server() -> Server:
    server = Server("fuzz", timeout=20)

    @server.tool
    async def echo(text: str) -> str:
        await asyncio.sleep(0)
        return text

    @server.tool
    async def typed(text: str, number: int = 0, tags: list[str] | None = None) -> Typed:
        return Typed(text, number, tags or [])

    @server.tool
    def thread(text: str) -> str:
        return text

    @server.tool
    async def fails(text: str) -> str:
        raise ToolError(text)

    @server.tool
    async def talks(text: str, ctx: Context) -> str:
        await ctx.progress(1, 2)
        await ctx.log("info", text)
        return text

    @server.tool(task=True)
    async def job(text: str, ctx: Context) -> str:
        await ctx.progress(1, 2, text)
        await asyncio.sleep(0)
        return text

    @server.tool
    async def who(ctx: Context) -> str:
        """What is known of the client is another way for a canary to get astray."""
        await asyncio.sleep(0)
        return f"{ctx.client_info and ctx.client_info.name} {ctx.request_id} {ctx.meta}"

    @server.resource("fixed://text")
    def fixed() -> str:
        return "fixed"

    @server.resource("echo://{text}")
    async def shown(text: str) -> str:
        return text

    @server.prompt
    def greet(name: str) -> str:
        return f"Greet {name}"

    @server.completion("greet", "name")
    def names(value: str, known: dict[str, str]) -> list[str]:
        return [value]

    @server.method("custom/echo")
    async def custom(params: dict[str, object]) -> dict[str, object]:
        return {"text": str(params.get("text", ""))[:500]}

    return server


if __name__ == "__main__":
    make_server().run()
