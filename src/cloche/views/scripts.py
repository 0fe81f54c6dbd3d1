"""The scripts that a view needs, as one text, made from the modules of `cloche.web`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from functools import cache
from importlib import resources
from urllib.parse import urlsplit

from cloche.views.shrink import shrink
from cloche.wire.apps.methods import dialects

ADAPTERS = {
    # In the order in which a page tries them: where `window.openai` is, it is the host's own and complete.
    "openai": ("openai.js", "OpenAiAdapter"),
    "ext-apps": ("ext-apps.js", "ExtAppsAdapter"),
    "generic": ("generic.js", "GenericAdapter"),
}
"""What a bridge can speak: the module and the class of each."""

MODULE_LINES = re.compile(r"^(?:import|export \{)[^\n]*;\n", re.MULTILINE)
DIALECTS = re.compile(r"^const \{ ([^}]*) \} = dialects;$", re.MULTILINE)
CHOICE = re.compile(r"\[OpenAiAdapter, [^]]*\]")
ORIGIN_SCHEMES = ("http", "https")


def generate_bridge(
    adapters: Iterable[str] = ("ext-apps", "openai", "generic"), trusted_origins: Iterable[str] = ()
) -> str:
    """The view runtime as one script: it makes `window.cloche`, alias `window.FrontMcpBridge`.

    `adapters` says which kinds of host it can speak to; the code of the others is left out. With `trusted_origins` it
    listens only to a parent with one of these origins, and speaks only to them. Put the text between `<script>` and
    `</script>` at the start of the page's head.
    """
    return _bridge(frozenset(_known(adapters)), tuple(_origin(one) for one in _listed(trusted_origins)))


def inject(html: str, *, bridge: str, interact: bool = False, state: bool = False) -> str:
    """An HTML page with the scripts put first into its head, so that they run before everything else in it.

    What makes `data-tool` and links work is added where the page has them, and with `interact` in any case; with
    `state` also what keeps the view's state on its server.
    """
    texts = [bridge]
    if state:
        texts.append(script("state.js"))
    if interact or "data-tool" in html:
        texts.append(script("interact.js"))
    if interact or _LINK.search(html):
        texts.append(script("links.js"))
    return put_first(html, "".join(f"<script>{text}</script>" for text in texts))


def put_first(html: str, tags: str) -> str:
    """An HTML page with these tags first in its head."""
    place = _first_place(html)
    return html[:place] + tags + html[place:]


@cache
def script(name: str) -> str:
    """One module of `cloche.web` that imports nothing, as a script of its own."""
    return _wrapped(_module(name))


def functions_of(*names: str) -> str:
    """Modules of `cloche.web` as they are written, each after those it needs, for a script that calls them."""
    return "".join(map(_module, names))


@cache
def _bridge(adapters: frozenset[str], trusted_origins: tuple[str, ...]) -> str:
    chosen = [ADAPTERS[name] for name in ADAPTERS if name in adapters]
    others = [module for module in ("ext-apps.js", "openai.js") if module in dict(chosen)]
    # What extends another comes after it; the rest is in the order that compresses best.
    names = ["rpc.js", "view.js", "content.js", "generic.js", *others, "appearance.js", "resize.js"]
    kinds = dict.fromkeys([*(kind for _, kind in chosen), "GenericAdapter"])
    code = "".join(_module(name) for name in names)
    code = CHOICE.sub(f"[{', '.join(kinds)}]", code)
    options = f"{{trustedOrigins:{json.dumps(trusted_origins)}}}" if trusted_origins else ""
    return _wrapped(f"{DIALECTS.sub(_rows, code)}connect({options});")


def _rows(found: re.Match[str]) -> str:
    """The parts of the dialect table that a module takes, as constants."""
    lines = []
    for part in found[1].split(", "):
        key, _, name = part.partition(": ")
        rows = dialects()[key]
        if key == "capabilities":
            rows = dict.fromkeys(rows, 1)  # a view looks only for their names
        literal = re.sub(r'"(\w+)":', r"\1:", json.dumps(rows, separators=(",", ":")))
        lines.append(f"const {name or key} = {literal};")
    return "\n".join(lines)


@cache
def _module(name: str) -> str:
    """The code of a module without imports and without the word `export`."""
    text = MODULE_LINES.sub("", _read(name))
    return re.sub(r"^export ", "", text, flags=re.MULTILINE)


def _wrapped(code: str) -> str:
    """Code whose names stay its own, safe between script tags."""
    if "</script" in code.lower() or "<!--" in code:
        raise ValueError("A script that ends its own tag cannot stand in a page")
    return f"(()=>{{{shrink(code).rstrip(';')}}})()"


@cache
def _read(name: str) -> str:
    return (resources.files("cloche.web") / name).read_text(encoding="utf-8")


def _listed(values: Iterable[str]) -> list[str]:
    return [values] if isinstance(values, str) else list(values)


def _known(adapters: Iterable[str]) -> list[str]:
    names = _listed(adapters)
    unknown = [name for name in names if name not in ADAPTERS]
    if unknown or not names:
        raise ValueError(f"Adapters are {', '.join(map(repr, ADAPTERS))}; got {unknown or 'none'}")
    return names


def _origin(text: str) -> str:
    """The origin as browsers write it, or an error that says what one is."""
    parts = urlsplit(text)
    if (
        parts.scheme not in ORIGIN_SCHEMES
        or not parts.hostname
        or text.rstrip("/") != f"{parts.scheme}://{parts.netloc}"
    ):
        raise ValueError(f"A trusted origin is written like 'https://host.example'; got {text[:80]!r}")
    if "@" in parts.netloc or "*" in parts.netloc:
        raise ValueError(f"A trusted origin is one scheme, host and port, without wildcards; got {text[:80]!r}")
    default = {"http": 80, "https": 443}[parts.scheme]
    port = "" if parts.port in {None, default} else f":{parts.port}"
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return f"{parts.scheme}://{host}{port}"


_LINK = re.compile(r"<a\s", re.IGNORECASE)
_HEAD = re.compile(r"<head(?:\s[^>]*)?>", re.IGNORECASE)
_BEFORE_HEAD = re.compile(
    r"\A\ufeff?(?:\s|<!--.*?-->)*(?:<!doctype[^>]*>)?(?:\s|<!--.*?-->)*(?:<html(?:\s[^>]*)?>)?", re.I | re.S
)


def _first_place(html: str) -> int:
    """Where the first thing in the head stands; the parser opens a head by itself where there is none."""
    start = _BEFORE_HEAD.match(html)
    begin = start.end() if start else 0
    rest = re.compile(r"(?:\s|<!--.*?-->)*", re.DOTALL).match(html, begin)
    head = _HEAD.match(html, rest.end() if rest else begin)
    return head.end() if head else begin
