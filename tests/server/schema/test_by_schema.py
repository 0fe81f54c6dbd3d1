"""Tools by schema: `register_tool(name=, input_schema=, handler=)` in both eras, checked, with views and hooks."""

from __future__ import annotations

from typing import Any

import pytest

from cloche import Client, Context, Server, ToolResult
from cloche.errors import RegistrationError
from tests.support.server_peer import Peer

ERAS = ["2025-11-25", "2026-07-28"]
CITY: dict[str, Any] = {
    "type": "object",
    "properties": {"city": {"type": "string", "minLength": 2}, "days": {"type": "integer", "minimum": 1, "maximum": 7}},
    "required": ["city"],
    "additionalProperties": False,
    "$comment": "kept as it is",
}
COUNT: dict[str, Any] = {"type": "object", "properties": {"count": {"type": "integer"}}, "required": ["count"]}


async def call(peer: Peer, name: str, **arguments: Any) -> tuple[bool, str, Any]:
    result = await peer.result("tools/call", name=name, arguments=arguments)
    return bool(result.get("isError")), result["content"][0]["text"], result.get("structuredContent")


@pytest.mark.parametrize("version", ERAS)
async def test_a_tool_by_schema_is_listed_with_it_and_called_with_a_checked_dict(version: str) -> None:
    server = Server("s")
    seen: list[dict[str, Any]] = []

    async def look(arguments: dict[str, Any]) -> dict[str, Any]:
        seen.append(arguments)
        return {"count": len(arguments)}

    entry = server.register_tool(
        name="look",
        title="Look",
        description="Looks.",
        input_schema=CITY,
        output_schema=COUNT,
        annotations={"read_only_hint": True},
        handler=look,
    )
    assert entry is server.tools.get("look")
    async with Peer(server, version=version) as peer:
        (tool,) = (await peer.result("tools/list"))["tools"]
        assert (tool["inputSchema"], tool["outputSchema"]) == (CITY, COUNT)
        assert (tool["title"], tool["annotations"]) == ("Look", {"readOnlyHint": True})
        assert await call(peer, "look", city="Paris", days=2.0) == (False, '{"count":2}', {"count": 2})
        assert seen == [{"city": "Paris", "days": 2}]
        for wrong, told in (
            ({}, '$.city: the required argument "city" is missing'),
            ({"city": "P"}, '$.city: expected a string of length >= 2, got "P"'),
            ({"city": "Paris", "days": 8}, "$.days: expected a number <= 7, got 8"),
            ({"city": "Paris", "day": 1}, '$.day: there is no argument "day", did you mean "days"?'),
        ):
            assert await call(peer, "look", **wrong) == (True, f"Invalid arguments for look: {told}", None)
    assert len(seen) == 1


async def test_the_decorator_takes_schemas_too_and_the_context_is_given_where_it_is_wanted() -> None:
    server = Server("s")

    @server.tool(input_schema=CITY)
    def first(ctx: Context, arguments: dict[str, Any]) -> str:
        return f"{ctx.request_id is not None} {arguments['city']}"

    @server.tool(input_schema={"type": "object"})
    def second(arguments: dict[str, Any], ctx: Context) -> str:
        return f"{ctx.request_id is not None} {arguments}"

    @server.tool(input_schema={"type": "object"})
    def third() -> str:
        return "nothing"

    async with Client(server) as client:
        assert (await client.call_tool("first", {"city": "Rome"})).text == "True Rome"
        assert (await client.call_tool("second")).text == "True {}"
        assert (await client.call_tool("third", {"any": "thing"})).text == "nothing"


@pytest.mark.parametrize("version", ERAS)
async def test_a_result_that_its_schema_does_not_allow_is_an_error_of_the_tool(version: str) -> None:
    server = Server("s")
    values: list[Any] = [{"count": "three"}, {}, [], ToolResult("as it is")]
    server.register_tool(name="t", input_schema={"type": "object"}, output_schema=COUNT, handler=lambda: values.pop(0))
    async with Peer(server, version=version) as peer:
        for told in (
            "$.count: expected an integer, got a string",
            '$.count: the required argument "count" is missing',
            "$: expected an object, got an array",
        ):
            failed, text, _ = await call(peer, "t")
            assert failed
            assert (
                text
                == f"The tool t returned something it did not declare: its output_schema does not allow this, {told}"
            )
        assert (await call(peer, "t"))[:2] == (False, "as it is")


