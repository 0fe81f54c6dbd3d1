"""Bodies that are too big for the socket: a page fetches each by a signed address that expires (`{at}/body/…`).

One socket carries every view of a page, so a message of some megabytes would hold up all others. The address is the
permission: there are no cookies. A body is gone when the page has acknowledged it or its view is closed. The same text
is held once, however many views wait for it.
"""

from __future__ import annotations

import secrets
import time
from collections import OrderedDict

import msgspec

from cloche.errors import InvalidParamsError
from cloche.host.budgets import Shelf
from cloche.host.web.headers import INERT, PLAIN, Headers
from cloche.wire.json import BULK_BYTES, encode
from cloche.wire.signing import Signer
from cloche.wire.types import Json

URL_SECONDS = 24 * 3600
"""How long a signed address is good for. Long, because moving a frame in the page loads it again."""

PURPOSE = "body"


class _Claim(msgspec.Struct):
    """What a signed address says."""

    i: str
    e: int


class Bodies:
    """What pages may fetch at the moment. `shelf` counts it, by user."""

    def __init__(self, signer: Signer, shelf: Shelf) -> None:
        self._signer = signer
        self._shelf = shelf
        self._held: dict[str, tuple[str, bytes | str]] = {}
        self._shared: dict[bytes | str, tuple[bytes | str, int]] = {}

    def __len__(self) -> int:
        return len(self._held)

    def put(self, holder: str, data: bytes | str) -> tuple[str, str]:
        """Hold a body for a user: its name, for `drop`, and the path to fetch it from. Raises `BudgetError`."""
        # A text is found by its hash, which Python computes once for each: whoever has the same gets that one.
        data, times = self._shared.get(data, (data, 0))
        self._shelf.put(holder, data, len(data))
        self._shared[data] = data, times + 1
        name = secrets.token_urlsafe(16)
        self._held[name] = holder, data
        claim = msgspec.json.encode(_Claim(name, int(time.time()) + URL_SECONDS))
        return name, f"body/{self._signer.sign(PURPOSE, claim)}"

    def get(self, token: str) -> bytes | None:
        """What a signed address stands for; None when it is not ours, has expired, or the body is gone."""
        try:
            claim = msgspec.json.decode(self._signer.open(PURPOSE, token), type=_Claim)
        except (InvalidParamsError, msgspec.DecodeError):
            return None
        _, data = self._held.get(claim.i, ("", None)) if claim.e > time.time() else ("", None)
        return data.encode("utf-8", "replace") if isinstance(data, str) else data

    def drop(self, name: str | None) -> None:
        """Forget a body."""
        found = None if name is None else self._held.pop(name, None)
        if found is None:
            return
        holder, data = found
        self._shelf.take(holder, data)
        _, times = self._shared.pop(data)
        if times > 1:
            self._shared[data] = data, times - 1


class Encoded:
    """Large messages as bytes, the latest ones: every view of a call is sent the same, and encoding takes a while."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._bytes = 0
        self._kept: OrderedDict[tuple[object, int], tuple[object, bytes]] = OrderedDict()

    def of(self, message: Json) -> bytes:
        """The message as bytes. Only what is exactly the same object is taken for the same."""
        params = message.get("params")
        key = message.get("method"), id(params)
        found = self._kept.get(key)
        if found is not None:
            self._kept.move_to_end(key)
            return found[1]
        data = encode(message)
        if len(data) > BULK_BYTES and "method" in message and "id" not in message:
            self._kept[key] = params, data  # with the object, so that no other gets its id
            self._bytes += len(data)
            while self._bytes > self._most:
                _, (_, old) = self._kept.popitem(last=False)
                self._bytes -= len(old)
        return data


def body_headers() -> Headers:
    """A body is read by a script of the page; opened as a document it is plain text and does nothing."""
    kind = (b"content-type", b"text/plain; charset=utf-8")
    return [kind, INERT, (b"cross-origin-resource-policy", b"same-origin"), *PLAIN]
