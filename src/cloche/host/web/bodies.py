"""Bodies that are too big for the socket: a page fetches each by a signed address that expires (`{at}/body/…`).

One socket carries every view of a page, so a message of some megabytes would hold up all others. The address is the
permission: there are no cookies. A body is gone when the page has acknowledged it or its view is closed.
"""

from __future__ import annotations

import secrets
import time

import msgspec

from cloche.errors import InvalidParamsError
from cloche.host.web.headers import INERT, PLAIN, Headers
from cloche.wire.signing import Signer

URL_SECONDS = 24 * 3600
"""How long a signed address is good for. Long, because moving a frame in the page loads it again."""

MAX_BYTES = 256 * 1024 * 1024
"""All bodies of a host together."""

PURPOSE = "body"


class _Claim(msgspec.Struct):
    """What a signed address says."""

    i: str
    e: int


class Bodies:
    """What pages may fetch at the moment."""

    def __init__(self, signer: Signer) -> None:
        self._signer = signer
        self._held: dict[str, bytes | str] = {}
        self._bytes = 0

    def __len__(self) -> int:
        return len(self._held)

    def put(self, data: bytes | str) -> tuple[str, str]:
        """Hold a body. Its name, for `drop`, and the path below the host's address to fetch it from.

        A text is held as it is, and so only once when several views have it in common.
        """
        if self._bytes + len(data) > MAX_BYTES:
            raise InvalidParamsError("Too much waits to be fetched by pages: try again later")
        name = secrets.token_urlsafe(16)
        self._held[name] = data
        self._bytes += len(data)
        claim = msgspec.json.encode(_Claim(name, int(time.time()) + URL_SECONDS))
        return name, f"body/{self._signer.sign(PURPOSE, claim)}"

    def get(self, token: str) -> bytes | None:
        """What a signed address stands for; None when it is not ours, has expired, or the body is gone."""
        try:
            claim = msgspec.json.decode(self._signer.open(PURPOSE, token), type=_Claim)
        except (InvalidParamsError, msgspec.DecodeError):
            return None
        data = self._held.get(claim.i) if claim.e > time.time() else None
        return data.encode("utf-8", "replace") if isinstance(data, str) else data

    def drop(self, name: str | None) -> None:
        """Forget a body."""
        data = None if name is None else self._held.pop(name, None)
        self._bytes -= len(data or "")


def body_headers() -> Headers:
    """A body is read by a script of the page; opened as a document it is plain text and does nothing."""
    kind = (b"content-type", b"text/plain; charset=utf-8")
    return [kind, INERT, (b"cross-origin-resource-policy", b"same-origin"), *PLAIN]
