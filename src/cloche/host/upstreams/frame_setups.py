"""What a product keeps of servers by URL that its users have set up, so that nobody sets one up at every visit."""

from __future__ import annotations

from typing import Annotated, Protocol

import msgspec
from msgspec import Meta

from cloche.wire.frames.messages import MAX_NAME, MAX_PERMISSIONS, Phase, SessionId, TransportVisibility, Version
from cloche.wire.types import Json


class GrantedPermission(msgspec.Struct, kw_only=True):
    """A feature of the browser that the user allowed the server's page to use."""

    name: Annotated[str, Meta(pattern="^[a-z][a-z0-9-]{0,63}$")]
    phase: Annotated[list[Phase], Meta(min_length=1, max_length=2)]


class FrameSetup(msgspec.Struct, rename="camel", kw_only=True):
    """What `OuterFrameTransport.setup()` resolved with in the user's page: what is kept of one setup."""

    session_id: SessionId
    protocol_version: Version
    origin: Annotated[str, Meta(max_length=300)]
    display_name: Annotated[str, Meta(max_length=MAX_NAME)]
    transport_visibility: TransportVisibility
    permissions: Annotated[list[GrantedPermission], Meta(max_length=MAX_PERMISSIONS)]


class SetupStore(Protocol):
    """Where setups are kept. `user` and `url` are part of the key: one user's setup is never another's."""

    async def get(self, user: str, url: str) -> Json | None:
        """What was put there."""

    async def put(self, user: str, url: str, setup: Json | None) -> None:
        """Keep it, or forget it with None. Whoever has the session id and runs code in the user's page can use the
        session: keep it as you keep a session cookie.
        """


class MemorySetups:
    """Setups that are gone when the process ends. A page that is open then tells the host its setup again."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, str], Json] = {}

    async def get(self, user: str, url: str) -> Json | None:
        """What was put there."""
        return self._kept.get((user, url))

    async def put(self, user: str, url: str, setup: Json | None) -> None:
        """Keep it, or forget it."""
        if setup is None:
            self._kept.pop((user, url), None)
        else:
            self._kept[user, url] = setup


def read_setup(given: object, origin: str) -> FrameSetup | None:
    """A setup that a page or a store has, when it is one and of a server at this origin."""
    try:
        setup = msgspec.convert(given, FrameSetup)
    except msgspec.ValidationError:
        return None
    return setup if setup.origin == origin else None
