"""A Python server in the visitor's tab, called by an agent in Python on the server."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from playwright.sync_api import Browser

from cloche.host import Host, InBrowser
from tests.browser.page.conftest import TIMEOUT
from tests.support.visitor_site import Site

TYPES = {".js": "text/javascript", ".mjs": "text/javascript", ".wasm": "application/wasm", ".json": "application/json"}

OFFER = """async (ticket) => {
  const { startPythonServer } = await import("/python/web/python/start.js");
  const { offerServer } = await import("/cloche/offer.js");
  const python = startPythonServer({ url: "/python/" });
  await python.ready;
  window.offered = offerServer({ ticket, transport: python.transport });
  await new Promise((resolve) => offered.addEventListener("statechange", resolve, { once: true }));
  return offered.state;
}"""


class BundleSite(Site):
    """A product that has a bundle of a Python server at `/python/`."""

    def __init__(self, host: Host, browser: Browser, bundle: Path) -> None:
        super().__init__(host, browser)
        self.policy = self.policy.replace("script-src 'self'", "script-src 'self' 'wasm-unsafe-eval'")
        self._bundle = bundle

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        path: str = scope.get("path", "")
        file = self._bundle / path.removeprefix("/python/")
        if not path.startswith("/python/") or not file.is_file():
            await super().__call__(scope, receive, send)
            return
        kind = TYPES.get(file.suffix, "application/octet-stream").encode()
        headers = [(b"content-type", kind), (b"content-security-policy", self.policy.format(port=self.port).encode())]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": file.read_bytes()})


def test_an_agent_calls_python_in_the_visitors_tab(browser: Browser, bundles: dict[str, Path]) -> None:
    host = Host({"todo": InBrowser(ask="changes")}, secret="a secret of at least sixteen bytes")
    context = browser.new_context()
    page = context.new_page()
    page.set_default_timeout(TIMEOUT)
    with BundleSite(host, browser, bundles["todo"]) as site:
        page.goto(site.page("<p>A product"))
        assert page.evaluate(OFFER, site.ticket(server="todo")) == "offered"
        assert "todo_add" in site.tools()
        call = site.start("todo.add", title="Buy bread")
        page.locator("button.accept[aria-disabled=false]").wait_for()
        page.get_by_role("button", name="Allow once").click()
        assert '"Buy bread"' in site.said(call)
        # A new client takes the old one's place, and Python does not notice: what it knows is still there.
        page.evaluate(
            "void (window.again = new Promise((resolve) => offered.addEventListener('statechange', "
            "() => offered.state === 'offered' && resolve(true))))"
        )
        site.forget()
        page.evaluate("again")
        assert '"Buy bread"' in site.call("todo.list")  # it says that it only reads: nobody is asked
    context.close()
