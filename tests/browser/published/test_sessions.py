"""What a published server keeps of a setup, and for whom: windows, addresses, ids, browsers that store nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, FrameLocator, Page, expect

from tests.browser.published.conftest import OUTER, POLICY, TIMEOUT, Places, fill, outer_script
from tests.support.chromium import FLAGS
from tests.support.file_site import Site
from tools.chromium import whole_chromium

KEY = "key-9f3a-secret"


@dataclass
class Two:
    """A server, and pages of its own site and of another that may use it."""

    url: str
    folder: str
    """The same server, as its folder is called."""
    near: str
    far: str


@pytest.fixture(scope="module")
def two(places: Places) -> Iterator[Two]:
    with Site(POLICY) as outer, Site("") as own:
        outer.add("/outer.html", OUTER)
        outer.add("/outer.js", outer_script())
        far = outer.url.replace("127.0.0.1", "localhost")
        fill(own, places.site.folder, "/greet")
        index = (places.site.folder / "index.html").read_text()
        allowed = f'"allowedOrigins": {json.dumps(places.site.about["allowedOrigins"])}'
        assert index.count(allowed) == 1
        page = index.replace(allowed, f'"allowedOrigins": {json.dumps([outer.url, far])}').encode()
        own.add("/greet/index.html", page)
        own.add("/greet/", page)
        yield Two(f"{own.url}/greet/index.html", f"{own.url}/greet/", outer.url, far)


@pytest.fixture
def strict(browser: Browser) -> Iterator[Page]:
    """A page in a browser in which frames of other sites store nothing, as in a private window."""
    whole = browser.browser_type.launch(executable_path=whole_chromium(), args=FLAGS)
    made = whole.new_context().new_page()
    made.set_default_timeout(TIMEOUT)
    yield made
    whole.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context()
    made = context.new_page()
    made.set_default_timeout(TIMEOUT)
    yield made
    context.close()


def enter(place: Page | FrameLocator) -> None:
    """Fill the form in."""
    place.get_by_label("Your name").fill("Ada")
    place.get_by_label("Key").fill(KEY)
    place.get_by_role("button", name="Save").click()


def set_up(page: Page, outer: str, url: str) -> Any:
    """Set the server up in the frame of this page; what the page keeps of it."""
    page.goto(f"{outer}/outer.html")
    page.evaluate("(url) => { outer.use(url); outer.begin(); }", url)
    enter(page.frame_locator("iframe"))
    saved = page.evaluate("() => outer.saved()")
    assert saved.get("displayName") == "Greetings for Ada", saved
    return {name: saved[name] for name in ("sessionId", "transportVisibility", "permissions")}


def connected(page: Page, url: str, saved: Any, *, in_popup: bool = False) -> Any:
    """Connect in that session: "connected", or why not."""
    page.evaluate("([url, saved, popup]) => outer.use(url, saved, popup)", [url, saved, in_popup])
    if not in_popup:
        return page.evaluate("() => outer.connect()")
    page.evaluate("() => outer.onClick(() => outer.kept.popup = outer.connect())")
    page.mouse.click(9, 9)
    return page.evaluate("() => outer.kept.popup")


def greeting(page: Page) -> str:
    """What the tool says to the page that uses it."""
    result = page.evaluate("() => outer.call('greet', {})")
    assert "content" in result, result
    return str(result["content"][0]["text"])


@pytest.mark.requirement(133)
def test_a_setup_outlives_a_reload_and_is_for_the_server_however_its_folder_is_called(page: Page, two: Two) -> None:
    saved = set_up(page, two.near, two.url)
    page.reload()
    assert connected(page, two.folder, saved) == "connected"
    assert greeting(page) == "Hello, Ada!"
    # Set up once more, with something else: the form has what was entered, but for the key, which stays.
    page.evaluate("([url, saved]) => { outer.use(url, saved); outer.begin(); }", [two.folder, saved])
    frame = page.frame_locator("iframe")
    expect(frame.get_by_label("Your name")).to_have_value("Ada")
    expect(frame.get_by_label("Key")).to_have_value("")
    frame.get_by_label("Your name").fill("Grace")
    frame.get_by_role("button", name="Save").click()
    assert page.evaluate("() => outer.saved()")["displayName"] == "Greetings for Grace"
    page.reload()
    assert connected(page, two.url, saved) == "connected"
    assert greeting(page) == "Hello, Grace!"
    # Another session has none of it.
    assert "failed" in connected(page, two.url, {**saved, "sessionId": f"{saved['sessionId']}-other"})


@pytest.mark.parametrize("weak", ["1", "session-1", "aaaaaaaaaaaaaaaaaaaaaaaa", "0000000000000001"])
def test_a_session_id_that_can_be_guessed_is_refused(page: Page, two: Two, weak: str) -> None:
    page.goto(f"{two.near}/outer.html")
    page.evaluate("([url, sessionId]) => { outer.use(url, { sessionId }); outer.begin(); }", [two.url, weak])
    told = page.evaluate("() => outer.saved()")
    assert told["code"] == "CONFIG_ERROR", told
    assert "The session id can be guessed: it needs at least 16 random characters" in told["failed"]
    assert "failed" in connected(page, two.url, {"sessionId": weak})
    assert "can be guessed" in page.evaluate("() => outer.required()")["message"]


@pytest.mark.requirement(131, 135)
def test_a_popup_is_set_up_and_used_too(page: Page, two: Two) -> None:
    page.goto(f"{two.near}/outer.html")
    page.evaluate("(url) => { outer.use(url, {}, true); outer.onClick(() => outer.begin()); }", two.url)
    with page.expect_popup() as opened:
        page.mouse.click(9, 9)
    enter(opened.value)
    saved = page.evaluate("() => outer.saved()")
    assert saved["displayName"] == "Greetings for Ada", saved
    assert page.evaluate("() => outer.kept.transport.origin") == two.url.partition("/greet")[0]
    assert page.evaluate("() => outer.connect()") == "connected"
    assert greeting(page) == "Hello, Ada!"
    page.evaluate("() => outer.kept.transport.close()")


def test_where_frames_of_other_sites_store_nothing_a_window_of_its_own_does(strict: Page, two: Two) -> None:
    """Settings are there for as long as the page is, and then it has to be set up again."""
    page = strict
    page.goto(f"{two.far}/outer.html")
    page.evaluate("(url) => { outer.use(url); outer.begin(); }", two.url)
    frame = page.frame_locator("iframe")
    expect(frame.locator("#setup .where")).to_contain_text("This browser stores nothing for this page")
    enter(frame)
    saved = page.evaluate("() => outer.saved()")
    assert saved["displayName"] == "Greetings for Ada"
    kept = {name: saved[name] for name in ("sessionId", "transportVisibility", "permissions")}
    assert "failed" in connected(page, two.url, kept)
    required = page.evaluate("() => outer.required()")
    assert (required["reason"], "stores nothing" in required["message"]) == ("CONFIG_CHANGED", True), required

    # In a window it may store; in a frame what is stored there is out of reach.
    page.evaluate("(url) => { outer.use(url, {}, true); outer.onClick(() => outer.begin()); }", two.url)
    with page.expect_popup() as opened:
        page.mouse.click(9, 9)
    enter(opened.value)
    saved = page.evaluate("() => outer.saved()")
    kept = {name: saved[name] for name in ("sessionId", "transportVisibility", "permissions")}
    page.evaluate("() => outer.kept.transport.control.destroy()")
    assert connected(page, two.url, kept, in_popup=True) == "connected"
    assert greeting(page) == "Hello, Ada!"
    assert "failed" in connected(page, two.url, kept)
    assert "stores nothing" in page.evaluate("() => outer.required()")["message"]


def test_where_frames_of_other_sites_may_store_a_setup_outlives_a_reload(
    browser: Browser, two: Two, tmp_path: Path
) -> None:
    """A profile in which third-party storage is allowed."""
    preferences = tmp_path / "profile" / "Default" / "Preferences"
    preferences.parent.mkdir(parents=True)
    preferences.write_text(json.dumps({"profile": {"cookie_controls_mode": 0}}), encoding="utf-8")
    profile = str(tmp_path / "profile")
    context = browser.browser_type.launch_persistent_context(profile, executable_path=whole_chromium(), args=FLAGS)
    page = context.new_page()
    page.set_default_timeout(TIMEOUT)
    saved = set_up(page, two.far, two.url)
    page.reload()
    assert connected(page, two.url, saved) == "connected"
    assert greeting(page) == "Hello, Ada!"
    context.close()
