"""Judges of what a view emits: the official JSON Schema for `ui/*`, the official Python types for the rest of MCP."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import jsonschema
import mcp.types
from pydantic import BaseModel

from tests.support.official_app.bundles import schema

DEFINITIONS = {
    "ui/initialize": "McpUiInitializeRequest",
    "ui/notifications/initialized": "McpUiInitializedNotification",
    "ui/notifications/size-changed": "McpUiSizeChangedNotification",
    "ui/notifications/request-teardown": "McpUiRequestTeardownNotification",
    "ui/open-link": "McpUiOpenLinkRequest",
    "ui/download-file": "McpUiDownloadFileRequest",
    "ui/message": "McpUiMessageRequest",
    "ui/update-model-context": "McpUiUpdateModelContextRequest",
    "ui/request-display-mode": "McpUiRequestDisplayModeRequest",
}
"""What a view may send of MCP Apps, and the definition in schema.json that says how."""

TYPES: dict[str, type[BaseModel]] = {
    "tools/call": mcp.types.CallToolRequest,
    "resources/read": mcp.types.ReadResourceRequest,
    "ping": mcp.types.PingRequest,
    "notifications/message": mcp.types.LoggingMessageNotification,
    "notifications/tools/list_changed": mcp.types.ToolListChangedNotification,
    "notifications/cancelled": mcp.types.CancelledNotification,
    "notifications/progress": mcp.types.ProgressNotification,
}

RESULTS: dict[str, type[BaseModel]] = {"tools/list": mcp.types.ListToolsResult, "tools/call": mcp.types.CallToolResult}
"""What a view answers to the host's requests."""

ENVELOPES = [
    {"jsonrpc", "method"},
    {"jsonrpc", "method", "params"},
    {"jsonrpc", "id", "method"},
    {"jsonrpc", "id", "method", "params"},
    {"jsonrpc", "id", "result"},
    {"jsonrpc", "id", "error"},
]


class Oracle:
    """Validates against one version's schema."""

    def __init__(self, version: str) -> None:
        self.definitions: dict[str, Any] = schema(version)["$defs"]

    def judge(self, definition: str, value: Any) -> None:
        """Raise unless the value is what the definition says."""
        jsonschema.Draft202012Validator(self.definitions[definition]).validate(value)

    def judge_conversation(self, emitted: Iterable[dict[str, Any]], asked: Iterable[dict[str, Any]]) -> list[str]:
        """Validate all that a view emitted, given all that its host asked; the kinds of messages, in order."""
        methods = {message["id"]: message["method"] for message in asked if "id" in message and "method" in message}
        return [self.judge_message(message, methods) for message in emitted]

    def judge_message(self, message: dict[str, Any], asked: dict[Any, str]) -> str:
        """Validate one message of a view; its kind is the method, or what it answers."""
        assert set(message) in ENVELOPES, f"not a JSON-RPC message: {sorted(message)}"
        assert message["jsonrpc"] == "2.0"
        if "method" not in message:
            return self.judge_answer(message, asked[message["id"]])
        method = message["method"]
        plain = {key: value for key, value in message.items() if key in ("method", "params")}
        if method in DEFINITIONS:
            self.judge(DEFINITIONS[method], plain)
        else:
            TYPES[method].model_validate(plain)
        return str(method)

    def judge_answer(self, message: dict[str, Any], method: str) -> str:
        """Validate what a view answered to a request of the host's."""
        if "error" in message:
            mcp.types.ErrorData.model_validate(message["error"])
            return f"error of {method}"
        if method == "ui/resource-teardown":
            self.judge("McpUiResourceTeardownResult", message["result"])
        elif method in RESULTS:
            RESULTS[method].model_validate(message["result"])
        return f"result of {method}"
