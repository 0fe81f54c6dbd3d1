"""What every test of this folder stands on: one browser, and views in every combination of library and layout."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import pytest

from tests.support.official_app.harness import LAYOUTS, VERSIONS, Hosted, Theatre, theatre
from tests.support.official_app.views import VIEWS


class Cast(NamedTuple):
    """Which view, shown by which version of the official host, and how."""

    view: str
    version: str
    layout: str

    def html(self) -> str:
        return VIEWS[self.view](self.version)


CASTS = [
    Cast("official App", "2.0.4", "one frame"),
    Cast("official App", "1.7.5", "proxy"),
    *(
        Cast(view, version, layout)
        for view in VIEWS
        for version in VERSIONS
        for layout in LAYOUTS
        if view != "official App"
    ),
]
"""Our view in every combination; the official one in enough of them to prove the harness."""


@pytest.fixture(scope="package")
def stage() -> Iterator[Theatre]:
    """The browser and the sites. The tests that use it are plain functions: Playwright's own loop runs meanwhile."""
    with theatre() as made:
        yield made


@pytest.fixture(scope="module", params=CASTS, ids=" ".join)
def cast(request: pytest.FixtureRequest) -> Cast:
    return Cast(*request.param)


@pytest.fixture(scope="module")
def shared(stage: Theatre, cast: Cast) -> Iterator[Hosted]:
    """A view whose handshake is done, for all tests of a module."""
    with stage.hosted(cast.html(), cast.version, cast.layout) as opened:
        yield opened.until_ready()


@pytest.fixture
def hosted(shared: Hosted) -> Hosted:
    """The shared view, with nothing left of what the view and the host met in the tests before."""
    shared.view.evaluate("() => void seen.splice(0)")
    shared.page.evaluate("() => void host.handled.splice(0)")
    return shared


@pytest.fixture
def fresh(stage: Theatre, cast: Cast) -> Iterator[Callable[..., Hosted]]:
    """Opens a view for one test alone; options as in page/host.js."""
    opened = []

    def show(**options: Any) -> Hosted:
        opened.append(stage.hosted(cast.html(), cast.version, cast.layout, **options))
        return opened[-1].__enter__()

    yield show
    for one in opened:
        one.__exit__(None, None, None)
