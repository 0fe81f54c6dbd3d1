"""Where the sandbox is: derived on this machine, configured elsewhere, never on the page's own site."""

from __future__ import annotations

import pytest

from cloche.errors import ConfigurationError
from cloche.host.web.sandbox import SETTING, SandboxError, Sandboxes, same_site, sandbox_name

PATTERN = "https://{name}.usercontent.example"


def derived(page: str, address: str | None = None) -> str:
    return Sandboxes(None).origin("weather", page=page, address=address or page)


NAME = sandbox_name("weather")


@pytest.mark.parametrize(
    ("page", "sandbox"),
    [
        ("http://localhost:8000", f"http://{NAME}.localhost:8000"),
        ("http://127.0.0.1:8000", f"http://{NAME}.localhost:8000"),
        ("http://[::1]:8000", f"http://{NAME}.localhost:8000"),
        ("http://app.localhost:8000", f"http://{NAME}.localhost:8000"),
        ("https://localhost:8443", f"https://{NAME}.localhost:8443"),
        ("http://localhost", f"http://{NAME}.localhost"),
    ],
)
def test_on_this_machine_nothing_is_configured(page: str, sandbox: str) -> None:
    assert derived(page) == sandbox
    assert Sandboxes(None).is_sandbox(sandbox.partition("//")[2])


def test_a_front_end_on_another_port_gets_the_hosts_port() -> None:
    assert derived("http://localhost:5173", "http://localhost:8000") == f"http://{NAME}.localhost:8000"


@pytest.mark.parametrize(
    ("page", "address"),
    [
        pytest.param("http://192.168.1.20:8000", "http://192.168.1.20:8000", id="lan-address"),
        pytest.param("https://shop-8000.app.github.dev", "http://localhost:8000", id="codespaces"),
        pytest.param("https://app.example.com", "http://127.0.0.1:8000", id="reverse-proxy"),
        pytest.param("https://app.example.com", "https://app.example.com", id="production"),
        pytest.param("http://localhost:5173", "https://api.example.com", id="page-here-host-elsewhere"),
        pytest.param("http://127.0.0.1.evil.com:8000", "http://127.0.0.1.evil.com:8000", id="looks-like-loopback"),
        pytest.param("http://localhost.evil.com:8000", "http://localhost.evil.com:8000", id="looks-like-localhost"),
    ],
)
def test_where_none_can_be_derived_one_sentence_names_the_setting(page: str, address: str) -> None:
    with pytest.raises(SandboxError) as failure:
        derived(page, address)
    text = str(failure.value)
    assert SETTING in text
    assert "\n" not in text
    assert ". " not in text
    assert any(one in text for one in (page, address))


def test_the_pattern_makes_a_name_for_each_server_and_one_for_each_view_that_is_alone() -> None:
    sandboxes = Sandboxes(PATTERN)
    made = {
        sandboxes.origin(server, page="https://app.example.com", address="https://app.example.com", view=view)
        for server, view in [("weather", ""), ("Weather", ""), ("weather", "v1"), ("weather", "v2"), ("git", "")]
    }
    assert len(made) == 5
    assert all(origin.endswith(".usercontent.example") for origin in made)
    assert all(sandboxes.is_sandbox(origin.removeprefix("https://")) for origin in made)


@pytest.mark.parametrize("server", ["weather", "Wetter für Köln", "xn--evil", "-", "🌦", "a" * 300, "..", "a.b/c"])
def test_every_server_name_gives_one_good_label(server: str) -> None:
    label = sandbox_name(server)
    assert len(label) <= 63
    assert not set(label) - set("abcdefghijklmnopqrstuvwxyz0123456789-")
    assert "--" not in label
    assert label[0].isalnum()
    assert label[-1].isalnum()


@pytest.mark.parametrize(
    "host",
    [
        "x.usercontent.example",
        "X.UserContent.example:443",
        "anything-at-all.usercontent.example",
        "x.usercontent.example.",
    ],
)
def test_every_name_of_the_pattern_is_a_sandbox(host: str) -> None:
    assert Sandboxes(PATTERN).is_sandbox(host)


