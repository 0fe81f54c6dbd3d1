"""The scripts that a view needs, as `make web` bundled them, and their place in its page."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
from functools import cache
from typing import NamedTuple
from urllib.parse import urlsplit

from cloche.web import bundled

ADAPTERS = ("openai", "ext-apps", "generic")
"""What a bridge can speak, in the order in which a page tries them."""

BRIDGES = {
    frozenset({"openai", "ext-apps"}): "view.js",
    frozenset({"openai"}): "view-openai.js",
    frozenset({"ext-apps"}): "view-ext-apps.js",
    frozenset[str](): "view-generic.js",
}
"""The script for each choice of adapters. Every one has the generic adapter, for pages that no host embeds."""

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


_STORES = re.compile(r"data-bind|data-each|data-follow|cloche\.store\b")
_LINK = re.compile(r"<a\s", re.IGNORECASE)


class ViewScript(NamedTuple):
    """A script that stands on the bridge, and which pages need it without being asked."""

    name: str
    is_needed: Callable[[str], bool]


SCRIPTS = (
    ViewScript("state.js", lambda html: False),
    ViewScript("bind.js", lambda html: _STORES.search(html) is not None),
    ViewScript("interact.js", lambda html: "data-tool" in html),
    # What a tool returns for its `data-target` may have links.
    ViewScript("links.js", lambda html: "data-tool" in html or _LINK.search(html) is not None),
    ViewScript("view-tools.js", lambda html: "modelContext" in html),
    ViewScript("components.js", lambda html: False),
)
"""The scripts that pages get after the bridge, in this order."""

INTERACTION = ("interact.js", "links.js")
"""The scripts of a page whose HTML comes later."""

BINDING = "bind.js"
"""What such a page gets besides, on a server that has a store."""


def inject(html: str, *, bridge: str, scripts: Collection[str] = ()) -> str:
    """An HTML page with the bridge first in its head, then the scripts that it needs and those that are named."""
    texts = [bridge, *(script(one.name) for one in SCRIPTS if one.name in scripts or one.is_needed(html))]
    return put_first(html, "".join(f"<script>{text}</script>" for text in texts))


def put_first(html: str, tags: str) -> str:
    """An HTML page with these tags first in its head."""
    place = first_place(html)
    return html[:place] + tags + html[place:]


def script(name: str) -> str:
    """One of the scripts that stand on the bridge, by its name without `.js`."""
    return bundled(name)


@cache
def _bridge(adapters: frozenset[str], trusted_origins: tuple[str, ...]) -> str:
    name = BRIDGES[adapters - {"generic"}]
    if name == "view-generic.js":
        return bundled(name)  # it speaks to nobody
    return bundled(name, TRUSTED_ORIGINS=trusted_origins or None)


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


_HEAD = re.compile(r"<head(?:\s[^>]*)?>", re.IGNORECASE)
_BEFORE_HEAD = re.compile(
    r"\A\ufeff?(?:\s|<!--.*?-->)*(?:<!doctype[^>]*>)?(?:\s|<!--.*?-->)*(?:<html(?:\s[^>]*)?>)?", re.I | re.S
)


def first_place(html: str) -> int:
    """Where the first thing in the head stands; the parser opens a head by itself where there is none."""
    start = _BEFORE_HEAD.match(html)
    begin = start.end() if start else 0
    rest = re.compile(r"(?:\s|<!--.*?-->)*", re.DOTALL).match(html, begin)
    head = _HEAD.match(html, rest.end() if rest else begin)
    return head.end() if head else begin
