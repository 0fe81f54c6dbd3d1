"""From a tool or a result to the page that shows it: found, read and checked.

What a server declares is taken apart and put together again. What cannot be shown raises `ViewUnavailableError` with a
sentence for whoever made the call; what can be shown without some part of the declaration is shown, and says what was
left out.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
from typing import Any

import msgspec

from cloche.errors import McpError, RegistrationError, TransportError, ViewUnavailableError, shorten
from cloche.host.profile import PLAIN, HostProfile, declared_for_chatgpt
from cloche.host.upstreams.base import Upstream
from cloche.views.csp import MAX_ENTRIES, MAX_TEXT, parse_source
from cloche.views.metadata import SCHEME, SIZE_META_KEY, checked_side
from cloche.views.mime import SKYBRIDGE_MIME_TYPE, is_app_mime_type
from cloche.views.support import view_uri_of
from cloche.wire.types import Json

CSP_LISTS = ("connectDomains", "resourceDomains", "frameDomains", "baseUriDomains")
PERMISSIONS = {
    "camera": "camera",
    "microphone": "microphone",
    "geolocation": "geolocation",
    "clipboardWrite": "clipboard-write",
}
"""What a view may ask for, and the browser's word for it (W06)."""


class ViewSource(msgspec.Struct, frozen=True, kw_only=True, weakref=True):
    """A page and what it declares, checked."""

    uri: str
    html: str
    hash: str
    csp: dict[str, list[str]]
    widget_csp: dict[str, list[str]] = msgspec.field(default_factory=lambda: {name: [] for name in CSP_LISTS})
    """The origins that it declares for ChatGPT, which no other host looks at."""
    permissions: tuple[str, ...] = ()
    """As they are written in `_meta.ui.permissions`; what is granted is decided when the view is opened."""
    border: bool | None = None
    size: Json | None = None
    left_out: tuple[str, ...] = ()
    """What of the declaration was not taken, and why."""


def view_uri(tool: Json, result: Json | None, profile: HostProfile = PLAIN) -> str | None:
    """Where a tool, or a result of it, leads: what the result says wins, because it knows more."""
    if result is not None:
        embedded = embedded_view(result)
        if embedded is not None:
            return str(embedded["uri"])
        if (linked := view_uri_of(result)) is not None:
            return linked
    return view_uri_of(tool) or (_template(tool) if profile.openai else None)


def _template(tool: Json) -> str | None:
    """Where a tool leads that names its view for ChatGPT only."""
    uri = _dict(tool.get("_meta")).get("openai/outputTemplate")
    return uri if isinstance(uri, str) and uri.startswith(SCHEME) else None


def embedded_view(result: Json) -> Json | None:
    """The first page among the resources inside a result."""
    for block in _list(result.get("content")):
        resource = _dict(_dict(block).get("resource"))
        uri, kind = resource.get("uri"), resource.get("mimeType")
        if (
            _dict(block).get("type") == "resource"
            and isinstance(uri, str)
            and uri.startswith(SCHEME)
            and _is_page(kind)
        ):
            return resource
    return None


def embedded_source(resource: Json, limit: int) -> ViewSource:
    """A page that came inside a result. Raises `ViewUnavailableError`."""
    return _checked(str(resource["uri"]), resource, [_dict(resource.get("_meta"))], limit)


async def read_view(upstream: Upstream, uri: str, limit: int, profile: HostProfile = PLAIN) -> ViewSource:
    """Read a view's resource from its server."""
    try:
        answer = await upstream.read_resource(uri)
    except (McpError, TransportError) as error:
        raise ViewUnavailableError(f"The server {upstream.name!r} does not give {shorten(uri)}: {error}") from None
    contents = _list(answer.get("contents"))
    if len(contents) != 1 or not isinstance(contents[0], dict):
        raise ViewUnavailableError(f"{shorten(uri)} has {len(contents)} contents: a view is exactly one")
    content: Json = contents[0]
    is_widget = profile.openai and content.get("mimeType") == SKYBRIDGE_MIME_TYPE
    if not is_widget and not is_app_mime_type(content.get("mimeType")):
        raise ViewUnavailableError(
            f"{shorten(uri)} is {shorten(repr(content.get('mimeType')))}: a view is served as text/html;profile=mcp-app"
        )
    metas = [_dict(content.get("_meta")), _dict(content.get("meta")), _dict(answer.get("_meta"))]
    if not any("ui" in meta for meta in metas):
        metas.append(await _listed_meta(upstream, uri))
    return _checked(uri, content, metas, limit)


