"""Attacks by frames of other origins on a page with the polyfill. Each succeeds on a polyfill without the one line that
stops it, and fails on ours, in the same run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Frame, Page

from cloche.web import bundled
from tests.support.chromium import launched
from tests.support.edited_web import ALONE, edited_web
from tests.support.file_site import Site
from tests.web.webmcp.test_webmcp import HERE, POLICY
from tools.chromium import chromium

REGISTERED = """document.modelContext.registerTool({
    name: "secret", description: "d", execute: ({ n }) => `secret ${n}`,
})"""
EXPOSED = f"origin => {REGISTERED[:-1]}, {{ exposedTo: [origin] }})"
LISTED = """origins => document.modelContext.getTools({ fromOrigins: origins })
    .then((tools) => tools.map(({ description }) => description))"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with launched(chromium()) as started:
        yield started


def seen_from_outside(page: Page, frame: Frame) -> bool:
    """M01: the frame learns what tools the page has."""
    page.evaluate(REGISTERED)
    return bool(frame.evaluate("list()"))


def called_from_outside(page: Page, frame: Frame) -> bool:
    """M01: the frame calls one, whose name it guesses."""
    page.evaluate(REGISTERED)
    return bool(frame.evaluate("call('secret', { n: 1 })") == {"result": "secret 1"})


def offered_from_outside(page: Page, frame: Frame) -> bool:
    """M01: the page's agent is shown a tool of a frame that the page did not ask."""
    return "Mine" in page.evaluate(LISTED, [])


def offered_without_leave(page: Page, frame: Frame) -> bool:
    """M01: the page's agent asks the frame's origin for tools, and the page does not let the frame have any."""
    return "Mine" in page.evaluate(LISTED, [frame.evaluate("origin")])


def used_without_leave(page: Page, frame: Frame) -> bool:
    """M01: a tool is for the frame's origin, and the page does not let this frame have or use tools."""
    page.evaluate(EXPOSED, frame.evaluate("origin"))
    return bool(frame.evaluate("call('secret', { n: 1 })") == {"result": "secret 1"})


def offered_by_a_frame_of_the_frame(page: Page, frame: Frame) -> bool:
    """M01: the page does not let the frame have tools, and the frame says that one inside itself may."""
    url = frame.url.replace("localhost", "inner.localhost")
    frame.evaluate("url => embed(url)", url)
    (inner,) = frame.child_frames
    return "Mine" in page.evaluate(LISTED, [inner.evaluate("origin")])


def opaque_beside_opaque(page: Page, frame: Frame) -> bool:
    """M01: the page and the frame are in sandboxes; both are called "null", and are not the same for that."""
    page.evaluate(REGISTERED)
    return bool(frame.evaluate("list()"))


def answered_by_somebody_else(page: Page, frame: Frame) -> bool:
    """M05: the frame went to another origin after its tool was listed, and reads what was meant for the one before."""
    first = frame.evaluate("origin")
    page.evaluate(
        """async (first) => {
            globalThis.asked = (await document.modelContext.getTools({ fromOrigins: [first] }))[0];
        }""",
        first,
    )
    assert page.evaluate("asked.description") == "Mine"
    port = first.rpartition(":")[2]
    with page.expect_event("framenavigated"):
        page.evaluate(
            "url => { document.querySelector('iframe').contentWindow.location = url }",
            f"http://other.localhost:{port}/quiet.html",
        )
    frame.wait_for_function("() => globalThis.heard")
    page.evaluate("() => { document.modelContext.executeTool(asked, { password: 1 }).catch(() => {}) }")
    # What comes later than this has been sent after it.
    page.evaluate("document.querySelector('iframe').contentWindow.postMessage({ 'cloche.webmcp.1': 'end' }, '*')")
    frame.wait_for_function("() => globalThis.ended")
    return frame.evaluate("heard") == ['{"password":1}']


@dataclass(frozen=True)
class Case:
    """An attack, and the line that stops it."""

    attack: Callable[[Page, Frame], bool]
    file: str
    line: str
    without: str
    attributes: dict[str, str] = field(default_factory=lambda: {"allow": "tools"})
    """Of the frame."""
    policy: str = ""
    """What the page's Content-Security-Policy says besides."""


