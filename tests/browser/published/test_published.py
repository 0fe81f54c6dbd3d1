"""A published server in a browser: opened by a person, and used as a server by URL from another origin."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, expect

from cloche.browser import write_site
from tests.browser.published.conftest import TIMEOUT, Places, fill, sent_with
from tests.support.file_site import Site

KEY = "key-9f3a-secret"


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page in a context of its own, whose console is kept in `page.said`."""
    context = browser.new_context()
    made = context.new_page()
    made.set_default_timeout(TIMEOUT)
    yield made
    context.close()


def heard(page: Page) -> list[str]:
    """What the page and its frames write to the console from now on."""
    said: list[str] = []

    def keep(message: ConsoleMessage) -> None:
        said.append(message.text)

    page.on("console", keep)
    return said


def text_of(result: Any) -> str:
    """The text of a tool's result."""
    assert "content" in result, result
    return str(result["content"][0]["text"])


def test_a_person_sets_it_up_and_calls_a_tool(page: Page, places: Places) -> None:
    said = heard(page)
    page.goto(places.own)
    # The form is there before Python is.
    expect(page.get_by_label("Your name")).to_be_visible()
    greet = page.locator("[data-tool=greet]")
    expect(greet.get_by_role("button", name="Call")).to_be_disabled()

    page.get_by_role("button", name="Save").click()
    expect(page.locator("#setup .problem", has_text="Required").first).to_be_visible()
    page.get_by_label("Your name").fill("Ada")
    page.get_by_label("Key").fill("wrong")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("#setup .field .problem", has_text="A key begins with key-")).to_be_visible(timeout=TIMEOUT)
    expect(page.get_by_label("Your name")).to_have_value("Ada")
    page.get_by_label("Key").fill(KEY)
    page.get_by_role("button", name="Save").click()
    expect(page.locator("#settings")).to_contain_text("Greetings for Ada")

    greet.get_by_label("times").fill("2")
    greet.get_by_role("button", name="Call").click()
    expect(greet.locator(".outcome")).to_contain_text("Hello, Ada! Hello, Ada!")
    printed = [line for line in said if line.startswith(("checking", "greeting with"))]
    assert printed == ["checking (secret)", "checking (secret)", "greeting with (secret)"]

    # The key is stored apart, is not shown again, and can be forgotten.
    stored = page.evaluate(
        """() => Object.values({...localStorage}).map((text) => JSON.parse(text))
            .filter((value) => typeof value == "object").map((value) => Object.keys(value).sort())"""
    )
    assert sorted(map(tuple, stored)) == [("greeting", "name"), ("key",)]
    page.get_by_role("button", name="Change").click()
    expect(page.get_by_label("Your name")).to_have_value("Ada")
    expect(page.get_by_label("Key")).to_have_value("")
    expire = page.locator("[data-tool=expire]")
    expire.get_by_role("button", name="Call").click()
    expect(page.locator("#setup .reason")).to_have_text("The key has expired")
    with page.expect_navigation():
        page.get_by_role("button", name="Forget settings").click()
    assert page.evaluate("() => localStorage.length") == 0

    # The second visit needs no network.
    page.evaluate("async () => { await navigator.serviceWorker.ready }")
    page.context.set_offline(True)
    page.goto(places.own)
    expect(page.locator("#state")).to_have_text("Ready", timeout=TIMEOUT)
    assert page.evaluate("() => !!navigator.serviceWorker.controller")


