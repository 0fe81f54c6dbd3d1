"""The policy of a sandbox: put together from parsed origins, closed by default, never open towards home."""

from __future__ import annotations

import pytest

from cloche.host.web.headers import sandbox_headers
from cloche.wire.apps.csp import (
    Sources,
    admitted_sources,
    allow_attribute,
    connection_allowlist,
    content_policy,
    leads_home,
    permissions_policy,
)
from cloche.wire.apps.origins import checked_csp

PAGE = "https://app.example.com"


def parsed(header: str) -> dict[str, list[str]]:
    return {name: values for name, *values in (part.split() for part in header.split("; "))}


@pytest.mark.requirement(114, 152)
def test_a_view_that_declares_nothing_reaches_nothing() -> None:
    policy = parsed(content_policy(Sources({}), PAGE))
    assert policy == {
        "default-src": ["'none'"],
        "script-src": ["'unsafe-inline'"],
        "style-src": ["'unsafe-inline'"],
        "img-src": ["data:", "blob:"],
        "media-src": ["data:", "blob:"],
        "font-src": ["data:"],
        "connect-src": ["'none'"],
        "frame-src": ["'none'"],
        "object-src": ["'none'"],
        "base-uri": ["'none'"],
        "form-action": ["'none'"],
        "frame-ancestors": [PAGE],
    }
    assert connection_allowlist(Sources({})) == "()"


@pytest.mark.requirement(152)
def test_declared_origins_stand_where_they_belong_and_nowhere_else() -> None:
    sources = Sources(
        {
            "connectDomains": ["https://api.example.org", "wss://live.example.org"],
            "resourceDomains": ["https://cdn.example.org"],
            "frameDomains": ["https://video.example.org"],
            "baseUriDomains": ["https://base.example.org"],
        }
    )
    policy = parsed(content_policy(sources, PAGE))
    assert policy["connect-src"] == ["https://api.example.org", "wss://live.example.org"]
    for kind in ("script-src", "style-src", "img-src", "media-src", "font-src"):
        assert policy[kind][-1] == "https://cdn.example.org"
    assert policy["frame-src"] == ["https://video.example.org"]
    assert policy["base-uri"] == ["https://base.example.org"]
    assert policy["form-action"] == ["'none'"]
    assert "'self'" not in content_policy(sources, PAGE)
    assert connection_allowlist(sources) == (
        '("https://api.example.org" "https://live.example.org" "https://cdn.example.org" '
        '"https://video.example.org" "https://base.example.org")'
    )


HOSTILE = [
    "https://a.example.org; script-src *",
    "https://a.example.org\tevil.com",
    "https://a.example.org\fevil.com",
    "https://a.example.org,evil.com",
    "https://a.example.org\r\nX-Header: 1",
    "https://a.example.org 'unsafe-eval'",
    "'self'",
    "*",
    "https:",
    "http://*",
    "data:",
    "https://*.com",
    "//evil.com",
    "javascript:alert(1)",
    "https://user@evil.com",
    'https://a.example.org"',
    None,
    7,
    ["https://a.example.org"],
]


def test_W03_no_hostile_text_gets_into_a_header() -> None:
    for entry in HOSTILE:
        left_out: list[str] = []
        declared = checked_csp({"connectDomains": [entry], "resourceDomains": [entry]}, left_out)
        sources = admitted_sources(declared, PAGE)
        assert sources.all == [], entry
        assert len(left_out) == 2
        control = f"connect-src {entry}"
        assert control not in content_policy(sources, PAGE)


def test_every_header_is_one_line_of_plain_ascii_and_not_too_long() -> None:
    names = [f"https://{'x' * 60}{number}.example.org" for number in range(50)]
    sources = admitted_sources(checked_csp({"connectDomains": names, "resourceDomains": names}, []), PAGE)
    headers = sandbox_headers(sources, ["camera"], PAGE)
    assert len(headers) == len({name for name, _ in headers})
    for _, value in headers:
        assert all(0x20 <= byte < 0x7F for byte in value)
    assert sum(len(name) + len(value) for name, value in headers) < 60_000


@pytest.mark.parametrize(
    ("source", "page", "home"),
    [
        ("https://app.example.com", PAGE, True),
        ("wss://app.example.com", PAGE, True),
        ("https://*.example.com", PAGE, True),
        ("https://*.app.example.com", PAGE, True),
        ("https://api.example.com", PAGE, False),
        ("https://app.example.com:8443", PAGE, False),
        ("http://localhost:8000", PAGE, True),
        ("http://127.0.0.1:9000", PAGE, True),
        ("https://10.0.0.1", PAGE, True),
        ("https://192.168.0.1", PAGE, True),
        ("https://93.184.216.34", PAGE, False),
        ("https://api.example.org", PAGE, False),
        ("http://localhost:9000", "http://localhost:8000", False),
        ("http://localhost:8000", "http://localhost:8000", True),
        ("http://127.0.0.1:9000", "http://localhost:8000", False),
    ],
)
def test_a_view_may_not_declare_its_way_to_the_page_or_into_the_visitors_network(
    source: str, page: str, home: bool
) -> None:
    assert leads_home(source, page) is home
    sources = admitted_sources({"connectDomains": [source]}, page)
    assert (source not in sources.all) is home
    assert bool(sources.problems) is home


def test_W06_permissions_are_closed_but_the_granted_ones() -> None:
    nothing = permissions_policy([])
    assert "self" not in nothing
    assert "camera=()" in nothing
    granted = permissions_policy(["camera", "clipboardWrite", "usb", "camera; microphone *"])
    assert "camera=(self)" in granted
    assert "clipboard-write=(self)" in granted
    assert "microphone=()" in granted
    assert "usb=()" in granted
    assert allow_attribute(["clipboardWrite", "camera", "usb", "camera; microphone *"]) == "camera; clipboard-write"
    assert allow_attribute([]) == ""
