"""`_meta` of views: every spelling is read, and what is written is read back."""

from __future__ import annotations

from typing import Any

import pytest

from cloche.wire.apps.metadata import (
    declaration,
    link_meta,
    merged,
    named_view,
    resource_meta,
    skybridge_meta,
    ui_of,
    view_uri,
    visibility,
    visibility_meta,
    widget_csp,
)
from cloche.wire.types import Json

CSP = {"connectDomains": ["https://a.example"], "frameDomains": ["https://f.example"]}
CLOSED: dict[str, list[str]] = {
    "connectDomains": [], "resourceDomains": [], "frameDomains": [], "baseUriDomains": []
}  # fmt: skip


@pytest.mark.parametrize(
    ("meta", "named"),
    [
        ({"ui": {"resourceUri": "ui://a"}, "ui/resourceUri": "ui://b"}, "ui://a"),
        ({"ui/resourceUri": "ui://b"}, "ui://b"),
        ({"ui": "ui://a"}, None),
        ({"ui": {"resourceUri": 7}}, 7),
        ({}, None),
        (None, None),
        ("text", None),
    ],
)
def test_what_a_tool_names_is_read_as_it_stands(meta: Any, named: Any) -> None:
    assert named_view({"_meta": meta}) == named


def test_a_view_for_chatgpt_alone_is_found_by_those_who_look_there() -> None:
    tool: Json = {"_meta": {"openai/outputTemplate": "ui://widget"}}
    assert view_uri(tool, None) is None
    assert view_uri(tool, None, openai=True) == "ui://widget"
    assert view_uri({"_meta": {"openai/outputTemplate": "https://x.example"}}, None, openai=True) is None


def test_what_is_written_for_a_tool_is_read_back() -> None:
    meta = merged(link_meta("ui://a/b.html", "ui://a/b.skybridge.html"), visibility_meta(["app"]))
    tool: Json = {"_meta": meta}
    assert (view_uri(tool, None), named_view(tool), visibility(tool)) == ("ui://a/b.html", "ui://a/b.html", ("app",))


def test_what_is_written_for_a_resource_is_read_back() -> None:
    meta = resource_meta(csp=CSP, permissions=["camera"], domain="a.example", prefers_border=False, width=400)
    found = declaration([meta])
    assert found.csp == {**CLOSED, **CSP}
    assert found.widget_csp == {**CLOSED, **CSP}
    assert (found.permissions, found.border, found.size, found.left_out) == (("camera",), False, {"width": 400}, ())
    assert resource_meta(csp={}) == {}


def test_chatgpts_page_has_the_keys_that_it_read_first() -> None:
    meta = resource_meta(csp={}, domain="a.example", prefers_border=True)
    found = skybridge_meta(meta, csp={}, description="What it is")
    assert {key: value for key, value in found.items() if key.startswith("openai/")} == {
        "openai/widgetCSP": {"connect_domains": [], "resource_domains": []},
        "openai/widgetDomain": "a.example",
        "openai/widgetPrefersBorder": True,
        "openai/widgetDescription": "What it is",
    }
    assert skybridge_meta({}, csp=None, description=None) == {}
    assert widget_csp(CSP) == {
        "connect_domains": ["https://a.example"], "resource_domains": [], "frame_domains": ["https://f.example"]
    }  # fmt: skip


def test_the_first_place_that_declares_wins_as_a_whole() -> None:
    metas: list[Json] = [{}, {"ui": {"prefersBorder": True}}, {"ui": {"prefersBorder": False, "domain": "x"}}]
    assert ui_of(metas) == {"prefersBorder": True}
    assert declaration([{"ui": "text"}, {"ui": {"prefersBorder": True}}]).border is None


@pytest.mark.parametrize("side", [0, -1, 10_001, True, 1.5, "400", None])
def test_a_size_that_is_none_is_not_wished_for(side: Any) -> None:
    assert declaration([{"cloche/size": {"width": side}}]).size is None
    assert declaration([{"cloche/size": {"width": side, "height": 10}}]).size == {"height": 10}
