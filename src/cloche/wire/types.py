"""MCP's own types, one set for every version.

What a version does not know is left out when a value is shaped for it (`cloche.server.shaping`), not by a second set
of types. Python names here, wire names in the JSON: `input_schema` is `inputSchema`, `meta` is `_meta`.
"""

from __future__ import annotations

from typing import Any, Literal, TypeAlias, get_args

import msgspec
from msgspec import UNSET, Raw, UnsetType, field

PROTOCOL_VERSION_KEY = "io.modelcontextprotocol/protocolVersion"
CLIENT_INFO_KEY = "io.modelcontextprotocol/clientInfo"
CLIENT_CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities"
LOG_LEVEL_KEY = "io.modelcontextprotocol/logLevel"
SERVER_INFO_KEY = "io.modelcontextprotocol/serverInfo"
SUBSCRIPTION_ID_KEY = "io.modelcontextprotocol/subscriptionId"

LogLevel: TypeAlias = Literal["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"]
LOG_LEVELS: tuple[str, ...] = get_args(LogLevel)
Role: TypeAlias = Literal["user", "assistant"]
Json: TypeAlias = dict[str, Any]


class Wire(msgspec.Struct, omit_defaults=True, rename="camel"):
    """Base of what goes over the wire: camelCase there, and nothing that is at its default."""


# What identifies and describes things


class Icon(Wire):
    """An icon of a server, tool, resource or prompt."""

    src: str
    mime_type: str | None = None
    sizes: list[str] | None = None
    theme: Literal["light", "dark"] | None = None


class Implementation(Wire):
    """Who a client or server is."""

    name: str
    version: str
    title: str | None = None
    description: str | None = None
    website_url: str | None = None
    icons: list[Icon] | None = None


class Annotations(Wire):
    """Hints on who a piece of content is for."""

    audience: list[Role] | None = None
    priority: float | None = None
    last_modified: str | None = None


class ToolAnnotations(Wire):
    """Hints on what a tool does; hosts show or use them, nobody may trust them."""

    title: str | None = None
    read_only_hint: bool | None = None
    destructive_hint: bool | None = None
    idempotent_hint: bool | None = None
    open_world_hint: bool | None = None


class Tool(Wire):
    """A tool as `tools/list` shows it."""

    name: str
    input_schema: Json
    title: str | None = None
    description: str | None = None
    output_schema: Json | None = None
    annotations: ToolAnnotations | None = None
    icons: list[Icon] | None = None
    meta: Json | None = field(default=None, name="_meta")
    execution: Json | None = None
    """Whether the tool runs as a task, in 2025-11-25: `{"taskSupport": "required"}`."""


class Resource(Wire):
    """A resource as `resources/list` shows it."""

    uri: str
    name: str
    title: str | None = None
    description: str | None = None
    mime_type: str | None = None
    size: int | None = None
    annotations: Annotations | None = None
    icons: list[Icon] | None = None
    meta: Json | None = field(default=None, name="_meta")


class ResourceTemplate(Wire):
    """A family of resources as `resources/templates/list` shows it."""

    uri_template: str
    name: str
    title: str | None = None
    description: str | None = None
    mime_type: str | None = None
    annotations: Annotations | None = None
    icons: list[Icon] | None = None
    meta: Json | None = field(default=None, name="_meta")


class PromptArgument(Wire):
    """One argument of a prompt."""

    name: str
    title: str | None = None
    description: str | None = None
    required: bool | None = None


class Prompt(Wire):
    """A prompt as `prompts/list` shows it."""

    name: str
    title: str | None = None
    description: str | None = None
    arguments: list[PromptArgument] | None = None
    icons: list[Icon] | None = None
    meta: Json | None = field(default=None, name="_meta")


class Root(Wire):
    """A folder or file the client lets the server work in."""

    uri: str
    name: str | None = None
    meta: Json | None = field(default=None, name="_meta")


# Content


class TextContent(Wire, tag_field="type", tag="text"):
    """Text for the model or the user."""

    text: str
    annotations: Annotations | None = None
    meta: Json | None = field(default=None, name="_meta")


class Media(Wire):
    """Base of what is not text."""

    data: str
    mime_type: str
    annotations: Annotations | None = None
    meta: Json | None = field(default=None, name="_meta")


class ImageContent(Media, tag_field="type", tag="image"):
    """An image, base64."""


class AudioContent(Media, tag_field="type", tag="audio"):
    """Sound, base64."""


class TextResourceContents(Wire):
    """A resource's content as text."""

    uri: str
    text: str
    mime_type: str | None = None
    meta: Json | None = field(default=None, name="_meta")


class BlobResourceContents(Wire):
    """A resource's content as base64."""

    uri: str
    blob: str
    mime_type: str | None = None
    meta: Json | None = field(default=None, name="_meta")


class EmbeddedResource(Wire, tag_field="type", tag="resource"):
    """A resource's content inside a result or prompt."""

    resource: Any
    annotations: Annotations | None = None
    meta: Json | None = field(default=None, name="_meta")


class ResourceLink(Resource, tag_field="type", tag="resource_link"):
    """A link to a resource the client may read."""


ContentBlock: TypeAlias = TextContent | ImageContent | AudioContent | EmbeddedResource | ResourceLink


class PromptMessage(Wire):
    """One message of a prompt."""

    role: Role
    content: ContentBlock


# Parameters of requests. Unknown members are ignored, as the protocol asks.


