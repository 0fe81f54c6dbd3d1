"""Who has the keyboard: a view gets it by a click, a tap, Tab or from the page, and not by a script of its own."""

from __future__ import annotations

import pytest

from tests.web.host.showing import ELEMENT, Showing

PAGE = "<input id=before><input id=chat>" + ELEMENT + "<button id=after>x</button>"
VIEW = """<input id=field><script>
window.typed = '';
field.oninput = () => typed = field.value;
const steal = () => { window.focus(); field.focus() };
addEventListener('message', ({ data }) => {
  if (data.method === 'test/steal') steal();
  if (data.method === 'test/steal-on') setInterval(steal, 20);
});
</script>"""
HAS_CHAT = "() => document.activeElement === chat && document.hasFocus()"
HAS_VIEW = "() => document.activeElement === field && document.hasFocus()"


def stolen(showing: Showing, number: int) -> None:
    """Let the view take the focus once, and wait until the page has noticed. Nothing is evaluated in the view before:
    Playwright does that with a user's gesture.
    """
    showing.page.evaluate("() => { addEventListener('blur', () => window.isBlurred = true, { once: true }) }")
    showing.message(number, "test/steal")
    showing.page.wait_for_function("() => window.isBlurred")


def test_the_focus_that_a_view_took_goes_back_to_the_same_letter(showing: Showing) -> None:
    number = showing.open(PAGE).shown(VIEW)
    showing.page.fill("#chat", "hello")
    showing.page.evaluate("() => chat.setSelectionRange(2, 4)")
    stolen(showing, number)
    showing.page.wait_for_function(HAS_CHAT)
    assert showing.page.evaluate("() => [chat.selectionStart, chat.selectionEnd]") == [2, 4]
    showing.page.keyboard.type("y")
    assert showing.page.evaluate("() => chat.value") == "heyo"
    assert showing.inner.evaluate("() => typed") == ""
    assert showing.element("el.state") == "ready"


def test_a_view_that_goes_on_taking_it_is_removed_and_the_host_hears_why(showing: Showing) -> None:
    number = showing.open(PAGE).shown(VIEW)
    showing.page.click("#chat")
    showing.message(number, "test/steal-on")
    showing.until_state("error")
    assert showing.element("el.error") == {
        "code": "focus",
        "message": "The view kept taking the keyboard, and was removed.",
    }
    assert "keyboard" in showing.stub.next("event", event="error")["message"]
    showing.page.wait_for_function(HAS_CHAT)
    showing.page.keyboard.type("still here")
    assert showing.page.evaluate("() => chat.value") == "still here"


@pytest.mark.parametrize("field", ["type=password", "autocomplete=one-time-code", "autocomplete=cc-number"])
def test_one_theft_from_a_secret_is_enough(showing: Showing, field: str) -> None:
    number = showing.open(f"<input id=chat {field}>" + ELEMENT).shown(VIEW)
    showing.page.click("#chat")
    showing.message(number, "test/steal")
    showing.until_state("error")
    showing.page.wait_for_function(HAS_CHAT)


def test_a_click_tab_and_the_page_itself_give_a_view_the_keyboard(showing: Showing) -> None:
    showing.open(PAGE).shown(VIEW)
    showing.page.click("#chat")
    showing.inner.click("#field")  # with the field focused a moment ago: the pointer is over the view
    showing.inner.wait_for_function(HAS_VIEW)
    showing.page.keyboard.type("by click")
    showing.inner.wait_for_function("() => typed === 'by click'")
    showing.page.click("#before")
    showing.page.keyboard.press("Tab")
    assert showing.page.evaluate("() => document.activeElement.id") == "chat"
    showing.page.keyboard.press("Tab")
    showing.inner.wait_for_function(HAS_VIEW)
    showing.page.keyboard.press("Tab")
    showing.page.wait_for_function("() => document.activeElement.id === 'after'")
    showing.page.keyboard.press("Shift+Tab")
    showing.inner.wait_for_function(HAS_VIEW)
    showing.page.click("#chat")
    showing.page.evaluate("() => document.querySelector('mcp-app').focus()")
    showing.inner.wait_for_function(HAS_VIEW)
    assert showing.element("el.state") == "ready"


def test_a_click_in_a_view_right_after_a_key_is_no_theft(showing: Showing) -> None:
    """More often than thefts are forgiven."""
    showing.open(PAGE).shown(VIEW)
    for _ in range(4):
        showing.page.click("#chat")
        showing.page.keyboard.press("a")
        showing.inner.click("#field")
        showing.inner.wait_for_function(HAS_VIEW)
    assert showing.page.evaluate("() => chat.value") == "aaaa"
    assert showing.element("el.state") == "ready"


LATE_ANSWERS = """if (window === top) {
  const { set, ...rest } = Object.getOwnPropertyDescriptor(MessagePort.prototype, "onmessage");
  const { setTimeout } = window, kept = [];
  let isLate = true;
  window.setTimeout = (run, after, ...rest) => setTimeout(run, isLate ? 100 * after : after, ...rest);
  window.release = () => (isLate = false, kept.splice(0).forEach((hear) => hear()));
  const late = (hear) => (event) => isLate && event.data?.event === "told" ? kept.push(() => hear(event)) : hear(event);
  Object.defineProperty(MessagePort.prototype, "onmessage", { ...rest, set(hear) { set.call(this, late(hear)) } });
}"""
"""What views answer reaches the page when the test says so, and until then its patience lasts longer than the test."""


