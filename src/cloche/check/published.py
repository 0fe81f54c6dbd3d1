"""A published server at work: the folder that `cloche build` wrote, opened in a real browser from a static server."""

from __future__ import annotations

import contextlib
import json
import re
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cloche.browser.site import ABOUT
from cloche.browser.static_hosts import written_headers
from cloche.browser.static_server import StaticServer
from cloche.check.call_permission import Call, Calls, plan_call
from cloche.check.findings import Finding, place_of
from cloche.check.live import Report
from cloche.check.server_survey import Json
from cloche.errors import ConfigurationError, shorten
from cloche.testing.browser import Chromium

if TYPE_CHECKING:
    from playwright.async_api import ConsoleMessage, Page, Response, Worker

PATIENCE = 90.0
"""Seconds in which Python has to be there, and a tool has to answer."""

PLACE = "the page"
SHOWN = 5
"""Findings of one kind that are spelled out."""

BLOCKED = re.compile(r"Content Security Policy|violates the following")
"""In a line of the console."""

WATCH = """
() => {
  globalThis.blockedHere = [];
  addEventListener("securitypolicyviolation", ({effectiveDirective, blockedURI}) =>
    blockedHere.push(`${effectiveDirective} forbids ${blockedURI}`));
}
"""
"""For the worker that Python runs in, whose console says nothing of it."""

SETTLED = """
() => {
  const problem = document.querySelector(".panel.error p");
  const notStarted = document.getElementById("not-started");
  if (problem) return {problem: problem.textContent};
  if (notStarted && getComputedStyle(notStarted).visibility === "visible") return {problem: notStarted.textContent};
  return document.getElementById("state")?.textContent === "Ready" && {problem: ""};
}
"""
"""Whether the page has started, or says why not."""

CONNECT = """
async (patience) => {
  const script = (path) => import(new URL(`python/web/${path}.js`, document.baseURI));
  const [{startPythonServer}, {McpClient}] = await Promise.all([script("python/start"), script("client")]);
  const url = new URL("python/", document.baseURI);
  const integrity = JSON.parse(document.getElementById("integrity").textContent);
  const python = startPythonServer({url, integrity, bootTimeout: patience, deadline: patience});
  await python.ready;
  const client = globalThis.checkedHere = new McpClient(python.transport, {name: "cloche check"});
  await client.connect();
  return await client.listTools();
}
"""
"""A second Python beside that of the page, and what it lists."""

CALL = """
([name, values]) => checkedHere.callTool(name, values).then(
  (result) => ({result}), (error) => ({problem: String(error?.message ?? error)}))
"""

SETUP_REQUIRED = "cloche/setupRequired"


@dataclass(frozen=True)
class PublishedOptions:
    """How a published folder is tried."""

    calls: Calls = "read-only"
    patience: float = PATIENCE
    chromium: Chromium | None = None
    """A browser that runs already; unless given, one is started and ended."""


@dataclass
class _Seen:
    """What the browser tells while the page is open."""

    base: str
    files: dict[str, str] = field(default_factory=dict)
    """What did not arrive, and why."""
    errors: list[str] = field(default_factory=list)
    blocked: list[str] = field(default_factory=list)
    """What the browser says of its policy."""
    workers: list[Worker] = field(default_factory=list)

    def watch(self, page: Page) -> None:
        """Listen to a page."""
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", self._said)
        page.on("worker", self._started)
        page.on("requestfailed", lambda request: self._missed(request.url, str(request.failure or "it failed")))
        page.on("response", self._answered)

    async def ask_workers(self) -> None:
        """Hear what the policy blocked in workers that still run."""
        from playwright.async_api import Error

        for worker in self.workers:
            with contextlib.suppress(Error):
                self.blocked += await worker.evaluate("() => globalThis.blockedHere ?? []")

    async def _started(self, worker: Worker) -> None:
        from playwright.async_api import Error

        self.workers.append(worker)
        with contextlib.suppress(Error):  # it has ended already
            await worker.evaluate(WATCH)

    def _said(self, line: ConsoleMessage) -> None:
        if BLOCKED.search(line.text):
            self.blocked.append(line.text)

    def _answered(self, answer: Response) -> None:
        if answer.status >= HTTPStatus.BAD_REQUEST:
            self._missed(answer.url, str(answer.status))

    def _missed(self, url: str, why: str) -> None:
        # A page that is closed stops what it was loading.
        if url.startswith(self.base) and "ERR_ABORTED" not in why:
            self.files.setdefault(url.removeprefix(self.base) or "index.html", why)


