"""Consent: the dialog over a view, which a person can use with the keyboard alone and a view cannot use at all."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.web.host.showing import ELEMENT, Showing, view

QUESTION = {
    "kind": "link",
    "title": "Open this link?",
    "text": "The view of “weather” wants to open example.com.",
    "details": {"url": "https://example.com/a?b=<b>"},
    "accept": "Open",
    "refuse": "Don't allow",
    "seconds": 30,
}
FIELD = "<input id=field>"


def ask(showing: Showing, number: int, key: str = "q1", **changes: Any) -> None:
    """Put a question to the person."""
    showing.stub.say(number, ask=key, question={**QUESTION, **changes})
    showing.page.get_by_role("alertdialog").wait_for()


def armed(showing: Showing) -> None:
    """Wait until the question can be answered with yes."""
    showing.page.locator("mcp-app button.accept[aria-disabled=false]").wait_for()


def answer(showing: Showing) -> dict[str, Any]:
    """What the person said; that they have seen the question is not an answer yet."""
    while (said := showing.stub.next("answer"))["value"] == "seen":
        pass
    return said


@pytest.mark.requirement(169)
def test_a_question_is_shown_as_text_and_answered(showing: Showing) -> None:
    number = showing.open().shown(FIELD)
    ask(showing, number)
    dialog = showing.page.get_by_role("alertdialog", name="Open this link?")
    assert dialog.locator("pre").inner_text() == "https://example.com/a?b=<b>"
    assert "example.com" in showing.element(
        "root.getElementById(root.querySelector('.question').getAttribute('aria-describedby')).textContent"
    )
    armed(showing)
    showing.page.get_by_role("button", name="Open").click()
    said = answer(showing)
    assert (said["answer"], said["value"]) == ("q1", True)
    assert dialog.count() == 0


def test_refusing_by_button_and_by_escape(showing: Showing) -> None:
    number = showing.open().shown(FIELD)
    ask(showing, number)
    showing.page.get_by_role("button", name="Don't allow").click()
    assert answer(showing)["value"] is False
    showing.inner.click("#field")
    ask(showing, number, "q2")
    showing.page.keyboard.press("Escape")
    said = answer(showing)
    assert (said["answer"], said["value"]) == ("q2", False)


def test_yes_counts_only_a_moment_after_it_could_be_read(showing: Showing) -> None:
    number = showing.open().shown(FIELD)
    showing.stub.say(number, ask="q1", question=QUESTION)
    # In the page, in the same turn as the question appears: no person clicks so fast on purpose.
    showing.page.wait_for_function(
        "() => { const accept = document.querySelector('mcp-app').shadowRoot.querySelector('.accept');"
        " if (!accept.offsetParent) return false; accept.click(); return true }",
        polling="raf",
    )
    assert showing.page.get_by_role("alertdialog").count() == 1
    armed(showing)
    showing.page.get_by_role("button", name="Open").click()
    assert answer(showing)["value"] is True


def test_no_answer_means_no(showing: Showing) -> None:
    number = showing.open().shown(FIELD)
    ask(showing, number, seconds=0.9)
    said = answer(showing)
    assert (said["answer"], said["value"]) == ("q1", None)


def test_a_question_that_is_taken_back_goes_away_and_the_next_one_comes(showing: Showing) -> None:
    number = showing.open().shown(FIELD)
    ask(showing, number)
    showing.stub.say(number, ask="q2", question={**QUESTION, "title": "Another?"})
    showing.stub.say(number, unask="q1")
    showing.page.get_by_role("alertdialog", name="Another?").wait_for()
    assert "s" in showing.page.get_by_role("timer").inner_text()


def test_tab_stays_in_the_dialog(showing: Showing) -> None:
    number = showing.open("<input id=chat>" + ELEMENT + "<input id=after>").shown(FIELD)
    showing.inner.click("#field")
    ask(showing, number)
    seen = []
    for _ in range(4):
        showing.page.keyboard.press("Tab")
        seen.append(showing.element("root.activeElement?.className || root.activeElement?.localName"))
    assert seen == ["pre", "refuse", "accept main", "pre"]
    showing.page.keyboard.press("Shift+Tab")
    assert showing.element("root.activeElement.className") == "accept main"


def test_the_focus_goes_back_into_the_view(showing: Showing) -> None:
    number = showing.open().shown(FIELD)
    showing.inner.click("#field")
    ask(showing, number)
    showing.page.keyboard.press("Escape")
    showing.inner.wait_for_function("() => document.activeElement === field && document.hasFocus()")


def test_somebody_who_types_elsewhere_is_not_interrupted(showing: Showing) -> None:
    number = showing.open("<input id=chat>" + ELEMENT).shown(FIELD)
    showing.page.click("#chat")
    ask(showing, number)
    armed(showing)
    showing.page.keyboard.type("yes ")
    showing.page.keyboard.press("Enter")
    assert showing.page.evaluate("() => chat.value") == "yes "
    assert showing.page.get_by_role("alertdialog").count() == 1


STEAL = """(turns) => new Promise((resolve) => {
  const steal = setInterval(() => {
    window.focus(); field.focus(); field.click();
    if (--turns === 0) { clearInterval(steal); resolve(document.hasFocus()) }
  }, 20);
})"""


def test_a_view_that_takes_the_focus_by_chance_gives_it_back(showing: Showing) -> None:
    number = showing.open().shown(FIELD)
    # Without a question it can have it: that is what the dialog keeps it from.
    assert showing.inner.evaluate(STEAL, 1) is True
    ask(showing, number)
    showing.page.get_by_role("button", name="Don't allow").focus()
    showing.inner.evaluate(STEAL, 1)
    showing.page.wait_for_function(
        "() => document.querySelector('mcp-app').shadowRoot.activeElement?.className === 'question'"
    )
    showing.page.keyboard.press("Escape")
    assert answer(showing)["value"] is False


def test_a_view_that_keeps_taking_the_focus_is_removed(showing: Showing) -> None:
    number = showing.open().shown(FIELD)
    ask(showing, number)
    showing.page.get_by_role("button", name="Don't allow").focus()
    showing.inner.evaluate(f"() => void ({STEAL})(1000)")
    showing.until_state("error")
    assert "keyboard" in showing.element("el.error.message")
    assert "keyboard" in showing.stub.next("event", event="error")["message"]


def test_a_view_under_the_dialog_gets_no_clicks(showing: Showing) -> None:
    clicked = "<style>body { margin: 0 } button { width: 100%; height: 300px }</style><button id=all>x</button>"
    count = "<script>window.clicks = 0; all.onclick = () => clicks++</script>"
    number = showing.open().shown(clicked + count)
    showing.page.locator("mcp-app").click(position={"x": 10, "y": 50})
    showing.inner.wait_for_function("() => clicks === 1")
    ask(showing, number)
    showing.page.locator("mcp-app").click(position={"x": 10, "y": 50})
    showing.page.get_by_role("button", name="Don't allow").click()
    assert showing.inner.evaluate("() => clicks") == 1


def test_a_question_may_come_before_the_view_and_decide_about_it(showing: Showing) -> None:
    number = showing.open().stub.next("open")["open"]
    ask(showing, number, kind="permission", title="Give access?", accept="Allow")
    armed(showing)
    showing.page.get_by_role("button", name="Allow", exact=True).click()
    assert answer(showing)["value"] is True
    showing.stub.send({"view": number, "mount": showing.stub.packet("<p>hello")})
    showing.until_state("ready")


def test_a_removed_element_answers_nothing(showing: Showing) -> None:
    number = showing.open().shown(FIELD)
    ask(showing, number)
    showing.page.evaluate("() => document.querySelector('mcp-app').remove()")
    assert showing.stub.next("close")["close"] == number


def test_a_link_opens_in_a_page_that_cannot_reach_back(showing: Showing) -> None:
    number = showing.open().shown(FIELD)
    showing.page.mouse.click(5, 5)
    with showing.context.expect_page() as opened:
        showing.stub.say(number, do="open-link", url=showing.stub.url + "/cloche/web/rpc.js")
    page = opened.value
    page.wait_for_load_state()
    assert page.evaluate("() => [window.opener, document.referrer]") == [None, ""]


def test_a_link_without_a_click_before_it_is_asked_for(showing: Showing) -> None:
    number = showing.open().mount(view(FIELD))
    # Nothing is evaluated in the page: Playwright does that with a user's gesture.
    showing.stub.next("event", event="initialized")
    showing.stub.say(number, do="open-link", url="https://example.com/a")
    showing.page.get_by_role("alertdialog", name="Open example.com?").wait_for()


def test_what_is_no_link_is_not_opened(showing: Showing) -> None:
    number = showing.open().shown(FIELD)
    showing.page.mouse.click(5, 5)
    urls = ["javascript:alert(1)", "data:text/html,x", "https://user:pw@example.com/", "//x", "blob:https://a/b", None]
    for url in urls:
        showing.stub.say(number, do="open-link", url=url)
    ask(showing, number)
    assert len(showing.context.pages) == 1
    assert showing.page.get_by_role("alertdialog", name="Open this link?").count() == 1


def test_files_are_saved_under_names_that_are_names(showing: Showing) -> None:
    number = showing.open().shown(FIELD)
    file = {"name": "../../evil\u202etxt.exe", "mimeType": "text/plain", "text": "hello"}
    with showing.page.expect_download() as saved:
        showing.stub.say(number, do="download", files=[file])
    download = saved.value
    assert download.suggested_filename == "eviltxt.exe"
    assert download.path().read_text() == "hello"
    with showing.page.expect_download() as saved:
        showing.stub.say(number, do="download", files=[{"name": "a.bin", "mimeType": "x", "blob": "AAEC"}])
    assert saved.value.path().read_bytes() == b"\x00\x01\x02"


YES = "mcp-app button.accept"
IS_ARMED = "() => document.querySelector('mcp-app').shadowRoot.querySelector('.accept').ariaDisabled === 'false'"
FRAMES = """count => new Promise(done => {
  const next = () => count-- > 0 ? requestAnimationFrame(next) : done();
  next();
})"""
DISTURBED = {
    "moved": "() => document.body.style.paddingTop = '3px'",
    "scrolled": "() => scrollBy(0, 5)",
    "resized": "() => document.querySelector('mcp-app').style.width = '600px'",
    "covered": "() => document.body.insertAdjacentHTML('beforeend', '<div class=cover></div>')",
    "painted over": "() => document.body.insertAdjacentHTML('beforeend', '<div class=\"cover ghost\"></div>')",
}
COVER = """
.cover { position: fixed; inset: 0; background: white; z-index: 9 }
.ghost { pointer-events: none }
body { height: 5000px }
"""


@pytest.mark.parametrize("disturbance", DISTURBED)
def test_what_moves_or_covers_a_question_starts_its_time_again(showing: Showing, disturbance: str) -> None:
    showing.stub.policy += "; style-src 'unsafe-inline'"
    number = showing.open(head=f"<style>{COVER}</style>").shown(FIELD)
    ask(showing, number)
    armed(showing)
    showing.page.evaluate("""() => {
      const accept = document.querySelector('mcp-app').shadowRoot.querySelector('.accept');
      new MutationObserver(() => window.isDisarmed = true).observe(accept, { attributes: true });
    }""")
    showing.page.evaluate(DISTURBED[disturbance])
    showing.page.wait_for_function("() => window.isDisarmed")
    showing.page.evaluate("() => document.querySelector('.cover')?.remove()")
    armed(showing)
    showing.page.get_by_role("button", name="Open").click()
    assert answer(showing)["value"] is True


def test_a_question_below_the_fold_waits_to_be_seen(showing: Showing) -> None:
    showing.stub.policy += "; style-src 'unsafe-inline'"
    number = showing.open(head="<style>mcp-app { margin-top: 3000px }</style>").shown(FIELD)
    ask(showing, number, seconds=0.2)
    # Longer than it takes to be armed, and than there would be time to answer.
    showing.page.evaluate(FRAMES, 90)
    assert not showing.page.evaluate(IS_ARMED)
    assert not [frame for frame in showing.stub.all() if "answer" in frame]
    showing.page.evaluate("() => scrollTo(0, 3000)")
    assert showing.stub.next("answer")["value"] == "seen"
    assert answer(showing)["value"] is None


def test_a_question_over_a_tall_view_is_where_the_person_looks(showing: Showing) -> None:
    number = showing.open().shown("<div id=tall></div><style>#tall { height: 1900px }</style>")
    showing.stub.next("event", event="size")
    ask(showing, number)
    armed(showing)
    place = showing.page.get_by_role("alertdialog").bounding_box()
    assert place is not None
    assert 0 <= place["y"] <= 720 - place["height"]
    assert showing.page.evaluate("() => scrollY") == 0


def test_only_a_press_of_the_person_s_own_counts(showing: Showing) -> None:
    number = showing.open().shown(FIELD)
    showing.inner.click("#field")
    ask(showing, number)
    armed(showing)
    showing.element("root.querySelector('.accept').click()")
    for _ in range(3):
        showing.page.keyboard.press("Tab")
    assert showing.element("root.activeElement.className") == "accept main"
    assert showing.page.get_by_role("alertdialog").count() == 1
    showing.page.keyboard.press("Enter")
    assert answer(showing)["value"] is True


def test_a_key_that_is_held_down_is_no_answer(showing: Showing) -> None:
    number = showing.open().shown(FIELD)
    showing.inner.click("#field")
    showing.page.keyboard.down("Enter")
    ask(showing, number)
    for _ in range(3):
        showing.page.keyboard.press("Tab")
    for _ in range(60):  # as long as a question takes to be armed, and longer
        showing.page.keyboard.down("Enter")
        showing.page.evaluate(FRAMES, 1)
    assert showing.page.get_by_role("alertdialog").count() == 1
    showing.page.keyboard.up("Enter")
    armed(showing)
    showing.page.keyboard.press("Enter")
    assert answer(showing)["value"] is True


GROW = """height => parent.postMessage(
  { jsonrpc: '2.0', method: 'ui/notifications/size-changed', params: { height } }, '*')"""


def test_every_view_keeps_its_size_and_mode_while_a_question_is_open(showing: Showing) -> None:
    showing.open(ELEMENT + ELEMENT.replace("<mcp-app", "<mcp-app id=other"))
    first, second = showing.shown(FIELD), showing.shown(FIELD)
    ask(showing, first)
    heights = "() => [...document.querySelectorAll('mcp-app')].map((app) => app.offsetHeight)"
    before = showing.page.evaluate(heights)
    for height in (700, 50, 444):
        showing.inner.evaluate(GROW, height)
        showing.stub.next("event", event="size", view=second, height=height)
    showing.stub.say(second, do="display-mode", mode="fullscreen")
    showing.stub.say(second, do="display-mode", mode="inline")
    showing.page.evaluate(FRAMES, 2)
    assert showing.page.evaluate(heights) == before
    assert not [frame for frame in showing.stub.all() if frame.get("event") == "display-mode"]
    showing.page.get_by_role("button", name="Don't allow").click()
    assert showing.stub.next("event", event="display-mode", view=second)["mode"] == "inline"
    assert not [frame for frame in showing.stub.all() if frame.get("event") == "display-mode"]
    expect(showing.page.locator("#other iframe")).to_have_css("height", "444px")
