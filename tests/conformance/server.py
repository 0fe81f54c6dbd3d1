"""The server that the official conformance suite wants to meet: every tool, resource and prompt its scenarios name.

`python server.py` serves it over HTTP at /mcp on a free port, and prints that port.
"""

from __future__ import annotations

import asyncio
import base64
import json
import socket
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import uvicorn
from msgspec import Meta

from cloche import (
    Audio,
    Context,
    Elicit,
    EmbeddedResource,
    Image,
    ListRoots,
    McpError,
    PromptMessage,
    Sample,
    Server,
    TextContent,
    ToolError,
)
from cloche.wire.types import ImageContent, TextResourceContents

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=="
)
WAV = base64.b64decode("UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQIAAAAAAA==")
STEP = 0.05
"""Seconds between the notifications of one tool, which the suite wants apart."""

server = Server("cloche-conformance", version="1.0")


# What tools return


@server.tool
async def test_simple_text() -> str:
    """Text."""
    return "This is a simple text response for testing."


@server.tool
async def test_image_content() -> Image:
    """An image."""
    return Image(PNG, mime_type="image/png")


@server.tool
async def test_audio_content() -> Audio:
    """A sound."""
    return Audio(WAV, mime_type="audio/wav")


@server.tool
async def test_embedded_resource() -> EmbeddedResource:
    """A resource inside the result."""
    text = "This is an embedded resource content."
    return EmbeddedResource(TextResourceContents("test://embedded-resource", text, "text/plain"))


@server.tool
async def test_multiple_content_types() -> list[TextContent | Image | EmbeddedResource]:
    """Text, an image and a resource."""
    data = TextResourceContents("test://mixed-content-resource", '{"test":"data","value":123}', "application/json")
    return [TextContent("Multiple content types test:"), Image(PNG, mime_type="image/png"), EmbeddedResource(data)]


@server.tool
async def test_error_handling() -> str:
    """Fails."""
    raise ToolError("This tool intentionally returns an error for testing")


@server.tool
async def test_header_argument(region: Annotated[str, Meta(extra_json_schema={"x-mcp-header": "Region"})]) -> str:
    """Has an argument that a header repeats."""
    return f"In {region}."


# What tools say meanwhile


@server.tool
async def test_tool_with_logging(ctx: Context) -> str:
    """Three log messages."""
    for text in ("Tool execution started", "Tool processing data", "Tool execution completed"):
        await ctx.info(text)
        await asyncio.sleep(STEP)
    return "Logged three times."


@server.tool
async def test_logging_tool(ctx: Context) -> str:
    """A log message, which only goes to clients that asked for a level."""
    await ctx.info("A message of the tool")
    return "Logged."


@server.tool
async def test_tool_with_progress(ctx: Context) -> str:
    """Three steps of progress."""
    for done in (0, 50, 100):
        await ctx.progress(done, 100)
        await asyncio.sleep(STEP)
    return "Progress complete."


@server.tool
async def test_trigger_tool_change() -> str:
    """The list of tools changes."""
    toggle(server.tools.get("test_comes_and_goes") is None)
    return "The list of tools changed."


@server.tool
async def test_trigger_prompt_change() -> str:
    """The list of prompts changes."""

    def test_comes_and_goes() -> str:
        """A prompt that comes and goes."""
        return "Here."

    if server.prompts.get("test_comes_and_goes") is None:
        server.register_prompt(test_comes_and_goes)
    else:
        server.remove_prompt("test_comes_and_goes")
    return "The list of prompts changed."


def toggle(wanted: bool) -> None:
    def test_comes_and_goes() -> str:
        """A tool that comes and goes."""
        return "Here."

    if wanted:
        server.register_tool(test_comes_and_goes)
    else:
        server.remove_tool("test_comes_and_goes")


# What tools ask


@dataclass
class Person:
    username: Annotated[str, Meta(description="User's response")]
    email: Annotated[str, Meta(description="User's email address")]


@dataclass
class Defaults:
    name: str = "John Doe"
    age: int = 30
    score: float = 95.5
    status: Literal["active", "inactive", "pending"] = "active"
    verified: bool = True


@dataclass
class Name:
    name: str


@dataclass
class Color:
    color: str


@dataclass
class Confirmation:
    ok: bool


@dataclass
class Background:
    context: str


def options(word: str, values: list[str], key: str) -> dict[str, Any]:
    numbers = ("First", "Second", "Third")
    return {key: [{"const": value, "title": f"{n} {word}"} for value, n in zip(values, numbers, strict=True)]}


