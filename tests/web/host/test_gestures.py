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
    while gesture_of(showing, one, "idle") is not None:
        pass
    showing.page.keyboard.press("Escape")
    assert gesture_of(showing, one) is None
    showing.page.keyboard.press("b")
    assert gesture_of(showing, one) == 2
    assert poked(showing, two) is None
