"""The one socket of a page: it comes back, nothing is lost or doubled, and what cannot be shown says why."""

from __future__ import annotations

from tests.web.host.showing import ELEMENT, Showing, view
from tests.web.host.stub import Stub

COUNT = """<p id=out></p><script>
window.got = [];
addEventListener("message", ({ data }) => { if (data.method?.startsWith("ui/n")) got.push(data.params.k) });
window.tick = (n) => parent.postMessage({ jsonrpc: "2.0", method: "notifications/message", params: { data: n } }, "*");
</script>"""


def resumed(showing: Showing, number: int, have: int) -> int:
    """Take a view back after a dropped socket; gives what the page says it has."""
    frame = showing.stub.next("resume")
    assert (frame["open"], frame["resume"], frame["key"]) == (number, "mount-html/1", "k")
    showing.stub.send({"view": number, "resumed": have})
    got: int = frame["got"]
    return got


def test_a_view_survives_a_dropped_socket_and_nothing_is_lost_or_doubled(showing: Showing) -> None:
    number = showing.open().mount(COUNT)
    showing.until_state("ready")
    showing.message(number, "ui/n", k=1)
    showing.message(number, "ui/n", k=2)
    showing.inner.wait_for_function("() => got.length === 2")
    showing.inner.evaluate("() => { tick(1); tick(2) }")
    first = showing.stub.next("message")
    assert showing.stub.next("message")["n"] == first["n"] + 1
    marked = showing.inner.evaluate("() => { window.alive = true }")
    showing.stub.drop()
    showing.page.wait_for_function("() => !document.querySelector('mcp-app').shadowRoot.querySelector('.lost').hidden")
    showing.inner.evaluate("() => tick(3)")
    # The host got the first tick only: the page must send the second again, and the third.
    assert resumed(showing, number, first["n"]) == 2
    again = [showing.stub.next("message") for _ in range(2)]
    assert [frame["message"]["params"]["data"] for frame in again] == [2, 3]
    assert [frame["n"] for frame in again] == [first["n"] + 1, first["n"] + 2]
    # What the host sends again is not delivered again.
    showing.stub.send({"view": number, "n": 2, "message": {"jsonrpc": "2.0", "method": "ui/n", "params": {"k": 2}}})
    showing.message(number, "ui/n", k=3)
    showing.inner.wait_for_function("() => got.length === 3")
    assert showing.inner.evaluate("() => [got, window.alive]") == [[1, 2, 3], True]
    assert marked is None
    assert showing.element("root.querySelector('.lost').hidden") is True


def test_frames_are_acknowledged(showing: Showing) -> None:
    number = showing.open().mount(COUNT)
    showing.until_state("ready")
    for k in range(40):
        showing.message(number, "ui/n", k=k)
    assert showing.stub.next("got")["got"] == 32
    assert showing.stub.next("got")["got"] == 40


def test_a_view_that_the_host_forgot_is_opened_again_with_its_ticket(showing: Showing) -> None:
    number = showing.open().mount(COUNT)
    showing.until_state("ready")
    showing.stub.drop()
    showing.stub.next("resume")
    showing.stub.send({"view": number, "error": {"code": "gone", "message": "This view is not open any more"}})
    frame = showing.stub.next("ticket", ticket="t1")
    assert frame["open"] != number
    showing.stub.send({"view": frame["open"], "mount": showing.stub.packet(COUNT)})
    showing.until_state("ready")


def test_what_the_host_says_is_wrong_is_shown_and_can_be_tried_again(showing: Showing) -> None:
    number = showing.open().stub.next("open")["open"]
    showing.stub.send({"view": number, "error": {"code": "ticket", "message": "The ticket has expired"}})
    showing.until_state("error")
    alert = showing.page.get_by_role("alert")
    assert "The ticket has expired" in alert.inner_text()
    showing.page.get_by_role("button", name="Try again").click()
    showing.mount(COUNT)
    showing.until_state("ready")
    assert showing.element("el.error") is None


def test_a_host_that_is_not_there_is_said_to_be_so(showing: Showing, stub: Stub) -> None:
    stub.refusing = True
    showing.open()
    showing.until_state("error")
    assert showing.element("el.error.code") == "unreachable"
    assert f"at {stub.url}/cloche/: does it run, and do WebSockets get through?" in showing.element("el.error.message")


