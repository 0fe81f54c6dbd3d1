"""Views, pages and machines that are busy: who is late is heard before it is judged, and takes no keyboard late."""

from __future__ import annotations

import pytest

from tests.web.host.showing import ELEMENT, Showing, view
from tests.web.host.stub import LIMITS
from tests.web.host.test_keyboard import HAS_CHAT, HAS_VIEW, LATE_ANSWERS, PAGE, stolen

BUSY = "const busy = (ms) => { const end = performance.now() + ms; while (performance.now() < end); };"
VIEW = f"""<style>body {{ margin: 0 }} input {{ width: 90%; height: 40px }}</style>
<input id=field><input id=other><script>
{BUSY}
window.typed = '';
field.oninput = () => typed = field.value;
const steal = () => {{ window.focus(); field.focus() }};
const params = {{ level: 'info', data: 1 }};
const talk = () => parent.postMessage({{ jsonrpc: '2.0', method: 'notifications/message', params }}, '*');
const hang = () => addEventListener('focus', () => setTimeout(busy, 0, 8000), {{ once: true }});
addEventListener('message', ({{ data: {{ method, params }} }}) => {{
  if (method === 'test/steal') steal();
  if (method === 'test/steal-and-hang') hang(), steal();
  if (method === 'test/busy') window.isBusy = true, setTimeout(busy, 100, params.ms);
  if (method === 'test/talk') {{
    let left = params.count;
    const timer = setInterval(() => left-- > 0 ? talk() : clearInterval(timer), 10);
  }}
}});
</script>"""
SECRET = "<input id=before><input id=chat type=password>" + ELEMENT + "<button id=after>x</button>"
FOCUS = "() => document.querySelector('mcp-app').focus()"


COUNT = "() => { window.left = 0; addEventListener('blur', () => left += 1) }"
"""How often the keyboard has left the page."""


def click_into(showing: Showing) -> None:
    """A person clicks the view's field, however busy the view is: nobody waits for it to be ready for that."""
    box = showing.page.locator("mcp-app iframe").bounding_box()
    assert box
    showing.page.mouse.move(box["x"] + 30, box["y"] + 20)
    showing.page.mouse.down()
    showing.page.mouse.up()


def clicked_without_an_answer(showing: Showing) -> None:
    """A person clicks into a view that is too busy to say so: the page takes the keyboard back meanwhile."""
    showing.page.add_init_script(LATE_ANSWERS.replace("isLate ? 100 * after : after", "after"))
    showing.open(PAGE).shown(VIEW)
    showing.page.click("#chat")
    showing.page.evaluate(COUNT)
    click_into(showing)
    showing.page.wait_for_function(f"() => window.left && ({HAS_CHAT})()")


def answered(showing: Showing) -> None:
    """The view says that it was clicked, and has the keyboard again."""
    showing.page.evaluate("() => release()")
    showing.page.wait_for_function("() => window.left >= 2")
    showing.inner.wait_for_function(HAS_VIEW)


def test_a_click_in_a_view_that_is_too_busy_to_say_so_is_no_theft(showing: Showing) -> None:
    clicked_without_an_answer(showing)
    showing.page.wait_for_function(
        "(end) => performance.now() > end", arg=showing.page.evaluate("performance.now() + 2000")
    )
    answered(showing)
    showing.page.keyboard.type("ab")
    showing.inner.wait_for_function("() => typed === 'ab'")
    assert showing.page.evaluate("() => chat.value") == ""
    assert showing.element("el.state") == "ready"


def test_a_key_between_the_click_and_the_answer_is_no_reason_to_remove_a_busy_view(showing: Showing) -> None:
    """It is pressed in the view, which was clicked, and released on the page, which has taken the keyboard back."""
    clicked_without_an_answer(showing)
    showing.page.keyboard.up("a")
    answered(showing)
    assert showing.element("el.state") == "ready"


