"""URI templates: what they match, what they expand to, what cannot be one."""

from __future__ import annotations

import contextlib
import itertools
import string
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cloche.errors import RegistrationError
from cloche.wire.uri_template import MAX_URI, UriTemplate, is_template
from tests.support.examples import examples

MATCHES: list[tuple[str, str, dict[str, str] | None]] = [
    ("a://{x}", "a://1", {"x": "1"}),
    ("a://{x}", "a://", None),
    ("a://{x}", "a://1/2", None),
    ("a://{x}", "b://1", None),
    ("a://{x}", "A://1", None),
    ("a://{x}/y", "a://1/y", {"x": "1"}),
    ("a://{x}/{y}", "a://1/2", {"x": "1", "y": "2"}),
    ("a://{x}.{y}", "a://1.2", {"x": "1", "y": "2"}),
    ("a://{x}", "a://caf%C3%A9", {"x": "café"}),
    ("a://{x}", "a://é", {"x": "é"}),
    ("a://{x}", "a://100%25", {"x": "100%"}),
    ("a://{x}", "a://1%2", None),
    ("a://{x}", "a://%zz", None),
    ("a://{x}", "a://%ff", None),
    ("a://{x}", "a://1 2", None),
    ("a://{x}", "a://1%202", {"x": "1 2"}),
    ("a://{+x}", "a://1/2/3", {"x": "1/2/3"}),
    ("a://{x*}", "a://1/2/3", {"x": "1/2/3"}),
    ("a://{+x}/end", "a://1/2/end", {"x": "1/2"}),
    ("a://{+x}", "a://https://example.com/x", {"x": "https://example.com/x"}),
    ("a://{+x}", "a:///etc/passwd", None),
    ("a://{+x}", "a://%2Fetc", None),
    ("a://{+x}", "a://1/../2", None),
    ("a://{+x}", "a://...", {"x": "..."}),
    ("a://{+x}", "a://.hidden", {"x": ".hidden"}),
    ("a://{x}", "a://.", None),
    ("a://{x}", "a://%2E", None),
    ("a://{x}{?y}", "a://1", {"x": "1"}),
    ("a://{x}{?y,z}", "a://1?z=3", {"x": "1", "z": "3"}),
    ("a://{x}{?y,z}", "a://1?z=3&y=a%26b", {"x": "1", "y": "a&b", "z": "3"}),
    ("a://{x}{?y}", "a://1?", {"x": "1"}),
    ("a://{x}{?y}", "a://1?y", {"x": "1", "y": ""}),
    ("a://{x}{?y}", "a://1?q=1", None),
    ("a://{x}{?y}", "a://1?y=1&y=2", None),
    ("a://{x}{?y}", "a://1?y=..", None),
    ("a://{x}{?y}", "a://1?y=a/b", {"x": "1", "y": "a/b"}),
    ("a://{x}.{y}", "a://archive.tar.gz", {"x": "archive.tar", "y": "gz"}),
    ("a://{y}-{m}-{d}", "a://2026-11-18", {"y": "2026", "m": "11", "d": "18"}),
    ("a://{y}-{m}-{d}", "a://2026-11", None),
    ("a://{y}-{m}-{d}", "a://-11-18", None),
    ("a://{y}-{m}-{d}", "a://1-2-3-4", {"y": "1-2", "m": "3", "d": "4"}),
    ("a://{x}/{+y}", "a://1/2/3", {"x": "1", "y": "2/3"}),
    ("a://{x}-{+y}", "a://1-2/3-4", {"x": "1", "y": "2/3-4"}),
    ("a://{x}-{+y}", "a://1-2-", {"x": "1", "y": "2-"}),
    ("a://{+x}/{y}.{z}", "a://1/2/3.4.5", {"x": "1/2", "y": "3.4", "z": "5"}),
    ("a://{x}/{+y}/{z}", "a://1/2/3/4", {"x": "1", "y": "2/3", "z": "4"}),
    ("a://{x}/{+y}/{z}", "a://1/2", None),
    ("a://{x}/{+y}/{z}", "a://1//2", None),
    ("a://x{?q}", "a://x", {}),
    ("a://x{?q}", "a://x?q=1", {"q": "1"}),
    ("a://x{?q}", "a://xy", None),
    ("a://x?k={k}", "a://x?k=1", {"k": "1"}),
    ("a://{+x}", "a://C:/Windows/win.ini", None),
    ("a://{+x}", "a://c:win.ini", None),
    ("a://{+x}", "a://C%3A/Windows", None),
    ("a://{+x}", "a://C:", None),
    ("a://{x}", "a://C:win.ini", None),
    ("a://{x}", "a://C%3Awin.ini", None),
    ("a://{+x}", "a:////server/share", None),
    ("a://{+x}", "a://%5C%5Cserver%5Cshare", None),
    ("a://{+x}", "a://..%20/up", None),
    ("a://{x}", "a://..%20", None),
    ("a://{x}", "a://10:30", {"x": "10:30"}),
    ("a://{x}", "a://user:1", {"x": "user:1"}),
    ("a+b.c://{x}", "a+b.c://1", {"x": "1"}),
    ("a+b.c://{x}", "aab.c://1", None),
]


