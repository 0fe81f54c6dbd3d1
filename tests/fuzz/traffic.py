"""Valid traffic of both eras, and everything that can be done to it."""

from __future__ import annotations

import copy
import json
import random
from typing import Any

from hypothesis import strategies as st

from tests.support.http_client import LEGACY, META, MODERN

CANARY_PREFIX = "canary-"

VERSIONS = ["2024-11-05", "2025-03-26", "2025-06-18", LEGACY, MODERN, "1999-01-01", ""]

NASTY_TEXTS = [
    "",
    " ",
    "\x00",
    "\n",
    "\r\n",
    "é",
    "日本",
    "😀",
    "\u2028",
    "\ufeff",
    "a" * 300,
    "../../etc/passwd",
    "__proto__",
    "null",
    "%00",
    "{x}",
    "' OR 1=1",
    "-1",
    "1e999",
    "constructor",
    "_meta",
]
NASTY_VALUES: list[Any] = [
    None,
    True,
    False,
    0,
    -1,
    1.5,
    2**53,
    2**63,
    2**64,
    -(2**63) - 1,
    10**30,
    1e308,
    [],
    {},
    [[]],
    {"": None},
    [None] * 50,
]

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=10), inner, max_size=4),
    max_leaves=12,
)
"""Any JSON."""

METHODS = [
    "initialize",
    "ping",
    "tools/list",
    "tools/call",
    "resources/list",
    "resources/templates/list",
    "resources/read",
    "resources/subscribe",
    "resources/unsubscribe",
    "prompts/list",
    "prompts/get",
    "completion/complete",
    "logging/setLevel",
    "server/discover",
    "tasks/get",
    "tasks/result",
    "tasks/list",
    "tasks/cancel",
    "tasks/update",
    "custom/echo",
    "nope",
    "notifications/initialized",
    "notifications/cancelled",
    "notifications/progress",
    "$/cancelRequest",
]

messages_like = st.fixed_dictionaries(
    {},
    optional={
        "jsonrpc": st.sampled_from(["2.0", "1.0", 2, None]) | json_values,
        "id": st.integers() | st.text(max_size=20) | json_values,
        "method": st.sampled_from(METHODS) | st.text(max_size=20) | json_values,
        "params": st.dictionaries(
            st.sampled_from(
                [
                    *("name", "arguments", "uri", "_meta", "cursor", "ref", "argument", "level", "requestId"),
                    *("taskId", "task", "inputResponses"),
                ]
            ),
            json_values,
            max_size=5,
        )
        | json_values,
        "result": json_values,
        "error": json_values,
        "extra": json_values,
    },
)
"""Objects that have the members of messages, with anything in them."""


def params_for(method: str, canary: str, rng: random.Random) -> dict[str, Any]:
    """Good parameters of a method; what comes back of them carries the canary."""
    return {
        "tools/call": rng.choice(
            [
                {"name": "echo", "arguments": {"text": canary}},
                {"name": "typed", "arguments": {"text": canary, "number": rng.randrange(100), "tags": [canary]}},
                {"name": "thread", "arguments": {"text": canary}},
                {"name": "fails", "arguments": {"text": canary}},
                {"name": "talks", "arguments": {"text": canary}},
                {"name": "job", "arguments": {"text": canary}},
                {"name": "job", "arguments": {"text": canary}, "task": {"ttl": rng.choice([1, 60_000, -1])}},
                {"name": "who", "arguments": {}},
                {"name": canary, "arguments": {}},
            ]
        ),
        "resources/read": {"uri": rng.choice([f"echo://{canary}", "fixed://text", f"none://{canary}"])},
        "resources/subscribe": {"uri": f"echo://{canary}"},
        "resources/unsubscribe": {"uri": f"echo://{canary}"},
        "prompts/get": {"name": "greet", "arguments": {"name": canary}},
        "completion/complete": {
            "ref": {"type": "ref/prompt", "name": "greet"},
            "argument": {"name": "name", "value": canary},
        },
        "logging/setLevel": {"level": rng.choice(["debug", "info", "error"])},
        **{method: {"taskId": canary} for method in ("tasks/get", "tasks/result", "tasks/cancel")},
        "tasks/update": {"taskId": canary, "inputResponses": {canary: {"action": "decline"}}},
        "custom/echo": {"text": canary},
        "notifications/cancelled": {"requestId": rng.randrange(50), "reason": canary},
        "$/cancelRequest": {"id": rng.randrange(50)},
        "notifications/progress": {"progressToken": canary, "progress": 1},
        "initialize": {
            "protocolVersion": rng.choice(VERSIONS),
            "capabilities": {},
            "clientInfo": {"name": canary, "version": "1"},
        },
    }.get(method, {})


