"""A page with `window.openai` in it, for hosts that show it as ChatGPT would (`HostProfile(openai=True)`)."""

from __future__ import annotations

from cloche.views.scripts import put_first
from cloche.web import bundled
from cloche.wire.types import Json

SAFE_AREA: Json = {"insets": {"top": 0, "bottom": 0, "left": 0, "right": 0}}
DESKTOP: Json = {"device": {"type": "desktop"}, "capabilities": {"hover": True, "touch": False}}


def with_openai(
    html: str,
    context: Json,
    arguments: Json | None,
    result: Json | None,
    state: object = None,
    *,
    keeps_state: bool = False,
) -> str:
    """The page with a script before all others that makes `window.openai` from what is known already.

    `keeps_state` when the host keeps what the page gives to `setWidgetState`, and gives it back as `state`.
    """
    room = context.get("containerDimensions") or {}
    found = result or {}
    known: Json = {
        "theme": context.get("theme", "light"),
        "locale": context.get("locale", "en-US"),
        "displayMode": context.get("displayMode", "inline"),
        "maxHeight": room.get("maxHeight") or room.get("height"),
        "safeArea": context.get("safeAreaInsets") or SAFE_AREA,
        "userAgent": DESKTOP,
        "view": None,
        "toolInput": arguments or {},
        "toolOutput": found.get("structuredContent"),
        "toolResponseMetadata": found.get("_meta"),
        "widgetState": state,
    }
    return put_first(html, f"<script>{bundled('window-openai.js', GLOBALS=known, KEEPS_STATE=keeps_state)}</script>")