async def _listed_meta(upstream: Upstream, uri: str) -> Json:
    """What the first page of the list says of the resource, for servers that say it only there."""
    try:
        listed = await upstream.list_resources()
    except (McpError, TransportError):
        return {}
    for resource in _list(listed.get("resources")):
        if _dict(resource).get("uri") == uri:
            return _dict(resource.get("_meta"))
    return {}


def _checked(uri: str, content: Json, metas: list[Json], limit: int) -> ViewSource:
    html = _text(uri, content)
    if len(html) > limit:
        raise ViewUnavailableError(f"{shorten(uri)} has {len(html)} characters, and a view may have {limit}")
    ui = next((_dict(meta["ui"]) for meta in metas if "ui" in meta), {})
    left_out: list[str] = []
    widget = next((meta for meta in metas if "openai/widgetCSP" in meta), {})
    border = ui.get("prefersBorder")
    return ViewSource(
        uri=uri,
        html=html,
        hash=hashlib.sha256(html.encode("utf-8", "surrogatepass")).hexdigest(),
        csp=checked_csp(ui.get("csp"), left_out),
        widget_csp=checked_csp(declared_for_chatgpt(widget), []),
        permissions=checked_permissions(ui.get("permissions"), left_out),
        border=border if isinstance(border, bool) else None,
        size=_size(metas),
        left_out=tuple(left_out),
    )


def _text(uri: str, content: Json) -> str:
    text, blob = content.get("text"), content.get("blob")
    if isinstance(text, str):
        return text
    try:
        return base64.b64decode(blob, validate=True).decode("utf-8")  # type: ignore[arg-type]
    except (TypeError, binascii.Error, UnicodeDecodeError):
        raise ViewUnavailableError(f"{shorten(uri)} has neither text nor a blob of UTF-8 text") from None


def checked_csp(declared: object, left_out: list[str]) -> dict[str, list[str]]:
    """The declared origins, each rebuilt from its parts; what is none is left out (W03, W04)."""
    found: dict[str, list[str]] = {name: [] for name in CSP_LISTS}
    total = 0
    for name in CSP_LISTS:
        given = _dict(declared).get(name)
        if given is None:
            continue
        if not isinstance(given, list) or len(given) > MAX_ENTRIES:
            left_out.append(f"csp.{name} is no list of at most {MAX_ENTRIES} origins")
            continue
        for entry in given:
            try:
                source = parse_source(entry, f"csp.{name}")
            except RegistrationError as error:
                left_out.append(str(error))
                continue
            total += len(source)
            if total > MAX_TEXT:
                left_out.append(f"csp has more than {MAX_TEXT} characters")
                return found
            if source not in found[name]:
                found[name].append(source)
    return found


def checked_permissions(declared: object, left_out: list[str]) -> tuple[str, ...]:
    """The declared permissions that exist; only their names count, never what stands behind them."""
    asked = _dict(declared)
    left_out += [
        f"there is no permission {shorten(repr(name))}" for name in list(asked)[:10] if name not in PERMISSIONS
    ]
    return tuple(name for name in PERMISSIONS if asked.get(name) not in (None, False))


def _size(metas: list[Json]) -> Json | None:
    for meta in metas:
        wished = _dict(meta.get(SIZE_META_KEY))
        sides = {}
        for name in ("width", "height"):
            try:
                side = checked_side(name, wished.get(name))
            except RegistrationError:
                continue
            if side is not None:
                sides[name] = side
        if sides:
            return sides
    return None


def _is_page(kind: object) -> bool:
    plain = isinstance(kind, str) and kind.split(";")[0].strip().lower() == "text/html"
    return plain or is_app_mime_type(kind)


def _dict(value: Any) -> Json:
    return value if isinstance(value, dict) else {}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
