"""What a client is told: the challenge and the metadata document."""

from __future__ import annotations

import re

import pytest

from cloche.auth import Auth, metadata_path
from cloche.errors import ConfigurationError

TOKENS = {"secret-token-of-alice": "alice"}
METADATA_URL = "https://mcp.example.com/.well-known/oauth-protected-resource/mcp"
PARAMETER = re.compile(r'([a-z_]+)="([^"]*)"')


def parameters(challenge: str) -> dict[str, str]:
    """The parameters, after checking that the value is nothing but them."""
    scheme, _, rest = challenge.partition(" ")
    assert scheme == "Bearer"
    assert re.fullmatch(r'[a-z_]+="[^"\\]*"(, [a-z_]+="[^"\\]*")*', rest), rest
    assert rest.isascii()
    assert rest.isprintable()
    return dict(PARAMETER.findall(rest))


@pytest.mark.parametrize(
    ("mount", "path"),
    [
        ("/mcp", "/.well-known/oauth-protected-resource/mcp"),
        ("/mcp/", "/.well-known/oauth-protected-resource/mcp"),
        ("/a/b", "/.well-known/oauth-protected-resource/a/b"),
        ("/", "/.well-known/oauth-protected-resource"),
        ("", "/.well-known/oauth-protected-resource"),
    ],
)
def test_the_well_known_prefix_comes_first(mount: str, path: str) -> None:
    assert metadata_path(mount) == path


def test_the_document_names_what_is_known() -> None:
    auth = Auth(
        TOKENS, authorization_servers=["https://auth.example.com"], scopes=["read", "write"], resource_name="Weather"
    )
    assert auth.metadata("https://mcp.example.com/mcp") == {
        "resource": "https://mcp.example.com/mcp",
        "authorization_servers": ["https://auth.example.com"],
        "scopes_supported": ["read", "write"],
        "bearer_methods_supported": ["header"],
        "resource_name": "Weather",
    }


def test_what_has_no_value_is_left_out() -> None:
    assert Auth(TOKENS).metadata("https://a/") == {"resource": "https://a/", "bearer_methods_supported": ["header"]}


def test_a_configured_resource_wins_over_the_address_of_the_request() -> None:
    auth = Auth(TOKENS, resource="https://public.example.com/mcp")
    assert auth.metadata("http://127.0.0.1:8000/mcp")["resource"] == "https://public.example.com/mcp"


def test_the_document_cannot_be_changed_from_outside() -> None:
    auth = Auth(TOKENS, scopes=["read"])
    auth.metadata("https://a/")["scopes_supported"].append("admin")
    assert auth.metadata("https://a/")["scopes_supported"] == ["read"]


@pytest.mark.parametrize("url", ["https://auth.example.com", "https://auth.example.com/", "https://a.example/t/1"])
def test_issuers_are_kept_to_the_letter(url: str) -> None:
    assert Auth(TOKENS, authorization_servers=[url]).metadata("https://a/")["authorization_servers"] == [url]


@pytest.mark.parametrize("url", ["http://localhost:9000", "http://127.0.0.1:9000", "http://[::1]:9000"])
def test_http_is_for_this_machine(url: str) -> None:
    assert Auth(TOKENS, authorization_servers=[url]).authorization_servers == (url,)


@pytest.mark.parametrize(
    "url",
    [
        "http://auth.example.com",
        "http://127.0.0.1.evil.com",
        "http://localhost.evil.com",
        "http://localhost@evil.com",
        "https://user:password@auth.example.com",
        "https://auth.example.com#fragment",
        "javascript:alert(1)",
        "file:///etc/passwd",
        "ftp://localhost/",
        "https://",
        "https://a b",
        "https://a\r\nX-Evil: 1",
        'https://a";calc',
        "https://auth.example.com:99999999",
        "https://[::1",
        "auth.example.com",
        "",
        None,
    ],
)
def test_other_urls_are_refused(url: str) -> None:
    with pytest.raises(ConfigurationError, match="authorization_servers"):
        Auth(TOKENS, authorization_servers=[url])


def test_lists_given_as_one_text_are_refused() -> None:
    with pytest.raises(ConfigurationError, match="list of URLs"):
        Auth(TOKENS, authorization_servers="https://auth.example.com")
    with pytest.raises(ConfigurationError, match=r"such as \['read', 'write'\]"):
        Auth(TOKENS, scopes="read write")


@pytest.mark.parametrize("scope", ["", "two words", 'quo"te', "back\\slash", "new\nline", "ü", None])
def test_scopes_that_cannot_be_sent_are_refused(scope: str) -> None:
    with pytest.raises(ConfigurationError, match="cannot be sent"):
        Auth(TOKENS, scopes=["read", scope])


def test_the_first_challenge_has_no_error() -> None:
    challenge = Auth(TOKENS).challenge(METADATA_URL, description="This needs a token")
    assert parameters(challenge) == {"realm": "mcp", "resource_metadata": METADATA_URL}


def test_a_challenge_with_everything() -> None:
    auth = Auth(TOKENS, scopes=["read"], realm="weather")
    challenge = auth.challenge(
        METADATA_URL, error="insufficient_scope", description="More is needed", scopes=["a", "b"]
    )
    assert parameters(challenge) == {
        "realm": "weather",
        "error": "insufficient_scope",
        "error_description": "More is needed",
        "scope": "a b",
        "resource_metadata": METADATA_URL,
    }


def test_the_scopes_to_ask_for_are_in_every_challenge() -> None:
    assert parameters(Auth(TOKENS, scopes=["read", "list"]).challenge(METADATA_URL))["scope"] == "read list"


@pytest.mark.parametrize(
    "hostile",
    ['x", error="', "x\r\nSet-Cookie: a=b", "x\nX-Evil: 1", "back\\slash\\", "é\u2028\0\x7f", '"', "x" * 10_000],
)
def test_nothing_escapes_from_the_quotes(hostile: str) -> None:
    auth = Auth(TOKENS, realm=hostile)
    challenge = auth.challenge(f"https://a/{hostile}", error=hostile, description=hostile, scopes=[hostile])
    assert set(parameters(challenge)) == {"realm", "error", "error_description", "scope", "resource_metadata"}
    assert len(parameters(challenge)["error_description"]) <= 200


def test_quotes_stay_readable() -> None:
    challenge = Auth(TOKENS).challenge(
        METADATA_URL, error="insufficient_scope", description='The tool "save" needs more'
    )
    assert parameters(challenge)["error_description"] == "The tool 'save' needs more"


def test_a_description_does_not_pass_for_a_parameter() -> None:
    # The official client searches the whole value with this expression and takes the first hit.
    challenge = Auth(TOKENS).challenge(
        METADATA_URL, error="insufficient_scope", description="say scope=admin error=none", scopes=["write"]
    )
    for name, value in (("scope", "write"), ("error", "insufficient_scope")):
        match = re.search(rf'{name}=(?:"([^"]+)"|([^\s,]+))', challenge)
        assert match is not None
        assert match.group(1) == value
