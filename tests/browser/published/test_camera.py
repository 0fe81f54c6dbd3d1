"""A camera in a published server: declared in the setup, allowed by the client's person, and lent to tools."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from cloche.browser import write_site
from tests.browser.published.conftest import HERE, OUTER, POLICY, TIMEOUT, HeadedSite, fill, outer_script
from tests.support.chromium import FLAGS
from tests.support.chromium import MICROPHONE as FAKE
from tests.support.file_site import Site
from tools.chromium import whole_chromium


@dataclass
class Camera:
    """Where the servers are, and the page that may use them."""

    own: str
    optional: str
    """The same, which can do without."""
    outer: str


@pytest.fixture(scope="module")
def camera(tmp_path_factory: pytest.TempPathFactory, runtime: Path) -> Iterator[Camera]:
    folder = tmp_path_factory.mktemp("camera") / "site"
    with Site(POLICY) as outer:
        outer.add("/outer.html", OUTER)
        outer.add("/outer.js", outer_script())
        write_site(HERE / "snapshots.py", folder, allow_origins=[outer.url], runtime=runtime)
        with HeadedSite(folder) as own, Site("") as other:
            fill(other, folder)
            index = (folder / "index.html").read_text()
            assert index.count('"required": true') == 1
            other.add("/index.html", index.replace('"required": true', '"required": false').encode())
            yield Camera(f"{own.url}/index.html", f"{other.url}/index.html", outer.url)


def started(browser: Browser, *flags: str) -> Browser:
    """Another browser, with these flags: the whole one, which has permissions to give."""
    return browser.browser_type.launch(executable_path=whole_chromium(), args=[*FLAGS, *flags])


@pytest.fixture(scope="module")
def with_camera(browser: Browser) -> Iterator[Browser]:
    """A camera that shows a moving picture, in a browser that asks nobody."""
    made = started(browser, *FAKE)
    yield made
    made.close()


@pytest.fixture
def page(with_camera: Browser) -> Iterator[Page]:
    context = with_camera.new_context()
    made = context.new_page()
    made.set_default_timeout(TIMEOUT)
    yield made
    context.close()


def snapshot(page: Page, url: str) -> Locator:
    """What the view says of a picture that a person at the page wants."""
    page.goto(url)
    panel = page.locator("[data-tool=snapshot]")
    expect(page.locator("#state")).to_have_text("Ready", timeout=TIMEOUT)
    panel.get_by_role("button", name="Call").click()
    return page.frame_locator("iframe.view").frame_locator("iframe").locator("#said")


def test_a_picture_is_taken_by_the_page_and_shown_by_the_view(page: Page, camera: Camera) -> None:
    expect(snapshot(page, camera.own)).to_have_text("320 pixels", timeout=TIMEOUT)


def test_a_person_takes_a_picture_where_a_tool_wants_one_as_a_file(page: Page, camera: Camera) -> None:
    page.goto(camera.own)
    panel = page.locator("[data-tool=weigh]")
    panel.get_by_role("button", name="Take a picture").click()
    expect(panel.locator(".field").first).to_contain_text("It stays on this device.", timeout=TIMEOUT)
    panel.get_by_role("button", name="Call").click()
    expect(panel.locator(".outcome")).to_contain_text("ffd8ff", timeout=TIMEOUT)


def test_who_denies_the_camera_reads_so(browser: Browser, camera: Camera) -> None:
    """A browser that asks, and nobody says yes."""
    _, device = FAKE
    asks = started(browser, device)
    context = asks.new_context()
    context.grant_permissions(["geolocation"])  # and nothing else
    page = context.new_page()
    page.set_default_timeout(TIMEOUT)
    expect(snapshot(page, camera.own)).to_have_text("The camera was not allowed", timeout=TIMEOUT)
    expect(page.locator("[data-tool=snapshot] .status")).to_contain_text("Failed")
    asks.close()


def set_up(page: Page, camera: Camera, url: str, answer: Any) -> Any:
    """A client sets it up, and its person says this to the permissions that it wants; what came of it."""
    page.goto(f"{camera.outer}/outer.html")
    page.evaluate("([url, answer]) => { outer.answer = answer; outer.use(url); outer.begin(); }", [url, answer])
    return page.evaluate("() => outer.saved()")


def test_a_client_asks_and_gives_the_camera_before_the_page_is_loaded(page: Page, camera: Camera) -> None:
    saved = set_up(page, camera, camera.own, True)
    wanted = {"name": "camera", "phase": ["transport"], "required": True, "purpose": "Its tools use it"}
    assert page.evaluate("() => outer.kept.wanted") == [wanted]
    assert saved["permissions"] == [{"name": "camera", "phase": ["transport"]}]
    # In the setup it was not asked for, so it was not there.
    assert page.evaluate("() => document.querySelector('iframe').allow") == ""
    assert page.evaluate("() => outer.connect()") == "connected"
    assert page.evaluate("() => document.querySelector('iframe').allow").startswith("camera http://")
    result = page.evaluate("() => outer.call('snapshot', {})")
    content = result["content"][0]
    assert (content["type"], content["mimeType"]) == ("image", "image/jpeg"), content
    assert base64.b64decode(content["data"]).startswith(b"\xff\xd8\xff")


def test_a_required_camera_that_is_denied_ends_the_setup(page: Page, camera: Camera) -> None:
    told = set_up(page, camera, camera.own, False)
    assert (told["code"], "camera" in told["failed"]) == ("INSUFFICIENT_PERMISSIONS", True), told


def test_without_an_optional_camera_the_tool_says_what_to_do(page: Page, camera: Camera) -> None:
    saved = set_up(page, camera, camera.optional, False)
    assert saved["permissions"] == [], saved
    assert page.evaluate("() => outer.connect()") == "connected"
    result = page.evaluate("() => outer.call('snapshot', {})")
    assert result["isError"]
    assert "has not been given the camera: set the server up again, and allow it" in result["content"][0]["text"]
