"""What servers ask: a form or an address over the page, which a person can use with the keyboard alone."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page, expect

from cloche.host.elicitation_form import Form
from tests.support import talking
from tests.web.host.showing import ELEMENT, Showing

QUESTION: dict[str, Any] = {
    "over": "page",
    "kind": "elicitation",
    "title": "“shop” asks",
    "text": "The server “shop” asks for this to go on with “order”.",
    "details": {"message": "<b>Where</b> shall it go?"},
    "form": Form(talking.MESSAGE, talking.FORM).schema,
    "accept": "Send",
    "refuse": "Decline",
    "seconds": 60,
}
VISIT = {
    **{name: value for name, value in QUESTION.items() if name != "form"},
    "title": "Open pay.example?",
    "link": talking.URL,
    "accept": "Open",
}
QUESTIONS = '<input id=chat><mcp-questions ticket="q1"></mcp-questions>'


def connected(showing: Showing, body: str = QUESTIONS) -> int:
    """A page with an element for questions, and its number."""
    showing.open(body)
    frame = showing.stub.next("open", questions="q1")
    number: int = frame["open"]
    showing.stub.send({"view": number, "mount": {"id": "m1", "key": "k"}})
    showing.until_state("ready", "mcp-questions")
    return number


def ask(showing: Showing, number: int, key: str = "k1", **changes: Any) -> None:
    showing.stub.say(number, ask=key, question={**QUESTION, **changes})
    showing.page.get_by_role("alertdialog").wait_for()


def armed(page: Page) -> None:
    page.locator("button.accept[aria-disabled=false]").wait_for()


def said(showing: Showing) -> Any:
    while (answer := showing.stub.next("answer"))["value"] == "seen":
        pass
    return answer["value"]


def test_a_form_is_filled_in_with_the_keyboard_alone(showing: Showing) -> None:
    number = connected(showing)
    page, keys = showing.page, showing.page.keyboard
    page.click("#chat")
    ask(showing, number)
    dialog = page.get_by_role("alertdialog", name="“shop” asks")
    expect(dialog.locator("pre")).to_have_text("<b>Where</b> shall it go?")
    keys.type("not an answer")  # whoever was typing elsewhere has written nothing into the form
    assert page.get_by_label("Your name").input_value() == ""
    armed(page)
    keys.press("Tab")  # the server's words
    keys.press("Tab")
    keys.type("A")
    keys.press("Enter")  # sends the form, which is not complete
    expect(page.get_by_text("At least 2 characters")).to_be_visible()
    assert page.get_by_label("Your name").evaluate("(field) => field.getRootNode().activeElement === field")
    keys.type("nn")
    keys.press("Tab")
    keys.type("nobody")
    for _ in range(3):
        keys.press("Tab")
    keys.press("ArrowUp")  # count: 3
    armed(page)
    page.get_by_role("button", name="Send").focus()
    keys.press("Enter")
    expect(page.get_by_text("Enter an e-mail address")).to_be_visible()
    keys.press("ControlOrMeta+a")
    keys.type("a@b.example")
    page.get_by_label("size").select_option(label="Large")
    page.get_by_label("colour").select_option(label="Blue")
    page.get_by_role("checkbox", name="Card").focus()
    keys.press("Space")
    armed(page)
    keys.press("Tab")
    page.get_by_role("button", name="Send").focus()
    keys.press("Enter")
    assert said(showing) == {
        "content": {
            "name": "Ann",
            "mail": "a@b.example",
            "count": 3,
            "gift": False,
            "size": "l",
            "colour": "#00f",
            "extras": ["c"],
            "wrap": "foil",
            "note": "Ring twice",
        }
    }
    dialog.wait_for(state="hidden")


def test_tab_goes_round_and_escape_cancels_while_decline_declines(showing: Showing) -> None:
    number = connected(showing)
    page, keys = showing.page, showing.page.keyboard
    one = {"type": "object", "properties": {"one": {"type": "string", "title": "one"}}, "required": []}
    ask(showing, number, form=one)
    stops = []
    for _ in range(6):
        keys.press("Tab")
        stops.append(page.evaluate("() => document.activeElement.shadowRoot.activeElement.localName"))
    assert stops == ["pre", "textarea", "button", "button", "pre", "textarea"]
    keys.press("Escape")
    assert said(showing) == "cancel"
    ask(showing, number, "k2")
    page.get_by_role("button", name="Decline").click()
    assert said(showing) is False


def test_an_address_is_shown_whole_and_opened_by_the_click(showing: Showing) -> None:
    number = connected(showing)
    page = showing.page
    showing.context.route("https://pay.example/**", lambda route: route.fulfill(body="paid"))
    showing.stub.say(number, ask="k1", question={**VISIT, "details": {"message": "Pay", "address": talking.URL}})
    page.get_by_role("alertdialog", name="Open pay.example?").wait_for()
    expect(page.get_by_text(talking.URL)).to_be_visible()
    armed(page)
    assert len(showing.context.pages) == 1  # nothing is opened before
    with showing.context.expect_page() as opened:
        page.get_by_role("button", name="Open").click()
    assert opened.value.url == talking.URL
    assert said(showing) is True


def test_one_question_by_several_elements_is_shown_once_and_lasts_as_long_as_one_is_there(showing: Showing) -> None:
    number = connected(showing, QUESTIONS + ELEMENT)
    view = showing.shown("<p>view</p>")
    showing.stub.say(number, ask="k1", question=QUESTION)
    showing.stub.say(view, ask="k1", question=QUESTION)
    dialog = showing.page.get_by_role("alertdialog")
    dialog.wait_for()
    assert dialog.count() == 1
    showing.page.evaluate("() => document.querySelector('mcp-questions').remove()")
    expect(dialog).to_be_visible()
    armed(showing.page)
    showing.page.get_by_role("button", name="Decline").click()
    answer = showing.stub.next("answer", view=view, value=False)
    assert answer["answer"] == "k1"
    showing.stub.say(view, ask="k2", question=QUESTION)
    dialog.wait_for()
    showing.page.evaluate("() => document.querySelector('mcp-app').remove()")
    dialog.wait_for(state="hidden")


def test_the_host_takes_a_question_back_and_corrects_an_answer(showing: Showing) -> None:
    number = connected(showing)
    ask(showing, number)
    showing.stub.say(number, unask="k1")
    showing.page.get_by_role("alertdialog").wait_for(state="hidden")
    ask(showing, number, "k2", problem="The field 'count' is too large", values={"name": "Ann", "count": 9})
    expect(showing.page.get_by_text("The field 'count' is too large")).to_be_visible()
    assert showing.page.get_by_label("Your name").input_value() == "Ann"
    assert showing.page.get_by_label("count").input_value() == "9"


def test_a_script_cannot_send_the_form(showing: Showing) -> None:
    number = connected(showing)
    ask(showing, number, values={"name": "Ann", "count": 1})
    armed(showing.page)
    showing.page.evaluate(
        """() => {
          const root = [...document.querySelectorAll("div")].find((one) => one.shadowRoot).shadowRoot;
          root.querySelector(".accept").click();
          root.querySelector("form").dispatchEvent(new Event("submit", { cancelable: true }));
        }"""
    )
    assert showing.page.get_by_role("alertdialog").count() == 1
    assert [frame for frame in showing.stub.all() if frame.get("value") not in ("seen", None)] == []
