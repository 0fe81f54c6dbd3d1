"""`_meta` of MCP Apps in every spelling that is in use: what hosts read from it, and what servers write into it.

A tool leads to its view by `_meta.ui.resourceUri`, by the flat `ui/resourceUri`, by annotations or by the older `mcp:`
keys, for ChatGPT by `openai/outputTemplate`. A resource declares origins, permissions, border and size in its entry of
`resources/list` or in the content that `resources/read` returns; the content wins.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from cloche.errors import shorten
from cloche.wire.apps.mime import SCHEME, is_app_mime_type
from cloche.wire.apps.origins import CSP_LISTS, checked_csp
from cloche.wire.types import Json

RESOURCE_URI_META_KEY = "ui/resourceUri"
"""The flat key that links a tool to its view, beside `_meta.ui.resourceUri`."""

TEMPLATE_META_KEY = "openai/outputTemplate"
"""The key that links a tool to its view for ChatGPT."""

WIDGET_CSP_META_KEY = "openai/widgetCSP"
SIZE_META_KEY = "cloche/size"
"""Where a resource says how large it would like to be: `{"width": 400, "height": 300}`, in CSS pixels."""

MAX_SIDE = 10_000
"""Pixels of the longest side that a resource may wish for."""

PERMISSIONS = {
    "camera": "camera",
    "microphone": "microphone",
    "geolocation": "geolocation",
    "clipboardWrite": "clipboard-write",
}
"""What a view may ask for, and the browser's word for it (W06)."""

VISIBILITIES = ("model", "app")
_WIDGET_LISTS = {
    "connectDomains": "connect_domains",
    "resourceDomains": "resource_domains",
    "frameDomains": "frame_domains",
}


# What a tool or a result says


def named_view(entry: Mapping[str, Any]) -> Any:
    """What a tool names as its view in MCP Apps' own two spellings, whatever it is; None when it names none."""
    meta = _dict(entry.get("_meta"))
    nested = _dict(meta.get("ui")).get("resourceUri")
    return nested if nested is not None else meta.get(RESOURCE_URI_META_KEY)


def view_uri_of(tool: Mapping[str, Any]) -> str | None:
    """The `ui://` URI that a tool (or a result) of any server leads to, as JSON, in whichever spelling it is written.

    Nested before flat before annotations before the older `mcp:` keys; what is no `ui://` URI counts as nothing.
    """
    meta, annotations = _dict(tool.get("_meta")), _dict(tool.get("annotations"))
    return _first_uri(
        _dict(meta.get("ui")).get("resourceUri"),
        meta.get(RESOURCE_URI_META_KEY),
        annotations.get(RESOURCE_URI_META_KEY),
        meta.get("mcp:htmlUri"),
        meta.get("mcp:instanceUri"),
        meta.get("mcp:resourceUri"),
    )


def view_uri(tool: Mapping[str, Any], result: Mapping[str, Any] | None, *, openai: bool = False) -> str | None:
    """Where a tool, or a result of it, leads: what the result says wins, because it knows more. With `openai` also to
    a view that is named for ChatGPT only.
    """
    if result is not None:
        embedded = embedded_view(result)
        linked = str(embedded["uri"]) if embedded is not None else view_uri_of(result)
        if linked is not None:
            return linked
    template = _first_uri(_dict(tool.get("_meta")).get(TEMPLATE_META_KEY)) if openai else None
    return view_uri_of(tool) or template


def embedded_view(result: Mapping[str, Any]) -> Json | None:
    """The first page among the resources inside a result."""
    content = result.get("content")
    for block in content if isinstance(content, list) else ():
        resource: Json = _dict(_dict(block).get("resource"))
        if _dict(block).get("type") == "resource" and _first_uri(resource.get("uri")) and _is_page(resource):
            return resource
    return None


def visibility(tool: Mapping[str, Any]) -> tuple[str, ...]:
    """Who may call a tool: both, unless it says otherwise. What is not a list lets nobody (W14)."""
    ui = _dict(_dict(tool.get("_meta")).get("ui"))
    if "visibility" not in ui:
        return VISIBILITIES
    said = ui["visibility"]
    return tuple(one for one in said if one in VISIBILITIES) if isinstance(said, list) else ()


def _first_uri(*candidates: Any) -> str | None:
    return next((one for one in candidates if isinstance(one, str) and one.startswith(SCHEME)), None)


def _is_page(resource: Json) -> bool:
    kind = resource.get("mimeType")
    plain = isinstance(kind, str) and kind.split(";")[0].strip().lower() == "text/html"
    return plain or is_app_mime_type(kind)


# What a resource declares


class Declaration(msgspec.Struct, frozen=True, kw_only=True):
    """What a view's resource declares, checked."""

    csp: dict[str, list[str]]
    widget_csp: dict[str, list[str]]
    """The origins that it declares for ChatGPT, which no other host looks at."""
    permissions: tuple[str, ...] = ()
    """As they are written in `_meta.ui.permissions`; what is granted is decided when the view is opened."""
    border: bool | None = None
    size: Json | None = None
    left_out: tuple[str, ...] = ()
    """What of the declaration was not taken, and why."""


def declares(meta: Json) -> bool:
    """Whether this `_meta` says something about a view, so that no other place has to be asked."""
    return "ui" in meta