def test_keys_of_which_a_clicked_view_tells_when_the_person_has_gone_on_are_its_own(showing: Showing) -> None:
    """The page hears of nothing that was pressed in the view until the person is back at their field."""
    showing.page.add_init_script(LATE_ANSWERS.replace('event.data?.event === "told"', "event.data?.event"))
    number = showing.open(PAGE).mount(view(VIEW))
    showing.stub.next("event", event="initialized", view=number)
    showing.page.click("#chat")
    click_into(showing)
    showing.inner.wait_for_function(HAS_VIEW)
    showing.page.keyboard.type("ab")
    showing.page.click("#chat")
    showing.inner.wait_for_function("() => typed === 'ab'")
    showing.page.evaluate("() => release()")
    showing.message(number, "test/talk", count=1)
    showing.stub.next("message")
    showing.page.keyboard.type("c")
    assert showing.page.evaluate("() => chat.value") == "c"
    assert showing.element("el.state") == "ready"


def test_a_view_that_says_nothing_is_not_left_with_a_secret(showing: Showing) -> None:
    number = showing.open(SECRET).shown(VIEW)
    showing.page.click("#chat")
    showing.message(number, "test/steal-and-hang")
    showing.until_state("error")
    assert showing.element("el.error.code") == "focus"  # and not "unresponsive", which takes longer
    showing.page.wait_for_function(HAS_CHAT)


def test_patience_does_not_run_out_while_the_page_itself_stands_still(showing: Showing) -> None:
    showing.open(PAGE)
    waited = showing.page.evaluate(f"""async () => {{
      const {{ patience }} = await import("/cloche/web/host/patience.js");
      {BUSY}
      const over = patience(500).then(() => performance.now());
      busy(1500);
      const begun = performance.now();
      return await over - begun;
    }}""")
    assert waited >= 400


def test_a_page_that_was_busy_takes_what_came_meanwhile_for_no_flood(showing: Showing) -> None:
    number = showing.open(PAGE).shown(VIEW, limits={**LIMITS, "burst": 40})
    showing.message(number, "test/talk", count=200)
    showing.stub.next("message")
    showing.page.evaluate(f"() => {{ {BUSY} busy(3000) }}")
    for _ in range(199):
        showing.stub.next("message")
    assert showing.element("el.state") == "ready"


@pytest.mark.parametrize("page", [PAGE, SECRET], ids=["text", "secret"])
def test_tab_leads_into_a_view_also_when_the_page_is_busy(showing: Showing, page: str) -> None:
    showing.open(page).shown(VIEW)
    showing.page.evaluate(f"() => {{ {BUSY} chat.onkeydown = ({{ key }}) => key === 'Tab' && busy(700) }}")
    showing.page.click("#chat")
    showing.page.keyboard.press("Tab")
    showing.inner.wait_for_function(HAS_VIEW)
    showing.page.keyboard.type("ab")
    showing.inner.wait_for_function("() => typed === 'ab'")
    assert showing.element("el.state") == "ready"


def test_tab_goes_through_a_view_and_back(showing: Showing) -> None:
    """More often than thefts are forgiven, and next to a password."""
    showing.open(SECRET).shown(VIEW)
    showing.page.click("#chat")
    for _ in range(4):
        for place in ("field", "other"):
            showing.page.keyboard.press("Tab")
            showing.inner.wait_for_function(f"() => document.activeElement.id === '{place}' && document.hasFocus()")
        showing.page.keyboard.press("Tab")
        showing.page.wait_for_function("() => document.activeElement.id === 'after' && document.hasFocus()")
        for place in ("other", "field"):
            showing.page.keyboard.press("Shift+Tab")
            showing.inner.wait_for_function(f"() => document.activeElement.id === '{place}' && document.hasFocus()")
        showing.page.keyboard.press("Shift+Tab")
        showing.page.wait_for_function(HAS_CHAT)
    assert showing.element("el.state") == "ready"


def test_the_page_gives_a_view_the_keyboard_as_often_as_it_likes(showing: Showing) -> None:
    showing.open(SECRET).shown(VIEW)
    for turn in range(5):
        showing.page.click("#chat")
        showing.page.keyboard.type("x")
        showing.page.evaluate(FOCUS)
        showing.inner.wait_for_function("() => document.hasFocus()")
        showing.page.evaluate(FOCUS)  # it has it already
        showing.inner.evaluate("() => field.focus()")
        showing.page.keyboard.type("v")
        showing.inner.wait_for_function("length => typed.length === length", arg=turn + 1)
    assert showing.page.evaluate("() => chat.value") == "xxxxx"
    assert showing.element("el.state") == "ready"


