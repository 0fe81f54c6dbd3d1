"""HTML inside a tool's result."""

from __future__ import annotations

from typing import Any

import pytest

from cloche import Csp, EmbeddedResource, Server
from cloche.errors import RegistrationError
from cloche.views import ToolResultWithUI, create_ui_resource, is_ui_resource
from tests.support.server_peer import Peer


@pytest.mark.requirement(78, 79)
@pytest.mark.parametrize("version", ["2025-06-18", "2026-07-28"])
async def test_a_tool_returns_a_ui_resource_as_content(version: str) -> None:
    server = Server("s")

    @server.tool
    def form() -> EmbeddedResource:
        return create_ui_resource(
            "<form></form>", title="Contact <form>", width=400, height=300, uri="ui://form/abc123"
        )

    @server.tool
    def both() -> list[Any]:
        return ["A form", create_ui_resource("<form></form>")]

    async with Peer(server, version=version) as peer:
        (block,) = (await peer.call("form"))["content"]
        content = (await peer.call("both"))["content"]
    assert block["type"] == "resource"
    resource = block["resource"]
    assert (resource["uri"], resource["mimeType"]) == ("ui://form/abc123", "text/html;profile=mcp-app")
    assert resource["_meta"] == {"title": "Contact <form>", "cloche/size": {"width": 400, "height": 300}}
    assert "<body><form></form></body>" in resource["text"]
    assert "<title>Contact &lt;form&gt;</title>" in resource["text"]
    assert is_ui_resource(block)
    assert [one["type"] for one in content] == ["text", "resource"]


@pytest.mark.requirement(185)
def test_options_of_the_document() -> None:
    made = create_ui_resource(
        "<p>x</p>",
        "My chart",
        height="auto",
        css="p{color:red}",
        scripts=['https://cdn.example.com/a.js?x="1"&y'],
        csp=Csp(connect=["api.example.com"]),
        meta={"own": 1},
        include_default_styles=False,
    ).resource
    assert made.uri.startswith("ui://my-chart/")
    assert made.meta == {
        "ui": {"csp": {"connectDomains": ["https://api.example.com"], "resourceDomains": ["https://cdn.example.com"]}},
        "openai/widgetCSP": {
            "connect_domains": ["https://api.example.com"],
            "resource_domains": ["https://cdn.example.com"],
        },
        "title": "My chart",
        "own": 1,
    }
    text = made.text
    assert "<style>p{color:red}</style>" in text
    assert '<script src="https://cdn.example.com/a.js?x=&quot;1&quot;&amp;y"></script>' in text
    assert "color-scheme" in create_ui_resource("<p>x</p>").resource.text


def test_each_one_has_a_uri_of_its_own_and_a_document_stays_as_it_is() -> None:
    document = "<!-- mine -->\n<!DOCTYPE html><title>x</title>"
    first, second = (create_ui_resource(document).resource for _ in range(2))
    assert first.uri != second.uri
    assert first.text == document
    assert first.meta is None


@pytest.mark.requirement(160, 161)
@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"css": "p{}</STYLE><script>alert(1)</script>"}, "css holds '</style', which would end it"),
        ({"scripts": ["javascript:alert(1)"]}, "is not an https address"),
        ({"scripts": ["data:text/javascript,alert(1)"]}, "is not an https address"),
        ({"scripts": ["//evil.example/a.js"]}, "is not an https address"),
        ({"scripts": [" https://a.example/a.js"]}, "is not an https address"),
        ({"scripts": ["http://a.example/a.js"]}, "it is not encrypted"),
        ({"scripts": ["https://user@a.example/a.js"]}, "a user name has no place"),
        ({"scripts": ["alert(1)"]}, "JavaScript itself goes into the HTML"),
        ({"scripts": [None]}, "is not an https address"),
        ({"uri": "https://a.example"}, "from ui:// only"),
        ({"html": ""}, "is empty"),
        ({"html": "<!doctype html><p>", "css": "p{}"}, "put its css and scripts into its <head>"),
        ({"width": -1}, "width is a whole number"),
        ({"height": "tall"}, "height is a whole number"),
    ],
)
def test_what_would_break_out_or_not_work_is_refused(options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(RegistrationError, match=sentence):
        create_ui_resource(**{"html": "<p>x</p>", **options})


def test_a_title_cannot_break_out_of_the_head() -> None:
    attack = "</title><script>alert(1)</script>"
    assert f"<title>{attack}</title>" not in create_ui_resource("<p>x</p>", attack).resource.text


@pytest.mark.requirement(80, 185)
async def test_a_result_with_ui_says_where_it_wants_to_be_shown() -> None:
    server = Server("s")

    @server.tool
    def chart() -> ToolResultWithUI:
        ui = create_ui_resource("<svg></svg>", uri="ui://chart/1")
        return ToolResultWithUI(ui, "Sales grew.", structured={"sales": 3}, hint="panel", meta={"frontmcp:x": 1})

    async with Peer(server) as peer:
        result = await peer.call("chart")
    assert [block["type"] for block in result["content"]] == ["text", "resource"]
    assert result["structuredContent"] == {"sales": 3}
    assert result["_meta"] == {
        "resourceUri": "ui://chart/1",
        "uiHint": "panel",
        "autoRender": True,
        "frontmcp:x": 1,
    }
    with pytest.raises(RegistrationError, match="no hint 'popup': use one of inline, modal, panel, fullscreen"):
        ToolResultWithUI(create_ui_resource("<p>x"), hint="popup")  # type: ignore[arg-type]
    with pytest.raises(RegistrationError, match="shows what create_ui_resource made"):
        ToolResultWithUI("<p>")  # type: ignore[arg-type]


@pytest.mark.requirement(185)
@pytest.mark.parametrize(
    ("thing", "is_ui"),
    [
        (create_ui_resource("<p>x"), True),
        (create_ui_resource("<p>x").resource, True),
        ({"type": "resource", "resource": {"uri": "ui://a", "mimeType": "text/html+mcp", "text": ""}}, True),
        ({"uri": "ui://a", "mimeType": "text/html;profile=mcp-app"}, True),
        ({"uri": "ui://a", "mimeType": "text/plain"}, False),
        ({"uri": "file://a", "mimeType": "text/html;profile=mcp-app"}, False),
        ({"resource": "ui://a"}, False),
        ("ui://a", False),
        (None, False),
    ],
    ids=["block", "contents", "json block", "json contents", "plain", "file", "no resource", "text", "nothing"],
)
def test_what_is_a_ui_resource(thing: object, is_ui: bool) -> None:
    assert is_ui_resource(thing) is is_ui
