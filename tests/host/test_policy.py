"""What the policy says, and the rules that no policy loosens."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cloche.errors import ConfigurationError, InvalidParamsError
from cloche.host import Policy, Request
from cloche.host.budgets import Bucket
from cloche.host.policy import checked_link, is_destructive, is_own_link, link_host
from cloche.wire.types import Json


def asking(kind: str, **details: object) -> Request:
    return Request(kind, "ann", "files", "show", "v1", details)  # type: ignore[arg-type]


def after_a_gesture(kind: str, **details: object) -> Request:
    return replace(asking(kind, **details), gesture=True)


@pytest.mark.parametrize(
    ("request_", "answer"),
    [
        (asking("tool", name="list"), "allow"),
        (asking("tool", name="erase", annotations={"destructiveHint": True}), "ask"),
        (asking("link", url="https://example.com/"), "ask"),
        (asking("download", files=["a.txt"]), "ask"),
        (asking("permission", permissions=["camera"]), "ask"),
        (asking("sampling"), "deny"),
        (asking("message"), "ask"),
        (after_a_gesture("message"), "allow"),
        (asking("context"), "allow"),
        (asking("display-mode", mode="fullscreen"), "ask"),
        (after_a_gesture("display-mode", mode="fullscreen"), "allow"),
        (asking("display-mode", mode="inline"), "allow"),
    ],
    ids=lambda value: (
        value.kind + "-" + str(value.details.get("name", value.details.get("mode", "")))
        if isinstance(value, Request)
        else value
    ),
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


@pytest.mark.parametrize(
    ("details", "answer"),
    [
        ({}, "ask"),
        ({"annotations": {"title": "Erase"}}, "ask"),
        ({"annotations": {"readOnlyHint": False}}, "ask"),
        ({"annotations": {"destructiveHint": "no"}}, "ask"),
        ({"visibility": ["model", "app"]}, "ask"),
        ({"visibility": ["app"]}, "allow"),
        ({"visibility": ["app"], "annotations": {"destructiveHint": True}}, "ask"),
        ({"annotations": {"destructiveHint": False}}, "allow"),
        ({"annotations": {"readOnlyHint": True}}, "allow"),
        ({"annotations": {"destructiveHint": True}}, "ask"),
    ],
    ids=repr,
)
async def test_tools_that_say_nothing_can_be_asked_about(details: Json, answer: str) -> None:
    request = asking("tool", name="erase", **details)
    assert await Policy(unannotated="ask").decide(request) == answer
    assert await Policy().decide(request) == ("ask" if is_destructive(details.get("annotations")) else "allow")
    assert await Policy(unannotated="ask", never_ask=["files.*"]).decide(request) == "allow"
    assert await Policy(unannotated="ask", tool="deny").decide(request) == "deny"


async def test_a_page_of_the_product_is_always_asked_about() -> None:
    own, other = asking("link", url="https://app.example/logout", own=True), asking("link", url="https://x.example/")
    assert [await Policy(link="allow").decide(link) for link in (own, other)] == ["ask", "allow"]
    assert [await Policy(link="gesture").decide(link) for link in (own, other)] == ["ask", "ask"]
    clicked = [replace(link, gesture=True) for link in (own, other)]
    assert [await Policy(link="gesture").decide(link) for link in clicked] == ["ask", "allow"]
    assert await Policy(link="deny").decide(own) == "deny"


@pytest.mark.parametrize(
    ("url", "page", "own"),
    [
        ("https://app.example/logout", "https://app.example", True),
        ("https://app.example:8443/", "https://app.example", True),
        ("http://app.example/", "https://app.example:8443", True),
        ("https://app.example./logout", "https://app.example", True),
        ("https://api.app.example/", "https://app.example", True),
        ("https://app.example/", "https://www.app.example", True),
        ("https://app.example.evil.example/", "https://app.example", False),
        ("https://myapp.example/", "https://app.example", False),
        ("https://elsewhere.example/", "https://app.example", False),
        ("http://localhost:9000/x", "http://localhost:8000", True),
        ("https://app.example/", "", False),
        ("https://app.example/", "null", False),
    ],
)
def test_which_links_lead_to_the_product(url: str, page: str, own: bool) -> None:
    assert is_own_link(checked_link(url), page) is own


def test_mistakes_are_told() -> None:
    with pytest.raises(ConfigurationError, match="'allow', 'ask', 'deny' or 'gesture'"):
        Policy(link="yes")  # type: ignore[arg-type]
    with pytest.raises(ConfigurationError, match="lists of tools"):
        Policy(always_ask="files.erase")
    with pytest.raises(ConfigurationError, match="'allow' or 'ask'"):
        Policy(unannotated="deny")  # type: ignore[arg-type]
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
