"""The headers that a published server needs, in the files in which common static hosts look for them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from urllib.parse import urlsplit

from cloche.errors import ConfigurationError, shorten

STAGES = ("stage.html", "stage")
"""The page that views stand in, and how hosts that leave `.html` away call it."""

OTHERS = ("/", "/index.html", "/index", "/keeper.js", "/python/*")
"""Everything else that a policy has a meaning for: the page and the workers."""


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


def page_policy(connect: Sequence[str], *, shows_views: bool = False) -> str:
    """The Content-Security-Policy of the page, as its own `meta` element has it. Views stand in a page beside it."""
    return "; ".join(
        [
            "default-src 'none'",
            "script-src 'self' 'wasm-unsafe-eval'",
            "style-src 'self'",
            "img-src 'self' data:",
            "media-src data:",
            "frame-src blob: 'self'" if shows_views else "frame-src blob:",
            " ".join(["connect-src 'self'", *connect]),
            "worker-src 'self'",
            "base-uri 'none'",
            "form-action 'none'",
        ]
    )


def ancestors_of(allowed: Sequence[str]) -> str:
    """Who may put the page into a frame."""
    return " ".join(allowed) or "'none'"


def headers(allowed: Sequence[str], connect: Sequence[str], *, shows_views: bool = False) -> dict[str, str]:
    """What every file is sent with. Only a header can say who may put the page into a frame."""
    policy = page_policy(connect, shows_views=shows_views)
    return {
        "Content-Security-Policy": f"{policy}; frame-ancestors {ancestors_of(allowed)}",
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
        "Cache-Control": "no-cache",
    }


def headers_for(path: str, sent: Mapping[str, str], stage: Mapping[str, str]) -> dict[str, str]:
    """The headers of one file, by the path of its URL."""
    return {**sent, **stage} if path.rpartition("/")[2] in STAGES else dict(sent)


def host_files(sent: Mapping[str, str], stage: Mapping[str, str] | None = None) -> dict[str, str]:
    """The files, by name: Netlify and Cloudflare Pages, Vercel, Azure Static Web Apps, Apache. `stage` are headers of
    the page that views stand in, which take the place of those of the same name.
    """
    stage = stage or {}
    vercel = [{"source": "/(.*)", "headers": _listed(sent)}]
    azure: dict[str, object] = {"globalHeaders": dict(sent), "mimeTypes": {".wasm": "application/wasm"}}
    apache = _apache(sent)
    if stage:
        # Where two rules name a header, Vercel and Apache take the later one.
        vercel += [{"source": f"/{name}", "headers": _listed(stage)} for name in STAGES]
        azure["routes"] = [{"route": f"/{name}", "headers": dict(stage)} for name in STAGES]
        apache += f'  <Files "{STAGES[0]}">\n{_apache(stage)}  </Files>\n'
    return {
        "_headers": _netlify(sent, stage),
        "vercel.json": _json({"headers": vercel}),
        "staticwebapp.config.json": _json(azure),
        ".htaccess": f"<IfModule mod_headers.c>\n{apache}</IfModule>\nAddType application/wasm .wasm\n",
    }


def _netlify(sent: Mapping[str, str], stage: Mapping[str, str]) -> str:
    """Netlify joins headers of the same name from all rules that fit, and two policies allow only what both do. So
    where the stage has one of its own, each rule fits files that the other does not.
    """
    apart = {name for name in stage if name in sent}
    rules = {"/*": {name: value for name, value in sent.items() if name not in apart}}
    if stage:
        rules |= {path: {name: sent[name] for name in sorted(apart)} for path in OTHERS}
        rules |= {f"/{name}": dict(stage) for name in STAGES}
    return "".join(
        f"{path}\n" + "".join(f"  {name}: {value}\n" for name, value in given.items()) for path, given in rules.items()
    )


def _listed(sent: Mapping[str, str]) -> list[dict[str, str]]:
    return [{"key": name, "value": value} for name, value in sent.items()]


def _apache(sent: Mapping[str, str]) -> str:
    return "".join(f'  Header set {name} "{value}"\n' for name, value in sent.items())


def _json(value: object) -> str:
    return json.dumps(value, indent=2) + "\n"
