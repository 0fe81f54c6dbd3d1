"""What counts as a server: Cloche's, and those of `mcp` and `fastmcp`, recognised without importing either."""

from __future__ import annotations

import sys
from typing import Literal

Kind = Literal["cloche", "mcp", "lowlevel", "fastmcp"]

# First module names, then the class's name: a subclass in the user's file counts through its bases.
CLASSES: dict[Kind, tuple[str, str]] = {
    "cloche": ("cloche.server", "Server"),
    "fastmcp": ("fastmcp", "FastMCP"),
    "mcp": ("mcp.server.mcpserver", "MCPServer"),
    "lowlevel": ("mcp.server.lowlevel", "Server"),
}


def kind_of(thing: object) -> Kind | None:
    """Which library's server `thing` is, or None."""
    if isinstance(thing, type):
        return None
    for kind, (package, name) in CLASSES.items():
        if package in sys.modules and any(_matches(cls, package, name) for cls in type(thing).__mro__):
            return kind
    return None


def _matches(cls: type, package: str, name: str) -> bool:
    return cls.__name__ == name and (cls.__module__ == package or cls.__module__.startswith(package + "."))
