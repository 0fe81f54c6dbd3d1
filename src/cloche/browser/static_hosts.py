"""The headers that a published server needs, in the files in which common static hosts look for them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from urllib.parse import urlsplit

from cloche.errors import ConfigurationError, shorten

HEADERS = "_headers"
"""Where Netlify and Cloudflare Pages look for headers."""


def checked_origins(given: Iterable[str]) -> list[str]:
    """Origins as browsers write them; `*` has to be written out, and stands alone."""
    found = [_origin(one) for one in given]
    if "*" in found and len(found) > 1:
        raise ConfigurationError("The origin * lets every page, so name no other beside it")
    return list(dict.fromkeys(found))


def _origin(given: str) -> str:
    if given == "*":
        return given
    try:
        parts = urlsplit(given)
        port = parts.port
    except ValueError:
        parts, port = urlsplit(""), None
    rest = parts.path not in ("", "/") or parts.query or parts.fragment or parts.username is not None
    is_named = parts.hostname and all(letter.isalnum() or letter in ".-" for letter in parts.hostname)
    if parts.scheme not in ("http", "https") or not is_named or rest:
        raise ConfigurationError(f"{shorten(given)!r} is not an origin: write it as in https://app.example")
    standing = f":{port}" if port and port != {"http": 80, "https": 443}[parts.scheme] else ""
    return f"{parts.scheme}://{parts.hostname}{standing}"


def page_policy(connect: Sequence[str]) -> str:
    """The Content-Security-Policy of the page, as its own `meta` element has it."""
    return "; ".join(
        [
            "default-src 'none'",
            "script-src 'self' 'wasm-unsafe-eval'",
            "style-src 'self'",
            "img-src 'self' data:",
            "media-src data:",
            "frame-src blob:",
            " ".join(["connect-src 'self'", *connect]),
            "worker-src 'self'",
            "base-uri 'none'",
            "form-action 'none'",
        ]
    )


def headers(allowed: Sequence[str], connect: Sequence[str]) -> dict[str, str]:
    """What every file is sent with. Only a header can say who may put the page into a frame."""
    ancestors = " ".join(allowed) or "'none'"
    return {
        "Content-Security-Policy": f"{page_policy(connect)}; frame-ancestors {ancestors}",
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
        "Cache-Control": "no-cache",
    }


def written_headers(folder: Path) -> dict[str, str]:
    """The headers of every file, as a build wrote them into a folder; none where its file for them is gone."""
    try:
        lines = (folder / HEADERS).read_text(encoding="utf-8").splitlines()
    except OSError:
        return {}
    pairs = (line.strip().partition(": ") for line in lines if line.startswith("  "))
    return {name: value for name, _, value in pairs if value}


def host_files(sent: dict[str, str]) -> dict[str, str]:
    """The files, by name: Netlify and Cloudflare Pages, Vercel, Azure Static Web Apps, Apache."""
    listed = [{"key": name, "value": value} for name, value in sent.items()]
    apache = "".join(f'  Header set {name} "{value}"\n' for name, value in sent.items())
    return {
        HEADERS: "/*\n" + "".join(f"  {name}: {value}\n" for name, value in sent.items()),
        "vercel.json": _json({"headers": [{"source": "/(.*)", "headers": listed}]}),
        "staticwebapp.config.json": _json({"globalHeaders": sent, "mimeTypes": {".wasm": "application/wasm"}}),
        ".htaccess": f"<IfModule mod_headers.c>\n{apache}</IfModule>\nAddType application/wasm .wasm\n",
    }


def _json(value: object) -> str:
    return json.dumps(value, indent=2) + "\n"