CHOICES = {
    "type": "object",
    "properties": {
        "untitledSingle": {"type": "string", "enum": ["option1", "option2", "option3"]},
        "titledSingle": {"type": "string", **options("Option", ["value1", "value2", "value3"], "oneOf")},
        "legacyEnum": {
            "type": "string",
            "enum": ["opt1", "opt2", "opt3"],
            "enumNames": ["Option One", "Option Two", "Option Three"],
        },
        "untitledMulti": {"type": "array", "items": {"type": "string", "enum": ["option1", "option2", "option3"]}},
        "titledMulti": {"type": "array", "items": options("Choice", ["value1", "value2", "value3"], "anyOf")},
    },
}


@server.tool
async def test_sampling(prompt: str, ctx: Context) -> str:
    """Ask the client's model."""
    result = await ctx.sample(prompt, max_tokens=100)
    return f"LLM response: {sampled(result)}"


def sampled(result: Any) -> str:
    content = result.content
    return str(content["text"] if isinstance(content, dict) else getattr(content, "text", content))


@server.tool
async def test_elicitation(message: str, ctx: Context) -> str:
    """Ask the user for two texts."""
    answer = await ctx.elicit(message, Person)
    return f"User response: {answer!r}"


@server.tool
async def test_elicitation_sep1034_defaults(ctx: Context) -> str:
    """A form with a default for every kind of field."""
    answer = await ctx.elicit("Please review the defaults", Defaults)
    return f"Elicitation completed: {answer!r}"


@server.tool
async def test_elicitation_sep1330_enums(ctx: Context) -> str:
    """A form with every kind of choice."""
    answer = await ctx.elicit("Please choose", CHOICES)
    return f"Elicitation completed: {answer!r}"


@server.tool
async def test_missing_capability(ctx: Context) -> str:
    """Needs a client with a model."""
    return sampled(await ctx.sample("Are you there?", max_tokens=10))


@server.tool
async def test_streaming_elicitation(ctx: Context) -> str:
    """Some progress, then a question."""
    await ctx.progress(1, 2)
    answer = await ctx.elicit("What is your name?", Name)
    return f"Hello, {answer!r}!"


# Questions of the stateless era, by the keys that the suite looks for


@server.tool
async def test_input_required_result_elicitation(ctx: Context) -> str:
    """One question to the user."""
    answer = await ctx.elicit("What is your name?", Name, key="user_name")
    return f"Hello, {answer.data.name if answer.data else 'stranger'}!"


@server.tool
async def test_input_required_result_sampling(ctx: Context) -> str:
    """One question to the model."""
    return sampled(await ctx.sample("What is the capital of France?", max_tokens=100, key="capital_question"))


@server.tool
async def test_input_required_result_list_roots(ctx: Context) -> str:
    """One question about the roots."""
    return ", ".join(root.uri for root in await ctx.roots(key="client_roots"))


@server.tool
async def test_input_required_result_request_state(ctx: Context) -> str:
    """A question whose answer comes back with the state; "state-ok" says that the state arrived, too."""
    first = await ctx.once("started", lambda: "state-ok")
    answer = await ctx.elicit("Please confirm", Confirmation, key="confirm")
    return f"{first}: {answer!r}"


@server.tool
async def test_input_required_result_tampered_state(ctx: Context) -> str:
    """A question whose state must not be changed."""
    answer = await ctx.elicit("Please confirm", Confirmation, key="confirm")
    return repr(answer)


@server.tool
async def test_input_required_result_multiple_inputs(ctx: Context) -> str:
    """Three questions at once."""
    answers = await ctx.ask(
        user_name=Elicit("What is your name?", Name),
        greeting=Sample("Generate a greeting", max_tokens=50),
        client_roots=ListRoots(),
    )
    return f"{answers['user_name']!r}, {sampled(answers['greeting'])}, {len(answers['client_roots'])} roots"


@server.tool
async def test_input_required_result_multi_round(ctx: Context) -> str:
    """Two questions, one after the other."""
    name = await ctx.elicit("Step 1: What is your name?", Name, key="step1")
    color = await ctx.elicit("Step 2: What is your favorite color?", Color, key="step2")
    return f"{name!r} likes {color!r}"


