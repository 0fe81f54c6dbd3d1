"""examples/clock.py: over stdio, and its view in a real browser."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

from cloche.testing.open_view import ViewOpener
from tests.support.stdio_peer import StdioPeer

EXAMPLE = Path(__file__).parents[2] / "examples" / "clock.py"
TIME = re.compile(r"\d\d:\d\d:\d\d")


def test_it_tells_the_time_over_stdio() -> None:
    with StdioPeer(EXAMPLE) as peer:
        assert TIME.fullmatch(peer.call("now")["content"][0]["text"])
        (content,) = peer.request("resources/read", uri="ui://clock/now.html")["contents"]
        assert "<title>Clock</title>" in content["text"]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_view_shows_the_time_and_asks_again(open_view: ViewOpener, theme: str) -> None:
    server = runpy.run_path(str(EXAMPLE))["server"]
    view = open_view(server, "now", theme=theme)
    view.expect("time").to_have_text(TIME)
    view.answer("now", "12:34:56")
    view.click("button")
    view.expect("time").to_have_text("12:34:56")
    assert [call.name for call in view.calls] == ["now"]
    view.check()


def test_it_is_short_enough_to_read() -> None:
    assert len(EXAMPLE.read_text("utf-8").splitlines()) <= 40
