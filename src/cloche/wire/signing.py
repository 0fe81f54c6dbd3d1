"""Values that leave this process and must come back unchanged: request state, cursors.

A token is `base64url(payload) "." base64url(HMAC-SHA256)`. The purpose is part of what is signed, so that a cursor
can never be used as request state. There is no clock here: whoever wants expiry puts a time into the payload.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac

from cloche.errors import InvalidParamsError

MAX_TOKEN = 256 * 1024
"""The longest token that is looked at."""


class Signer:
    """Signs and checks tokens with one secret."""

    def __init__(self, secret: bytes) -> None:
        self._secret = secret

    def derived(self, label: str) -> Signer:
        """A signer with a key of its own, made from this secret and `label`: neither takes what the other signed."""
        return Signer(hmac.digest(self._secret, b"cloche derived key\0" + label.encode(), hashlib.sha256))

    def sign(self, purpose: str, payload: bytes) -> str:
        """A token that carries `payload`."""
        return f"{_encode(payload)}.{_encode(self._mac(purpose, payload))}"

    def open(self, purpose: str, token: str) -> bytes:
        """The payload of a token made by `sign` with the same purpose; anything else is refused with one text."""
        try:
            if len(token) > MAX_TOKEN:
                raise ValueError
            body, _, mac = token.partition(".")
            payload = _decode(body)
            genuine = hmac.compare_digest(_decode(mac), self._mac(purpose, payload))
        except (ValueError, binascii.Error):
            genuine, payload = False, b""
        if not genuine:
            raise InvalidParamsError(f"The {purpose} is not one that this server made")
        return payload

    def _mac(self, purpose: str, payload: bytes) -> bytes:
        return hmac.digest(self._secret, purpose.encode() + b"\0" + payload, hashlib.sha256)


def _encode(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode("ascii")


def _decode(text: str) -> bytes:
    data = base64.b64decode(text.encode("ascii") + b"=" * (-len(text) % 4), altchars=b"-_", validate=True)
    if _encode(data) != text:
        raise ValueError("not the canonical spelling")
    return data
