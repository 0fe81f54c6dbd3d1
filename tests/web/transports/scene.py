"""A page, frames in it and popups beside it, on origins that exist only here; and transports that lack one line.

Frames and popups hold no scripts of their own: a test runs there what whoever owns them would run.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import cache
from importlib import resources
from pathlib import Path
from types import TracebackType
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Frame, Page, Route

from tests.support.edited_web import edited_web
from tools.web_bundles import Group

HOST = "https://host.example"
APP = "https://app.example"
OTHER = "https://other.example"

SCRIPT = Group({"transports": "transports/index"}, ("--format=iife", "--global-name=T"))

SLOW = "/slow.html"
"""A page with a picture that does not come until the test says so."""
PICTURE = "/picture"

PRELUDE = """
window.heard = [];
window.post = (target, payload, rest = {}) => target.postMessage({ type: "mcp", payload, ...rest }, "*");
window.note = (value) => ({ jsonrpc: "2.0", method: "notifications/note", params: { value } });
window.noted = (transport) => {
  const values = [];
  transport.onMessage(({ method, params, result }) => values.push(method ? params?.value : result?.value));
  return values;
};
// What was posted to a window before has arrived when this resolves; from another process it may take a moment longer.
window.settled = async () => {
  await new Promise((done) => setTimeout(done, 50));
  await new Promise((done) => {
    addEventListener("message", function hear({ data }) {
      if (data !== "settled") return;
      removeEventListener("message", hear);
      done();
    });
    window.postMessage("settled", "*");
  });
};
window.closed_ = (transport) => new Promise((done) => {
  transport.onClose(() => done(true));
  setTimeout(done, 10_000, false);
});
"""


@cache
def transports(*edits: tuple[str, str]) -> str:
    """The transports as one script, in which `T` holds them; with lines replaced, to see what they are good for."""
    with tempfile.TemporaryDirectory() as folder:
        web = edited_web(Path(folder) / "web", [(_module_with(line), line, without) for line, without in edits], SCRIPT)
        code = (web / "dist" / "transports.js").read_text(encoding="utf-8")
    return f"{PRELUDE}\n{code}\nwindow.T = T; 0"


def _module_with(line: str) -> str:
    web = Path(str(resources.files("cloche.web")))
    found = [
        file for file in (web / "json.js", *web.glob("transports/*.js")) if line in file.read_text(encoding="utf-8")
    ]
    assert len(found) == 1, f"the transports protect in another way now: {len(found)} times {line!r}"
    return str(found[0].relative_to(web))


class Scene(AbstractContextManager["Scene"]):
    """`with Scene(browser, transports()) as scene` has a page at `HOST` with the transports in it."""

    def __init__(self, browser: Browser, script: str) -> None:
        self.script = script
        self.context: BrowserContext = browser.new_context()
        self.context.route("**/*", self._serve)
        self._held: list[Route] = []
        self.page: Page = self.context.new_page()
        self.page.goto(f"{HOST}/")
        self.page.evaluate(script)

    def _serve(self, route: Route) -> None:
        url = route.request.url
        if url.endswith(PICTURE):
            self._held.append(route)
            return
        picture = f"<img src={PICTURE}>" if url.endswith(SLOW) else ""
        route.fulfill(content_type="text/html", body=f"<!doctype html><title>{url}</title>{picture}")

    def let_pictures_come(self) -> None:
        """Answer what `SLOW` pages wait for."""
        for route in self._held:
            route.fulfill(status=404)
        self._held.clear()

    def frame(self, name: str, url: str = f"{APP}/", *, sandbox: str | None = None, prepared: bool = True) -> Frame:
        """A frame that has loaded, as `window[name]` of the page; with the transports in it."""
        self.page.evaluate(
            """([name, url, sandbox]) => new Promise((done) => {
                const frame = window[name] = document.createElement("iframe");
                if (sandbox != null) frame.sandbox = sandbox;
                frame.id = name;
                frame.src = url;
                frame.onload = () => (frame.onload = null, done());
                document.body.append(frame);
            })""",
            [name, url, sandbox],
        )
        return self.content(name, prepared=prepared)

    def opaque(self, name: str, url: str = f"{APP}/") -> Frame:
        """A sandboxed frame, whose origin is "null"."""
        return self.frame(name, url, sandbox="allow-scripts")

    def content(self, name: str, *, prepared: bool = True) -> Frame:
        """What is in a frame now."""
        element = self.page.query_selector(f"#{name}")
        found = element.content_frame() if element else None
        assert found is not None
        if prepared:
            found.evaluate(self.script)
        return found

    def popup(self, url: str = f"{APP}/") -> Page:
        """A window that the page opened."""
        with self.page.expect_popup() as opened:
            self.page.evaluate("(url) => void (window.other = open(url))", url)
        opened.value.wait_for_load_state()
        opened.value.evaluate(self.script)
        return opened.value

    def do(self, script: str, argument: Any = None) -> Any:
        """Run something in the page."""
        return self.page.evaluate(script, argument)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self.let_pictures_come()
        self.context.close()


Attack = Callable[[Scene], bool]
"""What an attacker does, and whether it worked."""
