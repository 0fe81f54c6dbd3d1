"""What each method of the protocol does. Two tables at the end say which era has which."""

from __future__ import annotations

import inspect
import logging
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import UNSET, Raw

from cloche.errors import (
    InternalError,
    InvalidParamsError,
    McpError,
    ParseError,
    RemoteProtocolError,
    ResourceNotFoundError,
    ToolError,
    UnknownNameError,
    shorten,
)
from cloche.logs import TOOL_FAILED
from cloche.server.content import ToolResult, block, blocks, prompt_messages, resource_contents, shape
from cloche.server.registry import match_resource
from cloche.server.schema import ArgumentsError, OutputError
from cloche.server.tasks import methods as task_methods
from cloche.server.tasks.methods import begin
from cloche.wire import json, messages, types
from cloche.wire.versions import STATELESS_VERSIONS, Features, negotiate

if TYPE_CHECKING:
    from cloche.auth import Principal
    from cloche.server.engine import Engine, Handler
    from cloche.server.entries import Entry, ResourceEntry, ToolEntry
    from cloche.server.exchange import Exchange

logger = logging.getLogger("cloche.server")

MAX_INITIALIZE = 64 * 1024
"""The most bytes that a client may use to say who it is."""

MAX_COMPLETIONS = 100
"""The most suggestions that one completion may carry, says the protocol."""


# Tools


def call_tool(engine: Engine, exchange: Exchange, params: types.CallToolParams) -> Any:
    """`tools/call`"""
    name = params.name
    tool: ToolEntry | None = engine.tools.get(name)
    if tool is None or (tool.guarded and not tool.exists_for(exchange.principal)):
        raise UnknownNameError("tool", name)
    if (tool.task is not None or params.task is not UNSET) and not exchange.in_task:
        task = begin(engine, exchange, params, tool)
        if task is not None:
            return task
    given = b"" if params.arguments is UNSET else params.arguments
    try:
        context = engine.context(exchange, params, name) if tool.wants_context else None
        args, kwargs = tool.bind(given, context)
    except ArgumentsError as error:
        return engine.stamp(wrong_arguments(name, given, error), exchange.peer.features)
    exchange.entry = tool
    exchange.finalize = finish_tool
    if tool.timeout is None and not engine.default_is_short:
        exchange.seconds = engine.server.timeout
        exchange.deadline = None
    else:
        engine.start(exchange, tool.timeout)
    return tool.invoke(*args, **kwargs) if tool.is_async else engine.run_in_thread(tool, exchange, args, kwargs)


def finish_tool(engine: Engine, exchange: Exchange, value: Any) -> Any:
    """What a tool returned, as text always and structured where it is typed.

    Nearly every answer is text, or text and something typed: its JSON is put together by hand.
    """
    features = exchange.peer.features
    output = exchange.entry.output
    if type(value) is output.plain:  # a number or a boolean, whose JSON needs no escaping inside a text
        data = _encode(value)
        text = b'"' + data + b'"'
    elif isinstance(value, ToolResult):
        return engine.stamp(_whole_result(value, features), features)
    elif output.schema is not None:
        data = output.encode(value)
        text = _encode(value if type(value) is str else data.decode())
    elif type(value) is str:
        return b"".join((_ANSWER, _encode(exchange.id), _TEXT, _encode(value), b"}]", engine.tails[features.stateless]))
    else:
        return engine.stamp(types.CallToolResult(shape(blocks(value), features)), features)
    middle, end = engine.frames[features.version][output.wrapped]
    if middle is None:
        middle = data = b""  # this version knows no structured content
    return b"".join((_ANSWER, _encode(exchange.id), _TEXT, text, middle, data, end))


_ANSWER = b'{"jsonrpc":"2.0","id":'
_TEXT = b',"result":{"content":[{"type":"text","text":'
_encode = msgspec.json.Encoder().encode


def _whole_result(value: ToolResult, features: Features) -> types.CallToolResult:
    structured = msgspec.to_builtins(value.structured) if value.structured is not None else UNSET
    content = blocks(value.content)
    if structured is not UNSET and not content:
        content = [block(structured)]
    if structured is not UNSET and not features.any_structure and not isinstance(structured, dict):
        structured = {"result": structured}
    return types.CallToolResult(
        shape(content, features),
        structured if features.structured else UNSET,
        value.is_error,
        meta=value.meta if value.meta is not None and features.item_meta else UNSET,
    )


