"""What a tool, resource or prompt may return, and how it becomes MCP content."""

from __future__ import annotations

import base64
import mimetypes
from collections.abc import Iterable, Sequence
from dataclasses import KW_ONLY, dataclass
from pathlib import Path
from typing import Any

import msgspec

from cloche.wire import types
from cloche.wire.types import (
    AudioContent,
    BlobResourceContents,
    EmbeddedResource,
    ImageContent,
    ResourceLink,
    TextContent,
    TextResourceContents,
)
from cloche.wire.versions import Features


class _Media:
    """Bytes or a file, with a MIME type: given, or guessed from the file's name."""

    kind = ""

    def __init__(
        self,
        data: bytes | None = None,
        *,
        path: str | Path | None = None,
        mime_type: str | None = None,
        annotations: types.Annotations | None = None,
        meta: dict[str, Any] | None = None,
    ) -> None:
        name = type(self).__name__
        if (data is None) == (path is None):
            raise ValueError(f"{name} takes either data or path")
        if mime_type is None:
            mime_type = mimetypes.guess_type(str(path))[0] if path is not None else None
            if mime_type is None or not mime_type.startswith(self.kind + "/"):
                raise ValueError(f"{name} needs mime_type='{self.kind}/…', which cannot be told from what was given")
        self.mime_type = mime_type
        self.annotations = annotations
        self.meta = meta
        self._data = data
        self._path = path

    def base64(self) -> str:
        """The content, base64; a file is read now."""
        data = self._data if self._data is not None else Path(self._path or "").read_bytes()
        return base64.b64encode(data).decode("ascii")


class Image(_Media):
    """An image as a tool's result: `Image(png_bytes, mime_type="image/png")` or `Image(path="plot.png")`."""

    kind = "image"


class Audio(_Media):
    """Sound as a tool's result: `Audio(wav_bytes, mime_type="audio/wav")` or `Audio(path="beep.wav")`."""

    kind = "audio"


@dataclass(eq=False)
class ToolResult:
    """A tool's whole result, for when a plain return value cannot say it: content, structured content, error."""

    content: Any = None
    _: KW_ONLY
    structured: Any = None
    meta: dict[str, Any] | None = None
    is_error: bool = False


_READY = (TextContent, ImageContent, AudioContent, EmbeddedResource, ResourceLink)

CONTENT_TYPES: tuple[type, ...] = (*_READY, Image, Audio, ToolResult)
"""Return types that say themselves what they are: no output schema is made for them."""


def blocks(value: Any) -> list[Any]:
    """`value` as content blocks: content as it is, text as text, anything else as JSON text."""
    if value is None:
        return []
    if isinstance(value, list | tuple) and any(isinstance(item, CONTENT_TYPES) for item in value):
        return [block for item in value for block in blocks(item)]
    return [block(value)]


def block(value: Any) -> Any:
    """`value` as one content block."""
    if isinstance(value, str):
        return TextContent(value) if type(value) is str else _text(value)
    if isinstance(value, _READY):
        return value
    if isinstance(value, Image):
        return ImageContent(value.base64(), value.mime_type, value.annotations, value.meta)
    if isinstance(value, Audio):
        return AudioContent(value.base64(), value.mime_type, value.annotations, value.meta)
    if isinstance(value, TextResourceContents | BlobResourceContents):
        return EmbeddedResource(value)
    return TextContent(msgspec.json.encode(value, enc_hook=encode_model).decode())


HTML_URI = "cloche:fragment"
"""HTML in a result is not a resource that could be read again, but a block needs a URI."""


def _text(value: str) -> Any:
    """Text of a class of its own. Where the class says that it is HTML, as Jinja2's Markup does, it is sent as HTML."""
    made = getattr(value, "__html__", None)
    if not callable(made):
        return TextContent(str(value))
    return EmbeddedResource(TextResourceContents(HTML_URI, str(made()), "text/html"))


def encode_model(value: Any) -> Any:
    """What msgspec does not know: pydantic models, and objects that only have a text form."""
    dump = getattr(value, "model_dump", None)
    if callable(dump):
        return dump(mode="json", by_alias=True)
    return str(value)


def resource_contents(value: Any, uri: str, mime_type: str | None, meta: dict[str, Any] | None) -> list[Any]:
    """What a resource function returned, as the contents of `resources/read`."""
    parts = list(value) if isinstance(value, list | tuple) else [value]
    if parts and all(isinstance(part, TextResourceContents | BlobResourceContents) for part in parts):
        return parts
    if isinstance(value, str):
        return [TextResourceContents(uri, value, mime_type or "text/plain", meta)]
    if isinstance(value, bytes | bytearray):
        data = base64.b64encode(value).decode("ascii")
        return [BlobResourceContents(uri, data, mime_type or "application/octet-stream", meta)]
    if isinstance(value, Path):
        guessed = mime_type or mimetypes.guess_type(value.name)[0]
        textual = guessed is not None and guessed.startswith("text/")
        content: Any = value.read_text("utf-8") if textual else value.read_bytes()
        return resource_contents(content, uri, guessed, meta)
    text = msgspec.json.encode(value, enc_hook=encode_model).decode()
    return [TextResourceContents(uri, text, mime_type or "application/json", meta)]


def prompt_messages(value: Any) -> list[types.PromptMessage]:
    """What a prompt function returned, as messages; text is the user's."""
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        return [message for item in value for message in prompt_messages(item)]
    if isinstance(value, types.PromptMessage):
        return [value]
    if isinstance(value, dict) and {"role", "content"} <= value.keys():
        content = value["content"]
        ready = msgspec.convert(content, types.ContentBlock) if isinstance(content, dict) else block(content)
        return [types.PromptMessage(value["role"], ready)]
    return [types.PromptMessage("user", block(value))]


def shape(items: Iterable[Any], features: Features) -> list[Any]:
    """Content blocks as this version knows them; what it does not know becomes text."""
    if features.links and features.audio:
        return list(items)
    return [_for_version(item, features) for item in items]


def _for_version(item: Any, features: Features) -> Any:
    if isinstance(item, ResourceLink) and not features.links:
        return TextContent(f"{item.name}: {item.uri}")
    if isinstance(item, AudioContent) and not features.audio:
        return TextContent(f"[audio, {item.mime_type}: this client's protocol version has no audio]")
    if isinstance(item, types.PromptMessage):
        return types.PromptMessage(item.role, _for_version(item.content, features))
    return item