@pytest.mark.parametrize(
    "host", ["usercontent.example", "a.b.usercontent.example", "x.usercontent.example.evil.com", "", "localhost:8000"]
)
def test_other_names_are_not(host: str) -> None:
    assert not Sandboxes(PATTERN).is_sandbox(host)


def test_without_a_pattern_names_of_the_product_under_localhost_stay_the_products() -> None:
    sandboxes = Sandboxes(None)
    for host in ("localhost:8000", "127.0.0.1:8000", "app.localhost:8000", "my-shop.localhost", "x.evil.com", "\xa0"):
        assert not sandboxes.is_sandbox(host)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("app.example.com", "x.example.com", True),
        ("example.com", "x.example.com", True),
        ("example.com", "example.com", True),
        ("app.example.com", "x.usercontent.example", False),
        ("a.co.uk", "b.co.uk", False),
        ("x.a.co.uk", "a.co.uk", True),
        ("one.github.io", "two.github.io", False),
        ("shop-8000.app.github.dev", "x.app.github.dev", False),
        ("a.unknown.suffix", "b.unknown.suffix", True),
        ("localhost", "x.localhost", False),
        ("app.localhost", "x.localhost", False),
        ("app.localhost", "x.app.localhost", True),
        ("127.0.0.1", "x.localhost", False),
        ("10.0.0.1", "11.0.0.1", False),
        ("localhost", "localhost", True),
    ],
)
def test_what_counts_as_one_site(one: str, other: str, same: bool) -> None:
    assert same_site(one, other) is same
    assert same_site(other, one) is same


def test_a_sandbox_on_the_pages_own_site_is_refused_unless_said_otherwise() -> None:
    page = "https://app.example.com"
    with pytest.raises(SandboxError, match="allow_same_site=True"):
        Sandboxes("https://{name}.example.com").origin("weather", page=page, address=page)
    with pytest.raises(SandboxError, match="same site"):
        Sandboxes("https://{name}.example.com", [page])
    allowed = Sandboxes("https://{name}.example.com", [page], allow_same_site=True)
    assert allowed.origin("weather", page=page, address=page) == f"https://{NAME}.example.com"
    assert allowed.is_sandbox(f"{NAME}.example.com")
    assert not allowed.is_sandbox("app.example.com")
    assert not allowed.is_sandbox("www.example.com")


def test_a_page_with_tls_needs_a_sandbox_with_tls() -> None:
    with pytest.raises(SandboxError, match="https"):
        Sandboxes("http://{name}.localhost:8000").origin("w", page="https://a.example", address="https://a.example")


@pytest.mark.parametrize(
    "pattern",
    [
        "https://usercontent.example",
        "https://x.{name}.example.com",
        "https://{name}.{name}.example.com",
        "https://{name}.com/path",
        "http://{name}.usercontent.example",
        "https://{name}.example",
        "https://{name}.10.0.0.1",
        "{name}.usercontent.example",
        "https://{name}.user content.example",
        "https://{name}.usercontent.example?x",
        "https://{name}@evil.example.com",
        "https://a-long-beginning-{name}.usercontent.example",
        "javascript:{name}",
        "",
    ],
)
def test_a_pattern_that_cannot_work_is_refused_at_once_with_an_example(pattern: str) -> None:
    with pytest.raises(ConfigurationError, match=r"\{name\}\.usercontent\.example"):
        Sandboxes(pattern)


@pytest.mark.parametrize(
    ("pattern", "options", "owned"),
    [
        ("https://{name}.usercontent.example", {}, True),
        ("https://{name}.usercontent.co.uk:8443", {}, True),
        ("https://{name}.views.corp.example", {}, False),  # others have cookies below corp.example
        ("https://{name}.usercontent.example", {"allow_same_site": True}, False),
        (None, {}, False),
    ],
)
def test_cookies_are_cleared_only_where_the_whole_site_is_the_sandboxs(
    pattern: str | None, options: dict[str, bool], owned: bool
) -> None:
    assert Sandboxes(pattern, **options).owns_site is owned
