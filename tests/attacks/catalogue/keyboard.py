"""A stolen keyboard: what a person types into the product's own field arrives in a view."""

from __future__ import annotations

import asyncio
import contextlib

from tests.attacks.attack import Attack, Driver
from tests.attacks.scene import Attempt, Scene
from tests.support.controls import Control, Edit

KIND = "stolen keyboard"

PASSWORD = "correct-horse-battery"
PACE = 0.06
"""Seconds between two keys of somebody who types fast."""
PRESSED_WITHIN = 3.0
"""Seconds."""

UNGUARDED = Control(
    "unguarded-keyboard",
    "the look at how the focus came into a view",
    (),
    (Edit("host/keyboard.js", "if (!watched || this.#isWelcome(frame)) return;", "return;"),),
)

FIELD = "type => document.body.insertAdjacentHTML('afterbegin', `<p><input id=field type=${type}></p>`)"


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
            # A key on its way into a frame that is removed is never reported as pressed.
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(PRESSED_WITHIN):
                    await page.keyboard.press(key)
            await asyncio.sleep(PACE)
        attempt.note = await page.evaluate("() => document.getElementById('field').value")

    return drive


def theft(name: str, driver: Driver, enough: int = 1) -> Attack:
    return Attack(
        name=name,
        kind=KIND,
        case="W21",
        control=UNGUARDED,
        script="keyboard",
        driver=driver,
        setup={"enough": enough},
        alone=True,
        apart=True,
        silent=True,
        exclusive=enough > 1,  # where it counts keys, a page that is slow for another reason loses more of them
    )


ATTACKS = [
    *(
        theft(name, typing("password"))
        for name in ("focus-a-field", "focus-the-window", "focus-by-validation", "focus-by-dialog")
    ),
    theft("focus-after-a-click", typing("password", clicks=True)),
    theft("focus-under-the-pointer", typing("password", hovers=True)),
    # From a field that holds no secret a view is removed after three thefts: a key may get lost with each.
    theft("focus-from-a-text", typing("text"), enough=4),
]
