"""The page tells the host whether the person has just used a view: real clicks and keys, and nothing a view can forge.

Nothing is evaluated in a view here: Playwright does that with a user's gesture.
"""

from __future__ import annotations

from typing import Any

from tests.web.host.showing import ELEMENT, Showing

SPEAKER = """<style>body { height: 140px }</style><script>
let count = 0;
const say = (more) => parent.postMessage({
  jsonrpc: "2.0", id: "said" + count++, method: "ui/message", params: { role: "user", content: [] }, ...more,
}, "*");
addEventListener("message", ({ data }) => data?.method === "ui/poke" && say(data.params));
for (const kind of ["click", "keydown"]) addEventListener(kind, () => say());
setInterval(() => say({ id: "idle" + count }), 400);
</script>"""


def gesture_of(showing: Showing, number: int, what: str = "said") -> Any:
    """The gesture that came with the next message of a view; None without one. "idle" is what it says all the time."""
    while True:
        frame = showing.stub.next("message", view=number)
        if str(frame["message"].get("id")).startswith(what):
            showing.answer(number, frame)
            return frame.get("gesture")


def poked(showing: Showing, number: int, **more: Any) -> Any:
    """The same for a message that the view sends of itself."""
    showing.message(number, "ui/poke", **more)
    return gesture_of(showing, number)


def click(showing: Showing, element: int) -> None:
    """A real click into the view of one element."""
    box = showing.page.locator("mcp-app iframe").nth(element).bounding_box()
    assert box
    showing.page.mouse.click(box["x"] + 20, box["y"] + 20)


def forgotten(showing: Showing, number: int) -> int:
    """Wait until the person's gesture is not recent any more; the last one's number. A key that they pressed some time
    after a click, on a busy machine, is another gesture than the click as soon as that one is over.
    """
    numbers = [1]
    while (latest := gesture_of(showing, number, "idle")) is not None:
        numbers.append(latest)
    assert numbers == sorted(numbers)
    assert numbers[-1] <= 2
    return numbers[-1]


def test_only_what_the_person_does_in_a_view_counts_for_it(showing: Showing) -> None:
    showing.open(f"<p id=top>chat</p>{ELEMENT}{ELEMENT}")
    one, two = showing.shown(SPEAKER), showing.shown(SPEAKER)
    showing.page.mouse.click(10, 10)
    assert [poked(showing, number) for number in (one, two)] == [None, None]
    click(showing, 0)
    assert gesture_of(showing, one) == 1
    assert [poked(showing, number) for number in (one, two)] == [1, None]
    # What a view writes into its message is a part of the message.
    forged = {"gesture": 7, "event": "gesture", "n": 1}
    assert poked(showing, two, **forged) is None
    showing.page.keyboard.press("a")
    assert gesture_of(showing, one) == 1  # for as long as it is recent, it is the same
    last = forgotten(showing, one)
    showing.page.keyboard.press("Escape")
    assert gesture_of(showing, one) is None
    showing.page.keyboard.press("b")
    assert gesture_of(showing, one) == last + 1
    assert poked(showing, two) is None


UNHEARD = "Object.defineProperty(Navigator.prototype, 'userActivation', { value: { isActive: false } })"
"""The browser has told no frame of the person's gesture yet: it may do so after the message that came of it."""

FORGER = """<script>
addEventListener("keydown", (event) => event.isTrusted || event.stopImmediatePropagation());
const press = (kind, type, more) => dispatchEvent(new kind(type, { bubbles: true, pointerType: "touch", ...more }));
addEventListener("message", ({ data }) => {
  if (data?.method !== "ui/poke") return;
  press(MouseEvent, "mousedown");
  press(PointerEvent, "pointerup");
  press(KeyboardEvent, "keydown", { key: "b" });
  const method = "ui/notifications/sandbox-used";
  for (const params of [undefined, null, "", 0]) parent.postMessage({ method, params }, "*");
}, true);
</script>"""


def test_a_gesture_counts_for_its_message_before_the_browser_tells_of_it(showing: Showing) -> None:
    showing.page.add_init_script(UNHEARD)
    showing.open(f"<p id=top>chat</p>{ELEMENT}{ELEMENT}")
    one, two = showing.shown(SPEAKER), showing.shown(FORGER + SPEAKER)
    showing.page.mouse.click(10, 10)
    assert [poked(showing, number) for number in (one, two)] == [None, None]
    click(showing, 0)
    assert gesture_of(showing, one) == 1
    assert [poked(showing, number) for number in (one, two)] == [1, None]
    last = forgotten(showing, one)
    for key in ("Escape", "Shift"):
        showing.page.keyboard.press(key)
        assert gesture_of(showing, one) is None
    showing.page.keyboard.press("b")
    assert gesture_of(showing, one) == last + 1
    box = showing.page.locator("mcp-app iframe").nth(1).bounding_box()
    assert box
    session = showing.context.new_cdp_session(showing.page)
    point = {"x": box["x"] + 20, "y": box["y"] + 20}
    session.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
    assert poked(showing, two) is None  # the finger may be about to scroll
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    assert gesture_of(showing, two) == 1
