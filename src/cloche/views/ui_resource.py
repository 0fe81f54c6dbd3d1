"""HTML as part of a tool's result: `create_ui_resource`, for hosts that show what a result embeds."""

from __future__ import annotations

import html as html_text
import re
import secrets
from collections.abc import Mapping, Sequence
from typing import Any, Literal
from urllib.parse import urlsplit

from cloche.errors import RegistrationError, shorten
from cloche.server.content import ToolResult, blocks
from cloche.views import metadata
from cloche.views.declared_csp import Csp
from cloche.views.source import checked_html
from cloche.wire.apps.metadata import merged, resource_meta
from cloche.wire.apps.mime import RESOURCE_MIME_TYPE, SCHEME, is_app_mime_type
from cloche.wire.apps.origins import parse_source
from cloche.wire.types import EmbeddedResource, TextResourceContents

DEFAULT_STYLES = (
    ":root{color-scheme:light dark}"
    "body{margin:0;padding:12px;font:14px/1.5 var(--font-sans,system-ui,sans-serif);"
    "color:var(--color-text-primary,CanvasText)}"
)
UiHint = Literal["inline", "modal", "panel", "fullscreen"]
HINTS = ("inline", "modal", "panel", "fullscreen")


def create_ui_resource(
    html: str,
    title: str | None = None,
    width: int | None = None,
    height: int | Literal["auto"] | None = None,
    *,
    uri: str | None = None,
    css: str | None = None,
    scripts: Sequence[str] = (),
    csp: Csp | Mapping[str, Any] | None = None,
    meta: dict[str, Any] | None = None,
    include_default_styles: bool = True,
) -> EmbeddedResource:
    """HTML as a content block that a tool returns: `return create_ui_resource("<form>…</form>", title="Contact")`.

    A fragment gets a document around it; a whole document (it begins with `<!doctype` or `<html`) stays as it is, and
    then css and scripts are in it already. `scripts` are https addresses, and their origins are added to `csp`. Text
    that comes from somebody else goes into `html` through `cloche.views.Html` or `html.escape`, never as it is.
    """
    checked_html(html, "This UI resource's HTML")
    policy = Csp.of(csp) or Csp()
    origins = [_origin(script) for script in scripts]
    if origins:
        policy = Csp(policy.connect, [*policy.resources, *origins], policy.frames, policy.base)
    if not _is_document(html):
        html = _document(html, title, css, scripts, include_default_styles)
    elif css or scripts:
        raise RegistrationError("This HTML is a whole document: put its css and scripts into its <head>")
    side = None if height == "auto" else height
    described = resource_meta(
        csp=policy.as_meta(), width=metadata.checked_side("width", width), height=metadata.checked_side("height", side)
    )
    if title is not None:
        described["title"] = title
    address = metadata.checked_uri(uri) if uri is not None else f"{SCHEME}{_slug(title)}/{secrets.token_hex(8)}"
    contents = TextResourceContents(address, html, RESOURCE_MIME_TYPE, merged(described, meta) or None)
    return EmbeddedResource(contents)


def is_ui_resource(thing: object) -> bool:
    """Whether this is HTML for a host to show: a content block or resource contents, as objects or as JSON."""
    if isinstance(thing, EmbeddedResource):
        thing = thing.resource
    elif isinstance(thing, dict) and isinstance(thing.get("resource"), dict):
        thing = thing["resource"]
    if isinstance(thing, dict):
        uri, kind = thing.get("uri"), thing.get("mimeType")
    else:
        uri, kind = getattr(thing, "uri", None), getattr(thing, "mime_type", None)
    return isinstance(uri, str) and uri.startswith(SCHEME) and is_app_mime_type(kind)


class ToolResultWithUI(ToolResult):
    """A tool's result with a UI resource in it: the text is for the model, the HTML for the user.

    `hint` says where it would like to be shown (inline, modal, panel, fullscreen), `auto_render` whether at once.
    """

    def __init__(
        self,
        ui: EmbeddedResource,
        content: Any = None,
        *,
        structured: Any = None,
        hint: UiHint = "inline",
        auto_render: bool = True,
        meta: dict[str, Any] | None = None,
    ) -> None:
        if not is_ui_resource(ui):
            raise RegistrationError("ToolResultWithUI shows what create_ui_resource made: pass that first")
        if hint not in HINTS:
            raise RegistrationError(f"There is no hint {shorten(str(hint))!r}: use one of {', '.join(HINTS)}")
        link = {"resourceUri": ui.resource.uri, "uiHint": hint, "autoRender": auto_render}
        super().__init__([*blocks(content), ui], structured=structured, meta={**link, **(meta or {})})


# Possessive: a row of comments is read in one way only.
_DOCUMENT = re.compile(r"\s*+(?:<!--(?:(?!-->).)*+-->\s*+)*+<(?:!doctype|html)\b", re.IGNORECASE | re.DOTALL)


def _is_document(html: str) -> bool:
    return _DOCUMENT.match(html) is not None


def _document(html: str, title: str | None, css: str | None, scripts: Sequence[str], default_styles: bool) -> str:
    if css is not None and re.search(r"</style", css, re.IGNORECASE):
        raise RegistrationError("css holds '</style', which would end it: take that out")
    styles = (DEFAULT_STYLES if default_styles else "") + (css or "")
    head = [
        '<meta charset="utf-8">',
        f"<title>{html_text.escape(title)}</title>" if title else "",
        f"<style>{styles}</style>" if styles else "",
        *(f'<script src="{html_text.escape(script)}"></script>' for script in scripts),
    ]
    return f'<!doctype html>\n<html lang="en">\n<head>{"".join(head)}</head>\n<body>{html}</body>\n</html>\n'


def _origin(script: object) -> str:
    parts = urlsplit(script) if isinstance(script, str) and not re.search(r"[\s\x00-\x1f\\]", script) else None
    if parts is None or parts.scheme not in ("https", "http") or not parts.netloc:
        raise RegistrationError(
            f"scripts: {shorten(str(script), 60)!r} is not an https address; JavaScript itself goes into the HTML"
        )
    return parse_source(f"{parts.scheme}://{parts.netloc}", "scripts")


def _slug(title: str | None) -> str:
    return re.sub(r"[^a-z0-9]+", "-", (title or "").lower()).strip("-")[:40] or "view"
