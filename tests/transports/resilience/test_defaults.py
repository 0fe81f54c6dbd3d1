"""Every default of the source documents that belongs to Python, in seconds instead of milliseconds."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import pytest

from cloche import Client
from cloche.transports import resilience
from cloche.transports.event import EVENT_NAMES, REQUEST_EVENT, RESPONSE_EVENT, EventTransport, SimpleEmitter
from cloche.transports.requests import REQUEST_TIMEOUT, RequestTransport
from cloche.transports.resilience import Heartbeat, RateLimited, RateLimiter, Reconnecting, cancellable_request


def defaults_of(function: Callable[..., Any]) -> dict[str, Any]:
    parameters = inspect.signature(function).parameters.values()
    return {one.name: one.default for one in parameters if one.default is not inspect.Parameter.empty}


@pytest.mark.requirement(29, 36, 62, 64, 165, 188)
def test_the_constants_are_pinned() -> None:
    assert REQUEST_TIMEOUT == 30.0
    assert (resilience.HEARTBEAT_INTERVAL, resilience.HEARTBEAT_TIMEOUT) == (30.0, 5.0)
    assert (resilience.MAX_ATTEMPTS, resilience.BASE_DELAY, resilience.MAX_DELAY, resilience.BACKOFF_MULTIPLIER) == (
        5,
        1.0,
        30.0,
        2.0,
    )
    assert (resilience.MAX_REQUESTS, resilience.RATE_WINDOW) == (100, 1.0)
    assert resilience.RATES == {"MAIN_THREAD": 100, "WORKER": 500, "STORE": 50, "RENDER": 10}
    assert (RESPONSE_EVENT, REQUEST_EVENT) == ("mcp:response", "mcp:request")
    assert EVENT_NAMES == {"RESPONSE": "mcp:response", "REQUEST": "mcp:request"}
    assert resilience.DEFAULT_TIMEOUTS == {"REQUEST": 30.0, "HEARTBEAT_INTERVAL": 30.0, "HEARTBEAT_TIMEOUT": 5.0}


@pytest.mark.requirement(29)
@pytest.mark.parametrize(
    "function",
    [RequestTransport.request, Reconnecting.request, cancellable_request, Client],
    ids=["RequestTransport.request", "Reconnecting.request", "cancellable_request", "Client"],
)
def test_a_request_waits_so_long_by_default(function: Callable[..., Any]) -> None:
    assert defaults_of(function)["timeout"] == 30.0


@pytest.mark.requirement(62)
def test_reconnecting_uses_them() -> None:
    expected = {"max_attempts": 5, "base_delay": 1.0, "max_delay": 30.0, "backoff_multiplier": 2.0, "jitter": 0.0}
    assert expected.items() <= defaults_of(Reconnecting).items()


@pytest.mark.requirement(64)
def test_the_heartbeat_uses_them() -> None:
    assert {"interval": 30.0, "timeout": 5.0, "on_timeout": None}.items() <= defaults_of(Heartbeat).items()


@pytest.mark.requirement(165)
@pytest.mark.parametrize("limit", [RateLimiter, RateLimited])
def test_the_rate_limits_use_them(limit: Callable[..., Any]) -> None:
    assert {"max_requests": 100, "window": 1.0}.items() <= defaults_of(limit).items()


@pytest.mark.requirement(36)
async def test_the_server_side_of_an_emitter_uses_them_and_the_client_side_the_other_way_round() -> None:
    server, client = EventTransport(SimpleEmitter()), EventTransport(SimpleEmitter(), role="client")
    assert (server.send_event, server.receive_event) == ("mcp:response", "mcp:request")
    assert (client.send_event, client.receive_event) == ("mcp:request", "mcp:response")


@pytest.mark.parametrize("name", resilience.__all__)
def test_every_public_name_is_documented(name: str) -> None:
    thing = getattr(resilience, name)
    if inspect.isclass(thing) or inspect.isfunction(thing):
        assert inspect.getdoc(thing)
    if inspect.isclass(thing):
        own = [member for key, member in vars(thing).items() if not key.startswith("_") and callable(member)]
        assert [member.__name__ for member in own if not inspect.getdoc(member)] == []