@pytest.mark.parametrize("page", [PAGE, SECRET], ids=["text", "secret"])
def test_what_is_typed_into_a_view_to_which_the_page_gave_the_keyboard_is_the_view_s(
    showing: Showing, page: str
) -> None:
    showing.open(page).shown(VIEW)
    showing.inner.click("#field")
    showing.page.click("#chat")
    showing.page.keyboard.type("x")
    showing.page.evaluate(COUNT)
    showing.page.evaluate(FOCUS)
    showing.page.wait_for_function("() => window.left")
    showing.inner.wait_for_function(HAS_VIEW)
    showing.page.keyboard.type("abcd")
    showing.inner.wait_for_function("() => typed === 'abcd'")
    assert showing.page.evaluate("() => chat.value") == "x"
    assert showing.element("el.state") == "ready"


def test_a_theft_is_one_also_after_the_page_gave_the_view_the_keyboard_twice(showing: Showing) -> None:
    """The first may be the page's own focus, which came late: it only goes back."""
    number = showing.open(SECRET).shown(VIEW)
    showing.page.evaluate(FOCUS)
    showing.page.evaluate(FOCUS)
    showing.inner.wait_for_function("() => document.hasFocus()")
    showing.page.click("#chat")
    showing.page.evaluate(COUNT)
    showing.message(number, "test/steal")
    showing.page.wait_for_function(f"() => window.left && ({HAS_CHAT})()")
    showing.message(number, "test/steal")
    showing.until_state("error")
    assert showing.element("el.error.code") == "focus"


def test_a_view_that_still_loads_gets_the_keyboard_when_it_is_there(showing: Showing) -> None:
    showing.open(PAGE)
    showing.page.click("#chat")
    showing.page.evaluate(FOCUS)
    showing.shown(VIEW)
    showing.inner.wait_for_function("() => document.hasFocus()")
    assert showing.element("el.state") == "ready"


def test_a_view_that_still_loads_does_not_get_it_from_a_person_who_has_gone_on(showing: Showing) -> None:
    showing.open(SECRET)
    showing.page.evaluate(FOCUS)
    showing.page.click("#chat")
    showing.page.keyboard.type("x")
    showing.shown(VIEW)
    showing.page.keyboard.type("y")
    assert showing.page.evaluate(HAS_CHAT)
    assert showing.page.evaluate("() => chat.value") == "xy"
    assert showing.element("el.state") == "ready"


def test_a_busy_view_to_which_the_page_gave_the_keyboard_does_not_take_it_later(showing: Showing) -> None:
    """The person is in a password by the time that the view hears of it. It would be removed for that."""
    number = showing.open(SECRET).shown(VIEW)
    showing.inner.click("#field")
    showing.page.click("#before")
    showing.message(number, "test/busy", ms=1500)
    showing.inner.wait_for_function("() => window.isBusy")
    showing.page.evaluate(f"() => new Promise((done) => setTimeout(() => done(({FOCUS})()), 300))")
    showing.page.click("#chat")
    showing.page.keyboard.type("xy")
    showing.inner.wait_for_function("() => !document.hasFocus()")
    showing.message(number, "test/talk", count=1)
    showing.stub.next("message")  # it has come to what it was told before
    assert showing.page.evaluate(HAS_CHAT)
    assert showing.page.evaluate("() => chat.value") == "xy"
    assert showing.element("el.state") == "ready"


def test_a_view_that_asks_for_the_keyboard_when_the_person_has_gone_on_does_not_get_it(showing: Showing) -> None:
    """As one does that opens a field a second after a click on it: it is turned back, and stays."""
    number = showing.open(PAGE).shown(VIEW)
    showing.inner.click("#field")
    showing.inner.wait_for_function(HAS_VIEW)
    showing.page.click("#chat")
    showing.page.keyboard.type("x")
    stolen(showing, number)
    showing.page.wait_for_function(HAS_CHAT)
    showing.page.keyboard.type("y")
    assert showing.page.evaluate("() => chat.value") == "xy"
    assert showing.element("el.state") == "ready"
