"""Whether the client of a call shows views."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from cloche.wire.apps.mime import EXTENSION_ID, is_profile_mime_type

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
