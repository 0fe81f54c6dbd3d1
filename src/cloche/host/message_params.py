"""Reading what a widget sent: every parameter is looked at before anything happens."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from cloche.errors import ExtAppsInvalidParamsError, InvalidRequestError
from cloche.host.message_context import Json


def id_of(request: Any) -> str | int | None:
    """The id to answer with; None when there is none that may be repeated."""
    identity = request.get("id") if isinstance(request, dict) else None
    if isinstance(identity, str) and len(identity) <= 200:
        return identity
    return identity if isinstance(identity, int) and not isinstance(identity, bool) else None


def method_and_params(request: Any) -> tuple[str, Json]:
    """Method and parameters of a JSON-RPC request or notification."""
    if not isinstance(request, dict) or request.get("jsonrpc") != "2.0" or not isinstance(request.get("method"), str):
        raise InvalidRequestError("Not a JSON-RPC 2.0 request")
    if "id" in request and id_of(request) is None:
        raise InvalidRequestError("A request's id must be a string of at most 200 characters or an integer")
    params = request.get("params")
    if params is None:
        return request["method"], {}
    if not isinstance(params, dict):
        raise ExtAppsInvalidParamsError("params must be an object")
    return request["method"], params


def required(params: Json, key: str, kind: type) -> Any:
    """A parameter that must be there and not be empty text."""
    value = params.get(key)
    if not isinstance(value, kind) or value == "":
        raise ExtAppsInvalidParamsError(f"{key} is required and must be {_KINDS[kind]}")
    return value


def optional(params: Json, key: str, kind: type, default: Any = None) -> Any:
    """A parameter that may be missing or null."""
    value = params.get(key)
    if value is not None and not isinstance(value, kind):
        raise ExtAppsInvalidParamsError(f"{key} must be {_KINDS[kind]}")
    return default if value is None else value


_KINDS: dict[type, str] = {dict: "an object", str: "a text", list: "a list", bool: "true or false"}


def tool_name(params: Json) -> str:
    """The name of a tool."""
    name = params.get("name")
    if not isinstance(name, str) or not name:
        raise ExtAppsInvalidParamsError("Tool name is required")
    return name


def is_web_address(url: str) -> bool:
    """http or https with a host, and nothing that browsers read their own way: spaces, controls, backslashes, users."""
    if not url.isprintable() or any(character in url for character in ' \\"<>`'):
        return False
    try:
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and "@" not in parts.netloc
    except ValueError:
        return False
