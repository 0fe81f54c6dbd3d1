"""JSON-RPC 2.0 messages as MCP uses them: strict on the way in, minimal on the way out.

Ids are strings or integers: no null, no fraction, no boolean, none longer than 256 characters. A batch is a list,
which only 2025-03-26 allows; whoever calls `parse` says whether it may be one.
"""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal, TypeAlias

import msgspec
from msgspec import UNSET, Meta, Raw, UnsetType

from cloche.errors import InvalidRequestError, McpError, ParseError, TransportError
from cloche.wire import json
from cloche.wire.types import CallToolParams

RequestId: TypeAlias = str | int
"""What identifies a request on its connection."""

HEAD_BYTES = 512
"""How much of a message that is too long is looked at."""

MAX_BATCH = 100
"""The most messages in one batch."""

_Id = Annotated[str, Meta(max_length=256)] | Annotated[int, Meta(ge=-(2**63), le=2**63 - 1)]
_Method = Annotated[str, Meta(min_length=1, max_length=256)]


class Message(msgspec.Struct, gc=False):
    """Any message as received: request, notification or response. Its parts stay undecoded until they are wanted."""

    jsonrpc: Literal["2.0"]
    id: _Id | UnsetType = UNSET
    method: _Method | UnsetType = UNSET
    params: Raw | UnsetType = UNSET
    result: Raw | UnsetType = UNSET
    error: Raw | UnsetType = UNSET


class ErrorObject(msgspec.Struct, omit_defaults=True):
    """The `error` member of a response."""

    code: int
    message: str
    data: Any = None


_SHORT = 2 * json.MAX_DEPTH
"""Every level of nesting takes two bytes, so a message up to this length cannot be too deep."""
_ENVELOPE = len('{"jsonrpc":"2.0","id":,"method":"","params":}')
_ENVELOPE_QUOTES = '{"jsonrpc":"2.0","id":,"method":"","params":}'.count('"')
_ANSWER = len('{"jsonrpc":"2.0","id":,"result":}')
_NAMED = len('{"name":""}')
_META = len(',"_meta":')
_ARGUMENTS = len(',"arguments":')
_CLIENT_NAMES = (b'/clientInfo":{"name"', b'/clientInfo": {"name"')

_decoder = msgspec.json.Decoder(Message)
_batch_decoder = msgspec.json.Decoder(list[Raw])
_error_decoder = msgspec.json.Decoder(ErrorObject)


def is_request(message: Message) -> bool:
    """A method and an id."""
    return message.method is not UNSET and message.id is not UNSET


def is_notification(message: Message) -> bool:
    """A method without an id."""
    return message.method is not UNSET and message.id is UNSET


def is_response(message: Message) -> bool:
    """An id with a result or an error."""
    return message.id is not UNSET and (message.result is not UNSET or message.error is not UNSET)


class Checked(bytes):
    """A message that `parse` has taken once: the next one to parse it need not look at every byte again."""

    __slots__ = ()


def checked(data: bytes) -> bytes:
    """Remember that `parse` took this; of a short message it is not worth it."""
    return Checked(data) if len(data) > json.BULK_BYTES else data


def is_valid_message(data: bytes) -> bool:
    """Whether `data` is one JSON-RPC message."""
    try:
        parse(data)
    except McpError:
        return False
    return True


def parse(data: bytes) -> Message:
    """Read one message; raises `ParseError` or `InvalidRequestError`, with `request_id` where the message had one."""
    is_checked = type(data) is Checked
    if not is_checked and (len(data) > _SHORT or not data.isascii()):
        json.check_text(data)
    try:
        message = _decoder.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise _explain(data, error) from None
    if message.method is UNSET:
        if not is_response(message) or (message.result is not UNSET and message.error is not UNSET):
            raise invalid(
                "Invalid Request: a message needs a method, or an id with either a result or an error", message.id
            )
    elif message.result is not UNSET or message.error is not UNSET:
        raise invalid("Invalid Request: a message with a method has no result and no error", message.id)
    if (
        not is_checked
        and _has_room_for_more(data, message)
        and _may_repeat_keys(data, is_answer=message.method is UNSET)
    ):
        _check_envelope(data, message)
    return message


def _check_envelope(data: bytes, message: Message) -> None:
    """Refuse an envelope in which a member stands twice. That takes a slow parser, which must not get to see all of a
    large message: its largest part, which is one member, is taken out first.
    """
    if len(data) > json.BULK_BYTES:
        parts = [part for part in (message.params, message.result, message.error) if part is not UNSET]
        data = data.replace(bytes(max(parts, key=len, default=b"")), b"0", 1)
        if len(data) > json.BULK_BYTES:
            raise ParseError("Parse error: the message is large, and not because of what it carries")
    json.check_unique_keys(data)


