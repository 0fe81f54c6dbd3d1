"""A component: its props and their schema, what it refuses, and how it shows a tool's result."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, TypedDict

import msgspec
import pytest
from msgspec import Meta

from cloche import Context, Server
from cloche.components import Component, Components, component, table
from cloche.components.component import MAX_PROPS
from cloche.errors import RegistrationError, ToolError
from cloche.views import Html, h


@component(
    category="data",
    tags=["stars"],
    default_props={"stars": 3},
    examples=[{"label": "Bread", "stars": 5}],
    summary=lambda label, stars: f"{label}: {stars} of 5",
)
def rating(label: str, stars: Annotated[int, Meta(ge=0, le=5)]) -> Html:
    """How good something is.

    Args:
        label: What is judged.
        stars: From 0 to 5.
    """
    return h.p(label, ": ", "★" * stars)


@pytest.mark.requirement(182)
def test_the_signature_is_the_schema() -> None:
    assert rating.schema == {
        "type": "object",
        "properties": {
            "label": {"type": "string", "description": "What is judged."},
            "stars": {"type": "integer", "minimum": 0, "maximum": 5, "description": "From 0 to 5.", "default": 3},
        },
        "required": ["label"],
        "additionalProperties": False,
    }
    assert (rating.name, rating.description, rating.category, rating.tags) == (
        "rating",
        "How good something is.",
        "data",
        ("stars",),
    )
    assert rating.facts()["examples"] == [{"label": "Bread", "stars": 5}]


def test_it_is_called_like_the_function() -> None:
    assert rating("Jam <b>", 2) == "<p>Jam &lt;b&gt;: ★★</p>"
    assert rating.summary("Jam", 2) == "Jam: 2 of 5"
    assert h.div(rating("Jam", stars=1)) == "<div><p>Jam: ★</p></div>"


@dataclass
class Point:
    x: int
    y: int = 0


class PointStruct(msgspec.Struct):
    x: int
    y: int = 0


class PointDict(TypedDict):
    x: int


@pytest.mark.parametrize("kind", [Point, PointStruct, PointDict])
def test_the_fields_of_one_type_are_the_props(kind: Any) -> None:
    def point(props: Any) -> Html:
        return h.b(props["x"] if isinstance(props, dict) else props.x)

    point.__annotations__ = {"props": kind, "return": Html}
    made = Component(point)
    assert "x" in made.schema["properties"]
    (props,), _ = made.bind({"x": 7})
    assert made(props) == "<b>7</b>"
    with pytest.raises(ToolError, match=r"Invalid props for point: .*x"):
        made.bind({"x": "seven"})


@pytest.mark.parametrize(
    ("props", "words"),
    [
        ({}, "label"),
        ({"label": "Bread", "stars": 6}, "stars"),
        ({"label": 3}, "label"),
        ({"label": "Bread", "colour": "red"}, "colour"),
        ({"label": "x" * MAX_PROPS}, "bytes"),
        ({"label": {1, 2}}, "label"),
        ({"label": object()}, "not JSON"),
    ],
)
def test_wrong_props_are_refused_by_name(props: dict[str, Any], words: str) -> None:
    with pytest.raises(ToolError, match=words) as caught:
        rating.bind(props)
    assert len(str(caught.value)) < 400


def test_mistakes_fail_where_they_are_written() -> None:
    def good(label: str = "") -> Html:
        return h.p(label)

    async def slow(label: str) -> Html:
        return h.p(label)

    def asking(ctx: Context) -> Html:
        return h.p("")

    for wrong, options, words in [
        (good, {"name": "no spaces"}, "letter"),
        (good, {"examples": [{"label": 3}]}, "example"),
        (good, {"default_props": {"lable": ""}}, "lable"),
        (good, {"tags": "one"}, "list"),
        (slow, {}, "`def`"),
        (asking, {}, "Context"),
    ]:
        with pytest.raises(RegistrationError, match=words):
            Component(wrong, **options)  # type: ignore[arg-type]


def test_what_is_no_html_is_not_shown() -> None:
    @component
    def careless(text: str) -> Any:
        return f"<b>{text}</b>"

    with pytest.raises(TypeError, match="careless returned a str"):
        careless("x")


@dataclass
class Order:
    item: str
    count: int


async def test_a_component_shows_the_result_of_a_tool(mcp_client: Any) -> None:
    server = Server("shop")

    @server.tool(view=table)
    def orders() -> list[Order]:
        """What was ordered."""
        return [Order("<i>Bread", 3)]

    async with mcp_client(server) as client:
        result = await client.call_tool("orders")
        tool = next(one for one in await client.list_tools() if one.name == "orders")
        (page,) = (await client.read_resource(tool.meta["ui"]["resourceUri"])).contents
    assert result.data == [{"item": "<i>Bread", "count": 3}]
    assert ">&lt;i&gt;Bread</td>" in result.meta["cloche/html"]
    assert ".cc-table" in page.text
    assert "aria-sort" in page.text


@pytest.mark.requirement(77, 182)
def test_the_registry_finds_by_name_category_tag_and_words() -> None:
    components = Components([rating, table])
    assert components.has_any()
    assert components.has("rating")
    assert "rating" in components
    assert components.get("rating") is rating
    assert [one.name for one in components.list()] == ["rating", "table"]
    assert components.list_by_category("data") == [rating, table]
    assert components.search(tags=["stars"]) == [rating]
    assert components.search("GOOD something") == [rating]
    assert components.search("good", tags=["rows"]) == []
    assert not Components([]).has_any()
    with pytest.raises(RegistrationError, match="already"):
        components.register(rating)
    with pytest.raises(ToolError, match="there are rating, table"):
        components.get("chart")


def test_components_are_registered_before_the_page_is_made() -> None:
    components, server = Components([]), Server("s")

    @components.component(category="mine")
    def mine(text: str) -> Html:
        """Mine."""
        return h.p(text)

    server.attach(components)
    assert components.get("mine") is mine
    with pytest.raises(Exception, match=r"before server\.attach"):
        components.register(rating)
