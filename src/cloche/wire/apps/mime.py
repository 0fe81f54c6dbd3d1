"""The names by which hosts know a view: its MIME types, the extension and the URI scheme."""

from __future__ import annotations

from typing import Literal

from cloche.errors import ConfigurationError, shorten

EXTENSION_ID = "io.modelcontextprotocol/ui"
"""MCP Apps, among the extensions that a client announces."""

RESOURCE_MIME_TYPE = "text/html;profile=mcp-app"
"""What a view is served as."""

SKYBRIDGE_MIME_TYPE = "text/html+skybridge"
"""What ChatGPT's own widgets are served as."""

STANDARD_MIME_TYPE = "text/html+mcp"
"""What a view was served as before the profile; read, never written."""

SCHEME = "ui://"
"""Views have URIs of this scheme only."""

_KINDS = {"profile": RESOURCE_MIME_TYPE, "standard": STANDARD_MIME_TYPE, "skybridge": SKYBRIDGE_MIME_TYPE}


def get_mime_type(kind: Literal["profile", "standard", "skybridge"] = "profile") -> str:
    """The MIME type of a view: today's `"profile"`, the older `"standard"`, or ChatGPT's `"skybridge"`."""
    if kind not in _KINDS:
        raise ConfigurationError(f"There is no kind of view {shorten(str(kind))!r}: use one of {', '.join(_KINDS)}")
    return _KINDS[kind]


def is_app_mime_type(text: object) -> bool:
    """Whether this MIME type says "an MCP App": today's or the older one, however it is spelt."""
    return is_profile_mime_type(text) or _parts(text)[0] == STANDARD_MIME_TYPE


def is_profile_mime_type(text: object) -> bool:
    """Whether this is today's MIME type, however it is spelt."""
    kind, *parameters = _parts(text)
    return kind == "text/html" and any(_is_profile(parameter) for parameter in parameters)


def _parts(text: object) -> list[str]:
    if not isinstance(text, str) or len(text) > 200:
        return [""]
    return [part.strip().lower() for part in text.split(";")]


def _is_profile(parameter: str) -> bool:
    name, _, value = parameter.partition("=")
    return name.strip() == "profile" and value.strip().strip('"') == "mcp-app"