def wrong_arguments(name: str, given: bytes | Raw, error: ArgumentsError) -> types.CallToolResult:
    """Arguments that do not fit are told to the model, which can correct them; what is not JSON is refused (H17)."""
    if given and not json.is_json(given):
        raise ParseError("Parse error: the arguments are not JSON, or hold a number that is out of range")
    return types.CallToolResult(
        [types.TextContent(f"Invalid arguments for {name}: {shorten(str(error), 500)}")], is_error=True
    )


def broken(engine: Engine, exchange: Exchange, error: Exception | SystemExit) -> bytes:
    """A user's function raised: a tool's error is its result, a missing file is a missing resource."""
    if exchange.method == "tools/call" and exchange.entry is not None:
        result = failed_tool(engine, exchange.entry.name, error)
        return json.encode(messages.Result(exchange.id, engine.stamp(result, exchange.peer.features)))
    if exchange.method == "resources/read" and isinstance(error, FileNotFoundError):
        return engine.fail(exchange, ResourceNotFoundError(engine.decode(exchange.method, exchange.params).uri))
    logger.error("the request %r failed", shorten(exchange.method), exc_info=error)
    return engine.fail(exchange, InternalError("Internal error"))


def failed_tool(engine: Engine, name: str, error: Exception | SystemExit) -> types.CallToolResult:
    """A tool that raised: the model sees the text, the log has the traceback."""
    if isinstance(error, ToolError):
        text = str(error)
    elif isinstance(error, OutputError):
        logger.error("the tool %s returned what it did not declare: %s", name, error)
        text = f"The tool {name} returned something it did not declare: {error}"
    else:
        logger.error(TOOL_FAILED, name, exc_info=error)
        text = f"The tool {name} failed" if engine.server.mask_errors else f"The tool {name} failed: {error}"
    # The name of a file may hold bytes that are no text, and JSON cannot carry them.
    text = shorten(text, 700).encode("utf-8", "replace").decode()
    meta = error.meta if isinstance(error, ToolError) and error.meta is not None else UNSET
    return types.CallToolResult([types.TextContent(text)], is_error=True, meta=meta)


# Resources


def read_resource(engine: Engine, exchange: Exchange, params: types.ReadResourceParams) -> Any:
    """`resources/read`"""
    entry, values = find_resource(engine, params.uri, exchange.principal)
    try:
        context = engine.context(exchange, params, params.uri) if entry.arguments.wants_context else None
        args, kwargs = entry.arguments.bind_strings(values, context)
    except ArgumentsError as error:
        raise InvalidParamsError(f"The URI does not fit the resource: {shorten(str(error), 300)}") from None
    exchange.entry = entry, params.uri
    exchange.finalize = finish_resource
    engine.start(exchange, entry.timeout)
    return engine.run(entry, exchange, args, kwargs)


def finish_resource(engine: Engine, exchange: Exchange, value: Any) -> Any:
    """What a resource function returned, as contents."""
    entry, uri = exchange.entry
    features = exchange.peer.features
    contents = resource_contents(value, uri, entry.mime_type, entry.content_meta if features.item_meta else None)
    return engine.stamp(types.ReadResourceResult(contents), features, "private")


def find_resource(engine: Engine, uri: str, principal: Principal | None) -> tuple[ResourceEntry, dict[str, str]]:
    """The resource behind a URI that this principal may read."""
    found = match_resource(engine.server, uri)
    if found is None or (found[0].guarded and not found[0].exists_for(principal)):
        raise ResourceNotFoundError(uri)
    return found


# Prompts and completions


