"""Playing a recorded view: step by step, in the order in which the recorded view went through them.

The clock stands still between two steps and is put forward to the time of the next one, so what a view does after a
second happens at the same place. What is sent waits until it has arrived; documents are compared until they are the
same, or will not be.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import TYPE_CHECKING

from cloche.errors import shorten
from cloche.testing.browser_page import Stage
from cloche.testing.cassettes.cassette import RecordedView
from cloche.testing.cassettes.differences import Difference, compared
from cloche.testing.cassettes.gesture_player import GesturePlayer
from cloche.testing.cassettes.lines import Dom, Got, Start, Step, User
from cloche.testing.cassettes.played_host import PlayedConversation
from cloche.testing.cassettes.recorded_answers import RecordedAnswers
from cloche.testing.cassettes.scripts import serialiser
from cloche.testing.cassettes.server import described

if TYPE_CHECKING:
    from playwright.async_api import Locator

PATIENCE = 20.0
"""Seconds until what does not come counts as missing: a busy machine is slow."""

UNCHANGED = 1.0
"""Seconds without a change until a document that differs counts as different."""

LATER = 1000
"""Milliseconds by which the view's clock may go ahead of the recording to get there: timers are never exact."""

TICK = 16
FAR = 600_000
"""Milliseconds over which timers are not run one by one."""

PULSE = """async (root, counter) => {
  const hop = () => new Promise((done) => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => (channel.port1.close(), done());
    channel.port2.postMessage(0);
  });
  await hop();
  await hop();
  await new Promise((done) => {
    const observer = new ResizeObserver(done);
    observer.observe(root);
    AbortSignal.timeout(300).onabort = done;
  });
  await hop();
  await hop();
  return window[counter];
}"""
"""Lets a view work on what it has, and the browser lay it out and tell its observers, while the view's clock stands.
Gives the number of messages it got. The deadline is for frames that the browser does not paint.
"""


@dataclass
class Player:
    """Plays one view on a stage where its page is about to be shown."""

    view: RecordedView
    stage: Stage
    talk: PlayedConversation
    answers: RecordedAnswers
    counter: str
    pace: float = 0.0
    _now: float = field(default=0.0, init=False)
    _count: int = field(default=0, init=False)
    """Messages that the view had got when it was last looked at."""

    async def play(self) -> Difference | None:
        """Everything, up to the first difference."""
        from playwright.async_api import Error

        steps = self.view.steps
        for step, later in zip_longest(steps, steps[1:]):
            if isinstance(step, Dom) and isinstance(later, Dom):
                continue  # it was not at rest yet: it changed again with nothing happening
            try:
                await self._advance(step.at)
                problem = await self._do(step)
            except Error as error:  # a page that the browser has ended answers nothing any more
                problem = f"the browser ended its page: {shorten(str(error).splitlines()[0], 200)}"
            if self.answers.unknown:
                problem = f"the view asked for something that is not in the recording: {self.answers.unknown[0]}"
            if problem is not None:
                self.answers.finish()
                return Difference(self.view.name, step.at, problem)
        self.answers.finish()
        return None

    async def _do(self, step: Step) -> str | None:
        if isinstance(step, Start):
            return await self._started()
        if isinstance(step, Got):
            return await self._send(step)
        if isinstance(step, User):
            return await self._act(step)
        return await self._compare(step)

    @property
    def _root(self) -> Locator:
        return self.stage.view.locator("html")

    async def _pulse(self) -> int:
        """Let the view work; how many messages it has got."""
        self._count = await self._root.evaluate(PULSE, self.counter, timeout=PATIENCE * 1000)
        return self._count

    async def _advance(self, at: float) -> None:
        """Put the view's clock forward to this time."""
        ahead = round(at - self._now)
        if ahead <= 0:
            return
        if self.pace:
            await asyncio.sleep(min(ahead / 1000, self.pace))
        clock = self.stage.page.clock
        if ahead > FAR:
            await clock.fast_forward(ahead - TICK)
            ahead = TICK
        await clock.run_for(ahead)
        self._now = at

    async def _started(self) -> str | None:
        from playwright.async_api import Error

        try:
            await self._pulse()
        except Error:
            return "its page was not shown"
        return None

    async def _send(self, got: Got) -> str | None:
        slot = self.answers.slot(got)
        if slot is not None:
            end = time.monotonic() + PATIENCE
            while not slot.is_asked and not self.answers.unknown:
                if time.monotonic() > end:
                    return f"the view did not ask {self._question(got)}"
                await asyncio.sleep(0.01)
        before = self._count
        if slot is None:
            await self.talk.post(got.message)
        else:
            slot.is_due.set()
        end = time.monotonic() + PATIENCE
        while await self._pulse() <= before:
            if time.monotonic() > end:
                return "the view does not take its messages any more"
        return None

    def _question(self, got: Got) -> str:
        if got.question is not None:
            return described(got.question.method, got.question.params)
        return "what it asked its page"

    async def _act(self, step: User) -> str | None:
        from playwright.async_api import Error

        try:
            await GesturePlayer(self.stage).do(step)
            await self._pulse()
        except Error as error:
            where = f" {step.target}" if step.target else ""
            return f"{step.event}{where} is not possible: {shorten(str(error).splitlines()[0], 200)}"
        return None

    async def _compare(self, dom: Dom) -> str | None:
        """Wait until the document is the recorded one; None when it is."""
        last, since = "", time.monotonic()
        ahead, tick = 0, TICK
        end = since + PATIENCE
        while time.monotonic() < end:
            await self._pulse()
            now: str = await self._root.evaluate(serialiser(), timeout=PATIENCE * 1000)
            if now == dom.text:
                return None
            if now != last:
                last, since = now, time.monotonic()
            elif ahead < LATER:
                await self.stage.page.clock.run_for(tick)
                ahead, tick, self._now = ahead + tick, 2 * tick, self._now + tick
            elif time.monotonic() - since > UNCHANGED:
                break
        return compared(dom.text, last)
