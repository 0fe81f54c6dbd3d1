"""Every `_meta.ui` that a server emits is what the official schema says, and so are the whole tools and resources."""

from __future__ import annotations

from typing import Any

import jsonschema
import mcp.types
import pytest

from cloche import Csp, Server, View
from cloche.views import create_ui_resource, register_app_resource, register_app_tool
from tests.support.official_app.harness import VERSIONS
from tests.support.official_app.oracle import Oracle
from tests.support.server_peer import Peer


def full_server() -> Server:
    """A server whose tools use everything that a view can say."""
    server = Server("full")
    everything = View(
        "<p>all</p>",
        csp=Csp(connect=["a.example"], resources=["*.b.example"], frames=["c.example"], base=["d.example"]),
        permissions=["camera", "microphone", "geolocation", "clipboard-write"],
        domain="view.example.com",
        prefers_border=True,
        width=300,
        height=200,
        partial_input=True,
        tool_list_changed=True,
        invoking="Working",
        invoked="Done",
    )

    @server.tool(view=everything, visibility=["model", "app"])
    def all_of_it() -> int:
        return 1

    @server.tool(view="<p>plain</p>")
    def plain() -> int:
        return 1

    @server.tool(visibility=["app"])
    def helper() -> Any:
        return create_ui_resource("<p>x</p>", "A title", 300, 200, csp=Csp(connect=["a.example"]))

    register_app_resource(server, "ui://two/parts.html", "<p>two</p>", csp={"connectDomains": ["a.example"]})
    register_app_tool(server, plain, name="two_parts", resource_uri="ui://two/parts.html", visibility=["model"])
    return server


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("protocol", ["2025-06-18", "2025-11-25", "2026-07-28"])
async def test_all_metadata_is_valid(version: str, protocol: str) -> None:
    oracle = Oracle(version)
    async with Peer(full_server(), version=protocol) as peer:
        tools = (await peer.result("tools/list"))["tools"]
        listed = (await peer.result("resources/list"))["resources"]
        contents = [(await peer.result("resources/read", uri=one["uri"]))["contents"][0] for one in listed]
        embedded = (await peer.call("helper"))["content"][0]["resource"]
    assert len(tools) == 4
    for tool in tools:
        mcp.types.Tool.model_validate(tool)
        oracle.judge("McpUiToolMeta", tool["_meta"]["ui"])
    judged = [one["_meta"]["ui"] for one in (*listed, *contents, embedded) if "ui" in one.get("_meta", {})]
    assert len(judged) == 9
    for found in judged:
        oracle.judge("McpUiResourceMeta", found)
    for one in listed:
        mcp.types.Resource.model_validate(one)


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize(
    ("definition", "wrong"),
    [
        ("McpUiToolMeta", {"resourceUri": "ui://a", "visibility": ["user"]}),
        ("McpUiToolMeta", {"resourceUri": 3}),
        ("McpUiResourceMeta", {"csp": {"connectDomains": "https://a.example"}}),
        ("McpUiResourceMeta", {"permissions": {"camera": True}}),
        ("McpUiResourceMeta", {"prefersBorder": "yes"}),
    ],
    ids=["visibility", "uri", "text for a list", "boolean for an object", "text for a boolean"],
)
def test_the_judge_sees_what_is_wrong(version: str, definition: str, wrong: dict[str, Any]) -> None:
    with pytest.raises(jsonschema.ValidationError):
        Oracle(version).judge(definition, wrong)
