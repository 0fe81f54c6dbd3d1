"""The playground's start: CPU time of `cloche dev FILE` and of its server, until the page has its list. And its page
when there is much in it: from a click to what it shows, and the memory of the page."""

from __future__ import annotations

import asyncio
import json
import re
import resource
import subprocess
import sys
from pathlib import Path
from statistics import median

from playwright.sync_api import Page, sync_playwright
from websockets.asyncio.client import connect

from benchmarks.measure import Cost, Findings, Plan, Reading
from cloche.dev.site import SOCKET, SUBPROTOCOL
from cloche.testing.browser import launch_flags
from tools.chromium import chromium

SERVER = Path(__file__).parents[2] / "examples" / "todo_view.py"
TURNS = 5

PAINTED = """async ([what, shown]) => {
  const frame = () => new Promise((go) => requestAnimationFrame(go));
  const before = document.querySelector(shown)?.textContent;
  const element = document.querySelector(what);
  await frame();
  const started = performance.now();
  element.click();
  for (let tries = 0; shown !== "body" && tries < 200; tries++) {
    if (document.querySelector(shown) && document.querySelector(shown).textContent !== before) break;
    await frame();
  }
  await frame();
  await new Promise((go) => setTimeout(go));
  return performance.now() - started;
}"""
"""Milliseconds from a click until the frame that shows what it did is painted."""


async def run(plan: Plan) -> Findings:
    seconds = median([await asyncio.to_thread(_start) for _ in range(TURNS)])
    found = Findings()
    found.readings.append(Reading("dev.start", seconds, "cloche dev and its server, median of 5"))
    found.costs.append(Cost("cloche dev FILE until the page has its list", seconds * 1000, "ms"))
    choose, show, message, megabytes = await asyncio.to_thread(_crowded)
    found.readings += [
        Reading("dev.choose", choose, "a click on one of 200 tools until its form is painted, median"),
        Reading("dev.show", show, "5 MB of JSON, a click on its tab until it is painted"),
        Reading("dev.message", message, "a click on a row among 10,000 messages until it is painted, median"),
        Reading("dev.memory", megabytes, "JavaScript heap of the page after all that"),
    ]
    return found


def _crowded() -> tuple[float, float, float, float]:
    """Milliseconds from a click to the paint: on a tool, on 5 MB of JSON, on a message. Then megabytes."""
    process = subprocess.Popen(
        [sys.executable, "-m", "benchmarks.crowded_playground"], stderr=subprocess.PIPE, text=True
    )
    assert process.stderr is not None
    try:
        url = next(match[0] for match in (re.search(r"http://\S+", line) for line in process.stderr) if match)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium(), args=launch_flags())
            page = browser.new_page(viewport={"width": 1440, "height": 900})
            page.set_default_timeout(60_000)
            page.goto(url)
            found = _clicked(page)
            browser.close()
            return found
    finally:
        process.terminate()
        process.communicate()


def _clicked(page: Page) -> tuple[float, float, float, float]:
    last = page.locator("nav section").last.get_by_role("button", name="tool")
    last.wait_for()
    page.locator("nav li button", has_text="flood").click()
    page.get_by_role("button", name="Call", exact=True).click()
    page.locator("#outcome .status", has_text="Done").wait_for()
    choose = median([page.evaluate(PAINTED, [f"nav li:nth-child({at}) button", "#item h2"]) for at in range(20, 60, 4)])
    page.locator("nav li button", has_text="big").click()
    page.locator("#item h2", has_text="big").wait_for()
    page.get_by_role("button", name="Call", exact=True).click()
    page.locator("#outcome .status", has_text="Done").wait_for()
    show = page.evaluate(PAINTED, ["#outcome [data-name=json]", "#outcome details"])
    message = median(
        [page.evaluate(PAINTED, [f".rows > li:nth-child({at}) summary", "body"]) for at in range(20, 60, 4)]
    )
    session = page.context.new_cdp_session(page)
    session.send("HeapProfiler.collectGarbage")
    used = session.send("Runtime.getHeapUsage")["usedSize"]
    return choose, show, message, used / 1e6


def _start() -> float:
    """Seconds of CPU time, of the playground and of everything that it started."""
    before = _spent()
    command = [sys.executable, "-m", "cloche", "dev", "--no-open", "--port", "0", str(SERVER)]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    try:
        found = (re.search(r"http://localhost:(\d+)/#token=(\S+)", line) for line in process.stderr)
        port, token = next(match.groups() for match in found if match)
        asyncio.run(_listed(port, token))
    finally:
        process.terminate()
        process.communicate()
    return _spent() - before


def _spent() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


async def _listed(port: str, token: str) -> None:
    """What the page does first."""
    origin = f"http://localhost:{port}"
    async with connect(
        f"ws://localhost:{port}{SOCKET}", subprotocols=[SUBPROTOCOL], origin=origin, max_size=None
    ) as socket:  # type: ignore[arg-type,list-item]
        await socket.send(json.dumps({"token": token}))
        while True:
            told = json.loads(await socket.recv())
            if told.get("event") == "ready":
                await socket.send(json.dumps({"id": 1, "do": "list", "server": told["servers"][0]["name"]}))
            if told.get("id") == 1:
                assert told["value"]["tools"]
                return
