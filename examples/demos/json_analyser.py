"""JSON documents that never leave the tab: a file is picked in the setup, read where it lies, and asked with JSONPath.

As a web page:   cloche build examples/demos/json_analyser.py -o site
"""

# /// script
# dependencies = ["cloche", "python-jsonpath==2.2.2"]
# ///

from collections import Counter
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Annotated, Any, Literal

import jsonpath
import msgspec
from msgspec import Meta

from cloche import PickedFile, Server, SetupError, ToolError, ToolResult

server = Server(
    "json-analyser",
    version="1.0",
    title="JSON analyser",
    description="Answers JSONPath queries about a document. It is read where it lies, and nothing is uploaded.",
)

MOST = 100
"""Matches in one answer."""
LONGEST = 60_000
"""Characters of one answer."""

BOOKS = {
    "shop": "The corner",
    "books": [
        {"title": "A field guide to bells", "author": "Ada Wells", "price": 14.5, "tags": ["metal", "sound"]},
        {"title": "Bread without haste", "author": "Tom Rye", "price": 22, "tags": ["kitchen"]},
        {"title": "Small rivers", "author": "Ines Moor", "price": 9.9, "tags": ["outside", "water"]},
        {"title": "The night baker", "author": "Tom Rye", "price": 18, "tags": ["kitchen", "novel"]},
    ],
}
PLANETS = {
    "planets": [
        {"name": name, "moons": moons, "radius_km": radius}
        for name, moons, radius in [
            ("Mercury", 0, 2440),
            ("Venus", 0, 6052),
            ("Earth", 1, 6371),
            ("Mars", 2, 3390),
            ("Jupiter", 95, 69911),
            ("Saturn", 146, 58232),
            ("Uranus", 28, 25362),
            ("Neptune", 16, 24622),
        ]
    ]
}
EXAMPLES = {"Books": BOOKS, "Planets": PLANETS}


@dataclass
class Settings:
    """What to ask about: a file, or else one of the examples."""

    document: Annotated[
        PickedFile, Meta(title="JSON file", description="Of any size that fits into the memory of the tab.")
    ] = ""
    example: Annotated[Literal["Books", "Planets"], Meta(title="Without a file, use the example")] = "Books"


@dataclass
class Document:
    """What is being asked about."""

    name: str
    value: Any


@dataclass
class Match:
    """One place in the document."""

    path: str
    value: Any


@dataclass
class Matches:
    """What a query found. `found` counts all of it, `matches` are the first ones."""

    document: str
    found: int
    matches: list[Match]


@dataclass
class Overview:
    """What a document is made of."""

    document: str
    kind: str
    members: list[str]
    counts: dict[str, int]


opened: list[Document] = []


@server.setup(fields=Settings)
def setup(settings: Settings) -> str:
    """Read the document once, so that what is wrong with it is said beside its field."""
    try:
        opened[:] = [read(settings)]
    except msgspec.DecodeError as error:
        raise SetupError(f"This is not JSON: {error}", field="document") from None
    return f"JSON analyser: {opened[0].name}"


@server.tool(title="Query", annotations={"readOnlyHint": True})
def query(
    path: Annotated[str, Meta(examples=["$.books[?@.price < 20].title"], min_length=1, max_length=1_000)],
) -> ToolResult:
    """Find what a JSONPath expression matches in the document.

    Args:
        path: JSONPath as in RFC 9535.
    """
    document = current()
    try:
        matches = jsonpath.compile(path).finditer(document.value)
        first = [Match(one.path, one.value) for one in islice(matches, MOST)]
        found = len(first) + sum(1 for _ in matches)
    except jsonpath.JSONPathError as error:
        raise ToolError(f"This is no JSONPath expression: {error}") from None
    lines = [f"{found} {'match' if found == 1 else 'matches'} in {document.name}"]
    size = 0
    for count, one in enumerate(first):
        lines.append(f"{one.path}  {msgspec.json.encode(one.value).decode()}")
        size += len(lines[-1])
        if size > LONGEST:
            first, lines = first[:count], lines[:-1]
            break
    if len(first) < found:
        lines.append(f"… and {found - len(first)} more: ask for less at a time")
    return ToolResult("\n".join(lines), structured=Matches(document.name, found, first))


@server.tool(title="Overview", annotations={"readOnlyHint": True})
def overview() -> Overview:
    """What the document is made of: its members, and how many values of each kind."""
    document = current()
    counts: Counter[str] = Counter()
    waiting = [document.value]
    while waiting:
        value = waiting.pop()
        counts[kind_of(value)] += 1
        if isinstance(value, dict):
            waiting.extend(value.values())
        elif isinstance(value, list):
            waiting.extend(value)
    members = list(document.value)[:MOST] if isinstance(document.value, dict) else []
    return Overview(document.name, kind_of(document.value), members, dict(counts))


def current() -> Document:
    """What is asked about; read again when the page was loaded again."""
    if not opened:
        opened.append(read(setup.settings))
    return opened[0]


def read(settings: Settings) -> Document:
    """The file, where it lies, or the example."""
    if not settings.document:
        return Document(settings.example, EXAMPLES[settings.example])
    path = Path(settings.document)
    return Document(path.name, msgspec.json.decode(path.read_bytes()))


def kind_of(value: Any) -> str:
    """The name that JSON has for it."""
    names = {dict: "object", list: "array", str: "string", bool: "boolean", type(None): "null"}
    return names.get(type(value), "number")


if __name__ == "__main__":
    server.run()
