"""What the methods of a view must look like, checked before anything is done with them (153)."""

from __future__ import annotations

from typing import Any, Literal, TypeVar

import msgspec

from cloche.errors import InvalidParamsError, shorten
from cloche.wire.types import Json

T = TypeVar("T")

Level = Literal["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"]


class AppInfo(msgspec.Struct):
    """Who the view is."""

    name: str
    version: str = ""


class Initialize(msgspec.Struct, rename="camel"):
    """`ui/initialize`: what older views leave out is left out."""

    app_info: AppInfo
    protocol_version: str
    app_capabilities: Json = {}


class ToolCall(msgspec.Struct):
    """`tools/call`."""

    name: str
    arguments: Json = {}
    meta: Json = msgspec.field(name="_meta", default_factory=dict)


class Page(msgspec.Struct):
    """`tools/list`, `resources/list`, `resources/templates/list`, `prompts/list`."""

    cursor: str | None = None


class Read(msgspec.Struct):
    """`resources/read`."""

    uri: str


class OpenLink(msgspec.Struct):
    """`ui/open-link`."""

    url: str


class Download(msgspec.Struct):
    """`ui/download-file`."""

    contents: list[Json]


class Said(msgspec.Struct):
    """`ui/message`: the content is a list, as in the schema."""

    role: Literal["user"]
    content: list[Json]


class ContextUpdate(msgspec.Struct, rename="camel"):
    """`ui/update-model-context`; `merge` is of the older dialect."""

    content: list[Json] = []
    structured_content: Json | None = None
    merge: bool = False


class DisplayMode(msgspec.Struct):
    """`ui/request-display-mode`."""

    mode: Literal["inline", "fullscreen", "pip"]


class State(msgspec.Struct):
    """`cloche/set-state`."""

    value: Any
    model: bool = False


class Log(msgspec.Struct):
    """`notifications/message`."""

    level: Level = "info"
    data: Any = None
    logger: str | None = None


class ViewTool(msgspec.Struct, rename="camel"):
    """A tool that a view provides: in its answer to `tools/list`, or by the older `ui/registerTool`."""

    name: str
    description: str = ""
    title: str | None = None
    input_schema: Json = msgspec.field(default_factory=lambda: {"type": "object"})
    output_schema: Json | None = None
    annotations: Json | None = None


def checked(method: str, params: object, kind: type[T]) -> T:
    """Parameters as they must be, or `InvalidParamsError`."""
    try:
        return msgspec.convert(params, kind)
    except msgspec.ValidationError as error:
        raise InvalidParamsError(f"Invalid params for {method}: {shorten(str(error), 200)}") from None


def check_size(method: str, value: object, limit: int) -> None:
    """Refuse what is larger than `limit` bytes as JSON."""
    size = len(msgspec.json.encode(value))
    if size > limit:
        raise InvalidParamsError(f"{method}: {size} bytes are more than the {limit} that are taken")
