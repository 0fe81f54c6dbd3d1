"""A page in a sandboxed frame of a real Chromium, with a bridge whose calls the test answers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import resources
from typing import Any

from playwright.sync_api import Browser, Frame, Page

from cloche.views.scripts import script
from tests.support.chromium import launched
from tools.chromium import chromium

DEADLINE = 20_000
"""Milliseconds until something counts as missing."""

POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:"

BRIDGE = """
window.errors = [];
addEventListener("error", (event) => errors.push(event.message));
addEventListener("unhandledrejection", (event) => errors.push(String(event.reason)));
addEventListener("securitypolicyviolation", (event) => errors.push(event.violatedDirective));
const asked = (kind) => (...given) =>
  new Promise((resolve, reject) => cloche.calls.push({ kind, given, resolve, reject }));
window.cloche = {
  calls: [], callTool: asked("tool"), openLink: asked("link"), downloadFile: asked("download"),
  log: () => {}, on: (name, handler) => addEventListener(name, (event) => handler(event.detail)), toolInput: { a: 1 },
};
"""
"""Stands in for view.js: records what is asked, and leaves the answers to the test."""


@contextmanager
def browser() -> Iterator[Browser]:
    """One Chromium."""
    with launched(chromium()) as started:
        yield started


def scripts(form: str, names: tuple[str, ...]) -> str:
    """The scripts as views get them, or as the modules that they are made from."""
    if form == "one file":
        return "".join(f"<script>{script(name)}</script>" for name in names)
    texts = [(resources.files("cloche.web") / name).read_text("utf-8") for name in names]
    return "".join(f'<script type="module">{text}</script>' for text in texts)


class Stage:
    """What a test does with the page."""

    def __init__(self, page: Page, frame: Frame) -> None:
        self.page = page
        self.frame = frame
        self.locator = frame.locator

    def calls(self, kind: str = "tool") -> list[list[Any]]:
        """What has been asked of the bridge: for tools, their names and arguments."""
        found: list[list[Any]] = self.frame.evaluate(
            "(kind) => cloche.calls.filter((one) => one.kind == kind).map((one) => one.given)", kind
        )
        return found

    def wait_for_calls(self, count: int) -> list[list[Any]]:
        """Wait until so many things have been asked."""
        self.frame.wait_for_function("(count) => cloche.calls.length >= count", arg=count, timeout=DEADLINE)
        return self.calls()

    def answer(self, at: int, result: dict[str, Any]) -> None:
        """Answer one call, and let the page do what follows from it."""
        self.frame.evaluate(
            "async ([at, result]) => { cloche.calls[at].resolve(result); await new Promise((r) => setTimeout(r)) }",
            [at, result],
        )

    def answer_html(self, at: int, html: str) -> None:
        """Answer as a tool does that returns `Html`."""
        resource = {"uri": "cloche:fragment", "mimeType": "text/html", "text": html}
        self.answer(at, {"content": [{"type": "resource", "resource": resource}]})

    def errors(self) -> list[str]:
        """What failed in the page without being caught."""
        found: list[str] = self.frame.evaluate("errors")
        return found


@contextmanager
def stage(
    browser: Browser,
    html: str,
    *,
    forms: bool = True,
    form: str = "one file",
    names: tuple[str, ...] = ("interact.js", "links.js"),
) -> Iterator[Stage]:
    """Open HTML in an opaque frame under a strict policy, with or without `allow-forms`."""
    page = browser.new_page(viewport={"width": 700, "height": 500})
    head = f'<meta http-equiv="Content-Security-Policy" content="{POLICY}"><script>{BRIDGE}</script>'
    document = f"<!doctype html><html><head>{head}{scripts(form, names)}</head><body>{html}</body></html>"
    page.set_content('<iframe style="width: 600px; height: 400px"></iframe>')
    page.evaluate(
        """([html, sandbox]) => new Promise((done) => {
          const frame = document.querySelector("iframe");
          frame.onload = done;
          frame.sandbox = sandbox;
          frame.srcdoc = html;
        })""",
        [document, "allow-scripts allow-forms" if forms else "allow-scripts"],
    )
    (frame,) = page.main_frame.child_frames
    try:
        yield Stage(page, frame)
        assert frame.evaluate("errors") == []
    finally:
        page.close()