LATE_QUESTIONS = """if (window === top) {
  const { postMessage } = MessagePort.prototype;
  window.asked = window.told = 0;
  MessagePort.prototype.postMessage = function (data, ...rest) {
    if (data?.question) asked += 1;
    setTimeout(() => postMessage.call(this, data, ...rest), data?.question ? 700 : 0);
  };
  const { set, ...others } = Object.getOwnPropertyDescriptor(MessagePort.prototype, "onmessage");
  const counted = (hear) => (event) => (hear(event), told += event.data?.event === "told");
  Object.defineProperty(MessagePort.prototype, "onmessage", { ...others, set(hear) { set.call(this, counted(hear)) } });
}"""
"""Views hear the page's questions most of a second late. Questions and answers are counted."""


def test_a_click_in_a_view_that_is_slow_to_say_so_is_no_theft(showing: Showing) -> None:
    """The page does not take the time that an answer needs for a difference of the clocks."""
    showing.page.add_init_script(LATE_QUESTIONS)
    showing.open(PAGE).shown(VIEW)
    showing.page.click("#chat")
    asked = showing.page.evaluate("() => asked")
    showing.inner.click("#field")
    showing.page.wait_for_function("before => asked > before && told === asked", arg=asked)
    showing.inner.wait_for_function(HAS_VIEW)
    showing.page.keyboard.type("ab")
    showing.inner.wait_for_function("() => typed === 'ab'")
    assert showing.element("el.state") == "ready"


def test_keys_for_a_view_that_was_clicked_are_not_put_anywhere_else(showing: Showing) -> None:
    """Also when the person is back at their field before the page knows of the click."""
    showing.page.add_init_script(LATE_ANSWERS)
    number = showing.open(PAGE).shown(VIEW)
    showing.page.click("#chat")
    showing.inner.click("#field")
    showing.page.keyboard.type("ab")
    showing.page.click("#chat")
    showing.inner.wait_for_function("() => typed === 'ab'")
    showing.page.evaluate("() => release()")
    stolen(showing, number)
    showing.page.wait_for_function(HAS_CHAT)
    showing.page.keyboard.type("c")
    showing.message(number, "test/steal-on")
    showing.until_state("error")  # the page has judged all of it
    assert showing.page.evaluate("() => chat.value") == "c"


def test_a_click_before_the_last_key_is_no_leave_for_a_view(showing: Showing) -> None:
    """A view can keep the keyboard where it is when it is clicked, and take it later."""
    number = showing.open(PAGE).shown(VIEW + "<script>onmousedown = (event) => event.preventDefault()</script>")
    showing.page.click("#chat")
    showing.inner.click("body")
    showing.page.keyboard.type("x")
    assert showing.page.evaluate("() => chat.value") == "x"
    stolen(showing, number)
    showing.page.wait_for_function(HAS_CHAT)


def test_tab_to_another_field_is_no_leave_for_a_view(showing: Showing) -> None:
    number = showing.open(PAGE).shown(VIEW)
    showing.page.click("#before")
    showing.page.keyboard.press("Tab")
    stolen(showing, number)
    showing.page.wait_for_function(HAS_CHAT)


def test_a_view_may_begin_with_the_keyboard_when_nobody_has_it(showing: Showing) -> None:
    number = showing.open(PAGE).shown(VIEW)
    showing.message(number, "test/steal")
    showing.inner.wait_for_function(HAS_VIEW)
    showing.page.keyboard.type("at once")
    showing.inner.wait_for_function("() => typed === 'at once'")


LATE_TIMERS = """() => {
  const { setTimeout } = window;
  window.setTimeout = (run, delay, ...rest) => {
    const isLong = delay > 200 && delay <= 250;
    if (isLong) window.overAt = performance.now() + delay;
    return setTimeout(run, isLong ? delay + 500 : delay, ...rest);
  };
}"""
"""Timers of about the time for which what a view says waits are half a second late, as on a busy machine."""

SAY = """<script>addEventListener('message', ({ data: { method, params } }) => {
  if (method === 'test/say') parent.postMessage({ jsonrpc: '2.0', method: 'notifications/message', params }, '*');
})</script>"""


def test_what_a_view_says_after_something_that_waits_stays_behind_it(showing: Showing) -> None:
    number = showing.open("<input id=secret type=password><input id=chat>" + ELEMENT).shown(SAY)
    showing.page.evaluate(LATE_TIMERS)
    showing.page.click("#secret")
    showing.message(number, "test/say", level="info", data="first")
    showing.page.wait_for_function("() => window.overAt")
    showing.page.click("#chat")
    showing.page.wait_for_function("() => performance.now() > window.overAt")
    showing.message(number, "test/say", level="info", data="second")
    said = [showing.stub.next("message")["message"]["params"]["data"] for _ in range(2)]
    assert said == ["first", "second"]


NOISE = "() => { for (let n = 0; n < 30; n++) top.postMessage({ n, secret: 1 }, '*') }"
LISTEN = "() => { window.heard = []; addEventListener('message', (event) => heard.push(event.data.n)) }"


def test_messages_to_the_page_s_own_window_are_kept_from_it_and_too_many_are_the_end(showing: Showing) -> None:
    showing.open(PAGE).shown(VIEW)
    showing.page.evaluate(LISTEN)
    showing.page.evaluate("() => postMessage({ n: 'own' }, '*')")
    showing.inner.evaluate("() => { top.postMessage({ n: 'one' }, '*') }")
    showing.inner.evaluate(f"() => void setTimeout({NOISE})")
    showing.until_state("error")
    assert showing.element("el.error.code") == "flood"
    assert 20 < showing.stub.next("event", event="flood")["count"] <= 32  # some more are let through each second
    assert showing.page.evaluate("() => heard") == ["own"]
