"""The message handler: every method, every combination of capabilities, callback present or absent."""

from __future__ import annotations

import itertools
import logging
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from cloche.errors import (
    ConfigurationError,
    ExtAppsError,
    ExtAppsInvalidParamsError,
    ExtAppsMethodNotFoundError,
    ExtAppsNotSupportedError,
    ExtAppsToolNotFoundError,
    RequestCancelledError,
    ToolError,
    UnknownNameError,
)
from cloche.host import (
    EXT_APPS_ERROR_CODES,
    HandlerContext,
    HostCapabilities,
    MessageHandler,
    WidgetCapabilities,
    create_message_handler,
)

HELLO = {"appInfo": {"name": "w", "version": "1"}, "appCapabilities": {}, "protocolVersion": "2026-01-26"}
SCHEMA = {"type": "object"}


@dataclass(frozen=True)
class Expected:
    """One method: what it needs, what a good request is, and what its callback must then have been given."""

    method: str
    params: dict[str, Any]
    result: Any
    given: tuple[Any, ...] | None = None
    callback: str | None = None
    capability: str | None = None
    refusal: str | None = None
    code: int = -32003

    def __str__(self) -> str:
        return self.method


TOOL = {"content": [{"type": "text", "text": "72"}]}
MODEL = {"structuredContent": {"city": "NYC"}}
METHODS = [
    Expected("ui/initialize", HELLO, None),
    Expected("ping", {}, {}),
    Expected(
        "ui/callServerTool",
        {"name": "weather", "arguments": {"city": "NYC"}},
        TOOL,
        ("weather", {"city": "NYC"}),
        "call_tool",
        "server_tool_proxy",
        "Server tool proxy not supported",
    ),
    Expected(
        "ui/updateModelContext",
        {"context": {"city": "NYC"}, "merge": True},
        {},
        ({"city": "NYC"}, True),
        "update_model_context",
        "model_context_update",
        "Model context update not supported",
    ),
    Expected(
        "ui/openLink",
        {"url": "https://example.com/a?b#c"},
        {},
        ("https://example.com/a?b#c",),
        "open_link",
        "open_link",
        "Open link not supported",
    ),
    Expected(
        "ui/setDisplayMode",
        {"mode": "fullscreen"},
        {"mode": "fullscreen"},
        ("fullscreen",),
        "set_display_mode",
        None,
        "Display mode change not supported",
    ),
    Expected("ui/close", {"reason": "done"}, {}, ("done",), "close", None, "Close not supported"),
    Expected(
        "ui/log",
        {"level": "info", "message": "hi"},
        {},
        ("widget of session s1: 'hi'",),
        "logger",
        "logging",
        "Logging not supported",
    ),
    Expected(
        "ui/registerTool",
        {"name": "pick", "description": "Pick", "inputSchema": SCHEMA},
        {},
        ("pick", "Pick", SCHEMA),
        "register_tool",
        "widget_tools",
        "Widget tools not supported",
    ),
    Expected(
        "ui/unregisterTool",
        {"name": "pick"},
        {},
        ("pick",),
        "unregister_tool",
        "widget_tools",
        "Widget tools not supported",
    ),
    Expected(
        "tools/call",
        {"name": "weather", "arguments": {"city": "NYC"}, "_meta": {"progressToken": 0}},
        TOOL,
        ("weather", {"city": "NYC"}),
        "call_tool",
        "server_tool_proxy",
        "Server tool proxy not supported",
        -32601,
    ),
    Expected(
        "ui/update-model-context",
        MODEL,
        {},
        (MODEL, False),
        "update_model_context",
        "model_context_update",
        "Model context update not supported",
        -32601,
    ),
    Expected(
        "ui/open-link",
        {"url": "http://example.com"},
        {},
        ("http://example.com",),
        "open_link",
        "open_link",
        "Open link not supported",
        -32601,
    ),
    Expected(
        "ui/request-display-mode",
        {"mode": "fullscreen"},
        {"mode": "fullscreen"},
        ("fullscreen",),
        "set_display_mode",
        None,
        "Display mode change not supported",
        -32601,
    ),
]
BY_NAME = {expected.method: expected for expected in METHODS}
CALLBACKS = {expected.callback for expected in METHODS if expected.callback}


class Recorder(logging.Handler):
    """Everything that reached a callback."""

    def __init__(self) -> None:
        super().__init__()
        self.given: list[tuple[str, tuple[Any, ...]]] = []
        self.logger = logging.Logger("widgets")
        self.logger.addHandler(self)

    def emit(self, record: logging.LogRecord) -> None:
        self.given.append(("logger", (record.getMessage(),)))

    def context(self, absent: set[str] | frozenset[str] = frozenset()) -> HandlerContext:
        present: dict[str, Any] = {
            name: self.logger if name == "logger" else self.callback(name) for name in CALLBACKS - absent
        }
        return HandlerContext(session_id="s1", **present)

    def callback(self, name: str) -> Any:
        async def take(*values: Any) -> Any:
            self.given.append((name, values))
            return TOOL if name == "call_tool" else None

        return take


