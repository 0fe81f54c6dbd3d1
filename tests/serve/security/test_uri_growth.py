"""URI templates: the work of matching grows with the URI and no faster, whatever the URI is (S3)."""

from __future__ import annotations

import re

import pytest

from cloche.wire.uri_template import MAX_URI, UriTemplate
from tests.support.growth import LINEAR, growth

HOSTILE = ["-", "--", "a", "a-", "/", "-/", "a/", "-a-", "%2D", "é-"]
ENDINGS = ["", "!", "?", "#", "/", " "]


def backtracking(template: str) -> re.Pattern[str]:
    """The template as an ordinary regular expression: what must not be used."""
    pattern = re.escape(template).replace(r"\{\+", "{+").replace(r"\{", "{").replace(r"\}", "}")
    return re.compile(re.sub(r"\{\w\}", r"[^/?#\\s]+", re.sub(r"\{\+\w\}", r"[^?#\\s]+", pattern)))


@pytest.mark.parametrize("template", ["a:{x}-{y}-{z}", "a:{w}-{x}-{y}-{z}/", "a:{x}/{+y}-{z}", "a:{x}.{y}{?q}"])
def test_the_work_grows_with_the_length_and_no_faster(template: str) -> None:
    matcher = UriTemplate(template)

    def worst(length: int) -> None:
        for pump in HOSTILE:
            for ending in ENDINGS:
                matcher.match("a:" + (pump * length)[:length] + ending)

    assert growth(worst, longest=MAX_URI - 3) <= LINEAR


def test_a_regular_expression_for_three_expressions_is_cubic() -> None:
    """The control of the test above: the measurement sees it."""
    pattern = backtracking("a:{x}-{y}-{z}")
    assert pattern.fullmatch("a:2026-11-18")
    assert growth(lambda length: pattern.fullmatch("a:" + "-" * length + "/"), longest=MAX_URI - 3) > 2
