"""For tests of servers, clients, views and transports: yours and ours.

With pytest the fixtures `mcp`, `mcp_client` and `open_view` are there by themselves. The names here are loaded when
they are first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cloche.testing.browser import find_chromium
    from cloche.testing.cassettes import Cassette, CassetteServer
    from cloche.testing.mock_transport import MockTransport
    from cloche.testing.open_view import OpenView, ViewOpener
    from cloche.testing.personalities import PERSONALITIES, Deviation, Personality
    from cloche.testing.records import Call, ConsoleLine, Log, Message, ModelContext, Size, Violation
    from cloche.testing.sync_client import SyncClient
    from cloche.testing.tool_view import ViewError

_HOMES = {
    "Call": "records",
    "Cassette": "cassettes",
    "CassetteServer": "cassettes",
    "ConsoleLine": "records",
    "Deviation": "personalities",
    "Log": "records",
    "Message": "records",
    "MockTransport": "mock_transport",
    "ModelContext": "records",
    "OpenView": "open_view",
    "PERSONALITIES": "personalities",
    "Personality": "personalities",
    "Size": "records",
    "SyncClient": "sync_client",
    "ViewError": "tool_view",
    "ViewOpener": "open_view",
    "Violation": "records",
    "find_chromium": "browser",
}

__all__ = [
    "PERSONALITIES",
    "Call",
    "Cassette",
    "CassetteServer",
    "ConsoleLine",
    "Deviation",
    "Log",
    "Message",
    "MockTransport",
    "ModelContext",
    "OpenView",
    "Personality",
    "Size",
    "SyncClient",
    "ViewError",
    "ViewOpener",
    "Violation",
    "find_chromium",
]


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'cloche.testing' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f"cloche.testing.{home}"), name)
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
