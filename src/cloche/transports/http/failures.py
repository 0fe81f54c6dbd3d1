"""What goes wrong in HTTP: what the server answered, as the JSON-RPC error that a request ends with. Why there is no
answer at all is a `TransportError`.

`data` tells programs what the sentence tells people: `reason`, and for a status also `status`, `retryAfter` and
`resourceMetadata`, where the server says who gives tokens for it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import msgspec

from cloche.errors import MCP_ERROR_CODES, McpError, shorten
from cloche.wire.messages import ErrorObject, RequestId

ERROR_BODY_BYTES = 64 * 1024
"""How much of a refusal's body is read."""

REDIRECTED, REFUSED, MALFORMED, FAILED = "redirected", "refused", "malformed", "failed"

_METADATA = re.compile(r'\bresource_metadata\s*=\s*"?([^",\s]{1,2000})', re.IGNORECASE)

_SENTENCES = {
    400: "The server refused the request as malformed",
    401: "The server wants authentication: give HttpTransport a valid token as auth=…",
    403: "The server forbids this: the token or the origin lacks a permission",
    404: "There is no MCP server at this address",
    405: "This address takes no POST: it is not an MCP endpoint, or an older one",
    406: "The server does not answer in the formats of MCP",
    408: "The server did not get the request in time",
    413: "The message is larger than the server reads",
    415: "The server does not read JSON messages",
    429: "The server asks for fewer requests",
    431: "The headers are larger than the server reads",
    502: "The server behind the proxy does not answer",
    503: "The server is not available now",
    504: "The server behind the proxy did not answer in time",
}


class _Refusal(msgspec.Struct):
    """An error in the body of a refusal. Its id may be null, which a message's never is."""

    error: ErrorObject
    id: RequestId | None = None


_refusals = msgspec.json.Decoder(_Refusal)


def failure(text: str, reason: str, **data: Any) -> McpError:
    """An error that this side found."""
    return McpError(text, code=MCP_ERROR_CODES["CONNECTION_CLOSED"], data={"reason": reason, **data})


def read_refusal(body: bytes | bytearray) -> tuple[RequestId | None, ErrorObject] | None:
    """The JSON-RPC error in a body, with the id it answers."""
    try:
        refusal = _refusals.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    return refusal.id, refusal.error


def of_status(status: int, headers: Mapping[str, str], said: ErrorObject | None, where: str) -> McpError:
    """The error for a status that is not an answer; `said` is what the server gave as the reason."""
    if 300 <= status < 400:
        place = shorten(headers.get("location", "nowhere"), 200)
        text = f"{where} redirects to {place}, which is not followed: if you trust it, connect to it"
        return failure(text, REDIRECTED, status=status)
    data: dict[str, Any] = {"status": status}
    if status in (401, 403):
        found = _METADATA.search(headers.get("www-authenticate", "")[:8192])
        if found is not None:
            data["resourceMetadata"] = found[1]
    after = headers.get("retry-after")
    if after is not None and status in (429, 503):
        data["retryAfter"] = int(after) if after.isdigit() and len(after) < 10 else shorten(after, 40)
    sentence = _SENTENCES.get(status) or ("The server failed" if status >= 500 else "The server refused the request")
    text = f"{sentence} (HTTP {status} from {where})"
    if said is not None:
        text = f"{text}: {shorten(said.message, 300)}"
    error = failure(text, REFUSED, **data)
    if said is not None and status not in (401, 403):
        error.code = said.code
        if said.data is not None:
            error.data["error"] = said.data
    return error
