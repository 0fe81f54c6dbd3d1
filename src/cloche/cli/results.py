"""What a server answered, on stdout: readable on a terminal, JSON in a pipe."""

from __future__ import annotations

import sys
from typing import Any

import msgspec

from cloche.client import CallToolResult, GetPromptResult, ReadResourceResult
from cloche.errors import shorten
from cloche.terminal import printable, report
from cloche.wire.types import AudioContent, EmbeddedResource, ImageContent, ResourceLink, TextContent

MAX_NAME = 200


def print_json(value: Any) -> None:
    """One JSON document, as it is."""
    data = msgspec.json.format(msgspec.json.encode(value), indent=2)
    sys.stdout.write(data.decode("utf-8") + "\n")
    sys.stdout.flush()


def call_as_json(result: CallToolResult) -> dict[str, Any]:
    """The result of a tool under MCP's own names, without what is empty."""
    found: dict[str, Any] = {"content": result.content, "isError": result.is_error}
    if result.structured_content is not None:
        found["structuredContent"] = result.structured_content
    if result.meta:
        found["_meta"] = result.meta
    return found


def show_call(result: CallToolResult) -> None:
    """Print the result of a tool: its text, or the value itself where there is no text."""
    style = "red" if result.is_error else ""
    for block in result.content:
        show_block(block, style)
    if not result.content and result.structured_content is not None:
        show_value(result.structured_content)
    elif not result.content:
        report("The tool failed without a word." if result.is_error else "Done: the tool returned nothing.", "dim")


def show_block(block: Any, style: str = "") -> None:
    """Print one piece of content."""
    if isinstance(block, TextContent):
        show_text(block.text, style)
    elif isinstance(block, ImageContent | AudioContent):
        what = "image" if isinstance(block, ImageContent) else "audio"
        report(f"[{what}: {_name(block.mime_type)}, {_size(block.data)}; -o json has it]", "dim")
    elif isinstance(block, ResourceLink):
        report(f"[resource: {_name(block.uri)}; cloche read has it]", "dim")
    elif isinstance(block, EmbeddedResource) and isinstance(block.resource, dict):
        text = block.resource.get("text")
        if isinstance(text, str):
            show_text(text, style)
        else:
            size = _size(str(block.resource.get("blob", "")))
            report(f"[resource: {_name(block.resource.get('uri'))}, {size}; -o json has it]", "dim")
    else:
        show_value(msgspec.to_builtins(block))


def show_read(result: ReadResourceResult) -> None:
    """Print what a resource holds."""
    for part in result.contents:
        if len(result.contents) > 1:
            report(_name(part.uri), "bold")
        if part.text is not None:
            show_text(part.text)
        else:
            report(f"[{_name(part.mime_type or 'bytes')}, {_size(part.blob or '')}; --raw > FILE keeps it]", "dim")


def show_prompt(result: GetPromptResult) -> None:
    """Print the messages of a prompt with their roles."""
    for message in result.messages:
        report(f"{message.role}:", "bold")
        show_block(message.content)


def show_text(text: str, style: str = "") -> None:
    """Print text of a server; JSON in it is laid out, when a person reads it."""
    if text[:1] in ("{", "[") and sys.stdout.isatty():
        try:
            show_value(msgspec.json.decode(text))
            return
        except (msgspec.DecodeError, RecursionError):
            pass
    report(printable(text), style)


def show_value(value: Any) -> None:
    """Print a value as JSON, in colour on a terminal."""
    text = printable(msgspec.json.format(msgspec.json.encode(value), indent=2).decode("utf-8"))
    if not sys.stdout.isatty():
        report(text)
        return
    from rich.console import Console
    from rich.syntax import Syntax

    Console(file=sys.stdout).print(Syntax(text, "json", theme="ansi_dark", background_color="default", word_wrap=True))


def _name(text: Any) -> str:
    return printable(shorten(str(text), MAX_NAME))


def _size(data: str) -> str:
    count = len(data) * 3 // 4
    return f"{count} bytes" if count < 1000 else f"{count / 1000:.1f} kB"
