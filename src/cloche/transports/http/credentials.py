"""The bearer token that a client sends, and where a new one comes from."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable

from cloche.errors import ConfigurationError

TokenSource = Callable[[], Awaitable[str]]
"""Gives a token; called for the first request, and again when the server refuses the token."""

logger = logging.getLogger("cloche.http")

_TOKEN = re.compile(r"[A-Za-z0-9\-._~+/]+=*")


class Credentials:
    """A token that stays, one that can be renewed, or none."""

    def __init__(self, auth: str | TokenSource | None) -> None:
        self._source = None if isinstance(auth, str) else auth
        self._token = _checked(auth) if isinstance(auth, str) else None
        self._renewing = asyncio.Lock()

    @property
    def can_renew(self) -> bool:
        """Whether it makes sense to ask for another token."""
        return self._source is not None

    async def token(self) -> str | None:
        """The token to send."""
        if self._token is None and self._source is not None:
            await self.renew(None)
        return self._token

    async def renew(self, refused: str | None) -> None:
        """Get another token than the one that was refused; requests that fail together ask once."""
        async with self._renewing:
            if self._source is not None and self._token == refused:
                try:
                    token = await self._source()
                except Exception as error:
                    logger.exception("auth=… gave no token")
                    raise ConfigurationError(f"auth=… gave no token: {type(error).__name__}") from error
                self._token = _checked(token)


def _checked(token: object) -> str:
    """A token that can stand in a header. The error does not show it: errors are logged."""
    if not isinstance(token, str) or not _TOKEN.fullmatch(token):
        raise ConfigurationError("A bearer token has letters, digits and -._~+/ only, with '=' at its end")
    return token
