"""A server that does everything once: what the official clients are set against.

What a tool did is written into a record, which a client reads with the tool `recorded`: so a test sees the server's
side also when the server is another process. `python everything.py [PAGE_SIZE]` serves it over stdio.
"""

from __future__ import annotations

import asyncio
import sys
from collections import Counter
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from msgspec import Meta

from cloche import (
    Audio,
    Context,
    Elicit,
    EmbeddedResource,
    Image,
    PromptMessage,
    ResourceLink,
    Sample,
    Server,
    TextContent,
    ToolAnnotations,
    ToolError,
)
from cloche.wire.types import TextResourceContents

PNG = b"\x89PNG\r\n\x1a\n"
WAV = b"RIFF\x00\x00\x00\x00WAVE"
BLOB = bytes(range(256))


@dataclass
class Sum:
    total: int
    terms: list[int]


@dataclass
class Order:
    size: int
    gift: bool = False


class Record:
    """What happened on the server, and waiting for it to happen."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self._waiting: list[tuple[str, asyncio.Future[None]]] = []

    def note(self, what: str) -> int:
        self.counts[what] += 1
        for wanted, future in self._waiting:
            if wanted == what and not future.done():
                future.set_result(None)
        return self.counts[what]

    async def seen(self, what: str) -> int:
        """How often it happened, once it has."""
        if not self.counts[what]:
            future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            entry = (what, future)
            self._waiting.append(entry)
            try:
                await future
            finally:
                self._waiting.remove(entry)
        return self.counts[what]


def build(page_size: int = 500) -> Server:
    server = Server(
        "everything",
        version="1.2.3",
        title="Everything",
        instructions="Ask for anything.",
        page_size=page_size,
        timeout=20,
        secret="a secret that outlives the process",
    )
    record = Record()
    add_plain_tools(server, record)
    add_tools_that_talk(server, record)
    add_tools_that_ask(server, record)
    add_resources(server)
    add_prompts(server)

    @server.method("custom/reverse")
    async def reverse(params: dict[str, Any]) -> dict[str, str]:
        return {"text": str(params["text"])[::-1]}

    return server


def add_plain_tools(server: Server, record: Record) -> None:
    @server.tool(title="Add", annotations=ToolAnnotations(read_only_hint=True))
    async def add(a: int, b: int) -> Sum:
        """Add two numbers.

        Args:
            a: The first.
            b: The second.
        """
        return Sum(a + b, [a, b])

    @server.tool
    def greet(name: str) -> str:
        """Say hello, from a worker thread."""
        return f"Hello, {name}!"

    @server.tool
    async def deliver(
        region: Annotated[str, Meta(extra_json_schema={"x-mcp-header": "Region"})], count: int = 1
    ) -> str:
        """A proxy can see the region in a header."""
        return f"{count} to {region}"

    @server.tool
    async def numbers(upto: int) -> list[int]:
        return list(range(upto))

    @server.tool
    async def refuse() -> str:
        raise ToolError("The disk is full")

    @server.tool
    async def crash() -> str:
        raise LookupError("no such drawer")

    @server.tool
    async def media() -> list[str | Image | Audio | ResourceLink | EmbeddedResource]:
        return [
            "a picture and a sound",
            Image(PNG, mime_type="image/png"),
            Audio(WAV, mime_type="audio/wav"),
            ResourceLink("note://today", "today", mime_type="text/plain"),
            EmbeddedResource(TextResourceContents("note://inside", "embedded", "text/plain")),
        ]

    @server.tool
    async def recorded(what: str) -> int:
        """How often something happened; waits for the first time."""
        return await record.seen(what)


def add_tools_that_talk(server: Server, record: Record) -> None:
    @server.tool
    async def count(upto: int, ctx: Context) -> str:
        for step in range(1, upto + 1):
            await ctx.progress(step, upto, f"step {step}")
        return "counted"

    @server.tool
    async def speak(ctx: Context) -> str:
        await ctx.debug("a detail", logger="voice")
        await ctx.info({"what": "news"}, logger="voice")
        await ctx.warning("a warning", logger="voice")
        return "spoken"

    @server.tool
    async def hang(key: str, ctx: Context) -> str:
        """Wait for a cancellation that must come."""
        record.note(f"{key} began")
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            record.note(f"{key} was cancelled")
            raise
        return "never"

    @server.tool
    async def pause(key: str, ctx: Context) -> str:
        """Say something, then go on when `note` is called."""
        await ctx.progress(1, 2, "waiting")
        record.note(f"{key} began")
        await record.seen(key)
        await ctx.progress(2, 2, "going on")
        return "went on"

    @server.tool
    async def note(what: str) -> int:
        return record.note(what)

    @server.tool
    async def touch(uri: str) -> str:
        server.resource_updated(uri)
        return "touched"

    @server.tool
    async def learn(kind: Literal["tools", "resources", "prompts"], name: str) -> str:
        """Register something while running."""
        if kind == "tools":
            server.register_tool(lambda: name, name=name, description="Learned while running.")
        elif kind == "resources":
            server.register_resource(f"learned://{name}", lambda: name, name=name)
        else:
            server.register_prompt(lambda: name, name=name)
        return "learned"

    @server.tool
    async def forget(kind: Literal["tools", "resources", "prompts"], name: str) -> str:
        if kind == "tools":
            server.remove_tool(name)
        elif kind == "resources":
            server.remove_resource(f"learned://{name}")
        else:
            server.remove_prompt(name)
        return "forgotten"


def add_tools_that_ask(server: Server, record: Record) -> None:
    @server.tool
    async def order(key: str, ctx: Context) -> str:
        """Ask twice, and reserve once in between."""
        first = await ctx.elicit("Which size?", Order)
        if not first.accepted:
            return first.action
        reservation = await ctx.once("reserve", lambda: record.note(f"{key} reserved"))
        second = await ctx.elicit("Sure?", {"type": "object", "properties": {"sure": {"type": "boolean"}}})
        record.note(f"{key} finished")
        form, sure = first.data, second.data
        return f"{form.size} {form.gift} {sure['sure']} #{reservation}" if form and sure else "no answer"

    @server.tool
    async def wonder(about: str, ctx: Context) -> str:
        answer = await ctx.sample(f"What of {about}?", max_tokens=50, system="Be brief.")
        return f"{answer.model} says {answer.content['text']}"

    @server.tool
    async def where(ctx: Context) -> list[str]:
        return [root.uri for root in await ctx.roots()]

    @server.tool
    async def both(ctx: Context) -> str:
        answers = await ctx.ask(size=Elicit("Which size?", Order), idea=Sample("An idea?", max_tokens=10))
        return f"{answers['size'].data.size} {answers['idea'].content['text']}"


def add_resources(server: Server) -> None:
    @server.resource("note://today", title="Today", mime_type="text/plain")
    async def today() -> str:
        """What is on."""
        return "nothing"

    @server.resource("file://logo", mime_type="image/png")
    async def logo() -> bytes:
        return BLOB

    @server.resource("city://{name}/weather")
    async def weather(name: str) -> dict[str, str]:
        return {"city": name, "sky": "blue"}

    @server.completion("city://{name}/weather", "name")
    async def cities(typed: str, known: dict[str, str]) -> list[str]:
        return [city for city in ("Bern", "Berlin", "Rome") if city.startswith(typed)]


def add_prompts(server: Server) -> None:
    @server.prompt(title="Review")
    async def review(code: str, language: str = "python") -> list[PromptMessage]:
        """Look at some code.

        Args:
            code: What to look at.
            language: What it is written in.
        """
        return [
            PromptMessage("user", TextContent(f"Review this {language}: {code}")),
            PromptMessage("assistant", TextContent("Gladly.")),
        ]

    @server.completion("review", "language")
    def languages(typed: str, known: dict[str, str]) -> list[str]:
        found = [name for name in ("python", "pascal", "perl") if name.startswith(typed)]
        return [f"{name} for {known['code']}" for name in found] if "code" in known else found


if __name__ == "__main__":
    build(*map(int, sys.argv[1:])).run()
