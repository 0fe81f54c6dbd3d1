"""The page's transports, where there is no page: they can be named, and say what to do."""

from __future__ import annotations

from typing import Any

import pytest

from cloche import transports
from cloche.errors import ConfigurationError

MADE: dict[str, dict[str, Any]] = {
    "BroadcastChannelTransport": {"channel_name": "x"},
    "BroadcastListener": {"channel_name": "x"},
    "ExtensionServerTransport": {"port": None},
    "IframeChildTransport": {"parent_origin": "https://a.example"},
    "IframeParentTransport": {"iframe": None, "target_origin": "https://a.example"},
    "PortTransport": {},
    "PostMessageTransport": {"target": None},
    "TabClientTransport": {"channel_name": "x"},
    "TabServerTransport": {"channel_name": "x"},
    "WindowTransport": {"target": None, "origin": "https://a.example"},
}


@pytest.mark.parametrize("name", MADE)
def test_outside_a_browser_it_says_what_to_do(name: str) -> None:
    with pytest.raises(ConfigurationError) as raised:
        getattr(transports, name)(**MADE[name])
    assert str(raised.value) == (
        f"{name} is for Python in a browser, and this is not one: put the server there with `cloche pyodide bundle`, "
        "or use StdioTransport, HttpTransport or WebSocketTransport here"
    )


def test_what_is_given_a_transport_of_the_page_says_it_too() -> None:
    with pytest.raises(ConfigurationError, match="BrowserTransport is for Python in a browser"):
        transports.BrowserTransport(object())


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda: transports.listen_for_ports(print), "listenForPorts"),
        (lambda: transports.connect_to_extension("abc"), "connectToExtension"),
        (lambda: transports.listen_in_extension(print, origins=["https://a.example"]), "listenInExtension"),
    ],
)
def test_the_listeners_too(call: Any, name: str) -> None:
    with pytest.raises(ConfigurationError, match=f"^({name}|BrowserTransport) is for Python in a browser"):
        call()
