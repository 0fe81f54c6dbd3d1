"""The protocol's revisions, and the one table that says where they differ.

Two eras: up to 2025-11-25 a connection begins with an `initialize` handshake; from 2026-07-28 on every request stands
alone and says its version itself. Nothing else in the package compares version strings: it asks `FEATURES`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

HANDSHAKE_VERSIONS = ("2024-10-07", "2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
"""Versions agreed on by `initialize`, oldest first."""

STATELESS_VERSIONS = ("2026-07-28",)
"""Versions that each request names in its `_meta`, oldest first."""

SUPPORTED_VERSIONS = HANDSHAKE_VERSIONS + STATELESS_VERSIONS
"""Every version spoken here, oldest first."""

LATEST_VERSION = SUPPORTED_VERSIONS[-1]
"""The newest version spoken here."""

LATEST_HANDSHAKE_VERSION = HANDSHAKE_VERSIONS[-1]
"""What `initialize` is answered with when the client asks for a version nobody knows."""

DEFAULT_HTTP_VERSION = "2025-03-26"
"""What an HTTP request without a version header means: the header came with 2025-06-18."""


class Features(msgspec.Struct, frozen=True, kw_only=True):
    """What one version of the protocol has and the others have not."""

    version: str
    stateless: bool = False
    """Every request stands alone: no handshake, no session, no requests from server to client."""
    batches: bool = False
    """Several messages may come as one list."""
    audio: bool = False
    """Content may be audio."""
    annotations: bool = False
    """Tools carry annotations."""
    completions: bool = False
    """The completions capability is announced."""
    titles: bool = False
    """Tools, resources, prompts and implementations have a title beside their name."""
    item_meta: bool = False
    """Tools, resources, prompts and contents carry `_meta`."""
    structured: bool = False
    """Results have `structuredContent`, tools an output schema."""
    links: bool = False
    """Content may be a link to a resource."""
    elicitation: bool = False
    """The user can be asked through the client."""
    icons: bool = False
    """Tools, resources, prompts and implementations have icons."""
    any_structure: bool = False
    """Structured content may be any JSON, not only an object."""
    primed: bool = False
    """The stream that answers a request begins with an event that has an id and no data: what a client resumes from."""
    task_requests: bool = False
    """A client may ask for a call to run as a task, and tools say whether they can (experimental)."""
    task_results: bool = False
    """A server may answer a call with a task (an extension)."""
    resource_not_found: int = -32002
    """The code that answers an unknown URI."""


_CHANGES: dict[str, dict[str, Any]] = {
    "2024-10-07": {},
    "2024-11-05": {},
    "2025-03-26": {"batches": True, "audio": True, "annotations": True, "completions": True},
    "2025-06-18": {
        "batches": False,
        **dict.fromkeys(("titles", "item_meta", "structured", "links", "elicitation"), True),
    },
    "2025-11-25": {"icons": True, "primed": True, "task_requests": True},
    "2026-07-28": {
        **dict.fromkeys(("stateless", "any_structure", "task_results"), True),
        **dict.fromkeys(("primed", "task_requests"), False),
        "resource_not_found": -32602,
    },
}
"""What each version changed, oldest first."""


def _features() -> Iterator[Features]:
    known: dict[str, Any] = {}
    for version, changed in _CHANGES.items():
        known |= changed
        yield Features(version=version, **known)


FEATURES: dict[str, Features] = {features.version: features for features in _features()}
"""Where the versions differ."""

PROTOCOL_METHODS = frozenset(
    {
        "initialize",
        "ping",
        "server/discover",
        "subscriptions/listen",
        "tools/list",
        "tools/call",
        "resources/list",
        "resources/templates/list",
        "resources/read",
        "resources/subscribe",
        "resources/unsubscribe",
        "prompts/list",
        "prompts/get",
        "completion/complete",
        "logging/setLevel",
        "sampling/createMessage",
        "elicitation/create",
        "roots/list",
        "tasks/get",
        "tasks/result",
        "tasks/list",
        "tasks/cancel",
        "tasks/update",
    }
)
"""Methods that the protocol defines, in either direction."""

CONNECTION_METHODS = frozenset({"initialize", "ping", "server/discover", "subscriptions/listen", "logging/setLevel"})
"""Methods that are about the connection, and not about what the server offers."""

INPUT_METHODS = frozenset({"tools/call", "prompts/get", "resources/read"})
"""Methods that may be answered with a question (`input_required`) in the stateless era."""

NAMED_BY = {
    "tools/call": "name",
    "prompts/get": "name",
    "resources/read": "uri",
    **dict.fromkeys(("tasks/get", "tasks/update", "tasks/cancel"), "task_id"),
}
"""Methods with a target, and the parameter that names it: the header Mcp-Name repeats it."""


def negotiate(requested: str) -> Features:
    """The version an `initialize` is answered with: the one asked for when it is spoken here, else our latest."""
    return FEATURES[requested if requested in HANDSHAKE_VERSIONS else LATEST_HANDSHAKE_VERSION]