def get_prompt(engine: Engine, exchange: Exchange, params: types.GetPromptParams) -> Any:
    """`prompts/get`"""
    entry = engine.server.prompts.get(params.name)
    if entry is None or (entry.guarded and not entry.exists_for(exchange.principal)):
        raise UnknownNameError("prompt", params.name)
    try:
        context = engine.context(exchange, params, params.name) if entry.arguments.wants_context else None
        args, kwargs = entry.arguments.bind_strings(params.arguments or {}, context)
    except ArgumentsError as error:
        raise InvalidParamsError(f"Invalid arguments for the prompt {entry.name}: {shorten(str(error), 300)}") from None
    exchange.entry = entry
    exchange.finalize = finish_prompt
    engine.start(exchange, entry.timeout)
    return engine.run(entry, exchange, args, kwargs)


def finish_prompt(engine: Engine, exchange: Exchange, value: Any) -> Any:
    """What a prompt function returned, as messages."""
    features = exchange.peer.features
    result = types.GetPromptResult(shape(prompt_messages(value), features), exchange.entry.description)
    return engine.stamp(result, features)


def complete(engine: Engine, exchange: Exchange, params: types.CompleteParams) -> Any:
    """`completion/complete`"""
    target = params.ref.name if params.ref.type == "ref/prompt" else params.ref.uri
    if target is None:
        raise InvalidParamsError("A completion is for a prompt's name or a resource template's uri")
    _check_completable(engine, params.ref.type, target, exchange.principal)
    fn = engine.server.completions.get((target, params.argument.name))
    known = (params.context.arguments or {}) if params.context is not None else {}
    found = fn(params.argument.value, known) if fn is not None else ()
    if not inspect.isawaitable(found):
        return finish_completion(engine, exchange, found)
    exchange.finalize = finish_completion
    engine.start(exchange, None)
    return found


def finish_completion(engine: Engine, exchange: Exchange, found: Any) -> Any:
    """Suggestions, at most as many as the protocol allows."""
    values = [str(value) for value in found]
    completion = types.Completion(values[:MAX_COMPLETIONS], len(values), len(values) > MAX_COMPLETIONS)
    result: dict[str, Any] = {"completion": completion}
    if exchange.peer.features.stateless:
        result |= {"resultType": "complete", "_meta": engine.server_meta}
    return result


def _check_completable(engine: Engine, kind: str, target: str, principal: Principal | None) -> None:
    server = engine.server
    entry: Entry | None
    if kind == "ref/prompt":
        what, entry = "prompt", server.prompts.get(target)
    else:
        what, entry = "resource template", server.templates.get(target) or server.resources.get(target)
    if entry is None or (entry.guarded and not entry.exists_for(principal)):
        raise UnknownNameError(what, target)


# Lists


def _list(kind: str) -> Handler:
    """The handler of `tools/list`, or of another list."""
    return lambda engine, exchange, params: engine.lists.page(kind, exchange, params.cursor)


# The connection


def discover(engine: Engine, exchange: Exchange, params: types.Params) -> Any:
    """`server/discover` (stateless era)"""
    features = exchange.peer.features
    result = {
        "supportedVersions": list(STATELESS_VERSIONS),
        "capabilities": engine.capabilities(features),
        **engine.cacheable(features, "public"),
    }
    if engine.server.instructions:
        result["instructions"] = engine.server.instructions
    return result


def decode_initialize(engine: Engine, params: Any) -> types.InitializeParams:
    """The parameters of `initialize`. The session keeps them, so they must not be a way to fill the memory (H26)."""
    if params is not UNSET and len(params) > MAX_INITIALIZE:
        raise InvalidParamsError(f"Invalid params: those of initialize have at most {MAX_INITIALIZE} bytes")
    return engine.decode("initialize", params)  # type: ignore[no-any-return]


def initialize(engine: Engine, params: types.InitializeParams) -> tuple[Features, dict[str, Any]]:
    """`initialize` (handshake era): the version agreed on, and the result. The transport keeps what the client said."""
    features = negotiate(params.protocol_version)
    if features.version != params.protocol_version:
        asked = shorten(params.protocol_version, 40)
        logger.warning(
            "a client asked for protocol version %r, which is not spoken here: answered %s", asked, features.version
        )
    result: dict[str, Any] = {
        "protocolVersion": features.version,
        "capabilities": engine.capabilities(features),
        "serverInfo": engine.server.info_for(features),
    }
    if engine.server.instructions:
        result["instructions"] = engine.server.instructions
    return features, result


