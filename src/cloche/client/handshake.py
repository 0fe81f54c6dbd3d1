"""How a client finds out what it talks to: `server/discover` in the stateless era, `initialize` in the handshake era.

Without a version given it asks `server/discover` first. A server of the handshake era answers that with an error, or
not at all; then `initialize` follows on the same connection. When a server refuses
the version and names others, the newest that both support is used.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Raw

from cloche.client.conversation import Conversation
from cloche.client.results import DiscoverResult, InitializeResult, decode
from cloche.errors import (
    ConfigurationError,
    ConnectionBrokenError,
    McpError,
    RemoteProtocolError,
    RequestTimeoutError,
    UnsupportedVersionError,
    shorten,
)
from cloche.wire import types
from cloche.wire.tasks import TASKS_EXTENSION
from cloche.wire.types import Implementation, Json, LogLevel
from cloche.wire.versions import (
    FEATURES,
    HANDSHAKE_VERSIONS,
    LATEST_HANDSHAKE_VERSION,
    STATELESS_VERSIONS,
    SUPPORTED_VERSIONS,
    Features,
)

PROBE_TIMEOUT = 5.0
"""Seconds an unknown server may take to answer `server/discover`, before the client sends `initialize`."""

MAX_HANDSHAKE_BYTES = 1024 * 1024
"""What a server may say of itself: it is kept as long as the connection is open."""

_discover = msgspec.json.Decoder(DiscoverResult)
_initialize = msgspec.json.Decoder(InitializeResult)


class HandshakeResult(msgspec.Struct, kw_only=True):
    """What the client knows about a server after the handshake."""

    features: Features
    capabilities: Json
    info: Implementation | None = None
    instructions: str | None = None


class Handshaker:
    """Does the handshake with a server, in the era that the server supports."""

    def __init__(
        self, info: Implementation, capabilities: Json, version: str | None, *, tasks: Json | None = None
    ) -> None:
        if version is not None and version not in SUPPORTED_VERSIONS:
            known = ", ".join(SUPPORTED_VERSIONS)
            raise ConfigurationError(f"Protocol version {shorten(version)!r} is not spoken here: use one of {known}")
        self.info = info
        self.capabilities = capabilities
        extensions: Json = capabilities.get("extensions") or {}
        self._with_tasks: Json = {**capabilities, "extensions": {TASKS_EXTENSION: {}, **extensions}}
        """In the stateless era a server may answer with a task only if the client says that it takes one."""
        self._with_answer_tasks: Json = {"tasks": tasks, **capabilities} if tasks else capabilities
        """In 2025-11-25 a server may ask for an answer as a task only if the client says that it gives one."""
        self._version = version

    async def run(self, conversation: Conversation, timeout: float | None) -> HandshakeResult:
        """Find out the era, version and capabilities of the server at the other end."""
        if self._version in HANDSHAKE_VERSIONS:
            return await self._initialize(conversation, str(self._version), timeout)
        if self._version is not None:
            return await self._discover(conversation, self._version, timeout)
        probe = timeout
        if not conversation.transport.always_answers:
            probe = PROBE_TIMEOUT if timeout is None else min(PROBE_TIMEOUT, timeout)
        try:
            return await self._discover(conversation, STATELESS_VERSIONS[-1], probe)
        except RequestTimeoutError:
            return await self._after_timeout(conversation, timeout)
        except ConnectionBrokenError:
            pass  # older servers have been seen to hang up on a method that they do not know
        except McpError as error:
            if error.code == UnsupportedVersionError.code:
                return await self._with_their_version(_named_versions(error), conversation, timeout, error)
            if _is_refused_by_http(error):
                raise
        return await self._initialize(conversation, LATEST_HANDSHAKE_VERSION, timeout)

    async def _with_their_version(
        self, versions: list[Any] | None, conversation: Conversation, timeout: float | None, refusal: McpError
    ) -> HandshakeResult:
        """The server refused our version and named its own: try the newest that both support, once."""
        if versions is None:
            return await self._initialize(conversation, LATEST_HANDSHAKE_VERSION, timeout)
        spoken = [version for version in SUPPORTED_VERSIONS if version in versions]
        if not spoken:
            raise refusal
        agree = self._discover if spoken[-1] in STATELESS_VERSIONS else self._initialize
        return await agree(conversation, spoken[-1], timeout)

    async def _after_timeout(self, conversation: Conversation, timeout: float | None) -> HandshakeResult:
        """The probe timed out: the server is of the handshake era (`initialize` works), or a slow stateless one."""
        try:
            return await self._initialize(conversation, LATEST_HANDSHAKE_VERSION, timeout)
        except McpError as error:
            if _is_refused_by_http(error):
                raise
            return await self._discover(conversation, STATELESS_VERSIONS[-1], timeout)

    def meta(self, version: str, log_level: LogLevel | None = None) -> Json:
        """The `_meta` of every request of the stateless era."""
        meta: Json = {
            types.PROTOCOL_VERSION_KEY: version,
            types.CLIENT_INFO_KEY: self.info,
            types.CLIENT_CAPABILITIES_KEY: self._with_tasks,
        }
        if log_level is not None:
            meta[types.LOG_LEVEL_KEY] = log_level
        return meta

    async def _discover(self, conversation: Conversation, version: str, timeout: float | None) -> HandshakeResult:
        params: Any = {"_meta": self.meta(version)}
        raw = _short(await conversation.request("server/discover", params, timeout=timeout))
        found = decode(raw, _discover, "server/discover")
        spoken = [known for known in STATELESS_VERSIONS if known in found.supported_versions]
        if not spoken:
            raise UnsupportedVersionError(version, [shorten(item) for item in found.supported_versions[:10]])
        info = found.meta.server_info
        return HandshakeResult(
            features=FEATURES[version if version in spoken else spoken[-1]],
            capabilities=found.capabilities,
            info=None if info is msgspec.UNSET else info,
            instructions=found.instructions,
        )

    async def _initialize(self, conversation: Conversation, version: str, timeout: float | None) -> HandshakeResult:
        capabilities = self._with_answer_tasks if FEATURES[version].task_requests else self.capabilities
        params = {"protocolVersion": version, "capabilities": capabilities, "clientInfo": self.info}
        raw = _short(await conversation.request("initialize", params, timeout=timeout))
        found = decode(raw, _initialize, "initialize")
        if found.protocol_version not in HANDSHAKE_VERSIONS:
            raise RemoteProtocolError(
                f"The server wants protocol version {shorten(found.protocol_version)!r}, which is not spoken here"
            )
        await conversation.notify("notifications/initialized", {})
        return HandshakeResult(
            features=FEATURES[found.protocol_version],
            capabilities=found.capabilities,
            info=found.server_info,
            instructions=found.instructions,
        )


def _named_versions(error: McpError) -> list[Any] | None:
    """The versions that a refusal says the server speaks; over HTTP they may stand one level deeper."""
    data = error.data if isinstance(error.data, dict) else {}
    for found in (data, data.get("error")):
        if isinstance(found, dict) and isinstance(found.get("supported"), list):
            return list(found["supported"])
    return None


def _short(raw: Raw) -> Raw:
    if len(raw) > MAX_HANDSHAKE_BYTES:
        raise RemoteProtocolError(f"What the server says of itself is over {MAX_HANDSHAKE_BYTES} bytes")
    return raw


def _is_refused_by_http(error: McpError) -> bool:
    """Whether HTTP itself refused the request, for a reason that would refuse `initialize`, too."""
    data = error.data if isinstance(error.data, dict) else {}
    return data.get("reason") in ("redirected", "failed") or data.get("status") in (401, 403, 407, 421, 429)
