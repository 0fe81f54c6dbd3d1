"""From a tool or a result to the page that shows it: found, read and checked.

What a server declares is taken apart and put together again. What cannot be shown raises `ViewUnavailableError` with a
sentence for whoever made the call; what can be shown without some part of the declaration is shown, and says what was
left out.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias

import msgspec

from cloche.errors import McpError, TransportError, ViewUnavailableError, shorten
from cloche.host.profile import PLAIN, HostProfile
from cloche.wire.apps.metadata import Declaration, declaration, declares
from cloche.wire.apps.mime import RESOURCE_MIME_TYPE, SKYBRIDGE_MIME_TYPE, is_app_mime_type
from cloche.wire.types import Json

Ask: TypeAlias = Callable[[str, Json], Awaitable[Json]]
"""Asks a server: method, parameters."""


class ViewSource(Declaration, frozen=True, kw_only=True, weakref=True):
    """A page and what it declares, checked."""

    uri: str
    html: str
    hash: str
    mime_type: str


def declared_csp(source: ViewSource, profile: HostProfile) -> dict[str, list[str]]:
    """The origins that a page declares, by the names of `_meta.ui.csp`, as far as the profile honours them."""
    declared = source.widget_csp if profile.widget_csp else source.csp
    return {kind: profile.honoured(kind, list(sources)) for kind, sources in declared.items()}


def embedded_source(resource: Json, limit: int) -> ViewSource:
    """A page that came inside a result. Raises `ViewUnavailableError`."""
    return _checked(str(resource["uri"]), resource, [_dict(resource.get("_meta"))], limit)


async def read_view(server: str, ask: Ask, uri: str, limit: int, profile: HostProfile = PLAIN) -> ViewSource:
    """Read a view's resource from the server of this name. Raises `ViewUnavailableError`."""
    try:
        answer = await ask("resources/read", {"uri": uri})
    except (McpError, TransportError) as error:
        raise ViewUnavailableError(f"The server {server!r} does not give {shorten(uri)}: {error}") from None
    contents = _list(answer.get("contents"))
    if len(contents) != 1 or not isinstance(contents[0], dict):
        raise ViewUnavailableError(f"{shorten(uri)} has {len(contents)} contents: a view is exactly one")
    content: Json = contents[0]
    is_widget = profile.openai and content.get("mimeType") == SKYBRIDGE_MIME_TYPE
    if not is_widget and not is_app_mime_type(content.get("mimeType")):
        raise ViewUnavailableError(
            f"{shorten(uri)} is {shorten(repr(content.get('mimeType')))}: hosts show a view only as "
            f"mime_type={RESOURCE_MIME_TYPE!r}"
        )
    metas = [_dict(content.get("_meta")), _dict(content.get("meta")), _dict(answer.get("_meta"))]
    if not any(declares(meta) for meta in metas):
        metas.append(await _listed_meta(ask, uri))
    return _checked(uri, content, metas, limit)


async def _listed_meta(ask: Ask, uri: str) -> Json:
    """What the first page of the list says of the resource, for servers that say it only there."""
    try:
        listed = await ask("resources/list", {})
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
    return ViewSource(
        uri=uri,
        html=html,
        hash=hashlib.sha256(html.encode("utf-8", "surrogatepass")).hexdigest(),
        mime_type=str(content.get("mimeType")),
        **msgspec.structs.asdict(declaration(metas)),
    )


def _text(uri: str, content: Json) -> str:
    text, blob = content.get("text"), content.get("blob")
    if isinstance(text, str):
        return text
    try:
        return base64.b64decode(blob, validate=True).decode("utf-8")  # type: ignore[arg-type]
    except (TypeError, binascii.Error, UnicodeDecodeError):
        raise ViewUnavailableError(f"{shorten(uri)} has neither text nor a blob of UTF-8 text") from None


def _dict(value: Any) -> Json:
    return value if isinstance(value, dict) else {}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
