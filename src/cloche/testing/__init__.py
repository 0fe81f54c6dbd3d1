"""For tests of servers, clients, views and transports: yours and ours.

With pytest the fixtures `mcp`, `mcp_client` and `open_view` are there by themselves. The names here are loaded when
they are first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cloche.lazy import lazy_names

if TYPE_CHECKING:
    from cloche.testing.browser import find_chromium as find_chromium
    from cloche.testing.cassettes import Cassette as Cassette
    from cloche.testing.cassettes import CassetteServer as CassetteServer
    from cloche.testing.mock_transport import MockTransport as MockTransport
    from cloche.testing.open_view import OpenView as OpenView
    from cloche.testing.open_view import ViewOpener as ViewOpener
    from cloche.testing.profiles import PROFILES as PROFILES
    from cloche.testing.profiles import Deviation as Deviation
    from cloche.testing.profiles import EmulatedHost as EmulatedHost
    from cloche.testing.records import Call as Call
    from cloche.testing.records import ConsoleLine as ConsoleLine
    from cloche.testing.records import Log as Log
    from cloche.testing.records import Message as Message
    from cloche.testing.records import ModelContext as ModelContext
    from cloche.testing.records import Size as Size
    from cloche.testing.records import Violation as Violation
    from cloche.testing.stories import Story as Story
    from cloche.testing.stories import StoryFile as StoryFile
    from cloche.testing.sync_client import SyncClient as SyncClient
    from cloche.testing.tool_view import ViewError as ViewError

_HOMES = {
    "Call": "testing.records",
    "Cassette": "testing.cassettes",
    "CassetteServer": "testing.cassettes",
    "ConsoleLine": "testing.records",
    "Deviation": "testing.profiles",
    "EmulatedHost": "testing.profiles",
    "Log": "testing.records",
    "Message": "testing.records",
    "MockTransport": "testing.mock_transport",
    "ModelContext": "testing.records",
    "OpenView": "testing.open_view",
    "PROFILES": "testing.profiles",
    "Size": "testing.records",
    "Story": "testing.stories",
    "StoryFile": "testing.stories",
    "SyncClient": "testing.sync_client",
    "ViewError": "testing.tool_view",
    "ViewOpener": "testing.open_view",
    "Violation": "testing.records",
    "find_chromium": "testing.browser",
}

__all__ = [*_HOMES]  # noqa: PLE0604
_RENAMED = {"PERSONALITIES": "PROFILES", "Personality": "EmulatedHost"}
__getattr__, __dir__ = lazy_names(__name__, _HOMES, _RENAMED)
