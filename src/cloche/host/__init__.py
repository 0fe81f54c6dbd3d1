"""Other people's MCP Apps in your own product, under glass."""

from __future__ import annotations

from cloche.errors import EXT_APPS_ERROR_CODES
from cloche.host.message_context import HandlerContext, HostCapabilities, WidgetCapabilities
from cloche.host.message_handler import MessageHandler, create_message_handler

__all__ = [
    "EXT_APPS_ERROR_CODES",
    "HandlerContext",
    "HostCapabilities",
    "MessageHandler",
    "WidgetCapabilities",
    "create_message_handler",
]
