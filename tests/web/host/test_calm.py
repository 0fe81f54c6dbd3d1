"""Views under a pressed pointer: none changes its size or its mode until the press is over, and then each does."""

from __future__ import annotations

import pytest

from tests.web.host.showing import ELEMENT, Showing

VIEW = """<script>
addEventListener('message', ({ data: { method, params } }) => method === 'test/size' &&
  parent.postMessage({ jsonrpc: '2.0', method: 'ui/notifications/size-changed', params }, '*'));
</script>"""
PAGE = f"<button id=own>Own</button>{ELEMENT}"
HEIGHT = "root.querySelector('.stage').getBoundingClientRect().height"
HAS_HEIGHT = f"(height) => {{ const root = document.querySelector('mcp-app').shadowRoot; return {HEIGHT} === height }}"


def pressed(showing: Showing) -> int:
    """A person holds a button of the product's."""
    number = showing.open(PAGE).shown(VIEW)
    showing.message(number, "test/size", height=300)
    showing.page.wait_for_function(HAS_HEIGHT, arg=300)
    showing.page.hover("#own")
    showing.page.mouse.down()
    return number


def test_a_view_under_a_pressed_pointer_keeps_its_size_until_it_is_let_go(showing: Showing) -> None:
    number = pressed(showing)
    showing.message(number, "test/size", height=700)
    showing.stub.next("event", event="size", height=700)
    assert showing.element(HEIGHT) == 300
    showing.page.mouse.up()
    showing.page.wait_for_function(HAS_HEIGHT, arg=700)


def test_a_view_under_a_pressed_pointer_fills_the_window_afterwards(showing: Showing) -> None:
    number = pressed(showing)
    showing.stub.say(number, do="display-mode", mode="fullscreen")
    showing.message(number, "test/size", height=400)
    showing.stub.next("event", event="size", height=400)  # what was said before has arrived
    assert showing.element("el.displayMode") == "inline"
    showing.page.mouse.up()
    assert showing.stub.next("event", event="display-mode")["mode"] == "fullscreen"


@pytest.mark.parametrize("end", ["pointercancel", "pointermove"])
def test_a_press_of_whose_end_the_page_hears_late_keeps_no_view_for_ever(showing: Showing, end: str) -> None:
    number = pressed(showing)
    showing.stub.say(number, do="display-mode", mode="fullscreen")
    showing.page.evaluate(f"() => void dispatchEvent(new PointerEvent('{end}', {{ pointerId: 1, buttons: 0 }}))")
    assert showing.stub.next("event", event="display-mode")["mode"] == "fullscreen"


def test_a_click_that_a_script_made_holds_nothing_up(showing: Showing) -> None:
    number = showing.open(PAGE).shown(VIEW)
    made = "new PointerEvent('pointerdown', { bubbles: true, pointerId: 1 })"
    showing.page.evaluate(f"() => void own.dispatchEvent({made})")
    showing.stub.say(number, do="display-mode", mode="fullscreen")
    assert showing.stub.next("event", event="display-mode")["mode"] == "fullscreen"