@server.tool
async def test_input_required_result_capabilities(ctx: Context) -> str:
    """Asks for what the client says it can do, and for nothing else."""
    asks: dict[str, Any] = {}
    if "sampling" in ctx.client_capabilities:
        asks["greeting"] = Sample("Generate a greeting", max_tokens=50)
    if "elicitation" in ctx.client_capabilities:
        asks["user_name"] = Elicit("What is your name?", Name)
    return ", ".join(await ctx.ask(**asks))


# Tasks


@dataclass
class Answer:
    """What the suite fills in, whatever it is asked."""

    confirm: bool
    name: str = ""


@server.tool
async def greet(name: str) -> str:
    """Answers at once."""
    return f"Hello, {name}!"


@server.tool(task=True)
async def slow_compute(seconds: float, label: str = "") -> str:
    """Takes its time."""
    await asyncio.sleep(seconds)
    return f"Computed {label}"


@server.tool(task="required")
async def failing_job() -> str:
    """Fails as a tool does."""
    await asyncio.sleep(STEP)
    raise ToolError("This job always fails")


@server.tool(task=True)
async def protocol_error_job() -> str:
    """Fails with an error of the protocol."""
    raise McpError("This job breaks", code=-32603)


@server.tool(task=True)
async def confirm_delete(filename: str, ctx: Context) -> str:
    """Asks within the task."""
    answer = await ctx.elicit(f"Delete {filename}?", Answer)
    return f"{filename}: {answer!r}"


@server.tool(task=True)
async def multi_input(ctx: Context) -> str:
    """Asks two things at once within the task."""
    answers = await ctx.ask(first=Elicit("First?", Answer), second=Elicit("Second?", Answer))
    return f"{answers['first']!r}, {answers['second']!r}"


@server.tool(task="later")
async def test_tool_with_task(ctx: Context) -> str:
    """Asks first, and becomes a task then."""
    answer = await ctx.elicit("What is your name?", Name, key="user_name")
    await ctx.become_task()
    return f"Hello, {answer.data.name if answer.data else 'stranger'}!"


# Resources


@server.resource("test://static-text", mime_type="text/plain")
async def static_text() -> str:
    """A text."""
    return "This is the content of the static text resource."


@server.resource("test://static-binary", mime_type="image/png")
async def static_binary() -> bytes:
    """An image."""
    return PNG


@server.resource("test://watched-resource", mime_type="text/plain")
async def watched_resource() -> str:
    """A text to subscribe to."""
    return "Watched."


@server.resource("test://template/{id}/data", mime_type="application/json")
async def template_data(id: str) -> str:
    """Data by id."""
    return json.dumps({"id": id, "templateTest": True, "data": f"Data for ID: {id}"})


# Prompts


@server.prompt
async def test_simple_prompt() -> str:
    """A text."""
    return "This is a simple prompt for testing."


@server.prompt
async def test_prompt_with_arguments(arg1: str, arg2: str) -> str:
    """A text made of two arguments.

    Args:
        arg1: First test argument
        arg2: Second test argument
    """
    return f"Prompt with arguments: arg1='{arg1}', arg2='{arg2}'"


@server.prompt
async def test_prompt_with_embedded_resource(resourceUri: str) -> list[PromptMessage]:
    """A resource and a text.

    Args:
        resourceUri: URI of the resource to embed
    """
    embedded = TextResourceContents(resourceUri, "Embedded resource content for testing.", "text/plain")
    return [
        PromptMessage("user", EmbeddedResource(embedded)),
        PromptMessage("user", TextContent("Please process the embedded resource above.")),
    ]


@server.prompt
async def test_prompt_with_image() -> list[PromptMessage]:
    """An image and a text."""
    return [
        PromptMessage("user", ImageContent(base64.b64encode(PNG).decode(), "image/png")),
        PromptMessage("user", TextContent("Please analyze the image above.")),
    ]


@server.prompt
async def test_input_required_result_prompt(ctx: Context) -> str:
    """A prompt that asks the user first."""
    answer = await ctx.elicit("What context should the prompt use?", Background, key="user_context")
    return f"Use this context: {answer.data.context if answer.data else 'none'}"


@server.completion("test_prompt_with_arguments", argument="arg1")
def suggest(value: str, given: dict[str, str]) -> list[str]:
    return [word for word in ("paris", "park", "party", "test", "testing") if word.startswith(value)]


def main() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        print(listener.getsockname()[1], flush=True)
        config = uvicorn.Config(server.asgi(path="/mcp"), log_level="warning", timeout_graceful_shutdown=1)
        asyncio.run(uvicorn.Server(config).serve(sockets=[listener]))


if __name__ == "__main__":
    main()
