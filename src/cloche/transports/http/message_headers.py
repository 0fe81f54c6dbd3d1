"""What a client's message says about itself: whether it waits for an answer, its era, the headers that repeat it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import UNSET, Raw, UnsetType, field

from cloche.errors import McpError
from cloche.wire import messages
from cloche.wire.headers import HeaderParameter, encode_value, parameter_headers
from cloche.wire.lifecycle import CANCELLED_METHODS, INITIALIZED_METHODS
from cloche.wire.messages import Message, RequestId
from cloche.wire.types import PROTOCOL_VERSION_KEY
from cloche.wire.versions import NAMED_BY

ToolHeaders = Mapping[str, tuple[HeaderParameter, ...]]


class _Meta(msgspec.Struct):
    version: Any = field(default=UNSET, name=PROTOCOL_VERSION_KEY)


class _Params(msgspec.Struct, rename="camel"):
    meta: _Meta | UnsetType = field(default=UNSET, name="_meta")
    name: Any = UNSET
    uri: Any = UNSET
    task_id: Any = UNSET
    request_id: Any = UNSET
    arguments: Raw | UnsetType = UNSET


_params = msgspec.json.Decoder(_Params)
_NOTHING = _Params()


class Outgoing(msgspec.Struct):
    """One message, or a batch of them, on its way to the server."""

    data: bytes
    ids: set[RequestId] = set()
    """The requests in it."""
    headers: dict[str, str] = {}
    """What the stateless era repeats in headers."""
    method: str | None = None
    version: str | None = None
    """The version that it names itself, in the stateless era."""
    is_initialize: bool = False
    is_initialized: bool = False
    is_listen: bool = False
    cancels: RequestId | None = None
    """The request that this message gives up."""


def read(data: bytes, tools: ToolHeaders) -> Outgoing:
    """Look at a message; one that is none is sent as it is, and the server says what is wrong with it."""
    outgoing = Outgoing(data)
    try:
        if messages.is_batch(data):
            parts = [messages.parse(part) for part in messages.split_batch(data)]
            outgoing.ids = {part.id for part in parts if messages.is_request(part) and part.id is not UNSET}
            return outgoing
        message = messages.parse(data)
    except McpError:
        return outgoing
    if message.method is UNSET:
        return outgoing
    outgoing.method = message.method
    params = _read_params(message)
    if message.id is not UNSET:
        outgoing.ids = {message.id}
        outgoing.is_initialize = message.method == "initialize"
        outgoing.is_listen = message.method == "subscriptions/listen"
    elif message.method in CANCELLED_METHODS:
        outgoing.cancels = params.request_id if isinstance(params.request_id, str | int) else None
    else:
        outgoing.is_initialized = message.method in INITIALIZED_METHODS
    if params.meta is not UNSET and isinstance(params.meta.version, str):
        outgoing.version = params.meta.version
        outgoing.headers = _repeat(message.method, params.meta.version, params, tools)
    return outgoing


def _read_params(message: Message) -> _Params:
    if message.params is UNSET:
        return _NOTHING
    try:
        return _params.decode(message.params)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return _NOTHING


def basic_headers(method: str, version: str) -> dict[str, str]:
    """What the headers of every message of the stateless era say."""
    return {"mcp-protocol-version": encode_value(version), "mcp-method": encode_value(method)}


def _repeat(method: str, version: str, params: _Params, tools: ToolHeaders) -> dict[str, str]:
    headers = basic_headers(method, version)
    named_by = NAMED_BY.get(method)
    if named_by is None:
        return headers
    target = getattr(params, named_by)
    if isinstance(target, str):
        headers["mcp-name"] = encode_value(target)
        if method == "tools/call" and target in tools and params.arguments is not UNSET:
            headers.update(parameter_headers(tools[target], msgspec.json.decode(params.arguments)))
    return headers
