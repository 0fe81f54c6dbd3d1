"""The eight messages of the two-phase protocol, with everything that limits them.

A message is a plain object whose `type` says which it is. Each struct here is one of them; the JSON Schemas that the
page checks messages against are made from these structs (`schemas`), so both sides refuse the same things. Members that
are not listed are ignored, so that a newer peer can say more.

A reply with an `error` refuses the other page: it has neither a session nor a version, and a peer that does not know
the member finds no version in it that it speaks, and gives up at once too.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, get_args

import msgspec
from msgspec import UNSET, Meta, UnsetType

from cloche.errors import ERROR_TEXT_LIMIT, InvalidRequestError, shorten
from cloche.wire.types import Json

MAX_NAME = 200
MAX_PURPOSE = 500
MAX_NOTE = 1000
MAX_PERMISSIONS = 32
MAX_SESSION_ID = 200

Version = Annotated[str, Meta(pattern=r"^[0-9]{1,6}(\.[0-9]{1,6}){0,3}$")]
SessionId = Annotated[str, Meta(max_length=MAX_SESSION_ID, pattern="^[!-~]+$")]
"""Visible ASCII: it becomes a part of the names under which the inner page stores things."""

DocumentId = Annotated[str, Meta(max_length=64)]
"""What the announcements of one document have in common; a page that says none announces itself once."""

SetupErrorCode = Literal[
    "USER_CANCELLED", "AUTH_FAILED", "TIMEOUT", "CONFIG_ERROR", "VERSION_MISMATCH", "INSUFFICIENT_PERMISSIONS"
]
SetupReason = Literal["AUTH_EXPIRED", "CONFIG_CHANGED", "PERMISSIONS_CHANGED", "OTHER"]
Phase = Literal["setup", "transport"]
Requirement = Literal["required", "optional", "hidden"]

SETUP_ERROR_CODES: tuple[str, ...] = get_args(SetupErrorCode)
"""Why a setup may fail, as `SetupComplete` says it."""
SETUP_REASONS: tuple[str, ...] = get_args(SetupReason)
"""Why an inner page may want to be set up again, as `SetupRequired` says it."""
PHASES: tuple[str, ...] = get_args(Phase)
REQUIREMENTS: tuple[str, ...] = get_args(Requirement)


class PermissionRequirement(msgspec.Struct, rename="camel", kw_only=True):
    """A feature of the browser that the inner page needs, by the name that Permissions-Policy has for it."""

    name: Annotated[str, Meta(pattern="^[a-z][a-z0-9-]{0,63}$")]
    phase: Annotated[list[Phase], Meta(min_length=1, max_length=2)]
    required: bool
    """Whether there is no use in going on without it."""
    purpose: Annotated[str, Meta(max_length=MAX_PURPOSE)]
    """What it is for: the user reads it before allowing it."""


class TransportVisibility(msgspec.Struct, rename="camel", kw_only=True):
    """Whether the inner page wants to be seen while it is connected."""

    requirement: Requirement
    description: Annotated[str, Meta(max_length=MAX_PURPOSE)] | UnsetType = UNSET
    """What there is to see, for the control that shows and hides an `optional` page."""


class SetupErrorDetails(msgspec.Struct, rename="camel", kw_only=True):
    """Why a setup failed, or why a page is refused."""

    code: SetupErrorCode
    message: Annotated[str, Meta(max_length=ERROR_TEXT_LIMIT)]


class FrameMessage(msgspec.Struct, tag_field="type", rename="camel", kw_only=True, omit_defaults=True):
    """Base of the eight messages."""


class SetupHandshake(FrameMessage, tag="MCP_SETUP_HANDSHAKE"):
    """Inner to outer, to any origin: the page of the setup phase is there."""

    min_protocol_version: Version
    max_protocol_version: Version
    requires_visible_setup: bool
    requested_permissions: Annotated[list[PermissionRequirement], Meta(max_length=MAX_PERMISSIONS)] | UnsetType = UNSET
    document_id: DocumentId | UnsetType = UNSET


class SetupHandshakeReply(FrameMessage, tag="MCP_SETUP_HANDSHAKE_REPLY"):
    """Outer to inner: the version that both speak and the session, or why there will be none."""

    protocol_version: Version | UnsetType = UNSET
    session_id: SessionId | UnsetType = UNSET
    error: SetupErrorDetails | UnsetType = UNSET


class SetupComplete(FrameMessage, tag="MCP_SETUP_COMPLETE"):
    """Inner to outer: the setup is over, well or not."""

    status: Literal["success", "error"]
    display_name: Annotated[str, Meta(max_length=MAX_NAME)]
    transport_visibility: TransportVisibility
    ephemeral_message: Annotated[str, Meta(max_length=MAX_NOTE)] | UnsetType = UNSET
    """Shown once, not stored."""
    error: SetupErrorDetails | UnsetType = UNSET


class TransportHandshake(FrameMessage, tag="MCP_TRANSPORT_HANDSHAKE"):
    """Inner to outer, to any origin: the page of the transport phase is there."""

    protocol_version: Version
    document_id: DocumentId | UnsetType = UNSET


class TransportHandshakeReply(FrameMessage, tag="MCP_TRANSPORT_HANDSHAKE_REPLY"):
    """Outer to inner: the session, or why there is none."""

    session_id: SessionId | UnsetType = UNSET
    protocol_version: Version | UnsetType = UNSET
    error: SetupErrorDetails | UnsetType = UNSET


class TransportAccepted(FrameMessage, tag="MCP_TRANSPORT_ACCEPTED"):
    """Inner to outer: the session that it was given, as a receipt."""

    session_id: SessionId


class McpEnvelope(FrameMessage, tag="MCP_MESSAGE"):
    """Both ways: one JSON-RPC message, which whoever receives it checks."""

    payload: Json


class SetupRequired(FrameMessage, tag="MCP_SETUP_REQUIRED"):
    """Inner to outer: it has to be set up again."""

    reason: SetupReason
    message: Annotated[str, Meta(max_length=ERROR_TEXT_LIMIT)]
    can_continue: bool
    """Whether it answers meanwhile."""
    error: SetupErrorDetails | UnsetType = UNSET
    """Why the inner page gives up: no setup would help."""


TO_OUTER: tuple[type[FrameMessage], ...] = (
    SetupHandshake,
    SetupComplete,
    TransportHandshake,
    TransportAccepted,
    McpEnvelope,
    SetupRequired,
)
TO_INNER: tuple[type[FrameMessage], ...] = (SetupHandshakeReply, TransportHandshakeReply, McpEnvelope)
MESSAGES: tuple[type[FrameMessage], ...] = tuple(dict.fromkeys((*TO_OUTER, *TO_INNER)))

_BY_TYPE = {str(kind.__struct_config__.tag): kind for kind in MESSAGES}


def read_message(value: object) -> FrameMessage:
    """A message from the other page; raises `InvalidRequestError` with the path to what is wrong."""
    kind = _BY_TYPE.get(str(value.get("type"))) if isinstance(value, dict) else None
    if kind is None:
        raise InvalidRequestError("It is none of the eight messages: `type` says which one a message is")
    try:
        message = msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        raise InvalidRequestError(f"{kind.__struct_config__.tag}: {shorten(str(error), 300)}") from None
    if isinstance(message, SetupHandshakeReply | TransportHandshakeReply) and message.error is UNSET:
        for member, given in (("protocolVersion", message.protocol_version), ("sessionId", message.session_id)):
            if given is UNSET:
                raise InvalidRequestError(f"{kind.__struct_config__.tag}: {member} is missing")
    if isinstance(message, SetupComplete) and (message.status == "error") != (message.error is not UNSET):
        raise InvalidRequestError("MCP_SETUP_COMPLETE: `error` stands where the status is error, and nowhere else")
    return message


def write_message(message: FrameMessage) -> Json:
    """A message as the plain object that `postMessage` carries."""
    written: Json = msgspec.to_builtins(message)
    return written


def schemas() -> dict[str, Any]:
    """One JSON Schema document: the messages under `$defs` by their `type`, and what they are made of by name."""
    _, parts = msgspec.json.schema_components(MESSAGES, ref_template="#/$defs/{name}")
    names = {kind.__name__: str(kind.__struct_config__.tag) for kind in MESSAGES}
    found = {names.get(name, name): _plain(part) for name, part in parts.items()}
    for reply in ("MCP_SETUP_HANDSHAKE_REPLY", "MCP_TRANSPORT_HANDSHAKE_REPLY"):
        found[reply]["if"] = {"not": {"required": ["error"]}}
        found[reply]["then"] = {"required": ["protocolVersion", "sessionId"]}
    found["MCP_SETUP_COMPLETE"]["if"] = {"properties": {"status": {"const": "error"}}}
    found["MCP_SETUP_COMPLETE"]["then"] = {"required": ["error"]}
    found["MCP_SETUP_COMPLETE"]["else"] = {"not": {"required": ["error"]}}
    return {"$defs": found}


def _plain(part: Any) -> Any:
    """Without what is only for people."""
    if isinstance(part, dict):
        return {name: _plain(value) for name, value in part.items() if name not in ("title", "description")} | {
            name: {key: _plain(value) for key, value in part[name].items()} for name in ("properties",) if name in part
        }
    return [_plain(one) for one in part] if isinstance(part, list) else part