async def test_an_output_that_is_no_object_is_wrapped_before_2026_and_its_references_still_lead_somewhere() -> None:
    server = Server("s")
    tree = {
        "type": "array",
        "items": {"$ref": "#/$defs/node"},
        "$defs": {
            "node": {"type": "object", "properties": {"children": {"$ref": "#"}, "enum": {"$ref": "#/$defs/node"}}}
        },
    }
    server.register_tool(
        name="tree", input_schema={"type": "object"}, output_schema=tree, handler=lambda: [{"children": [{}]}]
    )
    async with Peer(server, version="2025-11-25") as peer:
        (tool,) = (await peer.result("tools/list"))["tools"]
        inner = tool["outputSchema"]["properties"]["result"]
        assert inner["items"] == {"$ref": "#/properties/result/$defs/node"}
        assert inner["$defs"]["node"]["properties"]["children"] == {"$ref": "#/properties/result"}
        assert inner["$defs"]["node"]["properties"]["enum"] == {"$ref": "#/properties/result/$defs/node"}
        assert (await call(peer, "tree"))[2] == {"result": [{"children": [{}]}]}
    async with Peer(server, version="2026-07-28") as peer:
        (tool,) = (await peer.result("tools/list"))["tools"]
        assert tool["outputSchema"] == tree
        assert (await call(peer, "tree"))[2] == [{"children": [{}]}]


async def test_a_view_function_gets_the_arguments_and_the_result_of_a_tool_by_schema() -> None:
    server = Server("s")

    def show(result: dict[str, Any], input: dict[str, Any]) -> str:
        return f"<p>{input['city']}: {result['count']}</p>"

    server.register_tool(
        name="look", input_schema=CITY, output_schema=COUNT, view=show, handler=lambda arguments: {"count": 3}
    )
    async with Client(server) as client:
        result = await client.request("tools/call", {"name": "look", "arguments": {"city": "Oslo"}})
        assert result["_meta"]["cloche/html"] == "<p>Oslo: 3</p>"
        again = {"result": {"count": 4}, "input": {"city": "Bergen"}}
        rendered = await client.request("tools/call", {"name": "look-render", "arguments": again})
        assert rendered["content"][0]["resource"]["text"] == "<p>Bergen: 4</p>"


async def test_arguments_that_are_no_object_or_too_deep_are_refused() -> None:
    server = Server("s")
    server.register_tool(name="t", input_schema={"type": "object"}, handler=lambda arguments: "ok")
    async with Peer(server) as peer:
        answer = await peer.request("tools/call", name="t", arguments=[1])
        assert "expected an object" in str(answer)
        deep: Any = []
        for _ in range(60):
            deep = [deep]
        assert "ok" in str(await peer.request("tools/call", name="t", arguments={"a": deep}))


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"input_schema": {"type": "string"}, "handler": dict}, "write 'type': 'object'"),
        ({"input_schema": {}, "handler": dict}, "write 'type': 'object'"),
        (
            {"input_schema": {"type": "object", "not": 3}, "handler": dict},
            "its input_schema cannot be checked: #/not must be",
        ),
        (
            {"input_schema": CITY, "output_schema": {"items": 3}, "handler": lambda arguments: ""},
            "its output_schema cannot be checked: #/items must be a schema",
        ),
        ({"handler": lambda arguments: ""}, r"takes an input_schema=\{'type': 'object'"),
        ({"input_schema": CITY}, "A tool has one function"),
        ({"input_schema": CITY, "fn": print, "handler": print}, "A tool has one function"),
        ({"input_schema": CITY, "handler": lambda a, b: ""}, "takes the parameters as one argument"),
    ],
)
def test_mistakes_are_told_at_registration(options: dict[str, Any], told: str) -> None:
    with pytest.raises(RegistrationError, match=told):
        Server("s").register_tool(name="t", **options)
