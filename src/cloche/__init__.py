"""Cloche: MCP in and around the browser, from Python.

Names are loaded when they are first used, so that `from cloche import Server` costs what a server's definition needs
and no more.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cloche.auth import Principal
    from cloche.client import Client
    from cloche.errors import McpError, ToolError
    from cloche.server.capability import Capability
    from cloche.server.client_requests import Elicit, Elicited, ElicitUrl, ListRoots, Sample
    from cloche.server.content import Audio, Image, ToolResult
    from cloche.server.context import Context
    from cloche.server.limits import Limits
    from cloche.server.server import Server
    from cloche.settings import config
    from cloche.views.declared_csp import Csp
    from cloche.views.view import View
    from cloche.wire.types import (
        Annotations,
        BlobResourceContents,
        EmbeddedResource,
        Icon,
        PromptMessage,
        ResourceLink,
        TextContent,
        TextResourceContents,
        ToolAnnotations,
    )

_HOMES = {
    "Annotations": "cloche.wire.types",
    "Audio": "cloche.server.content",
    "BlobResourceContents": "cloche.wire.types",
    "Capability": "cloche.server.capability",
    "Client": "cloche.client.client",
    "Context": "cloche.server.context",
    "Csp": "cloche.views.declared_csp",
    "Elicit": "cloche.server.client_requests",
    "ElicitUrl": "cloche.server.client_requests",
    "Elicited": "cloche.server.client_requests",
    "EmbeddedResource": "cloche.wire.types",
    "Icon": "cloche.wire.types",
    "Image": "cloche.server.content",
    "Limits": "cloche.server.limits",
    "ListRoots": "cloche.server.client_requests",
    "McpError": "cloche.errors",
    "Principal": "cloche.auth",
    "PromptMessage": "cloche.wire.types",
    "ResourceLink": "cloche.wire.types",
    "Sample": "cloche.server.client_requests",
    "Server": "cloche.server.server",
    "TextContent": "cloche.wire.types",
    "TextResourceContents": "cloche.wire.types",
    "ToolAnnotations": "cloche.wire.types",
    "ToolError": "cloche.errors",
    "ToolResult": "cloche.server.content",
    "View": "cloche.views.view",
    "config": "cloche.settings",
}

__all__ = [
    "Annotations",
    "Audio",
    "BlobResourceContents",
    "Capability",
    "Client",
    "Context",
    "Csp",
    "Elicit",
    "ElicitUrl",
    "Elicited",
    "EmbeddedResource",
    "Icon",
    "Image",
    "Limits",
    "ListRoots",
    "McpError",
    "Principal",
    "PromptMessage",
    "ResourceLink",
    "Sample",
    "Server",
    "TextContent",
    "TextResourceContents",
    "ToolAnnotations",
    "ToolError",
    "ToolResult",
    "View",
    "config",
]


import_module("cloche.logs")  # its loggers are guarded before any of them is used


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'cloche' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(home), name)
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
