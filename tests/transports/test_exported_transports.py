"""What `cloche.transports` offers: pinned, documented, and loaded only when it is used."""

from __future__ import annotations

import importlib
import subprocess
import sys

import pytest

import cloche.transports
from cloche.transports import resilience

PUBLIC = [
    "DEFAULT_TIMEOUTS",
    "EVENT_NAMES",
    "BroadcastChannelTransport",
    "BroadcastListener",
    "BrowserTransport",
    "CancellationToken",
    "CancellationTokenSource",
    "Emitter",
    "EventTransport",
    "ExtensionServerTransport",
    "Heartbeat",
    "HttpTransport",
    "IframeChildTransport",
    "IframeParentTransport",
    "MemoryTransport",
    "PortTransport",
    "PostMessageTransport",
    "RateLimited",
    "RateLimiter",
    "Reconnecting",
    "RequestTransport",
    "ResourceSubscriptions",
    "SimpleEmitter",
    "StdioTransport",
    "TabClientTransport",
    "TabServerTransport",
    "Transport",
    "WebSocketTransport",
    "WindowTransport",
    "cancellable_request",
    "connect_to_extension",
    "create_linked_pair",
    "create_memory_pair",
    "listen_for_ports",
    "listen_in_extension",
]


@pytest.mark.requirement(35)
def test_the_names_are_pinned() -> None:
    assert cloche.transports.__all__ == PUBLIC
    assert set(PUBLIC) <= set(dir(cloche.transports))


@pytest.mark.requirement(35)
@pytest.mark.parametrize("name", PUBLIC)
def test_a_name_resolves_and_says_what_it_is(name: str) -> None:
    thing = getattr(cloche.transports, name)
    assert isinstance(thing, dict) or thing.__doc__


@pytest.mark.requirement(22)
def test_every_transport_has_the_one_base() -> None:
    found = [getattr(cloche.transports, name) for name in PUBLIC if name.endswith("Transport")]
    assert len(found) >= 15
    assert [kind for kind in found if not issubclass(kind, cloche.transports.Transport)] == []


def test_an_unknown_name() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Pigeon'"):
        _ = cloche.transports.Pigeon


def test_the_libraries_of_urls_are_loaded_by_nobody_else() -> None:
    code = (
        "import sys, cloche, cloche.client, cloche.transports as t\n"
        "t.StdioTransport, t.Reconnecting, t.EventTransport, cloche.Client\n"
        "print([name for name in ('httpx2', 'websockets', 'starlette', 'uvicorn', 'mcp') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.strip() == "[]"


def test_care_is_a_deprecated_name_of_resilience() -> None:
    with pytest.warns(
        DeprecationWarning, match=r"cloche\.transports\.care is now called cloche\.transports\.resilience"
    ):
        care = importlib.import_module("cloche.transports.care")
    assert {name: getattr(care, name) for name in resilience.__all__} == {
        name: getattr(resilience, name) for name in resilience.__all__
    }