async def check_published(folder: str | Path, options: PublishedOptions | None = None) -> Report:
    """Open a folder that `cloche build` wrote in a headless browser: the page has to start, Python has to list the
    tools that the page shows, and tools that only read are called once with the examples of their schemas.
    """
    options = options or PublishedOptions()
    place = Path(folder)
    about = about_folder(place)
    chromium = options.chromium or Chromium()
    try:
        browser = await chromium.browser()
        with StaticServer(place, written_headers(place)) as server:
            context = await browser.new_context()
            try:
                page = await context.new_page()
                return await _opened(page, server.url, about, options)
            finally:
                await context.close()
    finally:
        if options.chromium is None:
            await chromium.close()


def about_folder(folder: Path) -> Json:
    """What the folder says of its server."""
    shown = shorten(str(folder))
    try:
        found = json.loads((folder / ABOUT).read_text(encoding="utf-8"))
    except OSError:
        raise ConfigurationError(
            f"{shown!r} has no {ABOUT}, so no build wrote it: name the folder of `cloche build FILE -o FOLDER`"
        ) from None
    except ValueError:
        found = None
    if not isinstance(found, dict) or not isinstance(found.get("tools"), list):
        raise ConfigurationError(f"{ABOUT} in {shown!r} is damaged: build the site again")
    return found


async def _opened(page: Page, url: str, about: Json, options: PublishedOptions) -> Report:
    from playwright.async_api import Error, TimeoutError

    report, seen = Report(), _Seen(url)
    seen.watch(page)
    patience = options.patience * 1000
    page.set_default_timeout(patience)
    try:
        await page.goto(url)
        settled: Json = await (await page.wait_for_function(SETTLED)).json_value()
        problem = str(settled["problem"])
    except TimeoutError:
        problem = f"After {options.patience:g} s it is neither ready nor says what is wrong."
    except Error as error:
        problem = _first_line(error)
    if problem:
        report.findings.append(Finding("P01", PLACE, shorten(" ".join(problem.split()), 400)))
    else:
        await _use(page, about, options, report)
    await seen.ask_workers()
    report.findings += _told(seen)
    return report


async def _use(page: Page, about: Json, options: PublishedOptions, report: Report) -> None:
    """List and call the tools, as a client does."""
    from playwright.async_api import Error

    try:
        listed: list[Json] = await page.evaluate(CONNECT, options.patience * 1000)
    except Error as error:
        report.findings.append(Finding("P01", PLACE, f"A second start failed: {_first_line(error)}"))
        return
    names, shown = ({str(tool.get("name")) for tool in tools} for tools in (listed, about["tools"]))
    for name in sorted(shown - names):
        report.findings.append(
            Finding("P02", place_of(name), "The page has a form for it, and Python does not list it.")
        )
    for tool in about["tools"]:
        if tool.get("name") in names:
            report.calls.append(await _called(page, plan_call(tool, options.calls), report))


async def _called(page: Page, call: Call, report: Report) -> Call:
    if not call.was_called:
        return call
    answer: dict[str, Any] = await page.evaluate(CALL, [call.tool, call.arguments])
    result = answer.get("result") or {}
    if SETUP_REQUIRED in (result.get("_meta") or {}):
        return replace(call, was_called=False, note="it needs a setup, which nobody entered here")
    failure = str(answer["problem"]) if "problem" in answer else _failure_of(result)
    if not failure:
        return call
    what = f"Called with {shorten(json.dumps(call.arguments), 100)}: {shorten(failure, 300)}"
    report.findings.append(Finding("P05", place_of(call.tool), what))
    return replace(call, note="it failed")


def _failure_of(result: Json) -> str:
    """The text of a result that is an error; empty for every other."""
    if result.get("isError") is not True:
        return ""
    texts = (str(one.get("text")) for one in result.get("content", []) if one.get("type") == "text")
    return next(texts, "it says nothing of why")


def _told(seen: _Seen) -> list[Finding]:
    """What the browser blocked, or could not get."""
    blocked = list(dict.fromkeys(seen.blocked))[:SHOWN]
    return [
        *(Finding("P04", PLACE, shorten(one, 300)) for one in blocked),
        *(Finding("P03", shorten(name), f"It did not arrive: {why}.") for name, why in seen.files.items()),
        *(Finding("P01", PLACE, f"A script failed: {shorten(one, 300)}") for one in seen.errors[:SHOWN]),
    ]


def _first_line(error: Exception) -> str:
    return shorten(str(error).partition("\n")[0].removeprefix("Page.evaluate: Error: "), 300)