def _has_room_for_more(data: bytes, message: Message) -> bool:
    """Whether a message has more bytes than its members need at the least, and in a request, as JSON with spaces has,
    more quotation marks too; without, none can stand twice (H18).
    """
    if message.id is UNSET:
        return True
    quotes = 0 if type(message.id) is int else 2
    if message.result is not UNSET:
        return len(data) > _ANSWER + len(str(message.id)) + quotes + len(message.result)
    if message.params is UNSET or message.method is UNSET:
        return True
    if len(data) == _ENVELOPE + len(str(message.id)) + quotes + len(message.method) + len(message.params):
        return False
    return data.count(b'"') != _ENVELOPE_QUOTES + quotes + bytes(message.params).count(b'"')


def _may_repeat_keys(data: bytes, *, is_answer: bool) -> bool:
    """Whether a member of the envelope may stand twice, and so mean two things to two readers.

    Counting suffices to know that none does. An escape may spell a key in disguise: `"\\u006dethod"`.
    """
    count = data.count
    if count(b'"id"') > 1 or count(b'"method"') > 1 or count(b'"params"') > 1 or count(b'"_meta"') > 1:
        return True
    if is_answer and (count(b'"result"') > 1 or count(b'"error"') > 1):
        return True
    return b"\\" in data and b"\\u00" in data


def check_named(params: Raw, name: str, meta: Raw | UnsetType = UNSET, arguments: Raw | UnsetType = UNSET) -> None:
    """Refuse parameters in which the name of the target, or its arguments, stand twice (H18).

    As with the envelope: when there are no more bytes, or quotation marks, than the members need, none stands twice.
    Else they are counted, and parsed strictly when in doubt. In 2026-07-28 `_meta` has the client's own `"name"`: it is
    recognised by the key right before it, because anything less (that key alone, or in a text) could make room for
    another name.
    """
    data = bytes(params)
    least = _NAMED + len(name)
    if meta is not UNSET:
        least += _META + len(meta)
    if arguments is not UNSET:
        least += _ARGUMENTS + len(arguments)
    quotes = 4 + sum(2 + bytes(member).count(b'"') for member in (meta, arguments) if member is not UNSET)
    if len(data) > least and data.count(b'"') != quotes and _may_repeat_names(data):
        json.check_unique_keys(data)


def _may_repeat_names(data: bytes) -> bool:
    count = data.count
    if count(b'"name"') > 1 + sum(map(count, _CLIENT_NAMES)) or count(b'"uri"') > 1 or count(b'"taskId"') > 1:
        return True
    return count(b'"arguments"') > 1 or count(b'"_meta"') > 1 or (b"\\" in data and b"\\u00" in data)


class ToolCall(msgspec.Struct, gc=False):
    """A `tools/call` request, decoded in one go."""

    jsonrpc: Literal["2.0"]
    id: _Id
    method: Literal["tools/call"]
    params: CallToolParams


_tool_call = msgspec.json.Decoder(ToolCall)
_LEAST_MEMBER = len(',"id":1') + 1
_TOOL_CALL = len('{"jsonrpc":"2.0","id":,"method":"tools/call","params":{"name":"","arguments":,"_meta":}}')

_QUOTES = '{"jsonrpc":"2.0","id":,"method":"tools/call","params":{"name":""}}'.count('"')


def parse_tool_call(data: bytes) -> ToolCall | None:
    """Read the message that nearly every message is, when it is written as nearly every client writes it.

    None means: read it with `parse`, which also says what is wrong. The bytes that the name, the arguments and `_meta`
    leave are the id's; when they are too few for another member, such as `,"id":1`, none stands twice (H18). When they
    are more, as in JSON with spaces, the quotation marks are counted instead: any other member has two of them around
    its key.
    """
    if len(data) > _SHORT or not data.isascii():
        json.check_text(data)
    try:
        call = _tool_call.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    params = call.params
    left = len(data) - _TOOL_CALL - len(params.name)
    left -= len(params.arguments) if params.arguments is not UNSET else -_ARGUMENTS
    left -= len(params.meta) if params.meta is not UNSET else -_META
    if left < _LEAST_MEMBER:
        return call
    if type(call.id) is int:
        expected = _QUOTES
        spare = left - len(str(call.id))
    else:
        expected = _QUOTES + 2
        spare = left - len(call.id) - 2  # type: ignore[arg-type]
    if spare:
        if params.meta is not UNSET:
            expected += 2 + bytes(params.meta).count(b'"')
        if params.arguments is not UNSET:
            expected += 2 + bytes(params.arguments).count(b'"')
        if data.count(b'"') != expected:
            return None
    return call


_beginning = re.compile(
    rb'^\s*\{\s*(?:"jsonrpc"\s*:\s*"2.0"\s*,\s*)?"id"\s*:\s*(-?\d{1,18}|"[\w.-]{1,256}")\s*,\s*"(result|error)?'
)


