"""A tool and its view registered as two parts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cloche import Csp, Server, View
from cloche.errors import RegistrationError
from cloche.views import register_app_resource, register_app_tool
from tests.support.server_peer import Peer

PAGE = "<!doctype html><p>A map</p>"
URI = "ui://map/app.html"


def show_map(city: str) -> dict[str, str]:
    """Show a city."""
    return {"city": city}


@pytest.mark.requirement(82, 83, 85)
@pytest.mark.parametrize("version", ["2025-11-25", "2026-07-28"])
async def test_the_two_parts_are_linked(version: str, tmp_path: Path) -> None:
    (tmp_path / "map.html").write_text(PAGE, "utf-8")
    server = Server("s")
    entry = register_app_resource(
        server, URI, tmp_path / "map.html", title="Map", csp={"connectDomains": ["a.example"]}
    )
    tool_entry = register_app_tool(
        server, show_map, resource_uri=URI, visibility=["app"], partial_input=True, title="A map", meta={"own": 1}
    )
    assert (entry.uri, tool_entry.name) == (URI, "show_map")
    async with Peer(server, version=version) as peer:
        (tool,) = (await peer.result("tools/list"))["tools"]
        assert tool["title"] == "A map"
        assert tool["_meta"] == {
            "ui": {"resourceUri": URI, "visibility": ["app"]},
            "ui/resourceUri": URI,
            "ui/capabilities": {"toolListChanged": False, "supportsPartialInput": True},
            "openai/outputTemplate": "ui://map/app.skybridge.html",
            "openai/widgetAccessible": True,
            "openai/visibility": "private",
            "own": 1,
        }
        (content,) = (await peer.result("resources/read", uri=URI))["contents"]
        assert content["text"] == PAGE, "a page with its own registration is served as it is"
        assert content["mimeType"] == "text/html;profile=mcp-app"
        assert content["_meta"]["ui"] == {"csp": {"connectDomains": ["https://a.example"]}}


async def test_a_resource_without_a_twin_is_its_own_output_template() -> None:
    server = Server("s")
    server.register_resource(URI, lambda: PAGE, name="map", mime_type="text/html;profile=mcp-app")
    entry = register_app_tool(server, show_map, resource_uri=URI)
    assert entry.tool.meta is not None
    assert entry.tool.meta["openai/outputTemplate"] == URI


@pytest.mark.requirement(85)
def test_a_link_that_leads_nowhere_names_the_call_that_is_missing() -> None:
    server = Server("s")
    with pytest.raises(
        RegistrationError, match=r"no resource 'ui://map/app\.html' to show: call register_app_resource\("
    ):
        register_app_tool(server, show_map, resource_uri=URI)
    assert len(server.tools) == 0


def test_a_link_to_something_that_is_no_view_is_told() -> None:
    server = Server("s")
    server.register_resource(URI, lambda: PAGE, name="map", mime_type="text/html")
    with pytest.raises(RegistrationError, match="is text/html, which hosts do not show: register it with"):
        register_app_tool(server, show_map, resource_uri=URI)


@pytest.mark.parametrize("uri", ["https://map.example/app.html", "map.html", "", "file:///map.html"])
def test_both_parts_want_a_ui_uri(uri: str) -> None:
    server = Server("s")
    with pytest.raises(RegistrationError, match="hosts load views from ui:// only"):
        register_app_resource(server, uri, PAGE)
    with pytest.raises(RegistrationError, match="hosts load views from ui:// only"):
        register_app_tool(server, show_map, resource_uri=uri)


@pytest.mark.parametrize(
    ("source", "options", "sentence"),
    [
        (lambda result: "<p>", {}, r"belongs to the tool: @server\.tool\(view=function\)"),
        (View(PAGE), {"csp": Csp()}, r"Give csp to the View itself: View\(…, csp=…\)"),
        ("missing.html", {}, "does not exist"),
    ],
    ids=["function", "view with options", "missing"],
)
def test_mistakes_with_the_resource(source: Any, options: dict[str, Any], sentence: str) -> None:
    server = Server("s")
    with pytest.raises(RegistrationError, match=sentence):
        register_app_resource(server, URI, source, **options)
    assert len(server.resources) == 0


def test_a_view_object_can_be_registered_by_itself() -> None:
    server = Server("s")
    register_app_resource(server, URI, View(PAGE, prefers_border=True))
    item = server.resources.entries[URI].item
    assert item.meta == {"ui": {"prefersBorder": True}}