@pytest.mark.parametrize(("template", "uri", "values"), MATCHES)
def test_matching(template: str, uri: str, values: dict[str, str] | None) -> None:
    assert UriTemplate(template).match(uri) == values


@pytest.mark.parametrize(
    ("template", "reason"),
    [
        ("{x}", "scheme"),
        ("plain", "scheme"),
        ("/a/{x}", "scheme"),
        ("a://{x", "closed"),
        ("a://x}", "closed"),
        ("a://{}", "understood"),
        ("a://{1x}", "understood"),
        ("a://{x y}", "white space"),
        ("a://{#x}", "understood"),
        ("a://{x,y}", "understood"),
        ("a://{x:3}", "understood"),
        ("a://{x}/{x}", "twice"),
        ("a://{?x}/{y}", "last"),
        ("a://{?x}y", "nothing behind it"),
        ("a://x?y=1{?z}", "every query value"),
        ("a://{x}{y}", "nothing stands between"),
        ("a://{x}{+y}", "nothing stands between"),
        ("a://{+x}{y}{?z}", "nothing stands between"),
        ("a://{+x}/{+y}", "more than one"),
        ("a://{+x}/{y}/{z*}", "more than one"),
        ("a://" + "x" * MAX_URI, "longer"),
    ],
)
def test_what_cannot_be_a_template_fails_at_registration(template: str, reason: str) -> None:
    with pytest.raises(RegistrationError, match=reason) as caught:
        UriTemplate(template)
    assert len(str(caught.value)) < MAX_URI


def test_a_uri_is_a_template_when_it_has_braces() -> None:
    assert [is_template(uri) for uri in ("a://x", "a://{x}", "a://x}")] == [False, True, True]


def test_a_uri_that_is_too_long_matches_nothing() -> None:
    template = UriTemplate("a://{x}")
    assert template.match("a://" + "x" * (MAX_URI - 4)) is not None
    assert template.match("a://" + "x" * MAX_URI) is None


PIECES = ["{%}", "{%}-", "-{%}", "{%}--", "{%}/", "/{%}", "{+%}-", "{+%}/", "-{+%}", "a{%}a", "-"]
HOSTILE = ["-", "--", "a", "a-", "/", "-/", "a/", "-a-", "%2D", "é-"]


def every_shape() -> Iterator[UriTemplate]:
    """Templates of up to three pieces; those that are refused are left out."""
    for count in range(1, 4):
        for pieces in itertools.product(PIECES, repeat=count):
            text = "".join(piece.replace("%", name) for piece, name in zip(pieces, "xyz", strict=False))
            with contextlib.suppress(RegistrationError):
                yield UriTemplate(f"a:{text}")


def test_no_uri_takes_more_time_than_its_length_is_worth() -> None:
    """S3: with one expression more than one in a segment, a regular expression tried every way to cut it."""

    class Counted(str):
        """A text that counts how often it is searched or cut."""

        looks = 0

        def rfind(self, *args: Any) -> int:
            Counted.looks += 1
            return super().rfind(*args)

    shapes = list(every_shape())
    assert len(shapes) > 600
    for pump in HOSTILE:
        uri = Counted("a:" + (pump * MAX_URI)[: MAX_URI - 3] + "!")
        for shape in shapes:
            Counted.looks = 0
            shape.match(uri)
            # Each look passes over what the one before left: together they pass over the URI once.
            assert Counted.looks <= len(shape.names) + 1, shape.template


segments = st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="/\\?#"), min_size=1, max_size=30)


def has_drive(value: str) -> bool:
    """`C:` would leave the folder on Windows."""
    return value[:1].isascii() and value[:1].isalpha() and value[1:2] == ":"


@settings(max_examples=examples(200), database=None, deadline=None)
@given(segments, st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="/\\"), max_size=30))
def test_what_is_expanded_matches_and_gives_the_values_back(segment: str, query: str) -> None:
    template = UriTemplate("a://{x}/y{?q}")
    uri = template.expand({"x": segment, "q": query})
    assert set(uri) <= set(string.ascii_letters + string.digits + ":/?=%-_.~")
    climbs = ".." in (segment.rstrip(" "), query.rstrip(" "))
    expected = None if climbs or segment == "." or has_drive(segment) else {"x": segment, "q": query}
    assert template.match(uri) == expected


def test_a_value_that_is_not_given_is_left_out_of_the_query() -> None:
    template = UriTemplate("a://{x}{?y,z}")
    assert template.expand({"x": 1}) == "a://1"
    assert template.expand({"x": 1, "y": None, "z": True}) == "a://1?z=True"