def ui_of(metas: Iterable[Any]) -> Json:
    """`_meta.ui` of a resource, from the first of its `_meta` that has one."""
    return next((_dict(meta["ui"]) for meta in metas if isinstance(meta, dict) and "ui" in meta), {})


def declaration(metas: Sequence[Json]) -> Declaration:
    """What a resource declares in its `_meta`, which may stand in several places: the first that says it wins."""
    ui, left_out = ui_of(metas), list[str]()
    widget = next((meta for meta in metas if WIDGET_CSP_META_KEY in meta), {})
    border = ui.get("prefersBorder")
    return Declaration(
        csp=checked_csp(ui.get("csp"), left_out),
        widget_csp=checked_csp(declared_for_chatgpt(widget), []),
        permissions=checked_permissions(ui.get("permissions"), left_out),
        border=border if isinstance(border, bool) else None,
        size=_size(metas),
        left_out=tuple(left_out),
    )


def declared_for_chatgpt(meta: Mapping[str, Any]) -> Json | None:
    """The origins that a resource declares in ChatGPT's spelling, by the names of `_meta.ui.csp`; None without any."""
    declared = meta.get(WIDGET_CSP_META_KEY)
    if not isinstance(declared, dict):
        return None
    return {name: declared[older] for name, older in _WIDGET_LISTS.items() if older in declared}


def checked_permissions(declared: object, left_out: list[str]) -> tuple[str, ...]:
    """The declared permissions that exist; only their names count, never what stands behind them."""
    asked = _dict(declared)
    left_out += [
        f"there is no permission {shorten(repr(name))}" for name in list(asked)[:10] if name not in PERMISSIONS
    ]
    return tuple(name for name in PERMISSIONS if asked.get(name) not in (None, False))


def _size(metas: Sequence[Json]) -> Json | None:
    for meta in metas:
        wished = _dict(meta.get(SIZE_META_KEY))
        sides = {name: wished[name] for name in ("width", "height") if is_side(wished.get(name))}
        if sides:
            return sides
    return None


def is_side(value: object) -> bool:
    """Whether this is a width or height in pixels."""
    return isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= MAX_SIDE


# What a server writes


def link_meta(uri: str, template: str, *, partial_input: bool = False, tool_list_changed: bool = False) -> Json:
    """`_meta` of a tool that leads to its view, in all three spellings."""
    return {
        "ui": {"resourceUri": uri},
        RESOURCE_URI_META_KEY: uri,
        "ui/capabilities": {"toolListChanged": tool_list_changed, "supportsPartialInput": partial_input},
        TEMPLATE_META_KEY: template,
        "openai/widgetAccessible": True,
    }


def visibility_meta(visibility: Sequence[str]) -> Json:
    """`_meta` of a tool that says who may call it."""
    return {
        "ui": {"visibility": list(visibility)},
        "openai/widgetAccessible": "app" in visibility,
        "openai/visibility": "public" if "model" in visibility else "private",
    }


def resource_meta(
    *,
    csp: Mapping[str, list[str]],
    permissions: Sequence[str] = (),
    domain: str | None = None,
    prefers_border: bool | None = None,
    width: int | None = None,
    height: int | None = None,
) -> Json:
    """`_meta` of a view's resource: the same on the entry of the list and on the content, because hosts differ in where
    they look, and the origins in both spellings, because ChatGPT reads its own only.
    """
    ui: Json = {
        "csp": dict(csp) or None,
        "permissions": {name: {} for name in permissions} or None,
        "domain": domain,
        "prefersBorder": prefers_border,
    }
    sides = {name: side for name, side in (("width", width), ("height", height)) if side is not None}
    found = {
        "ui": {name: value for name, value in ui.items() if value is not None},
        WIDGET_CSP_META_KEY: widget_csp(csp) if csp else {},
        SIZE_META_KEY: sides,
    }
    return {key: value for key, value in found.items() if value}


def skybridge_meta(meta: Json, *, csp: Mapping[str, list[str]] | None, description: str | None) -> Json:
    """`_meta` of the page that ChatGPT reads: that of the view, and the keys that ChatGPT read first."""
    ui = _dict(meta.get("ui"))
    widget = {
        WIDGET_CSP_META_KEY: None if csp is None else widget_csp(csp),
        "openai/widgetDomain": ui.get("domain"),
        "openai/widgetPrefersBorder": ui.get("prefersBorder"),
        "openai/widgetDescription": description or None,
    }
    return {**meta, **{key: value for key, value in widget.items() if value is not None}}


def widget_csp(csp: Mapping[str, list[str]]) -> dict[str, list[str]]:
    """`_meta["openai/widgetCSP"]`, in which the two first lists always stand, from the lists of `_meta.ui.csp`."""
    written = (name for name in _WIDGET_LISTS if name in CSP_LISTS[:2] or name in csp)
    return {_WIDGET_LISTS[name]: list(csp.get(name, ())) for name in written}


def merged(*parts: Json | None) -> Json:
    """Several `_meta` as one: later ones win, and `ui` is merged key by key."""
    found: Json = {}
    for part in parts:
        for key, value in (part or {}).items():
            before = found.get(key)
            found[key] = {**before, **value} if isinstance(before, dict) and isinstance(value, dict) else value
    return found


def _dict(value: Any) -> Any:
    return value if isinstance(value, Mapping) else {}
