"""How far a tool is, as the element shows it around the view."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.web.host.showing import Showing

HOSTILE = "<img src=x onerror=alert(1)> Reading"


def test_progress_stands_around_the_view_until_the_tool_is_done(showing: Showing) -> None:
    number = showing.open().shown("<p id=said>nothing</p><script>onmessage = () => said.textContent += '.'</script>")
    bar = showing.page.get_by_role("progressbar", name="Progress")
    assert bar.count() == 0
    heard = showing.inner.evaluate("() => said.textContent")
    showing.stub.say(number, do="progress", fraction=0.25, step=HOSTILE)
    bar.wait_for()
    assert bar.evaluate("(bar) => bar.position") == 0.25
    expect(showing.page.get_by_text(HOSTILE)).to_be_visible()  # as text
    showing.stub.say(number, do="progress", fraction=None, step=None)
    showing.page.wait_for_function(
        "() => document.querySelector('mcp-app').shadowRoot.querySelector('progress').position === -1"
    )
    showing.stub.say(number, do="progress", over=True)
    bar.wait_for(state="hidden")
    assert showing.inner.evaluate("() => said.textContent") == heard  # the view got none of it


def test_a_button_allows_the_questions_of_a_server_again(showing: Showing) -> None:
    number = showing.open().shown("<p>view</p>")
    button = showing.page.get_by_role("button", name="Questions are off: allow")
    assert button.count() == 0
    showing.stub.say(number, do="questions", off=True)
    button.click()
    showing.stub.next("event", event="allow-questions", view=number)
    showing.stub.say(number, do="questions", off=False)
    button.wait_for(state="hidden")


def test_a_view_that_is_opened_again_begins_without_progress(showing: Showing) -> None:
    number = showing.open().shown("<p>view</p>")
    showing.stub.say(number, do="progress", fraction=0.5, step="half")
    showing.page.get_by_role("progressbar").wait_for()
    showing.element("el.reload()")
    showing.shown("<p>again</p>")
    assert showing.page.get_by_role("progressbar").count() == 0
