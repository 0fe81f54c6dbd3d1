"""What a server answers, typed.

Content of a kind that this version does not know stays a dictionary: a newer server must not break an older client.
"""

from __future__ import annotations

import base64
from typing import Any, TypeVar

import msgspec
from msgspec import UNSET, Raw, UnsetType, field

from cloche.errors import RemoteProtocolError, ToolError, shorten
from cloche.wire.types import (
    Completion,
    ContentBlock,
    Implementation,
    Json,
    Prompt,
    PromptMessage,
    Resource,
    ResourceTemplate,
    TextContent,
    Tool,
)

T = TypeVar("T")


class Answered(msgspec.Struct, rename="camel", kw_only=True):
    """Base of results."""

    meta: Json | None = field(default=None, name="_meta")


class CallToolResult(Answered, kw_only=True):
    """The result of a tool."""

    content: list[ContentBlock] = []
    """Text, images, audio, resources and links, for the model."""
    structured_content: Any = None
    """The value itself, where the tool has an output schema."""
    is_error: bool = False
    """Whether the tool failed; then `text` says why."""

    @property
    def text(self) -> str:
        """All text of the content."""
        return "\n".join(block.text for block in self.content if isinstance(block, TextContent))

    @property
    def data(self) -> Any:
        """The value that the tool returned: what is structured, else the text."""
        value = self.structured_content
        if value is None:
            return self.text
        return value["result"] if _is_wrapped(value) else value

    def raise_for_error(self) -> CallToolResult:
        """Raise `ToolError` with the tool's text when it failed, else return the result itself."""
        if self.is_error:
            raise ToolError(shorten(self.text or "The tool failed without a word", 2000))
        return self

    def decode(self, kind: type[T]) -> T:
        """The value as `kind`: a dataclass, a Struct, `list[int]`, whatever msgspec converts to."""
        self.raise_for_error()
        if self.structured_content is None:
            return self._decode_text(kind)
        try:
            return msgspec.convert(self.structured_content, kind)
        except msgspec.ValidationError as error:
            if _is_wrapped(self.structured_content):
                return _convert(self.structured_content["result"], kind)
            raise _unexpected(kind, error) from None

    def _decode_text(self, kind: type[T]) -> T:
        if kind is str:
            return self.text  # type: ignore[return-value]
        try:
            return msgspec.json.decode(self.text, type=kind)
        except (msgspec.DecodeError, UnicodeError) as error:
            raise _unexpected(kind, error) from None


class ResourceContents(msgspec.Struct, rename="camel"):
    """The content of a resource, or of a part of it: `text` or `blob`."""

    uri: str
    mime_type: str | None = None
    text: str | None = None
    blob: str | None = None
    meta: Json | None = field(default=None, name="_meta")

    @property
    def data(self) -> bytes:
        """The content as bytes."""
        if self.text is not None:
            return self.text.encode()
        try:
            return base64.b64decode(self.blob or "", validate=True)
        except ValueError:
            raise RemoteProtocolError("The server sent a blob that is not base64") from None


class ReadResourceResult(Answered, kw_only=True):
    """The content of a resource."""

    contents: list[ResourceContents]
    ttl_ms: int | None = None
    """How long it may be kept, in the stateless era."""

    @property
    def text(self) -> str:
        """All text of the contents."""
        return "".join(part.text for part in self.contents if part.text is not None)


class GetPromptResult(Answered, kw_only=True):
    """A prompt, filled in."""

    messages: list[PromptMessage]
    description: str | None = None


class CompleteResult(Answered, kw_only=True):
    """Suggestions."""

    completion: Completion


class ListPage(msgspec.Struct, rename="camel", kw_only=True):
    """One page of a list; which list it is shows which member is there."""

    tools: list[Tool] = []
    resources: list[Resource] = []
    resource_templates: list[ResourceTemplate] = []
    prompts: list[Prompt] = []
    tasks: list[Raw] = []
    next_cursor: str | None = None


class InitializeResult(Answered, kw_only=True):
    """The server's side of the handshake."""

    protocol_version: str
    capabilities: Json
    server_info: Implementation
    instructions: str | None = None


class DiscoverMeta(msgspec.Struct):
    """Who the server is, in the stateless era."""

    server_info: Implementation | UnsetType = field(default=UNSET, name="io.modelcontextprotocol/serverInfo")


class DiscoverResult(msgspec.Struct, rename="camel", kw_only=True):
    """What `server/discover` says."""

    supported_versions: list[str]
    capabilities: Json
    instructions: str | None = None
    meta: DiscoverMeta = field(default_factory=DiscoverMeta, name="_meta")


class InputRequired(msgspec.Struct, rename="camel", kw_only=True):
    """A question instead of a result (stateless era)."""

    result_type: str = "complete"
    input_requests: dict[str, InputRequest] = {}
    request_state: str | UnsetType = UNSET


class InputRequest(msgspec.Struct):
    """One of the things the server wants to know."""

    method: str
    params: Raw = Raw(b"{}")


class _ForeignCall(CallToolResult, kw_only=True):
    """A result whose content is not all of kinds that are known here."""

    content: list[Any] = []


_call = msgspec.json.Decoder(CallToolResult)
_foreign_call = msgspec.json.Decoder(_ForeignCall)
_input_required = msgspec.json.Decoder(InputRequired)


def decode_call(raw: Raw) -> CallToolResult:
    """The result of `tools/call`."""
    try:
        return _call.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError):
        found = decode(raw, _foreign_call, "tools/call")
    found.content = [_block(item) for item in found.content]
    return CallToolResult(**msgspec.structs.asdict(found))


def decode(raw: Raw, decoder: msgspec.json.Decoder[T], method: str) -> T:
    """A result of another method."""
    try:
        return decoder.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        text = f"The server's answer to {method} is malformed: {shorten(str(error), 300)}"
        raise RemoteProtocolError(text) from None


def questions_in(raw: Raw) -> InputRequired | None:
    """The server's questions, when the result is one."""
    if b"input_required" not in bytes(raw):
        return None
    try:
        found = _input_required.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None
    return found if found.result_type == "input_required" else None


def _block(item: Any) -> Any:
    try:
        return msgspec.convert(item, ContentBlock)
    except msgspec.ValidationError:
        return item


def _is_wrapped(value: Any) -> bool:
    """Before 2026-07-28 structured content is an object, so servers put anything else under `result`."""
    return isinstance(value, dict) and value.keys() == {"result"}


def _convert(value: Any, kind: type[T]) -> T:
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        raise _unexpected(kind, error) from None


def _unexpected(kind: Any, error: Exception) -> RemoteProtocolError:
    name = getattr(kind, "__name__", str(kind))
    return RemoteProtocolError(f"The tool's result is no {name}: {shorten(str(error), 300)}")
