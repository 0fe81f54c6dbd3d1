"""A view with a permission: asked for, granted on an origin that it has for itself, and useless to every other view."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import FrameLocator, Page, expect

from cloche import Server, View
from cloche.host import Host, Policy
from tests.support.host_surface import SECRET
from tests.support.served import Served

LOOK = """<!doctype html><p id=camera></p><p id=origin></p><p id=stored></p><p id=other></p><script>
  const say = (id, text) => { document.getElementById(id).textContent = text };
  say("origin", self.origin);
  const use = (wish, id, word) => navigator.mediaDevices.getUserMedia(wish)
    .then(() => say(id, word), (error) => say(id, error.name));
  use({ video: true }, "camera", "seen");
  use({ audio: true }, "other", "heard");
  say("stored", localStorage.getItem("note") ?? "nothing");
  localStorage.setItem("note", "left by another view");
</script>"""


class Cameras:
    """A page with two views that want the camera, and one of the same server that does not."""

    def __init__(self, policy: Policy) -> None:
        self.server = Server("cameras")
        self.server.register_tool(lambda: "x", name="look", view=View(LOOK, permissions=["camera"]))
        self.server.register_tool(lambda: "x", name="peek", view=View(LOOK))
        self.host = Host({"cameras": self.server}, secret=SECRET, policy=policy)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            raise ValueError("none")
        chat = self.host.session("ann")
        shown = [(await chat.start(f"cameras.{name}", {})).embed() for name in ("look", "look", "peek")]
        body = f'<!doctype html><script type="module" src="/cloche/mcp-app.js"></script>{"".join(map(str, shown))}'
        headers = [(b"content-type", b"text/html; charset=utf-8")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body.encode()})


def view(page: Page, number: int, *, granted: bool = False) -> FrameLocator:
    """Inside a view; one with a permission has a page more around it."""
    outside = page.locator("mcp-app").nth(number).frame_locator("iframe")
    return (outside.frame_locator("iframe") if granted else outside).frame_locator("iframe")


@pytest.fixture
def granted() -> Iterator[Served]:
    cameras = Cameras(Policy(permission="allow"))
    with Served(cameras.host.wrap(cameras)) as made:
        yield made


def test_W06_only_the_view_that_was_granted_it_has_the_camera_and_nothing_but_the_camera(
    granted: Served, page: Page
) -> None:
    page.goto(granted.url())
    for number in (0, 1):
        expect(view(page, number, granted=True).locator("#camera")).to_have_text("seen")
        expect(view(page, number, granted=True).locator("#other")).to_have_text("NotAllowedError")
    expect(view(page, 2).locator("#camera")).not_to_be_empty()
    assert view(page, 2).locator("#camera").inner_text() != "seen"


def test_W22_each_has_an_origin_of_its_own_and_finds_nothing_of_the_others(granted: Served, page: Page) -> None:
    page.goto(granted.url())
    for number in range(3):
        expect(view(page, number, granted=number < 2).locator("#stored")).to_have_text("nothing")
    origins = [view(page, number, granted=number < 2).locator("#origin").inner_text() for number in range(3)]
    assert len(set(origins)) == 3
    assert origins[2] == "null"


def test_the_person_is_asked_before_the_view_is_there_and_a_no_means_no_camera(page: Page) -> None:
    cameras = Cameras(Policy())
    with Served(cameras.host.wrap(cameras)) as served:
        page.goto(served.url())
        first, second = page.locator("mcp-app").nth(0), page.locator("mcp-app").nth(1)
        first.get_by_role("button", name="Allow", exact=True).click()
        expect(view(page, 0, granted=True).locator("#camera")).to_have_text("seen")
        second.get_by_role("button", name="Don't allow").click()
        expect(view(page, 1).locator("#origin")).to_have_text("null")
        expect(view(page, 1).locator("#camera")).not_to_have_text("seen")
