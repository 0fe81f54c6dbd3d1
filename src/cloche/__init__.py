"""Cloche: MCP in and around the browser, from Python.

Names are loaded when they are first used, so that `from cloche import Server` costs what a server's definition needs
and no more.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from cloche.lazy import lazy_names

if TYPE_CHECKING:
    from cloche.auth import Principal as Principal
    from cloche.client import Client as Client
    from cloche.components.capability import Components as Components
    from cloche.errors import McpError as McpError
    from cloche.errors import SetupError as SetupError
    from cloche.errors import ToolError as ToolError
    from cloche.server.capability import Capability as Capability
    from cloche.server.client_requests import Elicit as Elicit
    from cloche.server.client_requests import Elicited as Elicited
    from cloche.server.client_requests import ElicitUrl as ElicitUrl
    from cloche.server.client_requests import ListRoots as ListRoots
    from cloche.server.client_requests import Sample as Sample
    from cloche.server.content import Audio as Audio
    from cloche.server.content import Image as Image
    from cloche.server.content import ToolResult as ToolResult
    from cloche.server.context import Context as Context
    from cloche.server.limits import Limits as Limits
    from cloche.server.picked_file import PickedFile as PickedFile
    from cloche.server.secret import Secret as Secret
    from cloche.server.server import Server as Server
    from cloche.server.setup import setup_required as setup_required
    from cloche.settings import config as config
    from cloche.store.store import Store as Store
    from cloche.views.declared_csp import Csp as Csp
    from cloche.views.view import View as View
    from cloche.wire.types import Annotations as Annotations
    from cloche.wire.types import BlobResourceContents as BlobResourceContents
    from cloche.wire.types import EmbeddedResource as EmbeddedResource
    from cloche.wire.types import Icon as Icon
    from cloche.wire.types import PromptMessage as PromptMessage
    from cloche.wire.types import ResourceLink as ResourceLink
    from cloche.wire.types import TextContent as TextContent
    from cloche.wire.types import TextResourceContents as TextResourceContents
    from cloche.wire.types import ToolAnnotations as ToolAnnotations

_HOMES = {
    "Annotations": "wire.types",
    "Audio": "server.content",
    "BlobResourceContents": "wire.types",
    "Capability": "server.capability",
    "Client": "client.client",
    "Components": "components.capability",
    "Context": "server.context",
    "Csp": "views.declared_csp",
    "Elicit": "server.client_requests",
    "ElicitUrl": "server.client_requests",
    "Elicited": "server.client_requests",
    "EmbeddedResource": "wire.types",
    "Icon": "wire.types",
    "Image": "server.content",
    "Limits": "server.limits",
    "ListRoots": "server.client_requests",
    "McpError": "errors",
    "PickedFile": "server.picked_file",
    "Principal": "auth",
    "PromptMessage": "wire.types",
    "ResourceLink": "wire.types",
    "Sample": "server.client_requests",
    "Secret": "server.secret",
    "Server": "server.server",
    "SetupError": "errors",
    "Store": "store.store",
    "TextContent": "wire.types",
    "TextResourceContents": "wire.types",
    "ToolAnnotations": "wire.types",
    "ToolError": "errors",
    "ToolResult": "server.content",
    "View": "views.view",
    "config": "settings",
    "setup_required": "server.setup",
}

__all__ = [*_HOMES]  # noqa: PLE0604


import_module("cloche.logs")  # its loggers are guarded before any of them is used
__getattr__, __dir__ = lazy_names(__name__, _HOMES)
