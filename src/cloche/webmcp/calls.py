"""Calls of a page's tools: what goes in, what comes back, and what a page may say of them."""

from __future__ import annotations

from typing import Any

import msgspec

from cloche.errors import ToolError
from cloche.webmcp.limits import PageLimits
from cloche.webmcp.tools import PageTool, PageToolResult, cleaned
from cloche.wire.types import Json

ERROR_LIMIT = 500
"""Characters of a page's own error."""


def decoded(text: str) -> Any:
    """The JSON that a page gave; None where it is none."""
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return None


def name_of(tool: object) -> str:
    """The name that a page gives a tool; empty where it gives none."""
    name = tool.get("name") if isinstance(tool, dict) else None
    return name if isinstance(name, str) else ""


def check_size(tool: PageTool, arguments: Any, limits: PageLimits) -> None:
    """Raise `ToolError` when the arguments are no JSON object, or too much of it."""
    if not isinstance(arguments, dict):
        raise ToolError(f"Wrong arguments for {tool.name!r}: they are an object, such as {{'query': '…'}}")
    try:
        size = len(msgspec.json.encode(arguments))
    except (TypeError, ValueError, RecursionError):
        raise ToolError(f"Wrong arguments for {tool.name!r}: they are not JSON") from None
    if size > limits.argument_bytes:
        raise ToolError(f"Wrong arguments for {tool.name!r}: {size} bytes, and {limits.argument_bytes} are taken")


async def call_native(tool: PageTool, arguments: Json, limits: PageLimits) -> PageToolResult:
    """Call a tool over the browser's own protocol: a form, or a tool that the document itself cannot call."""
    document = tool.document
    await document.target.catch_up()
    now = document.native.get(tool.name)
    if document.has_ended():
        raise await document.why_gone()
    if now is None or now is not tool.given:
        raise _not_as_listed(tool, "is gone" if now is None else "changed")
    answer = await document.target.invoke(document, tool.name, arguments, is_form=tool.is_form)
    if answer is None:
        if document.has_ended() or document.target.is_closed:
            raise await document.why_gone()
        raise _not_as_listed(tool, "is gone")
    if answer.get("status") != "Completed":
        said = answer.get("exception", {}).get("description") or answer.get("errorText")
        raise _failed(tool, said)
    where = document.target.urls.get(document.frame) if document.has_ended() else None
    return PageToolResult(_bounded(tool, answer.get("output"), limits), tool, where)


async def call_page(tool: PageTool, arguments: Json, limits: PageLimits) -> PageToolResult:
    """Call a tool from its own document, so that no other one ever gets the arguments. What it gives as text is read as
    JSON where it is JSON.
    """
    target = tool.document.target
    target.last_error = ""
    said = await tool.document.call_page(tool.name, tool.listed, arguments, limits.result_bytes)
    kind, text = said[:1], said[1:]
    if kind == "=":
        value = decoded(text)
        return PageToolResult(_bounded(tool, text if value is None and text != "null" else value, limits), tool)
    if said == "null":
        return PageToolResult(None, tool)
    if said == "long":
        raise _too_long(tool, limits)
    if kind == "!":
        if tool.is_native:  # Chromium tells its protocol why a tool failed, and the caller only that it did
            await target.catch_up()
        raise _failed(tool, target.last_error or text)
    raise _not_as_listed(tool, "is gone" if said == "gone" else "changed")


def _bounded(tool: PageTool, value: Any, limits: PageLimits) -> Any:
    try:
        size = len(msgspec.json.encode(value))
    except (ValueError, RecursionError):
        raise _failed(tool, "its result is no JSON, or nested too deeply") from None
    if size > limits.result_bytes:
        raise _too_long(tool, limits)
    return value


def _not_as_listed(tool: PageTool, what: str) -> ToolError:
    return ToolError(f"The tool {tool.name!r} {what} since it was listed, and was not called: list the tools again")


def _failed(tool: PageTool, said: object) -> ToolError:
    text = cleaned(said.partition("\n    at ")[0], ERROR_LIMIT) if isinstance(said, str) else ""
    return ToolError(f"The tool {tool.name!r} failed. The page at {tool.origin} says: {text or 'nothing'}")


def _too_long(tool: PageTool, limits: PageLimits) -> ToolError:
    return ToolError(f"The result of {tool.name!r} has more than {limits.result_bytes} bytes, and was not taken")