def test_something_else_at_the_sandbox_is_said_soon(showing: Showing, stub: Stub) -> None:
    stub.pages["/other"] = "<p>Invalid host header"
    origin = f"http://app.localhost:{stub.port}"
    stub.policy = f"default-src 'none'; script-src 'self'; connect-src 'self'; frame-src {origin}"
    showing.open().mount(COUNT, sandbox={"url": f"{origin}/other", "origin": origin})
    showing.until_state("error")  # 20 seconds are for a sandbox that does not answer at all
    said = showing.element("el.error.message")
    assert said.startswith(f"The sandbox at {origin} does not answer: its name must reach host.wrap(…)")
    assert said.endswith(f"{stub.url}/cloche/self-test says more.")


def test_an_element_without_a_sandbox_in_the_policy_names_what_to_add(showing: Showing, stub: Stub) -> None:
    stub.policy = "default-src 'none'; script-src 'self'; connect-src 'self'"
    showing.open().mount(COUNT)
    showing.until_state("error")
    assert showing.element("el.error.message").endswith(f"add frame-src http://weather.localhost:{stub.port}")


def test_arguments_that_are_no_json_are_named(showing: Showing) -> None:
    showing.open("<mcp-app server=weather tool=forecast arguments='{city}'></mcp-app>")
    showing.until_state("error")
    assert "arguments" in showing.element("el.error.message")


def test_a_tool_of_the_page_is_opened_with_its_arguments(showing: Showing) -> None:
    showing.open('<mcp-app server=weather tool=forecast arguments=\'{"city": "Paris"}\'></mcp-app>')
    frame = showing.stub.next("open")
    assert (frame["server"], frame["tool"], frame["arguments"]) == ("weather", "forecast", {"city": "Paris"})


def test_removal_closes_the_view_and_the_last_one_closes_the_socket(showing: Showing) -> None:
    number = showing.open().shown("<p>hello")
    left = (
        "() => { const el = document.querySelector('mcp-app'); el.remove();"
        " return el.shadowRoot.querySelectorAll('iframe').length }"
    )
    assert showing.page.evaluate(left) == 0
    assert showing.stub.next("close") == {"close": number}
    showing.stub.until_closed()


def test_moving_shows_the_view_again_with_another_nonce_and_no_other_ticket(showing: Showing) -> None:
    number = showing.open("<div id=a>" + ELEMENT + "</div><div id=b></div>").shown("<p>hello")
    source = showing.element("root.querySelector('iframe').src")
    showing.page.evaluate("() => document.getElementById('b').append(document.querySelector('mcp-app'))")
    assert showing.stub.next("close") == {"close": number}
    again = showing.stub.next("ticket", ticket="t1")["open"]
    showing.stub.send({"view": again, "mount": showing.stub.packet(view("<p id=again>again"))})
    showing.until_state("ready")
    assert showing.inner.inner_text("#again") == "again"
    assert showing.element("root.querySelector('iframe').src").split("#")[1] != source.split("#")[1]
    assert showing.stub.connections == 1
    assert showing.page.locator("mcp-app iframe").count() == 1


def test_moving_with_the_ticket_that_the_packet_gave(showing: Showing) -> None:
    showing.open("<div id=b></div><mcp-app server=weather tool=forecast></mcp-app>").shown("<p>hello", ticket="t9")
    showing.page.evaluate("() => document.getElementById('b').append(document.querySelector('mcp-app'))")
    frame = showing.stub.next("ticket")
    assert (frame["ticket"], "tool" in frame) == ("t9", False)


def test_another_ticket_shows_another_view(showing: Showing) -> None:
    showing.open().shown("<p>hello")
    showing.page.evaluate("() => document.querySelector('mcp-app').setAttribute('ticket', 't2')")
    showing.stub.next("close")
    number = showing.stub.next("ticket", ticket="t2")["open"]
    showing.stub.send({"view": number, "mount": showing.stub.packet(view("<p id=other>other"))})
    showing.until_state("ready")
    assert showing.inner.inner_text("#other") == "other"


def test_the_host_takes_a_view_away(showing: Showing) -> None:
    number = showing.open().shown("<p>hello")
    showing.stub.say(number, do="remove", reason="The view asked to be closed")
    showing.until_state("closed")
    assert showing.element("root.querySelectorAll('iframe').length") == 0