def meta(rng: random.Random, canary: str, version: str = MODERN) -> dict[str, Any]:
    """The `_meta` of a request of the stateless era."""
    able = {"extensions": {"io.modelcontextprotocol/tasks": {}}} if rng.random() < 0.5 else {}
    built: dict[str, Any] = {META + "protocolVersion": version, META + "clientCapabilities": able}
    if rng.random() < 0.5:
        built[META + "clientInfo"] = {"name": canary, "version": "1"}
    if rng.random() < 0.3:
        built["progressToken"] = canary
    if rng.random() < 0.2:
        built[META + "logLevel"] = "debug"
    return built


class Mutator:
    """Makes a message worse: in its members, in its bytes."""

    def __init__(self, rng: random.Random, foreign: list[Any]) -> None:
        self.rng = rng
        self.foreign = foreign
        """Values made by hypothesis."""

    def value(self) -> Any:
        rng = self.rng
        kind = rng.random()
        if kind < 0.35:
            return copy.deepcopy(rng.choice(NASTY_VALUES))
        if kind < 0.7:
            return rng.choice(NASTY_TEXTS)
        return copy.deepcopy(rng.choice(self.foreign))

    def members(self, message: dict[str, Any]) -> dict[str, Any]:
        """Change, drop or add members anywhere in it."""
        for _ in range(self.rng.choice([1, 1, 1, 2, 3])):
            target: Any = message
            for _ in range(self.rng.randrange(4)):
                inner = [value for value in self._children(target) if isinstance(value, dict | list) and value]
                if not inner:
                    break
                target = self.rng.choice(inner)
            self._spoil(target)
        return message

    @staticmethod
    def _children(target: Any) -> list[Any]:
        return list(target.values()) if isinstance(target, dict) else list(target)

    def _spoil(self, target: Any) -> None:
        rng = self.rng
        if isinstance(target, list):
            target[rng.randrange(len(target))] = self.value()
        elif not target or rng.random() < 0.2:
            target[rng.choice(NASTY_TEXTS)] = self.value()
        elif rng.random() < 0.3:
            del target[rng.choice(list(target))]
        else:
            target[rng.choice(list(target))] = self.value()

    def bytes(self, data: bytes) -> bytes:
        """Cut, double, flip or replace bytes."""
        rng = self.rng
        broken = bytearray(data)
        for _ in range(rng.choice([1, 1, 2, 5])):
            at = rng.randrange(len(broken) + 1)
            how = rng.randrange(6)
            if how == 0 and broken:
                broken[min(at, len(broken) - 1)] = rng.randrange(256)
            elif how == 1:
                del broken[at : at + rng.randrange(1, 10)]
            elif how == 2:
                broken[at:at] = rng.randbytes(rng.randrange(1, 5))
            elif how == 3:
                broken[at:at] = broken[at : at + 20]
            elif how == 4:
                broken[at:at] = rng.choice([b"{", b"[", b'"', b"}", b"]", b"\\u0000", b"\xff", b"NaN", b"1e999", b"\\"])
            else:
                del broken[at:]
        return bytes(broken)


def encode(rng: random.Random, message: Any) -> bytes:
    """JSON, in one of the ways clients write it."""
    style = rng.random()
    if style < 0.5:
        text = json.dumps(message, separators=(",", ":"), ensure_ascii=False)
    elif style < 0.8:
        text = json.dumps(message)
    else:
        text = json.dumps(message, indent=1).replace("\n", "\r")
    return text.encode("utf-8", "surrogatepass")
