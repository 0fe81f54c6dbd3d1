"""What an author says of a view, checked when it is registered; `cloche.wire.apps.metadata` writes it for hosts."""

from __future__ import annotations

import re
from collections.abc import Sequence

from cloche.errors import RegistrationError, shorten
from cloche.wire.apps.metadata import MAX_SIDE, PERMISSIONS, is_side
from cloche.wire.apps.mime import SCHEME
from cloche.wire.apps.origins import parse_source

_PERMISSIONS = {
    spelling: name for name, word in PERMISSIONS.items() for spelling in (name, word, word.replace("-", "_"))
}
"""What an author may write for a permission, and its name on the wire."""

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
        if name not in _PERMISSIONS:
            raise RegistrationError(
                f"There is no permission {shorten(str(name))!r}: "
                "a view can ask for camera, microphone, geolocation and clipboard-write"
            )
    return tuple(dict.fromkeys(_PERMISSIONS[name] for name in given))


def checked_domain(given: str | None) -> str | None:
    """The origin that a host should give the view: a host name, or an https origin."""
    if given is not None and "*" in parse_source(given, "domain"):
        raise RegistrationError(f"domain={shorten(given)!r} has a star: a view lives at one origin")
    return given


def checked_side(name: str, given: object) -> int | None:
    """A width or height in pixels."""
    if given is None:
        return None
    if not isinstance(given, int) or not is_side(given):
        raise RegistrationError(f"{name} is a whole number of pixels, 1 to {MAX_SIDE}, and not {shorten(repr(given))}")
    return given


def checked_status(name: str, given: object) -> str | None:
    """What ChatGPT shows while the tool runs, and after."""
    if given is None:
        return None
    if not isinstance(given, str) or not 0 < len(given) <= MAX_STATUS:
        raise RegistrationError(f"{name} is a text of 1 to {MAX_STATUS} characters, such as 'Looking at the clock'")
    return given