@pytest.mark.requirement(119, 122, 127, 129, 133, 139)
def test_another_origin_uses_it_by_url_through_both_phases(page: Page, places: Places) -> None:
    said = heard(page)
    page.goto(f"{places.outer}/outer.html")
    frame = page.frame_locator("iframe")
    page.evaluate("(url) => { outer.use(url); outer.begin(); }", places.own)
    expect(frame.locator("#setup .reason")).to_contain_text(places.outer)
    frame.get_by_label("Your name").fill("Ada")
    frame.get_by_label("Key").fill(KEY)
    frame.get_by_role("button", name="Save").click()
    saved = page.evaluate("() => outer.saved()")
    assert saved["displayName"] == "Greetings for Ada", saved
    assert saved["transportVisibility"] == {"requirement": "optional", "description": "What the server is doing"}
    assert KEY not in json.dumps(saved)

    assert page.evaluate("() => outer.connect()") == "connected"
    assert text_of(page.evaluate("() => outer.call('greet', {})")) == "Hello, Ada!"
    # A tool that repeats everything: the page of the server keeps the key back.
    blabbed = json.loads(text_of(page.evaluate("() => outer.call('blab')")))
    assert blabbed == {"shown": "Settings(name='Ada', key='(secret)', greeting='Hello')", "key": "(secret)"}
    asked = page.evaluate("() => outer.kept.client.request('cloche/setup', {}).catch((error) => error.code)")
    assert asked == -32601
    assert not [line for line in said if KEY in line]

    # The inner page is loaded again: the same session, and what was entered is still there.
    inner = next(one for one in page.frames if one.parent_frame)
    lost = page.evaluate_handle("() => ({ lost: outer.lost() })")
    inner.evaluate("() => location.reload()")
    page.evaluate("({ lost }) => lost", lost)
    again = {name: saved[name] for name in ("sessionId", "transportVisibility", "permissions")}
    page.evaluate("([url, saved]) => outer.use(url, saved)", [places.own, again])
    assert page.evaluate("() => outer.connect()") == "connected"
    assert text_of(page.evaluate("() => outer.call('greet', {})")) == "Hello, Ada!"

    # A tool says that the key has expired: the call is answered, and then the setup is asked for.
    assert text_of(page.evaluate("() => outer.call('expire')")) == "The key has expired"
    required = page.evaluate("() => outer.required()")
    assert required == {"reason": "AUTH_EXPIRED", "message": "The key has expired", "canContinue": False}

    # What was stored is gone.
    next(one for one in page.frames if one.parent_frame).evaluate("() => localStorage.clear()")
    page.evaluate("([url, saved]) => outer.use(url, saved)", [places.own, again])
    assert "failed" in page.evaluate("() => outer.connect()")
    assert page.evaluate("() => outer.required()")["message"] == "Greeter is not set up for this page yet"


def test_a_server_without_a_setup_is_set_up_at_once(page: Page, places: Places, tmp_path: Path, runtime: Path) -> None:
    (tmp_path / "server.py").write_text("from cloche import Server\nserver = Server('plain')\n")
    made = write_site(tmp_path / "server.py", tmp_path / "site", allow_origins=[places.outer], runtime=runtime)
    with Site("", sent_with(made.folder)) as plain:
        fill(plain, made.folder)
        page.goto(f"{places.outer}/outer.html")
        page.evaluate("(url) => { outer.use(url); outer.begin(); }", f"{plain.url}/index.html")
        saved = page.evaluate("() => outer.saved()")
    assert (saved.get("displayName"), saved.get("transportVisibility")) == ("plain", {"requirement": "hidden"}), saved


def test_a_person_who_cancels_the_setup_is_believed(page: Page, places: Places) -> None:
    page.goto(f"{places.outer}/outer.html")
    page.evaluate("(url) => { outer.use(url); outer.begin(); }", places.own)
    page.frame_locator("iframe").get_by_role("button", name="Cancel").click()
    told = page.evaluate("() => outer.saved()")
    assert (told["code"], "cancelled" in told["failed"]) == ("USER_CANCELLED", True)


@pytest.mark.requirement(138)
def test_a_page_that_may_not_use_it_is_told_why(page: Page, places: Places) -> None:
    """Where the static host sends no headers, the page itself has to refuse; both origins are named."""
    page.goto(f"{places.stranger}/outer.html")
    page.evaluate("(url) => { outer.use(url); outer.begin(); }", places.bare)
    # The outer page hides a frame whose setup has failed.
    notice = page.frame_locator("iframe").locator(".panel.error")
    expect(notice).to_contain_text(f"has the origin {places.stranger}, and only {places.outer} is allowed")
    told = page.evaluate("() => outer.saved()")
    assert told["failed"].endswith(f"This server does not allow the origin {places.stranger}")
    expect(page.frame_locator("iframe").locator("#setup")).to_have_count(0)


def test_the_header_keeps_such_a_page_from_framing_it_at_all(page: Page, places: Places) -> None:
    said = heard(page)
    page.goto(f"{places.stranger}/outer.html")
    with page.expect_console_message(lambda one: "frame-ancestors" in one.text):
        page.evaluate("(url) => { outer.use(url); outer.begin(); }", places.own)
    assert page.frame_locator("iframe").locator("#state").count() == 0
    assert [line for line in said if "frame-ancestors" in line]
