"""HTTP headers that repeat parts of a message, so that proxies can route without reading bodies (from 2026-07-28 on).

`MCP-Protocol-Version`, `Mcp-Method`, `Mcp-Name` and, for arguments whose schema has `x-mcp-header`, `Mcp-Param-*`. A
header that disagrees with the body is refused: whoever routed by it was lied to. Values that HTTP cannot carry travel
as `=?base64?…?=`.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Mapping
from typing import Any

import msgspec

from cloche.errors import HeaderMismatchError, RegistrationError

HEADER_KEYWORD = "x-mcp-header"
PARAM_PREFIX = b"mcp-param-"

_TOKEN = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
_PLAIN = re.compile(r"[\x20-\x7e]*")
_WRAPPED = re.compile(r"=\?base64\?(.*)\?=", re.DOTALL)
_DECIMAL = re.compile(r"(-?[0-9]+)(?:\.0+)?")
_MIRRORED_TYPES = ("string", "integer", "boolean")


class HeaderParameter(msgspec.Struct, frozen=True):
    """An argument that a header repeats."""

    path: tuple[str, ...]
    header: bytes
    """The header's name in lower case, as ASGI gives it."""
    integer: bool


def encode_value(text: str) -> str:
    """`text` as a header value."""
    if _PLAIN.fullmatch(text) and text == text.strip() and not _WRAPPED.fullmatch(text):
        return text
    return f"=?base64?{base64.b64encode(text.encode()).decode('ascii')}?="


def decode_value(value: bytes) -> str | None:
    """The text of a header value; None when it is malformed, which then equals nothing."""
    text = value.strip(b" \t").decode("latin-1")  # HTTP does not count blanks around a value, some servers keep them
    wrapped = _WRAPPED.fullmatch(text)
    if wrapped is None:
        return text
    try:
        data = base64.b64decode(wrapped[1], validate=True)
        return data.decode() if base64.b64encode(data).decode("ascii") == wrapped[1] else None
    except (binascii.Error, UnicodeError):
        return None


def header_parameters(schema: Mapping[str, Any], what: str) -> tuple[HeaderParameter, ...]:
    """The arguments of a tool that headers repeat; raises `RegistrationError` for what clients would refuse."""
    found: list[HeaderParameter] = []
    _collect(schema, (), found, what)
    headers = [parameter.header for parameter in found]
    if len(set(headers)) != len(headers):
        raise RegistrationError(
            f"{what}: two arguments share one {HEADER_KEYWORD}; header names ignore case, so give each its own"
        )
    return tuple(found)


def _collect(schema: Mapping[str, Any], path: tuple[str, ...], found: list[HeaderParameter], what: str) -> None:
    token = schema.get(HEADER_KEYWORD)
    if token is not None:
        if not isinstance(token, str) or not _TOKEN.fullmatch(token):
            raise RegistrationError(
                f"{what}: {HEADER_KEYWORD} of {'.'.join(path)!r} must be a header name such as 'Region'"
            )
        if not path or schema.get("type") not in _MIRRORED_TYPES:
            raise RegistrationError(
                f"{what}: {HEADER_KEYWORD} of {'.'.join(path)!r} works on a string, integer or boolean argument only"
            )
        found.append(HeaderParameter(path, PARAM_PREFIX + token.lower().encode(), schema["type"] == "integer"))
    members = schema.get("properties")
    if not isinstance(members, Mapping):  # a client reads schemas that somebody else wrote
        return
    for name, member in members.items():
        if isinstance(member, Mapping):
            _collect(member, (*path, name), found, what)


def parameter_headers(parameters: tuple[HeaderParameter, ...], arguments: Any) -> dict[str, str]:
    """The `Mcp-Param-*` headers of a call; an argument that is absent has none."""
    headers = {}
    for parameter in parameters:
        text = _render(_at(arguments, parameter.path))
        if text is not None:
            headers[parameter.header.decode("ascii")] = encode_value(text)
    return headers


def check_parameters(parameters: tuple[HeaderParameter, ...], arguments: Any, headers: Mapping[bytes, bytes]) -> None:
    """Refuse a call whose `Mcp-Param-*` headers and arguments disagree."""
    for parameter in parameters:
        sent = headers.get(parameter.header)
        expected = _render(_at(arguments, parameter.path))
        if sent is None and expected is None:
            continue
        received = None if sent is None else decode_value(sent)
        if received is None or expected is None or not _same(parameter, expected, received):
            name = parameter.header.decode("ascii")
            raise HeaderMismatchError(
                f"Header mismatch: {name} does not repeat the argument {'.'.join(parameter.path)!r}"
            )


def _same(parameter: HeaderParameter, expected: str, received: str) -> bool:
    if parameter.integer and (number := _DECIMAL.fullmatch(received)):
        whole = _DECIMAL.fullmatch(expected)
        return whole is not None and whole[1] == number[1]
    return expected == received


def _at(arguments: Any, path: tuple[str, ...]) -> Any:
    for key in path:
        if not isinstance(arguments, Mapping):
            return None
        arguments = arguments.get(key)
    return arguments


def _render(value: Any) -> str | None:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, str | int | float):
        try:
            return str(value)
        except ValueError:
            return None
    return None
