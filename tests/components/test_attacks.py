"""Hostile props: whatever a model or a user writes into a component stays text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any

import pytest

from cloche.components import Components, image_gallery
from cloche.components.starter import STARTER
from cloche.errors import ToolError

MARKUP = (
    '"><script>attack()</script><img src=x onerror=attack()>',
    "</script><script>attack()</script>",
    "'><svg onload=attack()>",
    "<!--<script>",
    "</style><style>*{background:url(//evil.example)}",
    "\u2028</pre><iframe srcdoc=x>",
    "{{attack}}${attack()}",
)

ALLOWED = {
    *(
        "b",
        "button",
        "code",
        "dd",
        "div",
        "dl",
        "dt",
        "em",
        "figcaption",
        "figure",
        "form",
        "i",
        "img",
        "input",
        "li",
        "p",
        "path",
    ),
    *(
        "pre",
        "script",
        "section",
        "small",
        "span",
        "strong",
        "svg",
        "table",
        "tbody",
        "td",
        "th",
        "thead",
        "tr",
        "ul",
        "option",
    ),
}


class Found(HTMLParser):
    """The elements and attributes that a browser would see."""

    def __init__(self) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data


def strings(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where texts are in props: values, and the names of objects whose names are shown."""
    if isinstance(value, str):
        yield path
    elif isinstance(value, list):
        for at, one in enumerate(value):
            yield from strings(one, (*path, at))
    elif isinstance(value, dict):
        for key, one in value.items():
            yield from strings(one, (*path, key))


def replaced(value: Any, path: tuple[Any, ...], text: str) -> Any:
    if not path:
        return text
    first, *rest = path
    if isinstance(value, list):
        return [replaced(one, tuple(rest), text) if at == first else one for at, one in enumerate(value)]
    return {key: replaced(one, tuple(rest), text) if key == first else one for key, one in value.items()}


def renamed(value: Any, text: str) -> Any:
    """Props with every name of a row or pair replaced: these are shown, too."""
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return [{text if at == 0 else key: one for at, (key, one) in enumerate(row.items())} for row in value]
    return value


CASES = [
    (one.name, number, path)
    for one in STARTER
    for number, example in enumerate(one.examples)
    for path in [*strings(example)][:14]
]


def check(html: str, text: str, at: Any) -> None:
    found = Found()
    found.feed(html)
    for tag, attributes in found.elements:
        assert tag in ALLOWED, (tag, at)
        assert not [name for name in attributes if name.startswith("on") or name == "srcdoc"], (tag, at)
        if tag == "script":
            assert attributes["type"] == "application/json"
        for name in ("href", "src", "action"):
            address = attributes.get(name) or "https://"
            assert address.startswith(("https://", "data:image/")), (tag, address)
        assert not re.search(r"[<>;{}]|url", (attributes.get("style") or "").replace(";", "", 1)), at


@pytest.mark.parametrize(("name", "number", "path"), CASES, ids=str)
def test_no_string_prop_ever_becomes_markup(name: str, number: int, path: tuple[Any, ...]) -> None:
    components = Components()
    example = components.get(name).examples[number]
    refusals = []
    for text in MARKUP:
        try:
            html = components.get(name).draw(replaced(example, path, text), components.drawing())
        except ToolError as error:
            refusals.append(str(error))
        else:
            check(html, text, (name, path))
    # The name of a column, a component or a type, or an address: refused whatever it is, and not echoed at length.
    assert len(refusals) in (0, len(MARKUP))
    assert all(len(one) < 700 for one in refusals)


def test_the_attack_would_be_found() -> None:
    with pytest.raises(AssertionError):
        check("<p><iframe></iframe></p>", "", "")
    with pytest.raises(AssertionError):
        check("<img src=x onerror=attack()>", "", "")


@pytest.mark.parametrize("text", MARKUP)
def test_names_of_columns_and_pairs_are_text(text: str) -> None:
    components = Components()
    for name in ("table", "line-chart", "bar-chart", "area-chart", "pie-chart"):
        rows = renamed(components.get(name).examples[0]["rows"], text)
        check(components.get(name).draw({"rows": rows}, components.drawing()), text, name)
    check(components.get("key-value").draw({"pairs": {text: text}}, components.drawing()), text, "pairs")
    check(components.get("tabs").draw({"panels": {text: [text]}}, components.drawing()), text, "tabs")


@pytest.mark.parametrize(
    "address",
    [
        "javascript:attack()",
        "JavaScript:attack()",
        "java\nscript:attack()",
        "\x01javascript:attack()",
        "data:text/html,<script>attack()</script>",
        "data:image/svg+xml\n:text/html",
        "vbscript:attack()",
        "http://plain.example/a.png",
        "//evil.example/a.png",
        "/relative.png",
        "blob:https://evil.example/1",
        "file:///etc/passwd",
        "https:evil",
    ],
)
def test_addresses_that_are_no_pictures_are_refused(address: str) -> None:
    components = Components()
    props = {"images": [{"src": address, "alt": "x"}]}
    with pytest.raises(ToolError, match="not an address of a picture"):
        components.get("image-gallery").draw(props, components.drawing())
    assert "https://example.com/a.png" in image_gallery([_picture("https://example.com/a.png")])


def _picture(src: str) -> Any:
    from cloche.components import Picture

    return Picture(src, "x")
