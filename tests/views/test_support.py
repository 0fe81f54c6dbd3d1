"""What the other side says of views."""

from __future__ import annotations

from typing import Any

import pytest

from cloche import Context, Server
from cloche.views import client_supports_views, view_uri_of
from tests.support.server_peer import Peer

UI = "io.modelcontextprotocol/ui"
TODAY = {"mimeTypes": ["text/plain", "text/html; profile=mcp-app"]}


@pytest.mark.parametrize("version", ["2025-06-18", "2025-11-25", "2026-07-28"])
@pytest.mark.parametrize(
    ("capabilities", "supported"),
    [
        ({"extensions": {UI: TODAY}}, True),
        ({"experimental": {UI: TODAY}}, True),
        ({"extensions": {UI: {"mimeTypes": ["text/html+mcp"]}}}, False),
        ({"extensions": {UI: {}}}, False),
        ({"extensions": {UI: {"mimeTypes": "text/html;profile=mcp-app"}}}, False),
        ({"extensions": {UI: {"mimeTypes": [None, 3, {}]}}}, False),
        ({"extensions": {UI: {"mimeTypes": []}}}, False),
        ({"extensions": {"other": TODAY}}, False),
        ({}, False),
    ],
    ids=["today", "experimental", "older", "no types", "text", "odd", "none", "other", "nothing"],
)
async def test_a_tool_can_ask_whether_views_are_shown(
    version: str, capabilities: dict[str, Any], supported: bool
) -> None:
    server = Server("s")

    @server.tool
    def seen(ctx: Context) -> bool:
        return client_supports_views(ctx)

    async with Peer(server, version=version, capabilities=capabilities) as peer:
        assert (await peer.call("seen"))["content"][0]["text"] == ("true" if supported else "false")


@pytest.mark.requirement(80, 87)
@pytest.mark.parametrize(
    ("tool", "uri"),
    [
        ({"_meta": {"ui": {"resourceUri": "ui://a"}, "ui/resourceUri": "ui://b"}}, "ui://a"),
        ({"_meta": {"ui/resourceUri": "ui://b"}, "annotations": {"ui/resourceUri": "ui://c"}}, "ui://b"),
        ({"annotations": {"ui/resourceUri": "ui://c"}}, "ui://c"),
        ({"_meta": {"mcp:resourceUri": "ui://d"}}, "ui://d"),
        ({"_meta": {"mcp:resourceUri": "component://Form", "mcp:instanceUri": "ui://e"}}, "ui://e"),
        ({"_meta": {"mcp:instanceUri": "instance://1", "mcp:htmlUri": "ui://f"}}, "ui://f"),
        ({"_meta": {"ui": {"resourceUri": "https://evil.example"}, "ui/resourceUri": "ui://g"}}, "ui://g"),
        ({"_meta": {"ui": "ui://h"}}, None),
        ({"_meta": {"ui": {"resourceUri": "javascript:alert(1)"}}}, None),
        ({"_meta": None, "annotations": 3}, None),
        ({}, None),
    ],
)
def test_every_spelling_of_the_link_is_read(tool: dict[str, Any], uri: str | None) -> None:
    assert view_uri_of(tool) == uri
