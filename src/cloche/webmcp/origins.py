"""Origins as browsers write them."""

from __future__ import annotations

from urllib.parse import urlsplit

from cloche.errors import ConfigurationError, shorten

_DEFAULT_PORTS = {"http": 80, "https": 443}


def checked_origin(text: str) -> str:
    """An origin such as `https://shop.example`; raises `ConfigurationError` for anything else."""
    parts = urlsplit(text)
    if parts.scheme not in _DEFAULT_PORTS or not origin_of(text) or parts.path not in ("", "/") or parts.query:
        raise ConfigurationError(f"{shorten(text)!r} is no origin: write it as in 'https://shop.example'")
    return origin_of(text)


def origin_of(url: str) -> str:
    """The origin of an address; empty when it has none."""
    try:
        parts = urlsplit(url)
        name, port = parts.hostname, parts.port
    except ValueError:
        return ""
    if not name:
        return ""
    written = f"[{name}]" if ":" in name else name
    shown = "" if port in (None, _DEFAULT_PORTS.get(parts.scheme)) else f":{port}"
    return f"{parts.scheme}://{written}{shown}"


def is_opaque(origin: str) -> bool:
    """Whether it is an origin that equals no other, as documents in a sandbox and empty ones have."""
    return not origin.partition("://")[2] and origin != "file://"
