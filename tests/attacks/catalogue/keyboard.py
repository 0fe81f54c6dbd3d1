"""A stolen keyboard: what a person types into the product's own field arrives in a view."""

from __future__ import annotations

import asyncio
import contextlib
import time
from typing import Any

from tests.attacks.attack import Attack, Driver
from tests.attacks.scene import Attempt, Scene
from tests.support.controls import Control, Edit

KIND = "stolen keyboard"

PASSWORD = "correct-horse-battery"
PACE = 0.06
"""Seconds between two keys of somebody who types fast."""
HELD = 0.06
"""Seconds for which such a person holds a key."""
PRESSED_WITHIN = 3.0
"""Seconds."""

UNGUARDED = Control(
    "unguarded-keyboard",
    "the look at how the focus came into a view",
    (),
    (Edit("host/keyboard.js", "if (!watched || this.#isWelcome(frame)) return;", "return;"),),
)

KEPT = Control(
    "keys-not-put-back",
    "the search for keys that a view swallowed",
    (),
    (Edit("host/lost-keys.js", "if (character && theft.field?.isConnected) giveBack(character, theft);", ""),),
)

UNPUNISHED = Control(
    "readers-not-removed",
    "the end of a view that has read a key",
    (),
    (Edit("host/lost-keys.js", "if (performance.now() < until) taken();", ""),),
)

COVERING = Control(
    "window-filled-over-a-field",
    "the look at who writes before a view fills the window",
    (),
    (Edit("host/mcp-app.js", "!(isForView && keyboard.isWriting)", "true"),),
)

FIELD = "type => document.body.insertAdjacentHTML('afterbegin', `<p><input id=field type=${type}></p>`)"


VALUE = "() => document.getElementById('field').value"
LETTERS = "ab"
BUSY = """() => void setTimeout(() => {
  const end = Math.ceil(Date.now() / 1000) * 1000 + 90;
  while (Date.now() < end);
}, 965 - Date.now() % 1000)"""
"""Keeps the page from hearing of anything between a little before the next second and a little after."""


def typing(kind: str, *, clicks: bool = False, hovers: bool = False) -> Driver:
    """A person types into a field of the product's own, after a click in the view, or with the pointer over it."""

    async def drive(scene: Scene, attempt: Attempt) -> None:
        page = scene.page
        if clicks:
            await page.locator("mcp-app").click(position={"x": 200, "y": 140})
        if hovers:
            await page.locator("mcp-app").hover(position={"x": 200, "y": 60})
        await page.evaluate(FIELD, kind)
        if hovers:
            await page.evaluate("() => document.getElementById('field').focus()")
        else:
            await page.click("#field")
        for key in PASSWORD:
            await pressed(page, key)
        attempt.note = await page.evaluate(VALUE)

    return drive


async def pressed(page: Any, key: str) -> None:
    """Press a key, hold it and release it. On its way into a frame that is removed it is never reported as pressed."""
    for half in (page.keyboard.down, page.keyboard.up):
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(PRESSED_WITHIN):
                await half(key)
        await asyncio.sleep(HELD if half == page.keyboard.down else PACE)


def at(part: float) -> float:
    """Seconds until this part of a second has passed."""
    return (part - time.time()) % 1


async def swallowed(scene: Scene, attempt: Attempt) -> None:
    """The view takes the focus on the second, while the page is busy with something of its own: the key that is pressed
    in that moment goes into the view. The person releases it when the page has noticed.
    """
    page = scene.page
    await page.evaluate(FIELD, "text")
    for typed in LETTERS:
        await asyncio.sleep(at(0.1))
        await page.click("#field")
        await page.evaluate(BUSY)
        await asyncio.sleep(at(0.92))
        await page.keyboard.press("-")  # somebody who is typing, and did not just click into the view
        await asyncio.sleep(at(0.03))
        await page.keyboard.down(typed)
        await asyncio.sleep(at(0.25))
        await page.keyboard.up(typed)
    attempt.note = await page.evaluate(VALUE)


async def lost(scene: Scene, attempt: Attempt) -> None:
    await swallowed(scene, attempt)
    if attempt.note != "".join(f"-{letter}" for letter in LETTERS):
        attempt.win(f"the field has {attempt.note!r}")


async def covered(scene: Scene, attempt: Attempt) -> None:
    """A person clicks in the view, and then writes into the field."""
    page = scene.page
    await page.locator("mcp-app").click(position={"x": 200, "y": 140})
    await page.evaluate(FIELD, "text")
    await page.click("#field")
    for key in PASSWORD:
        await pressed(page, key)
    attempt.note = await page.evaluate(VALUE)
    if attempt.note != PASSWORD:
        attempt.win(f"the field has {attempt.note!r}")


def theft(name: str, driver: Driver, control: Control = UNGUARDED, *, timed: bool = False) -> Attack:
    return Attack(
        name=name,
        kind=KIND,
        case="W21",
        control=control,
        script="keyboard",
        driver=driver,
        setup={"enough": 1},
        alone=True,
        apart=True,
        silent=True,
        exclusive=timed,
    )


ATTACKS = [
    *(
        theft(name, typing("password"))
        for name in ("focus-a-field", "focus-the-window", "focus-by-validation", "focus-by-dialog")
    ),
    theft("focus-after-a-click", typing("password", clicks=True)),
    theft("focus-under-the-pointer", typing("password", hovers=True)),
    theft("focus-from-a-text", typing("text")),
    theft("swallow-a-letter", lost, KEPT, timed=True),
    theft("read-a-letter", swallowed, UNPUNISHED, timed=True),
    theft("fill-the-window-over-a-field", covered, COVERING),
]