def every_capability() -> Iterator[HostCapabilities]:
    flags = ("server_tool_proxy", "open_link", "model_context_update", "widget_tools", "logging", "display_modes")
    for values in itertools.product([False, True], repeat=len(flags)):
        on: dict[str, Any] = dict(zip(flags, values, strict=True))
        on["display_modes"] = ("inline", "fullscreen") if on["display_modes"] else ()
        yield HostCapabilities(**on)


def everything() -> HostCapabilities:
    return list(every_capability())[-1]


def ask(method: str, params: Any = None, identity: Any = 7) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": identity, "method": method, "params": params}


@pytest.mark.requirement(90, 91, 93, 97, 98)
@pytest.mark.parametrize("present", [True, False], ids=["callback", "no-callback"])
@pytest.mark.parametrize("expected", METHODS, ids=str)
async def test_every_combination_of_capabilities(expected: Expected, present: bool) -> None:
    combinations = list(every_capability())
    assert len(set(combinations)) == 64
    absent = {expected.callback} if expected.callback and not present else set()
    for capabilities in combinations:
        recorder = Recorder()
        handler = create_message_handler(recorder.context(absent), capabilities)
        answer = await handler.handle_request(ask(expected.method, expected.params))
        announced = expected.capability is None or bool(getattr(capabilities, expected.capability))
        if announced and (present or not expected.callback):
            assert answer is not None
            assert set(answer) == {"jsonrpc", "id", "result"}
            assert answer["id"] == 7
            assert expected.result is None or answer["result"] == expected.result
            assert recorder.given == ([(expected.callback, expected.given)] if expected.callback else [])
        else:
            refused = {"code": expected.code, "message": expected.refusal}
            assert answer == {"jsonrpc": "2.0", "id": 7, "error": refused}
            assert recorder.given == []


BAD = [
    ("ui/initialize", {}, "appInfo is required and must be an object"),
    ("ui/initialize", HELLO | {"appInfo": {}}, "name is required and must be a text"),
    ("ui/initialize", HELLO | {"appCapabilities": 1}, "appCapabilities is required and must be an object"),
    ("ui/initialize", HELLO | {"protocolVersion": 3}, "protocolVersion is required and must be a text"),
    (
        "ui/initialize",
        HELLO | {"appCapabilities": {"tools": True}},
        "appCapabilities.tools must be an object, not True",
    ),
    (
        "ui/initialize",
        HELLO | {"appCapabilities": {"supportsPartialInput": "yes"}},
        "listChanged and supportsPartialInput in appCapabilities must be booleans",
    ),
    ("ui/callServerTool", {}, "Tool name is required"),
    ("ui/callServerTool", {"name": ""}, "Tool name is required"),
    ("ui/callServerTool", {"name": ["weather"]}, "Tool name is required"),
    ("ui/callServerTool", {"name": "w", "arguments": [1]}, "arguments must be an object"),
    ("tools/call", {"name": None}, "Tool name is required"),
    ("tools/call", {"name": "w", "arguments": "x"}, "arguments must be an object"),
    ("ui/updateModelContext", {"merge": True}, "Context is required"),
    ("ui/updateModelContext", {"context": {}, "merge": "yes"}, "merge must be true or false"),
    ("ui/update-model-context", {"content": {}}, "content must be a list"),
    ("ui/update-model-context", {"structuredContent": []}, "structuredContent must be an object"),
    ("ui/openLink", {}, "url is required and must be a text"),
    ("ui/openLink", {"url": "javascript:alert(1)"}, "Only http and https links can be opened"),
    ("ui/open-link", {"url": " https://example.com"}, "Only http and https links can be opened"),
    ("ui/open-link", {"url": "https://"}, "Only http and https links can be opened"),
    ("ui/open-link", {"url": "https://[::1"}, "Only http and https links can be opened"),
    ("ui/open-link", {"url": "https://bank.example@evil.example"}, "Only http and https links can be opened"),
    ("ui/open-link", {"url": "https:\\\\evil.example"}, "Only http and https links can be opened"),
    ("ui/setDisplayMode", {}, "mode is required and must be a text"),
    ("ui/setDisplayMode", {"mode": "huge"}, "Display mode must be one of inline, fullscreen, pip"),
    ("ui/setDisplayMode", {"mode": "pip"}, "Display mode not supported: pip"),
    ("ui/request-display-mode", {"mode": "pip"}, "Display mode not supported: pip"),
    ("ui/close", {"reason": 1}, "reason must be a text"),
    ("ui/log", {"message": "hi"}, "level is required and must be a text"),
    ("ui/log", {"level": "info"}, "Log message is required"),
    ("ui/registerTool", {"description": "x"}, "Tool name is required"),
    ("ui/registerTool", {"name": "t", "description": 3}, "description must be a text"),
    ("ui/registerTool", {"name": "t", "inputSchema": "x"}, "inputSchema must be an object"),
    ("ui/unregisterTool", {}, "Tool name is required"),
    ("ui/unregisterTool", [], "params must be an object"),
    ("ui/unregisterTool", "pick", "params must be an object"),
]


