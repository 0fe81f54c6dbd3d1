"""Python in the page, in a real Chromium: when the first answer is there, and how long a call takes.

Wall clock, because most of the work is the browser's; contenders take turns and each keeps its best. A first answer is
cold in a browser that has never seen the page, and warm the second time. A call goes to the same server in Python and
in JavaScript, each in a worker, and to the Python one over HTTP on loopback. A published page is what `cloche build`
writes for the same server, given out as a static host does.
"""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from math import inf
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.measure import Cost, Findings, Plan, Reading
from cloche.browser import write_bundle, write_site
from cloche.browser.static_hosts import written_headers
from cloche.browser.static_server import StaticServer
from cloche.testing.browser import launch_flags
from cloche.views.page_client import page_client
from cloche.web import bundled
from tests.support.live_server import LiveServer
from tools.chromium import chromium

ENTRY = Path(__file__).parents[1] / "apps" / "echo_server.py"
PAGE = Path(__file__).parents[1] / "page"
TURNS = 3
SIZES = {"20 B": (20, 200), "100 KB": (100_000, 20), "1 MB": (1_000_000, 4)}
"""What is echoed, and how many calls make one turn."""

READY = "() => document.getElementById('state')?.textContent === 'Ready' && performance.now()"
NOT_LOADED = (
    *("plain.bin.gz", "_headers", "vercel.json", "staticwebapp.config.json", ".htaccess", "mcp.json", "keeper.js"),
    *("client.js", "start.js", "boot.js", "index.js"),
)
"""Files of a published site that a page in Chromium never asks for."""

POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; worker-src 'self'"

SITE = '''
import sys
sys.path.insert(0, {apps!r})
from echo_server import server
from starlette.applications import Starlette
from starlette.responses import HTMLResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles


class Kept(StaticFiles):
    """Files that a browser keeps, as a release's files are served."""

    def file_response(self, *args, **kwargs):
        response = super().file_response(*args, **kwargs)
        response.headers["Cache-Control"] = "public, max-age=3600"
        response.headers["Content-Security-Policy"] = {policy!r}
        return response


async def index(request):
    page = '<!doctype html><title>bench</title><script type="module" src="/python.js"></script>'
    return HTMLResponse(page, headers={{"Content-Security-Policy": {policy!r}}})


app = Starlette(routes=[
    Route("/", index),
    Mount("/mcp", server.asgi()),
    Mount("/web", Kept(packages=[("cloche", "web")])),
    Mount("/plain", Kept(directory={plain!r})),
    Mount("/snapshot", Kept(directory={snapshot!r})),
    Mount("/", Kept(directory={page!r})),
])
'''


@dataclass(slots=True)
class Timed:
    """A contender, with the seconds of its best turn."""

    name: str
    best: float = inf

    def take(self, milliseconds: float) -> None:
        self.best = min(self.best, milliseconds / 1e3)


async def run(plan: Plan) -> Findings:
    # Playwright's plain interface wants a thread without a loop.
    return await asyncio.to_thread(_run, TURNS if plan.shows > 6 else 1)


def _run(turns: int) -> Findings:
    found = Findings()
    size = len(gzip.compress(page_client().encode(), 9))
    found.readings.append(Reading("browser.size", size / 1e3, "@mcp-b/transports 35 kB, @mcp-b/global 73 kB"))
    for name, peer in (("webmcp-core", ""), ("webmcp", "@mcp-b/webmcp-polyfill 7.9 kB")):
        size = len(gzip.compress(bundled(f"{name}.js").encode(), 9))
        found.readings.append(Reading(f"browser.{name.replace('-', '.')}", size / 1e3, peer))
    with _site() as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=launch_flags())
        _first_answers(browser, url, turns, found)
        _round_trips(browser, url, turns, found)
        _published(browser, turns, found)
        browser.close()
    return found


