"""The whole way: an agent in Python, the host, a real page, and a server in a worker of it."""

from __future__ import annotations

from typing import Literal

import pytest
from playwright.sync_api import Browser, Page, expect

from cloche.errors import McpError, UpstreamError, UserDeclinedError
from cloche.host import Policy
from tests.support.visitor_site import Site


def question(page: Page) -> None:
    """Wait until the question can be answered with yes."""
    page.locator("button.accept[aria-disabled=false]").wait_for()


HASTY = """() => {
  const button = document.body.lastElementChild.shadowRoot?.querySelector(".lasting");
  if (!button?.offsetParent) return false;
  button.click();
  return true;
}"""
"""A click in the moment in which the question appears: no person does that on purpose."""


def test_consent_once_for_the_page_and_not_at_all(site: Site, page: Page) -> None:
    assert site.tools() == []
    site.visit(page)
    assert site.tools() == [f"mine_{name}" for name in ("write", "read", "wipe", "big", "hold", "talk", "work")]
    page.locator("#chat").focus()
    call = site.start("mine.write", text="hello")
    dialog = page.get_by_role("alertdialog", name="Run this tool in your browser?")
    expect(dialog).to_contain_text("The assistant wants to run “write” of “mine” in this tab.")
    expect(dialog.locator("pre")).to_have_text("hello")
    page.keyboard.press("Enter")  # meant for the chat: says nothing
    question(page)
    expect(page.locator("body")).not_to_have_attribute("data-wrote", "hello")
    page.get_by_role("button", name="Allow once").click()
    assert site.said(call) == "tab wrote hello"
    expect(page.locator("body")).to_have_attribute("data-wrote", "hello")
    expect(dialog).to_have_count(0)
    assert page.evaluate("document.activeElement.id") == "chat"

    refused = site.start("mine.write", text="no")
    page.get_by_role("button", name="Don't allow").click()
    with pytest.raises(UserDeclinedError, match="declined"):
        site.said(refused)
    escaped = site.start("mine.write", text="no")
    dialog.wait_for()
    page.keyboard.press("Escape")
    with pytest.raises(UserDeclinedError, match="declined"):
        site.said(escaped)
    expect(page.locator("body")).to_have_attribute("data-wrote", "hello")

    lasting = site.start("mine.write", text="again")
    page.wait_for_function(HASTY, polling="raf")
    question(page)
    page.get_by_role("button", name="Allow on this page").click()
    assert site.said(lasting) == "tab wrote again"
    assert site.call("mine.write", text="unasked") == "tab wrote unasked"
    wiping = site.start("mine.wipe")
    dialog.wait_for()
    page.keyboard.press("Enter")  # without details a button is the first that could have the focus
    question(page)
    expect(page.get_by_role("button", name="Allow on this page")).to_have_count(0)
    page.get_by_role("button", name="Allow once").click()
    assert site.said(wiping) == "tab wiped"


@pytest.mark.parametrize("policy", [Policy(seconds=0.3)])
def test_a_visitor_who_says_nothing_has_not_allowed_it(site: Site, page: Page) -> None:
    site.visit(page)
    with pytest.raises(UserDeclinedError, match="did not answer in time"):
        site.call("mine.write", text="late")
    expect(page.get_by_role("alertdialog")).to_have_count(0)
    assert page.evaluate("document.body.dataset.wrote") is None


def test_a_tab_that_goes_ends_its_call_and_takes_its_tools_along(site: Site, page: Page) -> None:
    site.visit(page, server="quiet")
    call = site.start("quiet.hold")
    page.locator("body[data-wrote=holding]").wait_for()
    page.goto("about:blank")
    with pytest.raises(UpstreamError, match="was closed before it answered"):
        site.said(call)
    assert site.tools() == []
    with pytest.raises(UpstreamError, match="No page of this user offers 'quiet'"):
        site.start("quiet.read")


def test_a_dropped_connection_and_a_host_that_begins_anew(site: Site, page: Page) -> None:
    site.visit(page, server="quiet")
    call = site.start("quiet.hold")
    page.locator("body[data-wrote=holding]").wait_for()
    site.drop()
    page.evaluate("worker.postMessage({type: 'release'})")
    assert site.said(call) == "tab held on"

    lost = site.start("quiet.hold")
    page.wait_for_function("document.body.dataset.wrote === 'holding'")
    site.forget()
    with pytest.raises(UpstreamError):
        site.said(lost)
    page.locator("body[data-wrote=aborted]").wait_for()  # nobody waits for it any more
    page.locator("body[data-state=offered]").wait_for()
    assert site.call("quiet.read") == "tab reads"  # the server was greeted before, and is the same


def test_two_users_and_two_tabs(site: Site, page: Page, browser: Browser) -> None:
    site.visit(page, server="quiet", name="first")
    second = site.visit(page.context.new_page(), server="quiet", name="second")
    elsewhere = browser.new_context()
    site.visit(elsewhere.new_page(), user="bob", server="quiet", name="bobs")
    assert site.call("quiet.read") == "second reads"
    assert site.call("quiet.read", "bob") == "bobs reads"
    page.bring_to_front()
    page.evaluate("window.dispatchEvent(new Event('focus'))")  # a headless tab is always in front
    page.wait_for_function("offered.state === 'offered'")
    expect_answer(site, "first reads")
    page.evaluate("offered.close()")
    expect_answer(site, "second reads")
    assert page.evaluate("offered.state") == "closed"
    second.close()
    expect_answer(site, None)
    assert site.call("quiet.read", "bob") == "bobs reads"
    elsewhere.close()


