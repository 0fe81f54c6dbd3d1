"""A tool of a page and the result of a call. Everything in them is the page's own words, and none of it is trusted."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import msgspec

from cloche.errors import shorten
from cloche.wire.types import Json

if TYPE_CHECKING:
    from cloche.webmcp.documents import Document
    from cloche.webmcp.limits import PageLimits

NAME = re.compile(r"[A-Za-z0-9_.-]{1,128}")
"""Names that WebMCP allows; a page may offer others with a polyfill of its own."""

TITLE_LIMIT = 200
_UNSEEN = ("Cc", "Cf", "Co", "Cs", "Cn")


@dataclass(frozen=True, eq=False)
class PageTool:
    """A tool that a page offers. Its texts and hints are what the page says of itself: treat them as untrusted."""

    name: str
    description: str
    input_schema: Json
    title: str
    annotations: dict[str, bool]
    """The page's hints that are true: `readOnlyHint`, `untrustedContentHint`, `consequentialHint`, `debugging`."""
    origin: str
    """The origin of the document that has the tool, as the browser says it."""
    url: str
    """The address of that document."""
    is_main_frame: bool
    is_native: bool
    """Whether the browser's own WebMCP has the tool; else it is the page's polyfill."""
    is_form: bool
    """Whether it is a form of the page. With a polyfill nobody can tell: then it is False."""
    document: Document = field(repr=False)
    listed: str = field(repr=False)
    """The tool's JSON as its document gives it: the document calls the tool only while it is the same. Empty when the
    tool is called over the browser's protocol.
    """
    given: Json = field(repr=False)


@dataclass(frozen=True)
class PageToolResult:
    """What a tool gave back. It comes from a web page: data for the model, never instructions."""

    value: Any
    """JSON as Python has it; None when the tool gave nothing."""
    tool: PageTool
    navigated_to: str | None = None
    """Where the page went because of the call, such as a form's answer."""
    is_untrusted: bool = True
    """Always: whatever a page says is somebody else's."""

    @property
    def untrusted_hint(self) -> bool:
        """Whether the page itself says that the result has content of others, such as comments or mails."""
        return self.tool.annotations.get("untrustedContentHint", False)


class LeftOutError(Exception):
    """Why a tool of a page is not taken."""


def read_tool(given: Any, document: Document, limits: PageLimits, *, is_native: bool, listed: str) -> PageTool:
    """A tool as a page gave it, checked and cut; raises `LeftOutError`."""
    if not isinstance(given, dict):
        raise LeftOutError("a tool is no object")
    name = given.get("name")
    if not isinstance(name, str) or not NAME.fullmatch(name):
        raise LeftOutError(f"the name {shorten(ascii(name), 60)} is not 1 to 128 letters, digits, '_', '-' or '.'")
    schema = given.get("inputSchema")
    schema = {} if schema is None else schema
    if not isinstance(schema, dict) or schema.get("type", "object") != "object":
        raise LeftOutError(f"{name}: its inputSchema does not describe an object")
    try:
        size = len(msgspec.json.encode(schema))
    except (TypeError, ValueError, RecursionError):
        raise LeftOutError(f"{name}: its inputSchema is not JSON") from None
    if size > limits.schema_bytes:
        raise LeftOutError(f"{name}: its inputSchema has {size} bytes, and {limits.schema_bytes} are taken")
    return PageTool(
        name=name,
        description=cleaned(given.get("description"), limits.description),
        input_schema={"type": "object", **schema},
        title=cleaned(given.get("title"), TITLE_LIMIT),
        annotations=_hints(given.get("annotations")),
        origin=document.origin,
        url=document.url,
        is_main_frame=document.is_main,
        is_native=is_native,
        is_form=is_native and "backendNodeId" in given,
        document=document,
        listed=listed,
        given=given,
    )


def cleaned(text: object, limit: int) -> str:
    """A page's text without characters that people do not see and models read, cut to `limit`."""
    if not isinstance(text, str):
        return ""
    seen = (one for one in text[: 4 * limit] if one in "\n\t" or unicodedata.category(one) not in _UNSEEN)
    return shorten("".join(seen).strip(), limit)


_PROTOCOL_NAMES = {
    "readOnly": "readOnlyHint",
    "untrustedContent": "untrustedContentHint",
    "consequential": "consequentialHint",
    "debugging": "debugging",
}


def _hints(given: object) -> dict[str, bool]:
    """The hints that are true, in the page's words; the browser's protocol has names of its own for them."""
    if not isinstance(given, dict):
        return {}
    return {name: True for ours, name in _PROTOCOL_NAMES.items() if given.get(ours) is True or given.get(name) is True}
