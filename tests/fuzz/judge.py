"""What must hold for every answer, whatever was asked."""

from __future__ import annotations

import json
import math
import re
from typing import Any, ClassVar

from tests.fuzz.traffic import CANARY_PREFIX

ERROR_TEXT = 700
_CANARY = re.compile(CANARY_PREFIX + r"[0-9a-f]{16}")


class Judge:
    """Looks at everything that arrives on one connection."""

    everybody: ClassVar[set[str]] = set()
    """The canaries of every connection of the run; one that a mutation made of ours is nobody's."""

    def __init__(self, canary: str) -> None:
        self.canary = canary
        self.everybody.add(canary)
        self.seen = 0
        """How often our own canary came back: a run in which it never does proves nothing."""

    def canaries(self, data: bytes) -> None:
        """No answer may carry what another connection sent."""
        found = set(_CANARY.findall(data.decode("utf-8", "replace")))
        foreign = (found & self.everybody) - {self.canary}
        assert not foreign, f"the canary {foreign} of another connection came to {self.canary}: {data[:500]!r}"
        self.seen += self.canary in found

    def message(self, message: Any) -> None:
        """One message of the server: well formed, and an error in a short text."""
        assert isinstance(message, dict), message
        assert message.get("jsonrpc") == "2.0", message
        if "method" in message:
            assert "result" not in message, message
            assert "error" not in message, message
            return
        assert ("result" in message) != ("error" in message), message
        if "error" in message:
            error = message["error"]
            assert isinstance(error["code"], int), message
            assert 0 < len(error["message"]) <= ERROR_TEXT, message
            assert len(json.dumps(error.get("data"))) <= 6 * ERROR_TEXT, message

    def answered(self, message: Any, request_id: Any) -> None:
        """The answer to this request."""
        self.message(message)
        assert message["id"] == request_id, (message, request_id)
        assert type(message["id"]) is type(request_id), (message, request_id)


def read_strictly(data: bytes) -> Any:
    """The JSON in these bytes; raises ValueError for whatever a strict reader may refuse."""

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        members = dict(pairs)
        if len(members) != len(pairs):
            raise ValueError("a key stands twice")
        return members

    def refuse(text: str) -> Any:
        raise ValueError(text)

    def finite(text: str) -> float:
        number = float(text)
        return number if math.isfinite(number) else refuse(text)

    found = json.loads(data.decode(), object_pairs_hook=unique, parse_constant=refuse, parse_float=finite)
    json.dumps(found, ensure_ascii=False).encode()  # raises for half of a surrogate pair
    return found


def request_id_of(data: bytes) -> Any:
    """The id that must be answered, when these bytes are a request beyond doubt; else None."""
    try:
        message = read_strictly(data)
    except (ValueError, RecursionError):
        return None
    if not isinstance(message, dict) or message.get("jsonrpc") != "2.0" or not isinstance(message.get("method"), str):
        return None
    request_id = message.get("id")
    if isinstance(request_id, bool) or not isinstance(request_id, int | str):
        return None
    fits = len(request_id) <= 256 if isinstance(request_id, str) else -(2**63) <= request_id < 2**63
    return request_id if fits else None


def ids_in(data: bytes) -> list[Any]:
    """Every id that an answer to these bytes could carry."""
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        return []
    parts = found if isinstance(found, list) else [found]
    return [part["id"] for part in parts if isinstance(part, dict) and isinstance(part.get("id"), int | str)]


def cancels(data: bytes) -> list[Any]:
    """The requests that these bytes may end without an answer."""
    try:
        message = json.loads(data)
        if message["method"] not in ("notifications/cancelled", "$/cancelRequest"):
            return []
        return [value for value in message["params"].values() if isinstance(value, int | str)]
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return []
