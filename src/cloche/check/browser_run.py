"""A view opened in a real browser, and what was seen of it."""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from cloche.check.call_permission import Call
from cloche.check.stand_in import StandIn
from cloche.errors import McpError, TransportError, shorten
from cloche.testing.records import Record
from cloche.testing.session import ViewOptions, ViewSession
from cloche.testing.tool_view import ViewError

if TYPE_CHECKING:
    from playwright.async_api import Browser

HANDSHAKE_SECONDS = 3.0
"""From the page to `ui/notifications/initialized`; then again as long until there is something to see."""

LOOK_SECONDS = 0.1
"""Between two looks at a page that shows nothing yet."""

STUCK_SECONDS = 20.0
"""A page that cannot be looked at within so long runs in circles; a busy machine is slow, too."""

CALM = 3
"""Sizes that a view may tell until everything is there; one that told more is watched."""

RESTLESS, RESTLESS_SECONDS = 8, 3.0
"""More sizes than this within so long, when everything is there, never come to rest."""

WAITING = re.compile(r"(?is)\W*(?:loading|waiting|connecting|initiali[sz]ing|please wait)\b.{0,60}")
"""A page on which nothing else stands."""

LOOK = """
() => {
  const isSeen = (element) => {
    const {width, height} = element.getBoundingClientRect();
    return width > 1 && height > 1 && element.checkVisibility({opacityProperty: true, visibilityProperty: true});
  };
  const isPainted = (element) => {
    const style = getComputedStyle(element);
    return style.backgroundImage !== "none" || !/^rgba\\(.*, 0\\)$|^transparent$/.test(style.backgroundColor);
  };
  const pictures = "canvas, svg, img, video, audio, input, button, select, textarea, iframe, progress, meter";
  const text = (document.body?.innerText ?? "").trim();
  const elements = [...(document.body?.querySelectorAll("*") ?? [])].slice(0, 2000);
  const isDrawn = elements.some((one) => (one.matches(pictures) || isPainted(one)) && isSeen(one));
  const loads = performance.getEntriesByType("resource").map((one) => [one.name, one.initiatorType]);
  const tools = [...document.querySelectorAll("[data-tool]")].map((one) => one.dataset.tool);
  return {text: text.slice(0, 2000), isDrawn, loads: loads.slice(0, 200), tools: [...new Set(tools)].slice(0, 100)};
}
"""


@dataclass
class Rendering:
    """One view in one profile."""

    profile: str
    record: Record
    patience: float
    """Seconds that it had."""
    failure: str = ""
    """Why it never said hello; empty when it did."""
    text: str = ""
    is_drawn: bool = False
    """Whether there is a picture, a control or a coloured surface."""
    is_restless: bool = False
    loads: list[tuple[str, str]] = field(default_factory=list)
    """What it fetched, and by what: script, link, css, img, fetch…"""
    tools: list[str] = field(default_factory=list)
    """What the `data-tool` attributes on it name."""

    @property
    def is_blank(self) -> bool:
        """Whether there is nothing to see."""
        return not self.failure and not self.text and not self.is_drawn

    @property
    def is_waiting(self) -> bool:
        """Whether it only says that it waits."""
        return WAITING.fullmatch(self.text) is not None


@dataclass(frozen=True)
class HowToRender:
    """What all views of a server have in common."""

    browser: Browser
    server: StandIn
    room: asyncio.Semaphore
    """For so many views at a time."""
    patience: float
    look: float
    responses: dict[str, Any] = field(default_factory=dict)
    """What stands at addresses outside, instead of the real thing."""


async def render(how: HowToRender, call: Call, profile: str, **more: Any) -> Rendering:
    """Open the view of a tool as a host of this profile does, and look at it until there is something to see; `more`
    are other options of `open_view`.
    """
    from playwright.async_api import Error

    streams = not call.was_called
    options = ViewOptions(profile=profile, stream=streams, timeout=how.patience, responses=how.responses, **more)
    session = ViewSession(call.tool, call.arguments, options)
    seen = Rendering(profile, session.record, how.patience)
    async with how.room:
        try:
            await session.open(how.server, how.browser)
            if not call.was_called:
                await session.send_input(None)
            await session.settle()
            await _look(session, seen, how.look, expect_result=call.was_called)
        except ViewError as error:
            seen.failure = error.reason if error.reason.endswith(".") else f"{error.reason}."
        except (McpError, TransportError) as error:
            seen.failure = shorten(str(error), 200)
        except (Error, TimeoutError) as error:
            seen.failure = f"the browser failed: {shorten(str(error).partition(chr(10))[0] or 'too slow', 150)}."
        finally:
            await session.close()
    return seen


async def _look(session: ViewSession, seen: Rendering, seconds: float, *, expect_result: bool) -> None:
    """Look until something is there, and no longer only the word that something will be."""
    clock = asyncio.get_running_loop()
    until = clock.time() + seconds
    while True:
        if not await _look_once(session, seen):
            seen.failure = "its page does not answer any more: a script in it runs on and on, or it went elsewhere."
            return
        done = not seen.is_blank and not (expect_result and seen.is_waiting)
        if done or clock.time() >= until:
            break
        await asyncio.sleep(LOOK_SECONDS)
    await session.stage.settle()
    before = len(session.record.all("size"))
    until = clock.time() + RESTLESS_SECONDS
    while before > CALM and not seen.is_restless and clock.time() < until:
        await asyncio.sleep(LOOK_SECONDS)
        later = session.record.all("size")[before:]
        seen.is_restless = len({size.height for size in later}) > RESTLESS


async def _look_once(session: ViewSession, seen: Rendering) -> bool:
    """Whether the page could be looked at."""
    from playwright.async_api import Error

    try:
        async with asyncio.timeout(STUCK_SECONDS):
            found = await session.stage.view.locator("body").evaluate(LOOK)
    except (TimeoutError, Error):
        return False
    seen.text, seen.is_drawn = found["text"], found["isDrawn"]
    seen.loads = [(url, kind) for url, kind in found["loads"]]
    seen.tools = found["tools"]
    return True
