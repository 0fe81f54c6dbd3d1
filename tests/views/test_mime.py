"""MIME types and constants of views."""

from __future__ import annotations

import pytest

from cloche import views
from cloche.errors import ConfigurationError


@pytest.mark.requirement(84, 89)
def test_the_constants_are_those_of_the_protocol() -> None:
    assert views.RESOURCE_MIME_TYPE == "text/html;profile=mcp-app"
    assert views.SKYBRIDGE_MIME_TYPE == "text/html+skybridge"
    assert views.RESOURCE_URI_META_KEY == "ui/resourceUri"
    assert views.EXTENSION_ID == "io.modelcontextprotocol/ui"
    assert views.get_mime_type() == views.get_mime_type("profile") == "text/html;profile=mcp-app"
    assert views.get_mime_type("standard") == "text/html+mcp"
    assert views.get_mime_type("skybridge") == "text/html+skybridge"
    with pytest.raises(ConfigurationError, match="no kind of view 'new': use one of profile, standard, skybridge"):
        views.get_mime_type("new")  # type: ignore[arg-type]


@pytest.mark.requirement(89)
@pytest.mark.parametrize(
    ("text", "is_app"),
    [
        ("text/html;profile=mcp-app", True),
        ("Text/HTML; Profile=MCP-App", True),
        ('text/html; charset=utf-8; profile="mcp-app"', True),
        ("text/html+mcp", True),
        ("text/html+skybridge", False),
        ("text/html", False),
        ("text/html;profile=other", False),
        ("text/html;notprofile=mcp-app", False),
        ("text/plain;profile=mcp-app", False),
        ("", False),
        (None, False),
        (["text/html+mcp"], False),
        ("text/html;profile=mcp-app" + ";" * 200, False),
    ],
    ids=lambda value: str(value)[:60],
)
def test_which_types_are_apps(text: object, is_app: bool) -> None:
    assert views.is_app_mime_type(text) is is_app


def test_every_name_of_views_is_documented() -> None:
    bare = [name for name in views.__all__ if callable(getattr(views, name)) and not getattr(views, name).__doc__]
    assert bare == []
