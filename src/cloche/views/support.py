"""What the other side says of views: does a client show them, and where does a tool lead?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from cloche.views.metadata import SCHEME
from cloche.views.mime import EXTENSION_ID, RESOURCE_URI_META_KEY, is_profile_mime_type

if TYPE_CHECKING:
    from cloche.server.context import Context


def client_supports_views(ctx: Context) -> bool:
    """Whether the client says that it shows views of the current kind.

    For wording an answer, never for leaving something out: hosts that show views forget to say so.
    """
    return supports_views(ctx.client_capabilities)


def supports_views(capabilities: Mapping[str, Any]) -> bool:
    """The same for capabilities as a client declared them; clients of the handshake era have them in two places."""
    for place in ("extensions", "experimental"):
        extensions = capabilities.get(place)
        settings = extensions.get(EXTENSION_ID) if isinstance(extensions, dict) else None
        kinds = settings.get("mimeTypes") if isinstance(settings, dict) else None
        if isinstance(kinds, list) and any(is_profile_mime_type(kind) for kind in kinds):
            return True
    return False


def view_uri_of(tool: Mapping[str, Any]) -> str | None:
    """The `ui://` URI that a tool (or a result) of any server leads to, as JSON, in whichever spelling it is written.

    Nested before flat before annotations before the older `mcp:` keys; what is no `ui://` URI counts as nothing.
    """
    meta = _mapping(tool.get("_meta"))
    annotations = _mapping(tool.get("annotations"))
    candidates = (
        _mapping(meta.get("ui")).get("resourceUri"),
        meta.get(RESOURCE_URI_META_KEY),
        annotations.get(RESOURCE_URI_META_KEY),
        meta.get("mcp:htmlUri"),
        meta.get("mcp:instanceUri"),
        meta.get("mcp:resourceUri"),
    )
    for found in candidates:
        if isinstance(found, str) and found.startswith(SCHEME):
            return found
    return None


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
