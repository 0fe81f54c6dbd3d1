"""The parameters of what views ask and say, checked before anything is done with them (153)."""

from __future__ import annotations

from typing import Any, Literal, TypeVar

import msgspec

from cloche.errors import InvalidParamsError, shorten
from cloche.wire.types import Json, LogLevel

T = TypeVar("T")


class AppInfo(msgspec.Struct):
    """Who the view is."""

    name: str
    version: str = ""


class Initialize(msgspec.Struct, rename="camel"):
    """`ui/initialize`: what older views leave out is left out."""

    app_info: AppInfo
    protocol_version: str
    app_capabilities: Json = {}


class StrictAppInfo(msgspec.Struct):
    """Who the view is, as the specification wants to know it."""

    name: str
    version: str


class StrictInitialize(msgspec.Struct, rename="camel"):
    """`ui/initialize` as the specification has it: everything is required."""

    app_info: StrictAppInfo
    app_capabilities: Json
    protocol_version: str


class ToolCallParams(msgspec.Struct):
    """`tools/call`."""

    name: str
    arguments: Json = {}
    meta: Json = msgspec.field(name="_meta", default_factory=dict)


class Cursor(msgspec.Struct):
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


class UserMessage(msgspec.Struct):
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

    level: LogLevel = "info"
    data: Any = None
    logger: str | None = None


class ProvidedTool(msgspec.Struct, rename="camel"):
    """A tool that a view provides: in its answer to `tools/list`, or by the legacy `ui/registerTool`."""

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


def check_content(method: str, content: list[Json], rest: object, *, text_bytes: int, image_bytes: int) -> None:
    """Refuse texts that are larger than `text_bytes`, and images, sounds and files larger than `image_bytes`."""
    texts = [_without_data(block) for block in content]
    check_size(method, [texts, rest], text_bytes)
    size = sum(_data_size(block) for block in content)
    if size > image_bytes:
        raise InvalidParamsError(
            f"{method}: images, sounds and files of {size} bytes as base64 are more than the {image_bytes} that "
            "are taken together: send smaller ones"
        )


def _data_size(block: Json) -> int:
    resource = block.get("resource")
    data = block.get("data"), resource.get("blob") if isinstance(resource, dict) else None
    return sum(len(one) for one in data if isinstance(one, str))


def _without_data(block: Json) -> Json:
    kept = {name: value for name, value in block.items() if name != "data" or not isinstance(value, str)}
    resource = block.get("resource")
    if isinstance(resource, dict) and isinstance(resource.get("blob"), str):
        kept["resource"] = {name: value for name, value in resource.items() if name != "blob"}
    return kept