class RequestMeta(msgspec.Struct, rename="camel", frozen=True, gc=False):
    """The parts of a request's `_meta` that the protocol gives a meaning."""

    progress_token: str | int | UnsetType = UNSET
    protocol_version: str | UnsetType = field(default=UNSET, name=PROTOCOL_VERSION_KEY)
    client_info: Implementation | UnsetType = field(default=UNSET, name=CLIENT_INFO_KEY)
    client_capabilities: dict[str, Any] | UnsetType = field(default=UNSET, name=CLIENT_CAPABILITIES_KEY)
    log_level: LogLevel | UnsetType = field(default=UNSET, name=LOG_LEVEL_KEY)


class Params(msgspec.Struct, rename="camel", kw_only=True, gc=False):
    """What every request's parameters may have."""

    meta: Raw | UnsetType = field(default=UNSET, name="_meta")
    """Undecoded: a client sends the same one with every request, so what it says is known by its bytes."""


class InputParams(Params, kw_only=True):
    """Parameters of a request that may be answered with a question, and repeated with the answer."""

    input_responses: dict[str, Raw] | UnsetType = UNSET
    request_state: str | UnsetType = UNSET


class CallToolParams(InputParams, kw_only=True):
    """`tools/call`"""

    name: str
    arguments: Raw | UnsetType = UNSET
    task: Raw | UnsetType = UNSET
    """The client wants a task (2025-11-25)."""


class ReadResourceParams(InputParams, kw_only=True):
    """`resources/read`"""

    uri: str


class GetPromptParams(InputParams, kw_only=True):
    """`prompts/get`"""

    name: str
    arguments: dict[str, str] | None = None


class ListParams(Params, kw_only=True):
    """`tools/list` and the other lists"""

    cursor: str | None = None


class UriParams(Params, kw_only=True):
    """`resources/subscribe` and `resources/unsubscribe`"""

    uri: str


class SetLevelParams(Params, kw_only=True):
    """`logging/setLevel`"""

    level: LogLevel


class InitializeParams(Params, kw_only=True):
    """`initialize`"""

    protocol_version: str
    capabilities: dict[str, Any]
    client_info: Implementation


class CompletionReference(msgspec.Struct, rename="camel"):
    """What a completion is for: a prompt by name or a resource template by URI."""

    type: Literal["ref/prompt", "ref/resource"]
    name: str | None = None
    uri: str | None = None


class CompletionArgument(msgspec.Struct):
    """The argument being typed."""

    name: str
    value: str


class CompletionContext(msgspec.Struct):
    """Arguments already filled in."""

    arguments: dict[str, str] | None = None


class CompleteParams(Params, kw_only=True):
    """`completion/complete`"""

    ref: CompletionReference
    argument: CompletionArgument
    context: CompletionContext | None = None


OWN_NOTIFICATIONS = "cloche/notifications"
"""The extension by which a `subscriptions/listen` stream carries notifications of the server's own."""


class SubscriptionFilter(Wire):
    """What a `subscriptions/listen` stream carries."""

    tools_list_changed: bool | None = None
    prompts_list_changed: bool | None = None
    resources_list_changed: bool | None = None
    resource_subscriptions: list[str] | None = None
    own_notifications: list[str] | None = field(default=None, name=OWN_NOTIFICATIONS)
    """Methods that `server.notify` is called with; only our servers know it, and say so in their capabilities."""
    task_ids: list[str] | None = None
    """Tasks whose changes are wanted (extension `io.modelcontextprotocol/tasks`)."""


class ListenParams(Params, kw_only=True):
    """`subscriptions/listen`"""

    notifications: SubscriptionFilter


class CancelledParams(msgspec.Struct, rename="camel"):
    """`notifications/cancelled`, and `$/cancelRequest`, which calls the id `id`"""

    request_id: str | int | UnsetType = UNSET
    id: str | int | UnsetType = UNSET
    reason: str | UnsetType = UNSET


# Results. `result_type`, `ttl_ms` and `cache_scope` exist from 2026-07-28 on.


class Stamped(Wire, kw_only=True):
    """Base of results."""

    result_type: str | UnsetType = UNSET
    meta: Any = field(default=UNSET, name="_meta")


class CallToolResult(Stamped):
    """`tools/call`"""

    content: Any
    structured_content: Any = UNSET
    is_error: bool = False


class InputRequiredResult(Stamped):
    """A question back to the client (2026-07-28)"""

    input_requests: dict[str, Any]
    request_state: str

    def __post_init__(self) -> None:
        self.result_type = "input_required"


class ReadResourceResult(Stamped):
    """`resources/read`"""

    contents: list[Any]
    ttl_ms: int | UnsetType = UNSET
    cache_scope: str | UnsetType = UNSET


class GetPromptResult(Stamped):
    """`prompts/get`"""

    messages: list[Any]
    description: str | None = None


class Completion(Wire):
    """Suggested values, at most 100"""

    values: list[str]
    total: int | None = None
    has_more: bool | None = None


class ElicitResult(Wire):
    """What the user answered"""

    action: Literal["accept", "decline", "cancel"]
    content: dict[str, Any] | None = None


class SamplingResult(Wire):
    """What the client's model answered"""

    role: Role
    content: Any
    model: str
    stop_reason: str | None = None

    @property
    def text(self) -> str:
        """The answer's text, all text blocks together."""
        blocks = self.content if isinstance(self.content, list) else [self.content]
        return "".join(
            block.get("text", "") for block in blocks if isinstance(block, dict) and block.get("type") == "text"
        )


class ListRootsResult(Wire):
    """The client's roots"""

    roots: list[Root]
