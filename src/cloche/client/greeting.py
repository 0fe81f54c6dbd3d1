"""How a client finds out what it talks to: `server/discover` in the stateless era, `initialize` in the handshake era.

Without a version given it asks `server/discover` first. A server of the handshake era answers that with an error, or
not at all; then `initialize` follows on the same connection.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Raw

from cloche.client.conversation import Conversation
from cloche.client.results import DiscoverResult, InitializeResult, decode
from cloche.errors import (
    ConfigurationError,
    McpError,
    RemoteProtocolError,
    RequestTimeoutError,
    UnsupportedVersionError,
    shorten,
)
from cloche.wire import types
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
"""Seconds an unknown server may take to answer `server/discover`, before it is greeted as one of the handshake era."""

MAX_GREETING_BYTES = 1024 * 1024
"""What a server may say of itself: it is kept as long as the connection is open."""

_discover = msgspec.json.Decoder(DiscoverResult)
_initialize = msgspec.json.Decoder(InitializeResult)


class Greeted(msgspec.Struct, kw_only=True):
    """What the server said about itself."""

    features: Features
    capabilities: Json
    info: Implementation | None = None
    instructions: str | None = None


class Greeter:
    """Greets a server as this client."""

    def __init__(self, info: Implementation, capabilities: Json, version: str | None) -> None:
        if version is not None and version not in SUPPORTED_VERSIONS:
            known = ", ".join(SUPPORTED_VERSIONS)
            raise ConfigurationError(f"Protocol version {shorten(version)!r} is not spoken here: use one of {known}")
        self.info = info
        self.capabilities = capabilities
        self._version = version

    async def greet(self, conversation: Conversation, timeout: float | None) -> Greeted:
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
            return await self._greet_slow(conversation, timeout)
        except McpError as error:
            if _nobody_to_greet(error):
                raise
        return await self._initialize(conversation, LATEST_HANDSHAKE_VERSION, timeout)

    async def _greet_slow(self, conversation: Conversation, timeout: float | None) -> Greeted:
        """One that said nothing: of the handshake era, or still starting, and then it has settled on our first word."""
        try:
            return await self._initialize(conversation, LATEST_HANDSHAKE_VERSION, timeout)
        except McpError as error:
            if _nobody_to_greet(error):
                raise
            return await self._discover(conversation, STATELESS_VERSIONS[-1], timeout)

    def meta(self, version: str, log_level: LogLevel | None = None) -> Json:
        """The `_meta` of every request of the stateless era."""
        meta: Json = {
            types.PROTOCOL_VERSION_KEY: version,
            types.CLIENT_INFO_KEY: self.info,
            types.CLIENT_CAPABILITIES_KEY: self.capabilities,
        }
        if log_level is not None:
            meta[types.LOG_LEVEL_KEY] = log_level
        return meta

    async def _discover(self, conversation: Conversation, version: str, timeout: float | None) -> Greeted:
        params: Any = {"_meta": self.meta(version)}
        raw = _short(await conversation.request("server/discover", params, timeout=timeout))
        found = decode(raw, _discover, "server/discover")
        spoken = [known for known in STATELESS_VERSIONS if known in found.supported_versions]
        if not spoken:
            raise UnsupportedVersionError(version, [shorten(item) for item in found.supported_versions[:10]])
        info = found.meta.server_info
        return Greeted(
            features=FEATURES[version if version in spoken else spoken[-1]],
            capabilities=found.capabilities,
            info=None if info is msgspec.UNSET else info,
            instructions=found.instructions,
        )

    async def _initialize(self, conversation: Conversation, version: str, timeout: float | None) -> Greeted:
        params = {"protocolVersion": version, "capabilities": self.capabilities, "clientInfo": self.info}
        raw = _short(await conversation.request("initialize", params, timeout=timeout))
        found = decode(raw, _initialize, "initialize")
        if found.protocol_version not in HANDSHAKE_VERSIONS:
            raise RemoteProtocolError(
                f"The server wants protocol version {shorten(found.protocol_version)!r}, which is not spoken here"
            )
        await conversation.notify("notifications/initialized", {})
        return Greeted(
            features=FEATURES[found.protocol_version],
            capabilities=found.capabilities,
            info=found.server_info,
            instructions=found.instructions,
        )


def _short(raw: Raw) -> Raw:
    if len(raw) > MAX_GREETING_BYTES:
        raise RemoteProtocolError(f"What the server says of itself is over {MAX_GREETING_BYTES} bytes")
    return raw


def _nobody_to_greet(error: McpError) -> bool:
    """Whether HTTP itself failed, in a way that a handshake would meet as well: nobody there, or no admittance."""
    data = error.data if isinstance(error.data, dict) else {}
    is_failure = data.get("reason") in ("unreachable", "redirected", "failed")
    return is_failure or data.get("status") in (401, 403, 407, 421, 429)
