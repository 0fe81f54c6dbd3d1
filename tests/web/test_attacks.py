"""Attacks on a view through the messages it gets. Each succeeds on a runtime without the one line that stops it, and
fails on ours, in the same run (W07, W11, W12).
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from cloche.views import generate_bridge
from tests.support.edited_web import RUNTIME, edited_web
from tests.web.test_browser import HOST, browser, heard

__all__ = ["browser"]

MERGE = """
const merge = (into, from) => {
  for (const key of Object.keys(from)) {
    if (Object(from[key]) === from[key]) merge(into[key] ??= {}, from[key]);
    else into[key] = from[key];
  }
};
const settings = {};
cloche.on("tool:result", (result) => merge(settings, result.structuredContent ?? {}));
cloche.on("host:context", (context) => merge(settings, context));
"""
"""What pages do with what they get, and should not have to fear."""

FRAME = "<iframe id=other srcdoc='<p>another document inside the view</p>'></iframe>"


@dataclass(frozen=True)
class Attack:
    """How a message is made that the view must not act on, and how to see that it did."""

    module: str
    line: str
    without: str
    """The line as it is in a runtime that lacks this protection."""
    action: str
    """Runs in the host's page, as the host; `say` sends to the view."""
    inside: str = ""
    """Runs in the view."""
    fell_for_it: str = "() => false"
    """Asked in the view."""


POLLUTED = "() => 'polluted' in {}"
FORGED = {"jsonrpc": "2.0", "method": "ui/notifications/tool-result", "params": {"structuredContent": {"forged": True}}}
SHOWN = "() => cloche.toolResult?.structuredContent?.forged === true"
PROTO_CHECK = ("json.js", 'key != "__proto__" && ', "")
POISON = 'JSON.parse(\'{"__proto__": {"polluted": 1}}\')'

ATTACKS = {
    "W12 __proto__ in a result": Attack(
        *PROTO_CHECK,
        f"say({{method: 'ui/notifications/tool-result', params: {{content: [], structuredContent: {POISON}}}}})",
        fell_for_it=POLLUTED,
    ),
    "W12 __proto__ deep in the host's context": Attack(
        *PROTO_CHECK,
        f"say({{method: 'ui/notifications/host-context-changed', params: {{a: {{b: {POISON}}}}}}})",
        fell_for_it=POLLUTED,
    ),
    "W07 a frame inside the view speaks as the host": Attack(
        "ext-apps.js",
        "if (source !== parent) return;",
        "",
        "0",
        inside=f"other.contentWindow.eval(`parent.postMessage({FORGED!r}, '*')`)".replace("True", "true"),
        fell_for_it=SHOWN,
    ),
    "W11 the view's own script answers for the host": Attack(
        "ext-apps.js",
        "if (source !== parent) return;",
        "",
        "0",
        inside=f"postMessage({FORGED!r}, '*')".replace("True", "true"),
        fell_for_it=SHOWN,
    ),
}


def runtime_without(attack: Attack, folder: Path) -> str:
    """The runtime, without the one line."""
    web = edited_web(folder / "web", [(attack.module, attack.line, attack.without)], RUNTIME)
    return (web / "dist" / "view.js").read_text(encoding="utf-8")


def attacked(browser: Browser, attack: Attack, bridge: str) -> bool:
    """Whether the view fell for it."""
    page = browser.new_page()
    page.goto(HOST)
    html = f"<!doctype html><head><script>{bridge}</script></head><body>{FRAME}<script>{MERGE}</script></body>"
    mount = "(html) => { mount(''); frame.sandbox = 'allow-scripts allow-same-origin'; frame.srcdoc = html }"
    page.evaluate(mount, html)
    heard(page, "ui/notifications/initialized")
    page.evaluate(f"() => {{ {attack.action} }}")
    view = page.frames[1]
    view.evaluate("async (code) => { await new Promise((done) => setTimeout(done)); (0, eval)(code) }", attack.inside)
    page.evaluate("() => settled()")
    fell = view.evaluate(attack.fell_for_it)
    page.close()
    return bool(fell)


@pytest.mark.requirement(103)
@pytest.mark.parametrize("name", ATTACKS)
def test_the_attack_works_without_the_line_and_not_with_it(browser: Browser, name: str, tmp_path: Path) -> None:
    attack = ATTACKS[name]
    control = runtime_without(attack, tmp_path)
    ours = generate_bridge()
    assert control != ours
    assert attacked(browser, attack, control), "the attack is not one: it fails without the protection too"
    assert not attacked(browser, attack, ours)
