"""Attacks on the two phases of servers by URL. Each works where one line is missing, and fails on ours beside it."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page

from tests.web.frames.conftest import opened
from tests.web.frames.site import Edit, FrameSite

ATTACK = """async (name) => {
  const { ATTACKS, Lab } = await import("/cases.js");
  const lab = new Lab();
  try {
    return await ATTACKS[name](lab);
  } finally {
    lab.close();
  }
}"""

LINES: dict[str, Edit] = {
    "siblingToOuter": (
        "frames/window-controls.js",
        "if (event.source && event.source === this.target) handler(event);",
        "handler(event);",
    ),
    "siblingToInner": (
        "frames/inner-control.js",
        "if (event.source && event.source === target) handler(event);",
        "handler(event);",
    ),
    "foreignOuter": ("frames/inner-control.js", "this.allowedOrigins.includes(origin)", "true"),
    "foreignInner": (
        "frames/outer.js",
        "if (!this.#isExpected(origin)) return this.#strange(origin, isAnnouncement);",
        "",
    ),
    "silentCamera": ("frames/permissions.js", "ask = () => false", "ask = () => true"),
    "readSecret": ("frames/storage.js", '["mcp", origin, sessionId, name, ""]', '["mcp", sessionId, name, ""]'),
    "otherServer": ("frames/storage.js", '["mcp", origin, sessionId, name, ""]', '["mcp", origin, name, ""]'),
}
"""Each attack, and the line that stops it with what stands there when it does not."""

AFTER_SECRET = {"readSecret", "otherServer"}
"""Attacks on what a server keeps for another page, or for another session."""


def attack(browser: Browser, site: FrameSite, name: str) -> bool:
    context = browser.new_context()
    try:
        page = opened(context.new_page(), site)
        if name in AFTER_SECRET:
            assert page.evaluate(ATTACK, "keepSecret"), "there is nothing to read"
        if name == "readSecret":
            page = opened(context.new_page(), site, at=site.port)
        return bool(page.evaluate(ATTACK, name))
    finally:
        context.close()


@pytest.mark.requirement(126, 133, 138, 150)
@pytest.mark.parametrize("name", LINES)
def test_the_attack_works_without_the_line_and_not_with_it(name: str, browser: Browser, site: FrameSite) -> None:
    with FrameSite(LINES[name]) as weak:
        assert attack(browser, weak, name), "the attack is not one: it fails without the protection too"
    assert not attack(browser, site, name)


def test_every_attack_is_tried(page: Page) -> None:
    names = page.evaluate("async () => Object.keys((await import('/cases.js')).ATTACKS)")
    assert {*names} == {*LINES, "keepSecret"}