MAY_USE = (
    "webmcp/tools.js",
    "=> origin == self.origin || tool.exposedTo.includes(origin);",
    "=> true || [tool, origin];",
)

CASES = {
    "M01 a frame lists the page's tools": Case(seen_from_outside, *MAY_USE),
    "M01 a frame calls the page's tools": Case(called_from_outside, *MAY_USE),
    "M01 a frame offers its own tools": Case(
        offered_from_outside, "webmcp/frames.js", "!origin || !wanted.includes(origin) ||", "!origin ||"
    ),
    "M01 a frame that may not offers its tools": Case(
        offered_without_leave,
        "webmcp/frames.js",
        "inside(window) || !await permitted(window)) return [];",
        "inside(window)) return [];",
        {},
    ),
    "M01 a frame that may not uses what its origin may": Case(
        used_without_leave, "webmcp/frames.js", "peers.get(source) == origin && await permitted(source)", "true", {}
    ),
    "M01 a frame that may not speaks for its own": Case(
        offered_by_a_frame_of_the_frame, "webmcp/frames.js", "if (!await permitted(parent)) return false;", "", {}
    ),
    "M01 a frame without an address went elsewhere": Case(
        offered_without_leave,
        "webmcp/frames.js",
        "src ? new URL(src).origin : origin",
        "src ? new URL(src).origin : where",
        {"allow": "tools", "srcdoc": "<p>nothing yet"},
    ),
    "M01 a sandbox beside a sandbox": Case(
        opaque_beside_opaque,
        "webmcp/frames.js",
        'origin != "null" && peers.get(source)',
        "peers.get(source)",
        {"allow": "tools *", "sandbox": "allow-scripts"},
        "; sandbox allow-scripts",
    ),
    "M05 arguments reach another page": Case(
        answered_by_somebody_else,
        "webmcp/frames.js",
        "say(target, { name, input }, where, [port2]);",
        'say(target, { name, input }, "*", [port2]);',
    ),
}

QUIET = """
globalThis.heard = [];
addEventListener("message", ({ data }) => {
  const said = data?.["cloche.webmcp.1"];
  if (said == "end") globalThis.ended = true;
  else if (said?.input) heard.push(said.input);
});
"""
"""A page that listens and says nothing."""


def succeeds(case: Case, browser: Browser, script: str) -> bool:
    policy = POLICY.replace("http://localhost:*", "http://localhost:* http://*.localhost:*") + case.policy
    with Site(policy) as site:
        site.add("/page.html", b"<!doctype html><title>page</title><script src=/webmcp.js></script><body>")
        site.add("/hostile.html", b"<!doctype html><title>frame</title><script src=/hostile.js></script>")
        site.add("/quiet.html", b"<!doctype html><title>frame</title><script src=/quiet.js></script>")
        site.add("/quiet.js", QUIET.encode())
        site.add("/webmcp.js", script.encode())
        site.add("/favicon.ico", b"")
        site.add_folder("", HERE)
        page = browser.new_page()
        page.set_default_timeout(20_000)
        page.goto(f"{site.url}/page.html")
        url = site.url.replace("127.0.0.1", "localhost") + "/hostile.html"
        page.evaluate(
            """async ([url, attributes]) => {
                const frame = document.createElement("iframe");
                const loaded = () => new Promise((resolve) => frame.onload = resolve);
                for (const [name, value] of Object.entries(attributes)) frame.setAttribute(name, value);
                if (!attributes.srcdoc) frame.src = url;
                const first = loaded();
                document.body.append(frame);
                await first;
                if (!attributes.srcdoc) return;
                const second = loaded();
                frame.contentWindow.location = url;
                await second;
            }""",
            [url, case.attributes],
        )
        (frame,) = page.main_frame.child_frames
        try:
            return case.attack(page, frame)
        finally:
            page.close()


@pytest.mark.parametrize("name", CASES)
def test_the_attack_succeeds_without_the_line_and_fails_with_it(name: str, browser: Browser, tmp_path: Path) -> None:
    case = CASES[name]
    edited = edited_web(tmp_path / "web", [(case.file, case.line, case.without)], ALONE["webmcp"])
    control = (edited / "dist" / "webmcp.js").read_text(encoding="utf-8")
    assert succeeds(case, browser, control), "nothing stops it at the control, and it fails all the same"
    assert not succeeds(case, browser, bundled("webmcp.js"))
