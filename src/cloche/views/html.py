"""HTML from Python, safe by default.

    h.li("Buy ", h.b(title), class_="todo", data_tool="complete", data_args={"id": 3})

Text is escaped wherever it stands, and URLs are looked at. `Html` is text that is HTML already: what `h` makes, what
`raw` marks, and what Jinja2 hands over as `Markup`.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterable
from functools import partial
from html import escape as _escape
from typing import Any, SupportsIndex

import msgspec

from cloche.errors import shorten

logger = logging.getLogger("cloche.views")

VOID = frozenset(
    ("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr")
)
"""Elements without content and end tag."""

RAW_TEXT = frozenset(("script", "style"))
"""Elements whose text browsers do not unescape, so escaping does not help there."""

URLS = frozenset(("href", "src", "action", "formaction", "poster", "cite", "data", "background", "ping", "xlink:href"))
"""Attributes that browsers follow."""

SCHEMES = frozenset(("http", "https", "mailto", "tel"))
"""What a URL of tool data may begin with."""

_TAG = re.compile(r"[a-zA-Z][a-zA-Z0-9-]*")
_ATTRIBUTE = re.compile(r"[a-zA-Z_:@][a-zA-Z0-9_.:-]*")
_SCHEME = re.compile(r"([^/?#:]*):")
_IGNORED = re.compile(r"[\x00-\x20\x7f-\xa0\u2028\u2029\ufeff]+")
_IMAGE = re.compile(r"data:image/[a-z0-9.+-]+[;,]", re.IGNORECASE)


class Html(str):
    """Text that is HTML. What is joined to it is escaped, unless it is `Html` too."""

    __slots__ = ()

    def __html__(self) -> str:
        """Says to Jinja2 and others that nothing is to be escaped any more."""
        return str(self)

    def __add__(self, other: str) -> Html:
        return Html(str.__add__(self, escape(other)))

    def __radd__(self, other: str) -> Html:
        return Html(str.__add__(escape(other), self))

    def __mul__(self, times: SupportsIndex) -> Html:
        return Html(str.__mul__(self, times))

    def join(self, parts: Iterable[Any]) -> Html:
        """The parts with this between them."""
        return Html(str.join(self, map(escape, parts)))

    def __repr__(self) -> str:
        return f"Html({str.__repr__(self)})"


def raw(text: str) -> Html:
    """Text that you know to be HTML. Whatever is in it, is in the page: never use it on what came from elsewhere."""
    return Html(text)


def escape(value: Any) -> Html:
    """Anything as HTML: `Html` as it is, text escaped, nothing for None and booleans, lists one after the other."""
    if isinstance(value, Html):
        return value
    if value is None or isinstance(value, bool):
        return Html("")
    if hasattr(value, "__html__"):
        return Html(value.__html__())
    if isinstance(value, str | bytes) or not isinstance(value, Iterable):
        return Html(_escape(str(value), quote=True))
    return Html("".join(map(escape, value)))


def tag(name: str, /, *children: Any, **attributes: Any) -> Html:
    """One element. A dict among the children has attributes whose names Python cannot write."""
    if not _TAG.fullmatch(name):
        raise ValueError(f"{shorten(name)!r} is not an element's name")
    given = dict(attributes)
    for one in children:
        if isinstance(one, dict):
            given |= one
    content = [one for one in children if not isinstance(one, dict)]
    start = f"<{name}{_attributes(name, given)}>"
    if name.lower() in VOID:
        if content:
            raise ValueError(f"<{name}> has no content")
        return Html(start)
    return Html(f"{start}{_content(name.lower(), content)}</{name}>")


def _content(name: str, children: list[Any]) -> str:
    if name in RAW_TEXT and not all(isinstance(one, Html) for one in children):
        fix = "json_script(id, data)" if name == "script" else "raw(…), and never with data"
        raise ValueError(f"Text in <{name}> cannot be escaped: use {fix}")
    text = str.join("", map(escape, children))
    # Browsers drop a newline at the start of these.
    return "\n" + text if name in ("textarea", "pre") and text.startswith("\n") else text


def _attributes(element: str, given: dict[str, Any]) -> str:
    named = {_attribute_name(key): value for key, value in given.items()}
    return "".join(_attribute(element, name, value, named) for name, value in named.items())


def _attribute_name(key: str) -> str:
    """`class_` is class, `data_tool` is data-tool."""
    name = key.rstrip("_").replace("_", "-")
    if not _ATTRIBUTE.fullmatch(name):
        raise ValueError(f"{shorten(key)!r} is not an attribute's name")
    if name.lower().startswith("on") or name.lower() == "srcdoc":
        raise ValueError(
            f"{name} is a script: use data_tool=…, or raw('…') for a whole element that you wrote yourself"
        )
    return name


def _attribute(element: str, name: str, value: Any, others: dict[str, Any]) -> str:
    if isinstance(value, bool) and name.startswith(("aria-", "data-")):
        value = "true" if value else "false"
    if value is None or value is False:
        return ""
    if value is True:
        return f" {name}"
    if name.startswith("data-") and not isinstance(value, str):
        value = msgspec.json.encode(value).decode()
    elif isinstance(value, list | tuple | set):
        value = " ".join(str(one) for one in value if one)
    text = str(value)
    if name.lower() in URLS and not is_safe_url(text, element=element.lower(), download="download" in others):
        logger.warning("left out %s=%r of <%s>: not a URL that a page may follow", name, shorten(text, 60), element)
        return ""
    return f' {name}="{_escape(text, quote=True)}"'


def is_safe_url(url: str, *, element: str = "a", download: bool = False) -> bool:
    """Whether following a URL runs nothing: http, https, mailto, tel, relative; `data:` for images and downloads."""
    plain = _IGNORED.sub("", url)  # browsers skip these too, so `java\nscript:` is one word to them
    found = _SCHEME.match(plain)
    if found is None or found[1].lower() in SCHEMES:
        return True
    if found[1].lower() != "data":
        return False
    return (element == "a" and download) or (element in ("img", "image", "source") and bool(_IMAGE.match(plain)))


def json_script(id: str, data: Any) -> Html:
    """Data for a script in the page: `JSON.parse(document.getElementById(id).textContent)`.

    Nothing in it can end the script element, however it is written. A view usually does not need it: data comes by
    message, `window.cloche.toolResult`.
    """
    text = msgspec.json.encode(data).decode()
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return tag("script", raw(text), type="application/json", id=id)


class Elements:
    """`h.div(…)`, `h.svg(…)`: a function for every element; `h.my_element` is `<my-element>`."""

    def __getattr__(self, name: str) -> Callable[..., Html]:
        if name.startswith("_"):
            raise AttributeError(name)
        return partial(tag, name.rstrip("_").replace("_", "-"))

    def __call__(self, *children: Any) -> Html:
        """Several things one after the other, without an element around them."""
        return escape(children)


h = Elements()
