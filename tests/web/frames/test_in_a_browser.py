"""The two phases in a real browser: pages of the same origin, another origin, another site, no origin, and popups."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page

SOURCE = (Path(__file__).parent / "pages" / "cases.js").read_text(encoding="utf-8")

RUN = """async (name) => {
  const { CASES, Lab } = await import("/cases.js");
  const lab = new Lab();
  try {
    const late = new Promise((_, reject) => setTimeout(reject, 25_000, new Error("it took more than 25 s")));
    await Promise.race([CASES[name](lab), late]);
    return "";
  } catch (error) {
    return String(error.stack ?? error);
  } finally {
    lab.close();
  }
}"""

KINDS = re.findall(r'^  "?([a-z ]+)"?: \{ site', (Path(__file__).parent / "pages" / "lab.js").read_text("utf-8"), re.M)
OF_KINDS = re.findall(r"^  CASES\[`([^`]+): \$\{kind\}`\]", SOURCE, re.MULTILINE)
NAMES = re.findall(r'^CASES\["([^"]+)"\]', SOURCE, re.M) + [f"{name}: {kind}" for name in OF_KINDS for kind in KINDS]


@pytest.mark.requirement(119, 120, 121, 123, 124, 125, 126, 127, 128, 129, 130, 131, 132, 133, 135, 138, 139)
@pytest.mark.parametrize("name", NAMES)
def test_case(name: str, page: Page) -> None:
    assert page.evaluate(RUN, name) == ""


@pytest.mark.requirement(133)
def test_the_outer_page_is_loaded_again(page: Page) -> None:
    name = "what was set up is there when the outer page is loaded again"
    assert page.evaluate(RUN, name) == ""
    page.reload()
    assert page.evaluate("() => sessionStorage.getItem('saved')")
    assert page.evaluate(RUN, name) == ""


LOGGED = """async () => {
  const { Lab } = await import("/cases.js");
  const lab = new Lab();
  try {
    const { transport } = lab.open("another origin");
    const entries = [];
    transport.logger.sink = (entry) => entries.push(entry);
    await transport.setup();
    await transport.prepareToConnect();
    transport.send({ jsonrpc: "2.0", id: 7, method: "tools/call", params: { key: "of nobody's business" } });
    return [...entries];
  } finally {
    lab.close();
  }
}"""


@pytest.mark.requirement(134)
def test_the_log_tells_both_phases_step_by_step_and_nothing_that_is_private(page: Page) -> None:
    entries = page.evaluate(LOGGED)
    steps = [(one["operation"], one["message"]) for one in entries if one["operation"] != "INIT"]
    assert [message for operation, message in steps if operation == "REQ"] == [
        *("navigate", "MCP_SETUP_HANDSHAKE_REPLY", "navigate", "MCP_TRANSPORT_HANDSHAKE_REPLY"),
    ]
    assert [message for operation, message in steps if operation == "RESP"] == [
        *("MCP_SETUP_HANDSHAKE", "MCP_SETUP_COMPLETE", "MCP_TRANSPORT_HANDSHAKE", "MCP_TRANSPORT_ACCEPTED"),
    ]
    states = [one["message"].split(" → ") for one in entries if one["operation"] == "INIT"]
    assert [before for before, _ in states] == ["idle", *(after for _, after in states[:-1])]
    assert states[-1][1] == "connected"
    assert {(one["context"], one["component"]) for one in entries} == {("OUTER", "lab")}
    assert "nobody" not in str(entries)


def test_every_case_is_run(page: Page) -> None:
    """None is left out by the patterns above."""
    names = page.evaluate("async () => Object.keys((await import('/cases.js')).CASES)")
    assert sorted(names) == sorted(NAMES)
    assert len(KINDS) == 6
