"""For tests of servers, clients, views and transports: yours and ours.

With pytest the fixtures `mcp`, `mcp_client` and `open_view` are there by themselves. The names here are loaded when
they are first used.
"""

from __future__ import annotations

import warnings
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cloche.testing.browser import find_chromium
    from cloche.testing.cassettes import Cassette, CassetteServer
    from cloche.testing.mock_transport import MockTransport
    from cloche.testing.open_view import OpenView, ViewOpener
    from cloche.testing.profiles import PROFILES, Deviation, EmulatedHost
    from cloche.testing.records import Call, ConsoleLine, Log, Message, ModelContext, Size, Violation
    from cloche.testing.sync_client import SyncClient
    from cloche.testing.tool_view import ViewError

_HOMES = {
    "Call": "records",
    "Cassette": "cassettes",
    "CassetteServer": "cassettes",
    "ConsoleLine": "records",
    "Deviation": "profiles",
    "EmulatedHost": "profiles",
    "Log": "records",
    "Message": "records",
    "MockTransport": "mock_transport",
    "ModelContext": "records",
    "OpenView": "open_view",
    "PROFILES": "profiles",
    "Size": "records",
    "SyncClient": "sync_client",
    "ViewError": "tool_view",
    "ViewOpener": "open_view",
    "Violation": "records",
    "find_chromium": "browser",
}

__all__ = [
    "PROFILES",
    "Call",
    "Cassette",
    "CassetteServer",
    "ConsoleLine",
    "Deviation",
    "EmulatedHost",
    "Log",
    "Message",
    "MockTransport",
    "ModelContext",
    "OpenView",
    "Size",
    "SyncClient",
    "ViewError",
    "ViewOpener",
    "Violation",
    "find_chromium",
]


_RENAMED = {"PERSONALITIES": "PROFILES", "Personality": "EmulatedHost"}


def __getattr__(name: str) -> Any:
    if name in _RENAMED:
        warnings.warn(f"cloche.testing.{name} is now {_RENAMED[name]}", DeprecationWarning, stacklevel=2)
        name = _RENAMED[name]
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'cloche.testing' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f"cloche.testing.{home}"), name)
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
