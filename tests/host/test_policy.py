"""What the policy says, and the rules that no policy loosens."""

from __future__ import annotations

import pytest

from cloche.errors import ConfigurationError, InvalidParamsError
from cloche.host import Policy, Request
from cloche.host.policy import Bucket, checked_link, is_destructive, link_host
from cloche.wire.types import Json


def asking(kind: str, **details: object) -> Request:
    return Request(kind, "ann", "files", "show", "v1", details)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("request_", "answer"),
    [
        (asking("tool", name="list"), "allow"),
        (asking("tool", name="erase", annotations={"destructiveHint": True}), "ask"),
        (asking("link", url="https://example.com/"), "ask"),
        (asking("download", files=["a.txt"]), "ask"),
        (asking("permission", permissions=["camera"]), "ask"),
        (asking("sampling"), "deny"),
        (asking("message"), "allow"),
        (asking("context"), "allow"),
        (asking("display-mode", mode="fullscreen"), "allow"),
    ],
    ids=lambda value: value.kind + "-" + str(value.details.get("name", "")) if isinstance(value, Request) else value,
)
async def test_the_defaults(request_: Request, answer: str) -> None:
    assert await Policy().decide(request_) == answer


@pytest.mark.requirement(169)
async def test_tools_can_be_named_that_are_always_or_never_asked_about() -> None:
    policy = Policy(always_ask=["files.read*"], never_ask=["files.erase"])
    destructive: Json = {"destructiveHint": True}
    assert await policy.decide(asking("tool", name="read_all")) == "ask"
    assert await policy.decide(asking("tool", name="erase", annotations=destructive)) == "allow"
    assert await policy.decide(asking("tool", name="erase_all", annotations=destructive)) == "ask"
    assert await Policy(tool="deny").decide(asking("tool", name="erase", annotations=destructive)) == "deny"
    assert await Policy(tool="ask").decide(asking("tool", name="list")) == "ask"


def test_mistakes_are_told() -> None:
    with pytest.raises(ConfigurationError, match="'allow', 'ask' or 'deny'"):
        Policy(link="yes")  # type: ignore[arg-type]
    with pytest.raises(ConfigurationError, match="lists of tools"):
        Policy(always_ask="files.erase")
    with pytest.raises(ConfigurationError, match="is a list, such as"):
        Policy(relax={"map": "unsafe-eval"})  # type: ignore[dict-item]
    with pytest.raises(ConfigurationError, match="one of 'unsafe-eval', 'blob-workers', 'data-modules'"):
        Policy(relax={"map": ["unsafe-inline"]})  # type: ignore[list-item]


@pytest.mark.parametrize(
    ("said", "destructive"),
    [
        (None, False),
        ({}, False),
        ({"destructiveHint": True}, True),
        ({"destructiveHint": True, "readOnlyHint": True}, False),
        ({"destructiveHint": "true"}, False),
        ("destructiveHint", False),
    ],
    ids=str,
)
def test_what_counts_as_destructive(said: object, destructive: bool) -> None:
    assert is_destructive(said) is destructive


@pytest.mark.parametrize(
    ("given", "opened"),
    [
        ("https://example.com", "https://example.com/"),
        ("HTTPS://Example.COM/a?b=c#d", "https://example.com/a?b=c#d"),
        ("http://example.com:8080/x", "http://example.com:8080/x"),
        ("https://example.com?q=1", "https://example.com/?q=1"),
        ("https://example.com/ü?q=€", "https://example.com/%C3%BC?q=%E2%82%AC"),
        ("https://bücher.example/", "https://xn--bcher-kva.example/"),
        ("https://аррӏе.com/", "https://xn--80ak6aa92e.com/"),
        ("https://127.0.0.1/", "https://127.0.0.1/"),
        ("https://example.com/a(b)[c]", "https://example.com/a(b)[c]"),
    ],
)
def test_web_links_are_taken_and_put_together_again(given: str, opened: str) -> None:
    assert checked_link(given) == opened


@pytest.mark.parametrize(
    "given",
    [
        "javascript:alert(1)", "JaVaScRiPt:alert(1)", "java\nscript:alert(1)", " javascript:alert(1)", "\x01javascript",
        "data:text/html,<script>1</script>", "file:///etc/passwd", "blob:https://a.example/1", "vbscript:x",
        "intent://x#Intent;end", "ms-settings:", "ms-word:ofe|u|https://x.example", "about:blank", "ftp://x.example",
        "//evil.example", "\\\\evil.example", "https:\\\\evil.example", "https:/evil.example", "https:evil.example",
        "https://good.example\\@evil.example", "https://user@evil.example", "https://user:pw@evil.example",
        "https://", "https:///x", "https://exa mple.com", "https://example.com/\nx", "https://example.com/\tx",
        "https://example.com/ x", " https://example.com", "https://example.com ", "https://example.com\x00",
        "https://exa\u200bmple..com", "https://-x.example", "https://x.example:0", "https://x.example:99999",
        "https://[::1]/", "https://x.example/\x7f", "https://x.example/" + "a" * 3000, "", "example.com", 7, None, [],
        "view-source:https://x.example", "javascript://https://x.example/%0aalert(1)", "https://example.com\u2028.x/",
    ],
    ids=lambda value: repr(value)[:40],
)  # fmt: skip
def test_everything_else_is_no_link(given: object) -> None:
    with pytest.raises(InvalidParamsError) as refused:
        checked_link(given)
    assert len(str(refused.value)) < 250


def test_the_host_is_shown_in_ascii() -> None:
    assert link_host(checked_link("https://аррӏе.com/login")) == "xn--80ak6aa92e.com"


def test_a_bucket_gives_a_burst_and_then_a_rate() -> None:
    now = 0.0
    bucket = Bucket(rate=2, burst=3, clock=lambda: now)
    assert [bucket.take() for _ in range(5)] == [True, True, True, False, False]
    now = 1.0
    assert [bucket.take() for _ in range(4)] == [True, True, False, False]
    now = 1000.0
    assert [bucket.take() for _ in range(5)] == [True, True, True, False, False]
