"""Where a server may send people: not from the internet into their own network."""

from __future__ import annotations

import pytest

from cloche.host.inside_addresses import is_led_inside, leads_inside


@pytest.mark.parametrize(
    "host",
    [
        *("localhost", "app.localhost", "127.0.0.1", "127.1", "2130706433", "0x7f000001", "10.0.0.1", "192.168.0.1"),
        *("169.254.169.254", "router", "printer.local", "wiki.corp", "LOCALHOST.", "0.0.0.0"),
    ],
)
def test_addresses_inside(host: str) -> None:
    assert leads_inside(host)
    assert is_led_inside(f"http://{host}:8080/x", "https://mcp.example.com/mcp")
    assert not is_led_inside(f"http://{host}:8080/x", "http://localhost:9000/mcp")
    assert not is_led_inside(f"http://{host}:8080/x", "http://[::1]:9000/mcp")
    assert not is_led_inside(f"http://{host}:8080/x", None)


@pytest.mark.parametrize("host", ["example.com", "1.1.1.1", "local.example.com", "10.example.com", "xn--bcher.example"])
def test_addresses_outside(host: str) -> None:
    assert not is_led_inside(f"https://{host}/", "https://mcp.example.com/mcp")
