"""What a server has, as tables for people."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import msgspec

from cloche.cli.targets import ServerWords
from cloche.cli.words import KINDS, choices_of, kinds_of, simple_schemas
from cloche.client import Client
from cloche.errors import McpError, shorten
from cloche.terminal import describe, printable
from cloche.wire.apps.metadata import visibility
from cloche.wire.types import Prompt, Resource, ResourceTemplate, Tool

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

MAX_DESCRIPTION = 300

VIEW_SCHEME = "ui://"
"""Pages of views, which hosts read and people do not."""


@dataclass
class Listing:
    """Everything that a server lists."""

    server: Any = None
    protocol_version: str = ""
    instructions: str | None = None
    tools: list[Tool] = field(default_factory=list)
    resources: list[Resource] = field(default_factory=list)
    resource_templates: list[ResourceTemplate] = field(default_factory=list)
    prompts: list[Prompt] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        """The listing for programs, under MCP's own names."""
        found = {
            "server": self.server,
            "protocolVersion": self.protocol_version,
            "instructions": self.instructions,
            "tools": self.tools,
            "resources": self.resources,
            "resourceTemplates": self.resource_templates,
            "prompts": self.prompts,
        }
        return {key: value for key, value in msgspec.to_builtins(found).items() if value is not None}


async def read_listing(client: Client) -> Listing:
    """Ask a server for all its lists; one that it does not have is empty."""
    found = Listing(client.server_info, client.protocol_version, client.instructions)
    capabilities = client.server_capabilities
    if "tools" in capabilities:
        found.tools = await client.list_tools()
    if "resources" in capabilities:
        found.resources = await client.list_resources()
        try:
            found.resource_templates = await client.list_resource_templates()
        except McpError:  # servers of the first versions have no templates
            found.resource_templates = []
    if "prompts" in capabilities:
        found.prompts = await client.list_prompts()
    return found


def show_listing(found: Listing, *, everything: bool) -> None:
    """Print the tables to stdout."""
    console = console_of_stdout()
    shown = [tool for tool in found.tools if everything or is_for_models(tool)]
    resources = [one for one in found.resources if everything or not one.uri.startswith(VIEW_SCHEME)]
    counts = {
        "tool": len(shown),
        "resource": len(resources) + len(found.resource_templates),
        "prompt": len(found.prompts),
    }
    hidden = {"tool": len(found.tools) - len(shown), "page": len(found.resources) - len(resources)}
    name = " ".join(part for part in (found.server.name, found.server.version) if part) if found.server else "server"
    title = f"{printable(shorten(name, 100))}: {describe(counts)}, protocol {found.protocol_version}"
    print_text(console, title, "bold")
    if found.instructions:
        print_text(console, printable(shorten(found.instructions, 2000)), "dim")
    table(console, ("Tool", "Arguments", "Description"), [(tool.name, signature(tool), about(tool)) for tool in shown])
    addresses = [(one.uri, one.mime_type or "", about(one)) for one in resources]
    addresses += [(one.uri_template, one.mime_type or "", about(one)) for one in found.resource_templates]
    table(console, ("Resource", "Type", "Description"), addresses)
    prompts = [(one.name, wants(one), about(one)) for one in found.prompts]
    table(console, ("Prompt", "Arguments", "Description"), prompts)
    kept_back = {what: count for what, count in hidden.items() if count}
    if kept_back:
        print_text(console, f"Only for views: {describe(kept_back)}; --all lists them too.", "dim")


def show_tool(tool: Tool, server: ServerWords) -> None:
    """Print one tool with everything about its arguments."""
    console = console_of_stdout()
    print_text(console, printable(tool.name + (f": {tool.title}" if tool.title else "")), "bold")
    if tool.description:
        print_text(console, printable(tool.description))
    hints = msgspec.to_builtins(tool.annotations) if tool.annotations is not None else {}
    said = [name.removesuffix("Hint") for name, value in hints.items() if value is True and name.endswith("Hint")]
    if said:
        print_text(console, f"The server says: {', '.join(said)}", "dim")
    rows = []
    properties = tool.input_schema.get("properties")
    required = tool.input_schema.get("required") or ()
    for name, schema in (properties if isinstance(properties, dict) else {}).items():
        text = schema.get("description") if isinstance(schema, dict) else None
        default = f"default {msgspec.json.encode(schema['default']).decode()}" if _has_default(schema) else ""
        rows.append((name, kind(schema, tool.input_schema), "required" if name in required else default, text or ""))
    table(console, ("Argument", "Type", "", "Description"), rows)
    example = " ".join([tool.name, *(f"{name}=…" for name in required)])
    print_text(console, printable(server.typed_with("call", example)), "cyan")


def is_for_models(tool: Tool) -> bool:
    """Whether it is more than a helper that only views call."""
    return "model" in visibility(msgspec.to_builtins(tool))


def signature(tool: Tool) -> str:
    """`city days=3 [units]`: required, with a default, and without one."""
    properties = tool.input_schema.get("properties")
    required = tool.input_schema.get("required") or ()
    parts = []
    for name, schema in (properties if isinstance(properties, dict) else {}).items():
        default = msgspec.json.encode(schema["default"]).decode() if _has_default(schema) else None
        short = default is not None and len(default) <= 20 and default != "null"
        parts.append(name if name in required else f"{name}={default}" if short else f"[{name}]")
    return " ".join(parts)


def wants(prompt: Prompt) -> str:
    """The arguments of a prompt, in the same form."""
    return " ".join(one.name if one.required else f"[{one.name}]" for one in prompt.arguments or ())


def kind(schema: Any, root: dict[str, Any]) -> str:
    """The type of an argument, for people."""
    options = list(simple_schemas(schema, root))
    offered = [msgspec.json.encode(value).decode() for one in options for value in choices_of(one)]
    if offered:
        return shorten(" | ".join(offered), 200)
    names = {name for one in options for name in kinds_of(one)}
    return "any" if len(names) == len(KINDS) else " | ".join(name for name in KINDS if name in names)


def about(thing: Tool | Resource | ResourceTemplate | Prompt) -> str:
    """The first paragraph of a description, else the title."""
    text = (thing.description or thing.title or "").strip().partition("\n\n")[0]
    return shorten(" ".join(text.split()), MAX_DESCRIPTION)


def table(console: Console, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a table, unless it is empty."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    if not rows:
        return
    made = Table(box=box.SIMPLE_HEAD, pad_edge=False, header_style="dim", expand=False)
    for number, head in enumerate(heads):
        # A name is copied, so it is folded and never shortened.
        made.add_column(head, overflow="fold", style="cyan" if number == 0 else None, ratio=None)
    for row in rows:
        made.add_row(*(Text(printable(cell)) for cell in row))
    print_text(console, made)


def console_of_stdout() -> Console:
    """Where tables go: as wide as the terminal, and as wide as they need in a file."""
    from rich.console import Console

    return Console(file=sys.stdout) if sys.stdout.isatty() else Console(file=sys.stdout, width=160)


def print_text(console: Console, what: RenderableType, style: str = "") -> None:
    """Print without taking brackets for styles."""
    if isinstance(what, str):
        console.print(what, style=style or None, markup=False, highlight=False, soft_wrap=False)
    else:
        console.print(what)


def _has_default(schema: Any) -> bool:
    return isinstance(schema, dict) and "default" in schema
