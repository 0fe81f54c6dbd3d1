"""The tools of a published page for the visitor's agent, in Chromium's own WebMCP and in the polyfill."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.published.conftest import TIMEOUT, Places
from tests.support.chromium import FLAGS
from tools.chromium import whole_chromium

KEY = "key-9f3a-secret"
LISTED = """async () => (await document.modelContext.getTools()).map(({ name, description }) => [name, description])"""
CALLED = """async ([name, input]) => {
    const tool = (await document.modelContext.getTools()).find((one) => one.name == name);
    return await document.modelContext.executeTool(tool, input).then((value) => ({ value }),
        ({ name, message }) => ({ name, message }));
}"""


@pytest.fixture(params=["polyfill", "native"])
def page(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    """A page in a context of its own. Only the whole browser has WebMCP."""
    own = None
    if request.param == "native":
        flags = [*FLAGS, "--enable-features=WebMCP"]
        own = browser.browser_type.launch(executable_path=whole_chromium(), args=flags)
    context = (own or browser).new_context()
    made = context.new_page()
    made.set_default_timeout(TIMEOUT)
    yield made
    context.close()
    if own:
        own.close()


def called(page: Page, name: str, **values: Any) -> dict[str, str]:
    """What an agent in the page gets: a value, or the name and the message of an error."""
    found: dict[str, str] = page.evaluate(CALLED, [name, values])
    return found


def test_an_agent_in_the_page_calls_its_tools_and_the_person_sees_it(page: Page, places: Places) -> None:
    page.goto(places.own)
    page.wait_for_function("async () => (await document.modelContext?.getTools())?.length === 3")
    told = page.evaluate(LISTED)
    assert [name for name, _ in told] == ["blab", "expire", "greet"]
    assert dict(told)["greet"] == "Greet the person who set this up."

    # Wrong arguments are refused before the call is one: Python has not even started.
    status = page.locator("[data-tool=greet] .status")
    refused = called(page, "greet", times="two")
    assert "value" not in refused, refused
    expect(status).to_have_text("")

    refused = called(page, "greet")
    assert "value" not in refused, refused
    expect(status).to_contain_text("Called by an agent. Failed")
    expect(page.locator("#setup .reason")).to_contain_text("This server is not set up yet")
    page.get_by_label("Your name").fill("Ada")
    page.get_by_label("Key").fill(KEY)
    page.get_by_role("button", name="Save").click()
    expect(page.locator("#settings")).to_contain_text("Greetings for Ada")

    assert "Hello, Ada! Hello, Ada!" in called(page, "greet", times=2)["value"]
    expect(status).to_contain_text("Called by an agent. Done")
    expect(page.locator("[data-tool=greet] .outcome")).to_contain_text("Hello, Ada! Hello, Ada!")
    blabbed = json.dumps(called(page, "blab"))
    assert ("(secret)" in blabbed, KEY in blabbed) == (True, False)


def answer(page: Page, button: str) -> dict[str, str]:
    """What the agent gets for `expire` when the person presses this button."""
    page.evaluate(f"() => {{ globalThis.answered = ({CALLED})(['expire', {{}}]); }}")
    dialog = page.get_by_role("alertdialog")
    expect(dialog).to_contain_text("An agent in your browser wants to run “expire”.")
    assert dialog.get_by_role("button", name="Allow on this page").count() == 0
    if button.startswith("Allow"):
        page.locator("button.accept[aria-disabled=false]").wait_for()
    dialog.get_by_role("button", name=button).click()
    found: dict[str, str] = page.evaluate("answered")
    return found


def test_the_person_is_asked_before_a_tool_does_more_than_read(page: Page, places: Places) -> None:
    page.goto(places.own)
    page.wait_for_function("async () => (await document.modelContext?.getTools())?.length === 3")
    status = page.locator("[data-tool=expire] .status")
    for _ in range(2):
        refused = answer(page, "Don't allow")
        assert "value" not in refused
        expect(status).to_have_text("")  # it never ran
    assert "value" not in answer(page, "Allow once")
    expect(status).to_contain_text("Called by an agent. Failed")
    # What only reads runs at once, and fails for another reason.
    assert "value" not in called(page, "greet")
    expect(page.locator("[data-tool=greet] .status")).to_contain_text("Called by an agent. Failed")
    assert page.get_by_role("alertdialog").count() == 0
    # A call that is given up is not asked about any longer.
    page.evaluate("""async () => {
        const [tool] = (await document.modelContext.getTools()).filter(({ name }) => name == "expire");
        globalThis.own = new AbortController();
        document.modelContext.executeTool(tool, {}, { signal: own.signal }).catch(() => {});
    }""")
    page.get_by_role("alertdialog").wait_for()
    page.evaluate("own.abort()")
    expect(page.get_by_role("alertdialog")).to_have_count(0)


@pytest.mark.parametrize("page", ["polyfill"], indirect=True)
def test_in_the_frame_of_a_client_there_is_nothing_on_model_context(page: Page, places: Places) -> None:
    page.goto(f"{places.outer}/outer.html")
    page.evaluate("(url) => { outer.use(url); outer.begin(); }", places.own)
    expect(page.frame_locator("iframe").locator("#setup .reason")).to_contain_text(places.outer)
    inner = next(one for one in page.frames if one.parent_frame)
    assert inner.evaluate("() => 'modelContext' in document") is False
