"""What a tool shows: views for MCP Apps hosts and ChatGPT, from HTML files, texts or Python functions."""

from __future__ import annotations

from cloche.views.declared_csp import Csp
from cloche.views.html import Html, h, json_script, raw
from cloche.views.registration import register_app_resource, register_app_tool
from cloche.views.scripts import generate_bridge
from cloche.views.support import client_supports_views
from cloche.views.ui_resource import ToolResultWithUI, create_ui_resource, is_ui_resource
from cloche.views.view import View
from cloche.wire.apps.metadata import RESOURCE_URI_META_KEY, view_uri_of
from cloche.wire.apps.mime import EXTENSION_ID, RESOURCE_MIME_TYPE, SKYBRIDGE_MIME_TYPE, get_mime_type, is_app_mime_type

__all__ = [
    "EXTENSION_ID",
    "RESOURCE_MIME_TYPE",
    "RESOURCE_URI_META_KEY",
    "SKYBRIDGE_MIME_TYPE",
    "Csp",
    "Html",
    "ToolResultWithUI",
    "View",
    "client_supports_views",
    "create_ui_resource",
    "generate_bridge",
    "get_mime_type",
    "h",
    "is_app_mime_type",
    "is_ui_resource",
    "json_script",
    "raw",
    "register_app_resource",
    "register_app_tool",
    "view_uri_of",
]