def initialize_again(engine: Engine, exchange: Exchange, params: Any) -> Any:
    """`initialize` on a connection that is initialized."""
    raise RemoteProtocolError("Already initialized")


def ping(engine: Engine, exchange: Exchange, params: types.Params) -> dict[str, Any]:
    """`ping` (handshake era)"""
    return {}


def set_level(engine: Engine, exchange: Exchange, params: types.SetLevelParams) -> dict[str, Any]:
    """`logging/setLevel` (handshake era)"""
    exchange.peer.log_level = params.level
    return {}


def subscribe(engine: Engine, exchange: Exchange, params: types.UriParams) -> dict[str, Any]:
    """`resources/subscribe` (handshake era)"""
    engine.subscriptions.subscribe(exchange, params.uri)
    return {}


def unsubscribe(engine: Engine, exchange: Exchange, params: types.UriParams) -> dict[str, Any]:
    """`resources/unsubscribe` (handshake era)"""
    engine.subscriptions.unsubscribe(exchange.peer, params.uri)
    return {}


def listen(engine: Engine, exchange: Exchange, params: types.ListenParams) -> Any:
    """`subscriptions/listen` (stateless era)"""
    exchange.finalize = lambda engine, exchange, result: result
    return engine.subscriptions.listen(exchange, params.notifications)


# Methods of the user's own


def custom(engine: Engine, exchange: Exchange, params: types.Params) -> Any:
    """A method registered with `server.method`."""
    entry = engine.server.methods[exchange.method]
    context = engine.context(exchange, params, exchange.method) if entry.wants_context else None
    args = entry.bind(exchange.params, context)
    exchange.finalize = finish_custom
    engine.start(exchange, entry.timeout)
    return engine.run(entry, exchange, args, {})


def finish_custom(engine: Engine, exchange: Exchange, value: Any) -> Any:
    """What a method of the user's own returned: an object."""
    result = msgspec.to_builtins(value) if value is not None else {}
    if not isinstance(result, dict):
        raise McpError(f"The method {exchange.method} must return an object")
    if exchange.peer.features.stateless:
        result.setdefault("resultType", "complete")
    return result


DECODERS: dict[str, msgspec.json.Decoder[Any]] = {
    "tools/call": msgspec.json.Decoder(types.CallToolParams),
    "resources/read": msgspec.json.Decoder(types.ReadResourceParams),
    "prompts/get": msgspec.json.Decoder(types.GetPromptParams),
    "completion/complete": msgspec.json.Decoder(types.CompleteParams),
    "initialize": msgspec.json.Decoder(types.InitializeParams),
    "logging/setLevel": msgspec.json.Decoder(types.SetLevelParams),
    "resources/subscribe": msgspec.json.Decoder(types.UriParams),
    "resources/unsubscribe": msgspec.json.Decoder(types.UriParams),
    "subscriptions/listen": msgspec.json.Decoder(types.ListenParams),
    **dict.fromkeys(
        ("tools/list", "resources/list", "resources/templates/list", "prompts/list"),
        msgspec.json.Decoder(types.ListParams),
    ),
    **task_methods.DECODERS,
}
"""How the parameters of each method are read."""

_BOTH: dict[str, Handler] = {
    "tools/call": call_tool,
    "tools/list": _list("tools"),
    "resources/read": read_resource,
    "resources/list": _list("resources"),
    "resources/templates/list": _list("templates"),
    "prompts/get": get_prompt,
    "prompts/list": _list("prompts"),
    "completion/complete": complete,
}

HANDSHAKE: dict[str, Handler] = {
    **_BOTH,
    "initialize": initialize_again,
    "ping": ping,
    "logging/setLevel": set_level,
    "resources/subscribe": subscribe,
    "resources/unsubscribe": unsubscribe,
    **task_methods.HANDSHAKE,
}
"""Methods up to 2025-11-25."""

STATELESS: dict[str, Handler] = {
    **_BOTH,
    "server/discover": discover,
    "subscriptions/listen": listen,
    **task_methods.STATELESS,
}
"""Methods from 2026-07-28 on."""