@pytest.mark.requirement(98, 153, 161)
@pytest.mark.parametrize(("method", "params", "text"), BAD)
async def test_parameters_are_checked_before_a_callback_runs(method: str, params: Any, text: str) -> None:
    recorder = Recorder()
    answer = await MessageHandler(recorder.context(), everything()).handle_request(ask(method, params))
    assert answer == {"jsonrpc": "2.0", "id": 7, "error": {"code": -32602, "message": text}}
    assert recorder.given == []


@pytest.mark.requirement(96)
async def test_an_unknown_method_is_named_in_the_answer_but_not_at_length() -> None:
    handler = MessageHandler(Recorder().context(), everything())
    answer = await handler.handle_request(ask("ui/foo"))
    assert answer == {"jsonrpc": "2.0", "id": 7, "error": {"code": -32601, "message": "Unknown method: ui/foo"}}
    long = await handler.handle_request(ask("ui/" + "x" * 100_000))
    assert long is not None
    assert len(long["error"]["message"]) < 150


NOT_REQUESTS = [
    None,
    [],
    "ping",
    1,
    {},
    {"jsonrpc": "1.0", "id": 1, "method": "ping"},
    {"jsonrpc": "2.0", "id": 1},
    {"jsonrpc": "2.0", "id": 1, "method": 5},
    {"jsonrpc": "2.0", "id": None, "method": "ping"},
    {"jsonrpc": "2.0", "id": True, "method": "ping"},
    {"jsonrpc": "2.0", "id": 1.5, "method": "ping"},
    {"jsonrpc": "2.0", "id": "x" * 201, "method": "ping"},
    {"jsonrpc": "2.0", "id": {"a": 1}, "method": "ping"},
    {"jsonrpc": "2.0", "id": 1, "result": {}},
]


@pytest.mark.requirement(95, 153)
@pytest.mark.parametrize("message", NOT_REQUESTS, ids=repr)
async def test_what_is_no_request_is_answered_and_never_raises(message: Any) -> None:
    recorder = Recorder()
    answer = await MessageHandler(recorder.context(), everything()).handle_request(message)
    assert answer is not None
    assert answer["error"]["code"] == EXT_APPS_ERROR_CODES["INVALID_REQUEST"]
    assert answer["id"] in (None, 1)
    assert recorder.given == []


@pytest.mark.requirement(91)
@pytest.mark.parametrize(
    ("method", "params", "callback", "given"),
    [
        ("notifications/message", {"level": "error", "data": "no\nway"}, "logger", "widget of session s1: 'no\\nway'"),
        ("ui/notifications/request-teardown", {}, "close", None),
    ],
)
async def test_notifications_reach_their_callback_and_get_no_answer(
    method: str, params: Any, callback: str, given: Any
) -> None:
    recorder = Recorder()
    handler = MessageHandler(recorder.context(), everything())
    assert await handler.handle_request({"jsonrpc": "2.0", "method": method, "params": params}) is None
    assert recorder.given == [(callback, (given,))]


@pytest.mark.requirement(153)
@pytest.mark.parametrize(
    "method", ["ui/notifications/initialized", "ui/size-change", "ui/notifications/size-changed", "no/such", "ui/log"]
)
async def test_a_notification_is_never_answered_not_even_a_bad_one(method: str) -> None:
    handler = MessageHandler(Recorder().context(), everything())
    assert await handler.handle_request({"jsonrpc": "2.0", "method": method, "params": 3}) is None


FAILURES = [
    (UnknownNameError("tool", "weather"), -32001, -32602, "Tool not found: weather"),
    (ExtAppsToolNotFoundError("Tool not found: weather_api"), -32001, -32602, "Tool not found: weather_api"),
    (ToolError("The sensor is off"), -32002, -32603, "The sensor is off"),
    (RuntimeError("password is hunter2"), -32002, -32603, "Tool execution failed: weather"),
    (RequestCancelledError(3), -32004, -32000, "The call was cancelled"),
]


