"""URLs of pages that a user's page has in a frame: servers by URL, and copilots."""

from __future__ import annotations

from urllib.parse import urlsplit

from cloche.errors import ConfigurationError, shorten


def checked_frame_url(url: str, what: str) -> tuple[str, str]:
    """The URL and its origin, as browsers write it; raises `ConfigurationError`, which names `what` was given it."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise ConfigurationError(
            f"{what}({shorten(url, 80)!r}) is not a URL: give one that starts with https://"
        ) from None
    if parts.scheme not in ("http", "https") or not parts.hostname or not parts.hostname.isascii():
        raise ConfigurationError(f"{what}(url) needs an http or https URL, not {shorten(url, 80)!r}")
    if parts.username is not None or parts.password is not None:
        raise ConfigurationError(
            f"Put no name or password into the URL of {what}: the page in the frame cannot read it"
        )
    if parts.fragment:
        raise ConfigurationError(f"Leave the #… off the URL of {what}: it says which phase the page is loaded for")
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    usual = {"http": 80, "https": 443}[parts.scheme]
    return url, f"{parts.scheme}://{host}" + ("" if port in (None, usual) else f":{port}")