@contextlib.contextmanager
def _site() -> Iterator[str]:
    with tempfile.TemporaryDirectory(prefix="bench-browser-") as name:
        folder = Path(name)
        for kind in ("plain", "snapshot"):
            write_bundle(ENTRY, folder / kind, snapshot=kind == "snapshot")
        code = SITE.format(
            apps=str(ENTRY.parent),
            page=str(PAGE),
            policy=POLICY,
            plain=str(folder / "plain"),
            snapshot=str(folder / "snapshot"),
        )
        with LiveServer(folder, code) as live:
            yield f"http://127.0.0.1:{live.port}/"


def _first_answers(browser: Browser, url: str, turns: int, found: Findings) -> None:
    plain, warm = Timed("plain"), Timed("plain, second visit")
    snapshot, warm_snapshot = Timed("snapshot"), Timed("snapshot, second visit")
    for _ in range(turns):
        for kind, cold, again in (("/plain/", plain, warm), ("/snapshot/", snapshot, warm_snapshot)):
            context = browser.new_context()  # which has a cache of its own
            for timed in (cold, again):
                page = _opened(context.new_page(), url)
                timed.take(page.evaluate("folder => firstAnswer(folder)", kind))
                page.close()
            context.close()
    found.ratio("browser.snapshot", plain, snapshot)
    found.readings.append(Reading("browser.first", snapshot.best, f"{warm_snapshot.best:.2g} s on the second visit"))
    for timed in (plain, warm, snapshot, warm_snapshot):
        found.costs.append(Cost(f"page to the first answer of Python: {timed.name}", timed.best * 1e3, "ms"))


def _round_trips(browser: Browser, url: str, turns: int, found: Findings) -> None:
    page = _opened(browser.new_page(), url)
    page.evaluate("() => firstAnswer('/snapshot/')")
    page.evaluate("() => prepare()")
    for label, (size, calls) in SIZES.items():
        contenders = [Timed("python"), Timed("javascript"), Timed("http")]
        for _ in range(turns):
            for timed in contenders:
                timed.take(page.evaluate("given => roundTrip(...given)", [timed.name, size, calls, 3]))
        python, _, http = contenders
        found.ratio(f"browser.call.{size}", python, http)
        found.list_costs(f"a call in the page, {label}", contenders)


def _published(browser: Browser, turns: int, found: Findings) -> None:
    cold, warm = Timed("published page"), Timed("published page, second visit")
    with tempfile.TemporaryDirectory(prefix="bench-published-") as name:
        site = write_site(ENTRY, Path(name) / "site")
        files = [file for file in site.folder.rglob("*") if file.is_file() and file.name not in NOT_LOADED]
        sizes = {file.relative_to(site.folder).as_posix(): _compressed(file) for file in files}
        page_size = sum(sizes[file] for file in ("index.html", "page.js", "page.css")) / 1e3
        with StaticServer(site.folder, written_headers(site.folder)) as server:
            for _ in range(turns):
                context = browser.new_context()
                for timed in (cold, warm):
                    page = context.new_page()
                    page.set_default_timeout(120_000)
                    page.goto(server.url)
                    timed.take(page.wait_for_function(READY).json_value())
                    page.evaluate("async () => { await navigator.serviceWorker.ready }")
                    page.close()
                context.close()
    found.readings.append(Reading("browser.page", page_size, ""))
    found.readings.append(Reading("browser.site", sum(sizes.values()) / 1e6, "all that a first visit loads"))
    found.readings.append(Reading("browser.opened", cold.best, f"{warm.best:.2g} s on the second visit"))
    for timed in (cold, warm):
        found.costs.append(Cost(f"page to Python that is ready: {timed.name}", timed.best * 1e3, "ms"))


def _compressed(file: Path) -> int:
    content = file.read_bytes()
    return min(len(content), len(gzip.compress(content, 9)))


def _opened(page: Page, url: str) -> Page:
    page.set_default_timeout(120_000)
    page.goto(url)
    page.wait_for_function("() => window.ready")
    return page
