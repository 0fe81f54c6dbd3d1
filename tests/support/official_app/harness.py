"""Views shown by the official host library in a real Chromium, in one frame or behind a proxy on another site."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Frame, Page

from tests.support.chromium import launched
from tests.support.file_site import Site
from tests.support.official_app.bundles import PACKAGES, bundle
from tools.chromium import chromium

HERE = Path(__file__).parent

POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'"
"""What a strict host allows a view that declared nothing. Frames inherit it from the page that makes them."""

DEADLINE = 30_000
"""Milliseconds until something that should happen counts as not happening."""

CallServer = Callable[[dict[str, Any]], Any]
"""Takes the parameters of a `tools/call` and gives its result."""

LAYOUTS = ("one frame", "proxy")
VERSIONS = tuple(PACKAGES)


def script_page(*scripts: str) -> bytes:
    """A page that is nothing but scripts, inline, as the policy wants it."""
    inline = "\n".join(f"<script>{script}</script>" for script in scripts)
    return f"<!doctype html><html><head><meta charset=utf-8></head><body>{inline}</body></html>".encode()


def read(name: str) -> str:
    """A file of this folder."""
    return (HERE / name).read_text(encoding="utf-8")


@dataclass(frozen=True)
class Theatre:
    """A browser, and the two sites: host pages on one, the sandbox proxy on the other."""

    browser: Browser
    host_site: Site
    proxy_site: Site

    @contextmanager
    def page(self, path: str) -> Iterator[Page]:
        """A page of the host's site; errors that nobody caught fail the test that opened it."""
        context = self.browser.new_context()
        try:
            page = context.new_page()
            page.set_default_timeout(DEADLINE)
            page.goto(self.host_site.url + path)
            yield page
        finally:
            context.close()

    @contextmanager
    def hosted(
        self, html: str, version: str, layout: str, *, server: CallServer | None = None, **options: Any
    ) -> Iterator[Hosted]:
        """A view, shown by a version of the official host; `options` are those of `host.open` in page/host.js.

        With `server`, it answers the view's tool calls instead of a script.
        """
        with self.page(f"/{version}.html") as page:
            if server is not None:
                page.expose_function("callServer", server)
            if layout == "proxy":
                options["proxy"] = proxy_url(self.proxy_site)
            page.evaluate("options => host.open(options)", {"html": html, **options})
            yield Hosted(page)

    @contextmanager
    def of_old(self, html: str, dialect: str) -> Iterator[Hosted]:
        """A view, shown by a host that speaks one of the older dialects of page/dialects.js."""
        with self.page("/dialects.html") as page:
            page.evaluate("options => host.open(options)", {"html": html, "dialect": dialect})
            yield Hosted(page)

    @contextmanager
    def in_chatgpt(self, html: str) -> Iterator[Hosted]:
        """A view, where `window.openai` is there before the view's own scripts and nobody answers messages."""
        with self.page("/dialects.html") as page:
            first = f"<head><script>{read('page/openai.js')}</script>"
            assert "<head>" in html
            page.evaluate(
                "options => host.open(options)", {"html": html.replace("<head>", first, 1), "dialect": "silent"}
            )
            yield Hosted(page)


def proxy_url(site: Site) -> str:
    """The proxy page under a name that is another site than the host's address."""
    return site.url.replace("127.0.0.1", "sandbox.localhost") + "/proxy.html"


@contextmanager
def theatre(policy: str = POLICY) -> Iterator[Theatre]:
    """Everything a test needs to show views."""
    with ExitStack() as stack:
        proxy = stack.enter_context(Site(policy))
        proxy.add("/proxy.html", script_page(read("page/proxy.js")))
        host = stack.enter_context(Site(f"{policy}; frame-src {proxy_url(proxy)}"))
        for version in VERSIONS:
            host.add(f"/{version}.html", script_page(bundle(version, "host"), read("page/host.js")))
        host.add("/dialects.html", script_page(read("page/dialects.js")))
        yield Theatre(stack.enter_context(launched(chromium())), host, proxy)


@dataclass(frozen=True)
class Hosted:
    """One view on one page. `act` and `seen` are the test views' own vocabulary, the same in each of them."""

    page: Page

    @property
    def view(self) -> Frame:
        """The frame with the view in it: the innermost."""
        return self.page.frames[-1]

    def until(self, condition: str, given: Any = None) -> Any:
        """Wait until an expression on the host page is true, and give what it is."""
        return self.page.wait_for_function(condition, arg=given).json_value()

    def until_seen(self, name: str) -> Any:
        """Wait until the view has met an event, and give the newest one's value."""
        condition = "name => window.seen?.findLast(([met]) => met === name)"
        return self.view.wait_for_function(condition, arg=name).json_value()[1]

    def until_handled(self, name: str) -> Any:
        """Wait until the official library handed something of the view's to the host, and give the newest."""
        return self.until("name => host.handled.findLast(([met]) => met === name)", name)[1]

    def until_ready(self) -> Hosted:
        """Wait for the end of the handshake, on both sides."""
        self.until_handled("initialized")
        self.until_seen("bridge:ready")
        return self

    def act(self, what: str, *given: Any) -> Any:
        """Let the view do something, and give what it got."""
        return self.view.evaluate("([what, given]) => act[what](...given)", [what, list(given)])

    def failing(self, what: str, *given: Any) -> dict[str, Any]:
        """The same for something that must fail: the error's message and code."""
        caught = "([what, given]) => act[what](...given).then(() => null, ({message, code}) => ({message, code}))"
        error = self.view.evaluate(caught, [what, list(given)])
        assert error is not None, f"{what} did not fail"
        return dict(error)

    def bridge(self, method: str, params: Any) -> Any:
        """Call a method of the official AppBridge."""
        return self.page.evaluate("([method, params]) => host.bridge[method](params)", [method, params])

    def script(self, **tools: Any) -> None:
        """Say what the host answers to the view's tool calls."""
        self.page.evaluate("tools => Object.assign(host.tools, tools)", tools)

    def kept(self, what: str) -> list[Any]:
        """One of the host page's records (received, sent, handled, errors, fromProxy), as JSON would carry it."""
        return list(self.page.evaluate("what => JSON.parse(JSON.stringify(host[what]))", what))