LINKED = """async (ticket) => {
  const [{ offerServer }, { createServer }, { createLinkedPair }] = await Promise.all([
    import("/cloche/offer.js"), import("/cloche/web/server.js"), import("/cloche/web/transports/event.js"),
  ]);
  const [client, end] = createLinkedPair();
  const server = createServer({ name: "in the page itself" });
  server.registerTool("read", {}, () => "the page reads");
  server.connect(end);
  let asked = 0;
  const offered = offerServer({ ticket: async () => (asked++, ticket), transport: client, base: "/cloche" });
  await new Promise((resolve) => offered.addEventListener("statechange", resolve, { once: true }));
  Object.assign(window, { end, offered });
  return [offered.state, asked];
}"""


def test_any_transport_leads_to_a_server_and_its_end_ends_the_offer(site: Site, page: Page) -> None:
    page.goto(site.page("<p>empty"))
    assert page.evaluate(LINKED, site.ticket(server="quiet")) == ["offered", 1]
    assert site.call("quiet.read") == "the page reads"
    page.evaluate("end.close()")
    assert page.evaluate("offered.state") == "closed"
    expect_answer(site, None)


def expect_answer(site: Site, text: str | None) -> None:
    """Ask until the host has heard of the change, which is on its way."""
    for _ in range(200):
        try:
            said = site.call("quiet.read")
        except UpstreamError:
            said = None
        if said == text:
            return
    raise AssertionError(said)


def test_what_is_forged_or_too_long(site: Site, page: Page) -> None:
    good = site.ticket(server="quiet")
    page.goto(site.address(good[:-2] + "xx"))
    page.locator("body[data-state=error][data-error=ticket]").wait_for()
    page.goto(site.address(good))  # the control
    page.locator("body[data-state=offered]").wait_for()
    assert len(site.call("quiet.big", size=900_000)) == 900_000
    with pytest.raises(McpError, match="longer than the host takes"):
        site.call("quiet.big", size=1_100_000)
    assert site.call("quiet.write", text="x" * 300_000)[-10:] == "x" * 10  # too long for a frame, so it is fetched
    assert site.call("quiet.read") == "tab reads"


def test_the_question_fits_the_page_and_its_theme(site: Site, page: Page) -> None:
    site.policy += "; style-src 'unsafe-inline'"
    site.visit(page, head="<style>:root { color-scheme: light dark }</style>")
    call = site.start("mine.write", text="Buy bread, milk and a cake for the afternoon", folder="/notes/shopping")
    question(page)
    dialog = page.get_by_role("alertdialog")
    schemes: list[Literal["light", "dark"]] = ["light", "dark"]
    for width in (1280, 360):
        page.set_viewport_size({"width": width, "height": 640})
        for scheme in schemes:
            page.emulate_media(color_scheme=scheme)
            expect(dialog).to_have_css("color-scheme", scheme)
            box = dialog.bounding_box()
            assert box is not None
            assert 0 <= box["x"] <= width - box["width"]
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")  # the first button is the one that refuses
    with pytest.raises(UserDeclinedError):
        site.said(call)


RELAY = """async () => {
  const { Relay } = await import("/cloche/web/host/relay.js");
  const server = [], host = [];
  const relay = new Relay((message) => server.push(message), (message) => host.push(message));
  const ask = (id, method, params) => relay.fromHost({ jsonrpc: "2.0", id, method, params });
  ask(1, "initialize");
  relay.forget();                                       // the host is gone before the server has answered
  ask(7, "initialize");
  relay.fromServer({ jsonrpc: "2.0", id: server[0].id, result: { protocolVersion: "x" } });
  ask(1, "tools/call", { name: "old", _meta: { progressToken: 1 } });
  relay.forget();
  ask(1, "initialize");
  ask(2, "tools/call", { name: "new", _meta: { progressToken: 2 } });
  const [old, now] = server.filter(({ method }) => method === "tools/call");
  relay.fromServer({ jsonrpc: "2.0", id: old.id, result: "old" });
  relay.fromServer({ jsonrpc: "2.0", method: "notifications/progress", params: { progressToken: old.id } });
  relay.fromServer({ jsonrpc: "2.0", method: "notifications/progress", params: { progressToken: now.id } });
  relay.fromServer({ jsonrpc: "2.0", id: now.id, result: "new" });
  relay.fromServer({ jsonrpc: "2.0", id: now.id, result: "twice" });
  ask(3, "tools/call", { name: "cancelled" });
  relay.fromHost({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 3 } });
  relay.fromHost({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 99 } });
  const told = ({ method, id, result, params }) => [method ?? id, method ? params.progressToken : result];
  return [
    host.map(told),
    server.map(({ method }) => method),
    server.filter(({ params }) => params?.requestId).map(({ params }) => params.requestId - old.id),
  ];
}"""


def test_clients_that_follow_one_another_do_not_get_each_others_answers(site: Site, page: Page) -> None:
    page.goto(site.page("<p>empty"))
    host, server, cancelled = page.evaluate(RELAY)
    greeting = {"protocolVersion": "x"}
    progress = "notifications/progress"
    assert host == [[7, greeting], [1, greeting], [progress, 2], [2, "new"]]
    cancel, call = "notifications/cancelled", "tools/call"
    assert server == ["initialize", call, cancel, call, call, cancel]
    assert cancelled == [0, 2]