@pytest.mark.requirement(95, 96)
@pytest.mark.parametrize(("error", "legacy", "today", "text"), FAILURES, ids=lambda value: type(value).__name__)
async def test_a_failed_tool_call_has_the_dialects_code(error: Exception, legacy: int, today: int, text: str) -> None:
    async def fail(_name: str, _arguments: dict[str, Any]) -> None:
        raise error

    handler = MessageHandler(HandlerContext(session_id="s1", call_tool=fail), everything())
    for method, code in (("ui/callServerTool", legacy), ("tools/call", today)):
        answer = await handler.handle_request(ask(method, {"name": "weather"}))
        assert answer == {"jsonrpc": "2.0", "id": 7, "error": {"code": code, "message": text}}


@pytest.mark.requirement(95)
async def test_a_callback_that_breaks_tells_the_widget_nothing_of_it() -> None:
    async def fail(_url: str) -> None:
        raise ValueError("password is hunter2")

    handler = MessageHandler(HandlerContext(session_id="s1", open_link=fail), everything())
    answer = await handler.handle_request(ask("ui/openLink", {"url": "https://example.com"}))
    assert answer == {"jsonrpc": "2.0", "id": 7, "error": {"code": -32603, "message": "Internal error"}}


@pytest.mark.requirement(93, 94, 115)
async def test_initialize_answers_each_dialect_in_its_own_form() -> None:
    today = MessageHandler(Recorder().context(), everything(), host_context={"theme": "dark"})
    answer = await today.handle_request(ask("ui/initialize", HELLO))
    assert answer is not None
    assert answer["result"] == {
        "protocolVersion": "2026-01-26",
        "hostInfo": {"name": "Cloche", "version": "1"},
        "hostCapabilities": {"serverTools": {}, "openLinks": {}, "updateModelContext": {}, "logging": {}},
        "hostContext": {"theme": "dark"},
    }
    older = MessageHandler(Recorder().context(), everything())
    said = {"tools": {"listChanged": True}, "supportsPartialInput": True}
    answer = await older.handle_request(ask("ui/initialize", HELLO | {"appCapabilities": said}))
    assert answer is not None
    assert answer["result"]["hostCapabilities"] == {
        "serverToolProxy": True,
        "openLink": True,
        "modelContextUpdate": True,
        "widgetTools": True,
        "logging": True,
        "displayModes": ["inline", "fullscreen"],
    }
    assert older.widget == WidgetCapabilities(tools=True, tools_list_changed=True, supports_partial_input=True)


@pytest.mark.requirement(92)
async def test_notifications_to_the_widget_have_the_names_its_dialect_knows() -> None:
    handler = MessageHandler(Recorder().context(), everything())
    kinds = ["tool-input", "tool-input-partial", "tool-result", "host-context-changed"]
    for kind in kinds:
        message = handler.notification(kind, {"a": 1})
        assert message == {"jsonrpc": "2.0", "method": f"ui/notifications/{kind}", "params": {"a": 1}}
    assert handler.notification("cancelled")["method"] == "ui/notifications/tool-cancelled"
    await handler.handle_request(ask("ui/callServerTool", {"name": "weather"}))
    assert handler.notification("cancelled")["method"] == "ui/notifications/cancelled"


@pytest.mark.requirement(95)
def test_the_codes_are_pinned() -> None:
    assert EXT_APPS_ERROR_CODES == {
        "PARSE_ERROR": -32700,
        "INVALID_REQUEST": -32600,
        "METHOD_NOT_FOUND": -32601,
        "INVALID_PARAMS": -32602,
        "INTERNAL_ERROR": -32603,
        "TOOL_NOT_FOUND": -32001,
        "TOOL_EXECUTION_FAILED": -32002,
        "NOT_SUPPORTED": -32003,
        "CANCELLED": -32004,
    }


@pytest.mark.requirement(96)
def test_the_classes_have_their_codes() -> None:
    codes = {
        kind: kind("text").code
        for kind in (
            ExtAppsError,
            ExtAppsMethodNotFoundError,
            ExtAppsInvalidParamsError,
            ExtAppsNotSupportedError,
            ExtAppsToolNotFoundError,
        )
    }
    assert list(codes.values()) == [-32603, -32601, -32602, -32003, -32001]
    assert all(issubclass(kind, ExtAppsError) for kind in codes)


def test_a_display_mode_that_does_not_exist_cannot_be_announced() -> None:
    with pytest.raises(ConfigurationError, match="'huge' is not a display mode: inline, fullscreen, pip are"):
        HostCapabilities(display_modes=("huge",))  # type: ignore[arg-type]
