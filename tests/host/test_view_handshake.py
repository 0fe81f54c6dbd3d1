"""What of a page's context reaches a view."""

from __future__ import annotations

from typing import Any

import pytest

from cloche.host.view_handshake import STYLE_VARIABLES, checked_context
from tests.host.servers import Weather
from tests.support.host_page import Page, hosting, opened, ticket_in
from tests.support.official_app.oracle import Oracle


def test_there_are_76_style_variables_and_they_are_the_official_ones() -> None:
    assert len(STYLE_VARIABLES) == 76
    variables = Oracle("2.0.4").definitions["McpUiStyleVariableKey"]
    assert {one["const"] for one in variables["anyOf"]} == STYLE_VARIABLES


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ({"theme": "dark"}, {"theme": "dark"}),
        ({"theme": "sepia"}, {}),
        ({"theme": ["dark"]}, {}),
        ({"locale": "de-CH"}, {"locale": "de-CH"}),
        ({"locale": "<script>"}, {}),
        ({"timeZone": "Europe/Berlin"}, {"timeZone": "Europe/Berlin"}),
        ({"platform": "web", "unknown": 1, "toolInfo": {}, "cloche/state": 1}, {"platform": "web"}),
        (
            {"containerDimensions": {"width": 300, "maxHeight": 600, "x": 1}},
            {"containerDimensions": {"width": 300, "maxHeight": 600}},
        ),
        ({"containerDimensions": {"width": -1, "height": True, "maxHeight": 1e9}}, {}),
        ({"deviceCapabilities": {"touch": True, "hover": "no"}}, {"deviceCapabilities": {"touch": True}}),
        (
            {"safeAreaInsets": {"top": 1, "right": 2, "bottom": 3, "left": 4}},
            {"safeAreaInsets": {"top": 1, "right": 2, "bottom": 3, "left": 4}},
        ),
        ({"safeAreaInsets": {"top": 1}}, {}),
        (
            {"styles": {"variables": {"--font-sans": "Inter", "--mine": "x", "--font-mono": 7}}},
            {"styles": {"variables": {"--font-sans": "Inter"}}},
        ),
        (
            {"styles": {"variables": {}, "css": {"fonts": "@font-face{}"}}},
            {"styles": {"variables": {}, "css": {"fonts": "@font-face{}"}}},
        ),
        ({"styles": 7}, {"styles": {"variables": {}}}),
        (None, {}),
        ([], {}),
    ],
    ids=lambda value: str(value)[:60],
)
def test_only_what_a_view_can_use_is_passed_on(given: Any, kept: Any) -> None:
    found = checked_context(given)
    assert found == kept
    # The official schema contradicts itself about these two; what the official App takes is tested in a browser.
    judged = {name: value for name, value in found.items() if name not in ("styles", "containerDimensions")}
    Oracle("2.0.4").judge("McpUiHostContext", judged)


async def test_the_context_is_what_the_page_said_when_it_answered() -> None:
    async with hosting({"weather": Weather().server}) as host:
        call = await host.session("ann").start("weather.forecast", {"city": "x"})
        page = await Page().open(host, ticket_in(call.embed()))
        page.view.event("initialize", {"params": {}, "context": {"theme": "light", "toolInfo": 7}})
        context = page.view.initialize_result()["hostContext"]
        assert (context["theme"], context["toolInfo"]["tool"]["name"]) == ("light", "forecast")


async def test_a_change_of_the_page_is_told_to_the_view() -> None:
    async with hosting({"weather": Weather().server}) as host:
        page = await opened(host, "weather.forecast", {"city": "Paris"})
        page.view.event("context", {"theme": "light", "toolInfo": {"tool": {"name": "forged"}}})
        assert await page.told("ui/notifications/host-context-changed") == {"theme": "light"}
        before = len(page.frames)
        page.view.event("context", {"unknown": 1})
        assert len(page.frames) == before
        context = page.view.packet()["initialize"]["hostContext"]
        assert (context["theme"], context["toolInfo"]["tool"]["name"]) == ("light", "forecast")


@pytest.mark.parametrize(
    ("said", "size"),
    [
        ({"height": 300}, {"height": 300}),
        ({"width": 10, "height": 1e9}, {"width": 10, "height": 10_000}),
        ({"height": -5}, {}),
        ({"height": float("nan")}, {}),
        ({"height": "300"}, {}),
        ({}, {}),
    ],
    ids=str,
)
async def test_sizes_are_kept_within_bounds(said: Any, size: Any) -> None:
    async with hosting({"weather": Weather().server}) as host:
        page = await opened(host, "weather.forecast", {"city": "Paris"})
        page.view.event("size", said)
        assert page.view.size == size


@pytest.mark.parametrize("name", ["nothing", "__init__", "on_size", "close", "initialize-x", "packet"])
async def test_events_that_do_not_exist_do_nothing(name: str) -> None:
    async with hosting({"weather": Weather().server}) as host:
        page = await opened(host, "weather.forecast", {"city": "Paris"})
        before = len(host.timeline.entries()), len(page.frames)
        page.view.event(name, {})
        assert (len(host.timeline.entries()), len(page.frames)) == before
        assert page.view.closed is None