def id_at_the_beginning(head: bytes) -> tuple[RequestId | None, bool]:
    """The id of a message that is too long to be read, and whether it is an answer; for telling who asked.

    Only when the id stands where most writers put it, right at the beginning.
    """
    found = _beginning.match(head[:HEAD_BYTES])
    if found is None:
        return None, False
    text = found[1].decode()
    return (text[1:-1] if text.startswith('"') else int(text)), found[2] is not None


def is_batch(data: bytes) -> bool:
    """Whether `data` starts like a list of messages."""
    return data.lstrip(b" \t\r\n")[:1] == b"["


def split_batch(data: bytes) -> list[bytes]:
    """The messages of a batch, each to be parsed on its own."""
    json.check_text(data)
    try:
        parts = _batch_decoder.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise ParseError("Parse error: the message is not JSON") from None
    if not parts:
        raise InvalidRequestError("Invalid Request: an empty batch")
    if len(parts) > MAX_BATCH:
        raise InvalidRequestError(f"Invalid Request: a batch has at most {MAX_BATCH} messages")
    return [bytes(part) for part in parts]


def invalid(text: str, request_id: RequestId | UnsetType = UNSET) -> McpError:
    """An `InvalidRequestError` that remembers which request it answers."""
    return about(request_id, InvalidRequestError(text))


def about(request_id: RequestId | UnsetType, error: McpError) -> McpError:
    """The error, which from now on says which request it answers (`request_id_of`)."""
    error.request_id = request_id  # type: ignore[attr-defined]
    return error


def request_id_of(error: McpError) -> RequestId | None:
    """The id of the request that could not be read, where it could be made out."""
    found = getattr(error, "request_id", UNSET)
    return None if found is UNSET else found


def _explain(data: bytes, error: Exception) -> McpError:
    """Tell bad JSON from JSON that is not a message; the decoder stops at whichever comes first."""
    if not isinstance(error, msgspec.ValidationError) or not json.is_json(data):
        return ParseError("Parse error: the message is not JSON")
    decoded = msgspec.json.decode(data)
    if not isinstance(decoded, dict):
        return InvalidRequestError("Invalid Request: a message is a JSON object")
    candidate = decoded.get("id")
    if not isinstance(candidate, int | str) or isinstance(candidate, bool) or not _fits(candidate):
        candidate = UNSET
    return invalid(f"Invalid Request: {_reason(decoded)}", candidate)


def _fits(candidate: RequestId) -> bool:
    return len(candidate) <= 256 if isinstance(candidate, str) else -(2**63) <= candidate < 2**63


def _reason(decoded: dict[str, Any]) -> str:
    if decoded.get("jsonrpc") != "2.0":
        return 'the member "jsonrpc" must be "2.0"'
    if "id" in decoded and (
        decoded["id"] is None or not isinstance(decoded["id"], str | int) or isinstance(decoded["id"], bool)
    ):
        return "an id is a string or an integer"
    if "id" in decoded and not _fits(decoded["id"]):
        return "the id is too long"
    return 'the member "method" must be a string of 1 to 256 characters'


def decode_error(raw: Raw | bytes) -> ErrorObject:
    """The error a peer answered with; a malformed one becomes an internal error of the peer."""
    try:
        return _error_decoder.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return ErrorObject(-32603, "The peer answered with a malformed error")


class Result(msgspec.Struct, tag_field="jsonrpc", tag="2.0", gc=False):
    """A response that carries a result; `result` may be JSON already (`Raw`)."""

    id: RequestId
    result: Any


class Failure(msgspec.Struct, tag_field="jsonrpc", tag="2.0"):
    """A response that carries an error; the id is null when the request's could not be read."""

    id: RequestId | None
    error: dict[str, Any]


class Request(msgspec.Struct, tag_field="jsonrpc", tag="2.0"):
    """A request to the peer."""

    id: RequestId
    method: str
    params: Any = UNSET


class Notification(msgspec.Struct, tag_field="jsonrpc", tag="2.0"):
    """A notification to the peer."""

    method: str
    params: Any = UNSET


def encode_result(request_id: RequestId, result: Any) -> bytes:
    """A response with a result, as bytes."""
    return json.encode(Result(request_id, result))


def encode_error(request_id: RequestId | None, error: McpError | TransportError) -> bytes:
    """A response with an error, as bytes."""
    return json.encode(Failure(request_id, error.to_json_rpc_error()))


def encode_request(request_id: RequestId, method: str, params: Any = UNSET) -> bytes:
    """A request, as bytes."""
    return json.encode(Request(request_id, method, params))


def encode_notification(method: str, params: Any = UNSET) -> bytes:
    """A notification, as bytes."""
    return json.encode(Notification(method, params))
