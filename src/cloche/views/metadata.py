"""What hosts are told about a view: `_meta` of the tool and of the resource, in every spelling that hosts read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from cloche.errors import RegistrationError, shorten
from cloche.views.csp import Csp, parse_source
from cloche.views.mime import RESOURCE_URI_META_KEY

SCHEME = "ui://"
PERMISSIONS = {
    "camera": "camera",
    "microphone": "microphone",
    "geolocation": "geolocation",
    "clipboard-write": "clipboardWrite",
    "clipboard_write": "clipboardWrite",
    "clipboardWrite": "clipboardWrite",
}
"""What a view may ask for, and its name on the wire."""

SIZE_META_KEY = "cloche/size"
"""Where a resource says how large it would like to be: `{"width": 400, "height": 300}`, in CSS pixels."""

MAX_SIDE = 10_000
MAX_STATUS = 64
_URI = re.compile(r"ui://[A-Za-z0-9._~!$&'()*+,;=:@%\-]+(?:/[A-Za-z0-9._~!$&'()*+,;=:@%\-]+)*")
MAX_URI = 500


def checked_uri(uri: object) -> str:
    """A URI that hosts take for a view."""
    if not isinstance(uri, str) or not uri.startswith(SCHEME):
        name = re.sub(r"^[A-Za-z][A-Za-z0-9+.\-]*:/*|^/+", "", str(uri)) or "name/app.html"
        raise RegistrationError(
            f"{shorten(str(uri))!r} cannot be a view's URI: hosts load views from ui:// only; "
            f"write 'ui://{shorten(name, 60)}'"
        )
    if len(uri) > MAX_URI or not _URI.fullmatch(uri):
        raise RegistrationError(
            f"The view's URI {shorten(uri)!r} has a character that needs %-escaping, an empty part, or more than "
            f"{MAX_URI} characters: write one like 'ui://weather/forecast.html'"
        )
    return uri


def default_uri(server_name: str, tool_name: str) -> str:
    """The URI of a tool's view: `ui://<server>/<tool>.html`."""
    slug = re.sub(r"[^a-z0-9]+", "-", server_name.lower()).strip("-")[:64] or "server"
    # Dots alone would be taken for a way up.
    path = "/".join(part if part.strip(".") else "_" for part in tool_name.split("/") if part) or "view"
    return f"{SCHEME}{slug}/{path}.html"


def skybridge_uri(uri: str) -> str:
    """The URI of a view's second resource, in ChatGPT's Skybridge format."""
    return f"{uri.removesuffix('.html')}.skybridge.html"


def checked_permissions(given: Sequence[str]) -> tuple[str, ...]:
    """Permissions by their names on the wire."""
    if isinstance(given, str):
        raise RegistrationError(f"permissions is one text: give a list, such as [{shorten(given)!r}]")
    for name in given:
        if name not in PERMISSIONS:
            raise RegistrationError(
                f"There is no permission {shorten(str(name))!r}: "
                "a view can ask for camera, microphone, geolocation and clipboard-write"
            )
    return tuple(dict.fromkeys(PERMISSIONS[name] for name in given))


def checked_domain(given: str | None) -> str | None:
    """The origin that a host should give the view: a host name, or an https origin."""
    if given is not None and "*" in parse_source(given, "domain"):
        raise RegistrationError(f"domain={shorten(given)!r} has a star: a view lives at one origin")
    return given


def checked_side(name: str, given: object) -> int | None:
    """A width or height in pixels."""
    if given is None:
        return None
    if not isinstance(given, int) or isinstance(given, bool) or not 1 <= given <= MAX_SIDE:
        raise RegistrationError(f"{name} is a whole number of pixels, 1 to {MAX_SIDE}, and not {shorten(repr(given))}")
    return given


def checked_status(name: str, given: object) -> str | None:
    """What ChatGPT shows while the tool runs, and after."""
    if given is None:
        return None
    if not isinstance(given, str) or not 0 < len(given) <= MAX_STATUS:
        raise RegistrationError(f"{name} is a text of 1 to {MAX_STATUS} characters, such as 'Looking at the clock'")
    return given


def size_meta(width: int | None, height: int | None) -> dict[str, Any]:
    """The size hint, when there is one."""
    sides = {name: side for name, side in (("width", width), ("height", height)) if side is not None}
    return {SIZE_META_KEY: sides} if sides else {}


def resource_meta(
    *,
    csp: Csp | None = None,
    permissions: Sequence[str] = (),
    domain: str | None = None,
    prefers_border: bool | None = None,
    width: int | None = None,
    height: int | None = None,
) -> dict[str, Any]:
    """`_meta` of a view's resource: the same on the entry of the list and on the content, because hosts differ in where
    they look, and the origins in both spellings, because ChatGPT reads its own only.
    """
    ui: dict[str, Any] = {}
    widget: dict[str, Any] = {}
    if csp is not None and (policy := csp.as_meta()):
        ui["csp"] = policy
        widget = {"openai/widgetCSP": csp.as_openai()}
    if permissions:
        ui["permissions"] = {name: {} for name in permissions}
    if domain is not None:
        ui["domain"] = domain
    if prefers_border is not None:
        ui["prefersBorder"] = prefers_border
    return {**({"ui": ui} if ui else {}), **widget, **size_meta(width, height)}


def skybridge_meta(
    meta: dict[str, Any], *, csp: Csp | None, domain: str | None, prefers_border: bool | None, description: str | None
) -> dict[str, Any]:
    """The `_meta` of a view's Skybridge resource: the view's own, and the `openai/*` keys that ChatGPT reads."""
    found = dict(meta)
    if csp is not None:
        found["openai/widgetCSP"] = csp.as_openai()
    if domain is not None:
        found["openai/widgetDomain"] = domain
    if prefers_border is not None:
        found["openai/widgetPrefersBorder"] = prefers_border
    if description:
        found["openai/widgetDescription"] = description
    return found


def link_meta(
    uri: str, template: str, *, partial_input: bool = False, tool_list_changed: bool = False
) -> dict[str, Any]:
    """`_meta` of a tool that leads to its view, in all three spellings."""
    return {
        "ui": {"resourceUri": uri},
        RESOURCE_URI_META_KEY: uri,
        "ui/capabilities": {"toolListChanged": tool_list_changed, "supportsPartialInput": partial_input},
        "openai/outputTemplate": template,
        "openai/widgetAccessible": True,
    }
