"""Published example servers, unchanged, in our host: they show what they have, and what they ask is done."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.interop.apps.shown import DEADLINE, Shown
from tests.support.published_servers import DOCUMENT, STRICT

Show = Callable[..., Shown]
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")


def test_debug(show: Show) -> None:
    shown = show("debug.debug-tool", contentType="text").ready()
    view = shown.view
    log = view.locator("#event-log")
    for event in ("connected:", "ontoolinput:", "ontoolresult:"):
        expect(log).to_contain_text(event, timeout=DEADLINE)
    expect(log).to_contain_text('"contentType":"text"')
    expect(view.locator("#host-context-info")).to_contain_text("Cloche v0.1.0")
    expect(view.locator("#host-context-info")).to_contain_text("light")
    for capability in ("openLinks", "serverTools", "serverResources", "logging", "message", "updateModelContext"):
        expect(view.locator("#host-capabilities-info")).to_contain_text(re.compile(rf"{capability}\s*✓"))

    view.locator("#send-message-text-btn").click()
    assert shown.heard.next("message") == "Hello from debug app!"
    view.locator("#log-warning-btn").click()
    warned = shown.heard.next("log")
    assert (warned.level, warned.data) == ("warning", "Debug log data")
    view.locator("#update-context-text-btn").click()
    assert shown.heard.next("context").content == [{"type": "text", "text": "Current app state info"}]
    answers = log.get_by_text("server-tool-result:")
    view.locator("#call-debug-refresh-btn").click()
    expect(answers).to_have_count(1, timeout=DEADLINE)
    view.locator("#call-debug-tool-btn").click()
    expect(answers).to_have_count(2, timeout=DEADLINE)
    expect(log.get_by_text(re.compile("^(on)?error:"))).to_have_count(0)
    shown.picture("debug")


def test_debug_in_full_screen_and_back(show: Show) -> None:
    shown = show("debug.debug-tool").ready()
    shown.view.locator("#display-fullscreen-btn").click()
    expect(shown.page.get_by_role("button", name="Leave full screen")).to_be_visible(timeout=DEADLINE)
    expect(shown.view.locator("#host-context-info")).to_contain_text("fullscreen", timeout=DEADLINE)
    shown.picture("debug in full screen")
    shown.page.get_by_role("button", name="Leave full screen").click()
    expect(shown.view.locator("#event-log")).to_contain_text('"displayMode":"inline"', timeout=DEADLINE)


def check_basic(shown: Shown, time: str, message: str, log: str) -> None:
    """The two basic servers do the same with and without React."""
    view = shown.view
    expect(view.locator(time)).to_have_text(TIME, timeout=DEADLINE)
    first = view.locator(time).inner_text()
    view.get_by_role("button", name="Get Server Time").click()
    expect(view.locator(time)).not_to_have_text(first, timeout=DEADLINE)
    expect(view.locator(time)).to_have_text(TIME)
    view.get_by_role("button", name="Send Message").click()
    assert shown.heard.next("message") == message
    view.get_by_role("button", name="Send Log").click()
    assert shown.heard.next("log").data == log
    with shown.page.context.expect_page(timeout=DEADLINE) as opened:
        view.get_by_role("button", name="Open Link").click()
        shown.allow("Open this link?")
    assert opened.value.evaluate("() => window.opener") is None
    opened.value.close()


def test_basic_vanillajs(show: Show) -> None:
    shown = show("basic-vanillajs.get-time").ready()
    check_basic(shown, "#server-time", "This is message text.", "This is log text.")
    shown.picture("vanillajs")


def test_basic_react(show: Show) -> None:
    shown = show("basic-react.get-time").ready()
    check_basic(shown, "code", "This is message text.", "This is log text.")
    shown.picture("react")


def test_budget_allocator(show: Show) -> None:
    shown = show("budget-allocator.get-budget-data").ready()
    view = shown.view
    shown.expect_text("#status-bar", re.compile(r"Allocated: \$100,000 / \$100,000"))
    view.locator("#budget-selector").select_option("250000")
    shown.expect_text("#status-bar", re.compile(r"Allocated: \$250,000 / \$250,000"))
    view.locator("input[type=range]").first.fill("30")
    expect(view.locator("#status-bar")).not_to_have_text(re.compile(r"\$250,000 / "), timeout=DEADLINE)
    drawn = view.locator("#budget-chart").evaluate(
        "(canvas) => canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.some((part) => part)"
    )
    assert drawn
    assert shown.height() > 500
    shown.picture("budget")


def test_transcript_hears_the_microphone(show: Show) -> None:
    shown = show("transcript.transcribe")
    shown.expected_errors = ("[Transcript] Speech recognition error",)  # this Chromium has a microphone, but no ears
    shown.allow("Give access?")
    shown.is_granted = True
    view = shown.ready().view
    expect(view.locator(".transcript-placeholder")).to_be_visible(timeout=DEADLINE)
    view.locator("#start-btn").click()
    shown.expect_text("#timer", re.compile(r"0:0[1-9]"))
    expect(view.locator("#mic-level")).to_have_attribute("style", re.compile(r"width: [1-9]"), timeout=DEADLINE)
    shown.picture("transcript")


def test_scenario_modeler(show: Show) -> None:
    shown = show("scenario-modeler.get-scenario-data").ready()
    view = shown.view
    expect(view.get_by_text("$63.4K")).to_be_visible(timeout=DEADLINE)
    view.locator("input[type=range]").nth(1).fill("10")
    expect(view.get_by_text("$63.4K")).not_to_be_visible(timeout=DEADLINE)
    view.locator("select").select_option(label="🐄 Cash Cow")
    expect(view.get_by_text("Cash Cow").last).to_be_visible(timeout=DEADLINE)
    shown.picture("scenario")


def test_basic_vue_keeps_its_parent_in_its_state(show: Show) -> None:
    shown = show("basic-vue.get-time").ready()
    check_basic(shown, "code", "This is message text.", "This is log text.")


def test_threejs_needs_eval_and_a_product_can_allow_it(show: Show) -> None:
    refused = show(f"{STRICT}.show_threejs_scene").ready()
    expect(refused.view.locator("body")).to_contain_text("'unsafe-eval'", timeout=DEADLINE)
    allowed = show("threejs.show_threejs_scene").ready()
    expect(allowed.view.locator("canvas")).to_be_visible(timeout=DEADLINE)
    # A browser without a graphics card may have no WebGL: the code ran so far.
    expect(allowed.view.locator("body")).not_to_contain_text("'unsafe-eval'")
    allowed.expected_errors = ("THREE.WebGLRenderer",)


@pytest.mark.long
def test_pdf_needs_modules_from_data_addresses(show: Show) -> None:
    shown = show("pdf.display_pdf", url=str(DOCUMENT))
    shown.allow("Give access?")
    shown.is_granted = True
    view = shown.ready().view
    expect(view.get_by_text("Hello from a PDF").first).to_be_attached(timeout=DEADLINE)


def test_a_view_that_fills_its_frame_has_room(show: Show) -> None:
    shown = show("wiki-explorer.get-first-degree-links", url="https://en.wikipedia.org/wiki/Glass").ready()
    assert shown.height() >= 400
