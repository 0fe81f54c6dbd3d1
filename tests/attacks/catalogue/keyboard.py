"""A stolen keyboard: what a person types into the product's own field arrives in a view."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

from tests.attacks.attack import Attack, Driver
from tests.attacks.scene import Attempt, Scene
from tests.engines.driving import CannotDrive
from tests.engines.person import Person
from tests.support.controls import Control, Edit

KIND = "stolen keyboard"

PASSWORD = "correct-horse-battery"
PACE = 0.06
"""Seconds between two keys of somebody who types fast."""
HELD = 0.06
"""Seconds for which such a person holds a key."""
REACH = 0.25
"""Seconds until the hand that has clicked is at the keyboard. A key in the moment of the click goes to whoever had the
focus before: browsers move it when the page has heard of the click.
"""
PRESSED_WITHIN = 3.0
"""Seconds."""

UNGUARDED = Control(
    "unguarded-keyboard",
    "the look at how the focus came into a view",
    (),
    (Edit("host/keyboard.js", "if (this.#isWelcome(frame)) return", "return"),),
)

KEPT = Control(
    "keys-not-put-back",
    "the search for keys that a view swallowed",
    (),
    (Edit("host/lost-keys.js", "if (!field?.isConnected) return;", "return;"),),
)

UNPUNISHED = Control(
    "readers-not-removed",
    "the end of a view that has read a key",
    (),
    (
        Edit("host/keyboard.js", "if (hasRead || isSecret &&", "if (isSecret &&"),
        Edit("host/lost-keys.js", "    taken();\n", ""),
    ),
)

BY_ACTIVATION = Control(
    "clicks-not-told-from-keys",
    "the look at whether a pointer was pressed in the view: a key counts as the person's doing there, too",
    (),
    (Edit("host/keyboard.js", "(told.pointedAt > hereAt || mayBeInside)", "told.isActive"),),
)

COVERING = Control(
    "window-filled-over-a-field",
    "the look at who writes before a view fills the window",
    (),
    (Edit("host/mcp-app.js", "!(isForView && keyboard.isWriting)", "true"),),
)

FIELD = "type => document.body.insertAdjacentHTML('afterbegin', `<p><input id=field type=${type}></p>`)"


VALUE = "() => document.getElementById('field').value"
HAS_FIELD = "() => document.activeElement?.id === 'field' && document.hasFocus()"
LETTERS = "ab"
PAUSE = 0.6
"""Seconds in which somebody thinks about the next word, and might as well have clicked somewhere."""

STEAL = "new Promise((done) => { addEventListener('focus', done, { once: true }); trap.focus() })"
HANG = "setTimeout(() => { const end = Date.now() + 4000; while (Date.now() < end); })"
"""Longer than the page waits for what was pressed in a view."""
ARRIVED_WITHIN = 3.0
"""Seconds."""

BUSY = """() => void setTimeout(() => {
  const request = new XMLHttpRequest();
  request.open("GET", "/busy", false);
  request.send();
})"""


BUSY_FOR = 500
"""Milliseconds for which a page is busy that cannot be made to wait for an answer."""

BUSY_BY_ITSELF = "(ms) => void setTimeout(() => { const end = Date.now() + ms; while (Date.now() < end); })"
FREE = "() => true"


@contextlib.asynccontextmanager
async def busy(page: Any) -> AsyncIterator[None]:
    """Keep the page from hearing of anything: it waits for an answer that comes at the end, or is busy by itself."""
    if isinstance(page, Person):
        await page.evaluate(BUSY_BY_ITSELF, BUSY_FOR)
        await asyncio.sleep(PACE)
        yield
        await page.evaluate(FREE)
        return
    begun, ended = asyncio.Event(), asyncio.Event()

    async def answer(route: Any) -> None:
        begun.set()
        await ended.wait()
        await route.fulfill(body="")

    await page.route("**/busy", answer)
    await page.evaluate(BUSY)
    await begun.wait()
    try:
        yield
    finally:
        ended.set()


Do = Callable[[str], Awaitable[Any]]
"""Runs a script in the view, and waits until it is done."""


async def inside(page: Any) -> Do:
    """The view. Playwright's way to have it do something would be the person's gesture there."""
    if isinstance(page, Person):
        if page.is_one_process:
            raise CannotDrive("a view can do nothing while its page is busy")
        return lambda script: page.evaluate_in(None, f"() => {script}")
    session = await page.context.new_cdp_session(page.frames[-1])
    return lambda script: session.send("Runtime.evaluate", {"expression": script, "awaitPromise": True})


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
            await clicked(page)
        for key in PASSWORD:
            await pressed(page, key)
        await arrived(page, attempt, PASSWORD)

    return drive


async def clicked(page: Any) -> None:
    """Click the field, to write into it."""
    await page.click("#field")
    await asyncio.sleep(REACH)


async def pressed(page: Any, key: str) -> None:
    """Press a key, hold it and release it. On its way into a frame that is removed it is never reported as pressed."""
    for half in (page.keyboard.down, page.keyboard.up):
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(PRESSED_WITHIN):
                await half(key)
        await asyncio.sleep(HELD if half == page.keyboard.down else PACE)


async def begun(page: Any) -> Do:
    """The person has typed something: they did not just click into the view."""
    do = await inside(page)
    await page.evaluate(FIELD, "text")
    await clicked(page)
    await pressed(page, "-")
    return do


async def finished(page: Any, attempt: Attempt, rest: str) -> None:
    """The person types the rest."""
    for key in rest:
        await pressed(page, key)
    await arrived(page, attempt, f"-{LETTERS[0]}{rest}")


async def arrived(page: Any, attempt: Attempt, typed: str) -> None:
    """Every key is in the field soon, once and in order; else the attack has won."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(ARRIVED_WITHIN):
            await page.wait_for_function(f"() => document.getElementById('field').value === '{typed}'")
    attempt.note = await page.evaluate(VALUE)
    if attempt.note != typed:
        attempt.win(f"the field has {attempt.note!r}")


async def swallowed(scene: Scene, attempt: Attempt) -> None:
    """The view takes the focus while the page is busy with something of its own: the key that is pressed in that moment
    goes into the view. The person releases it when the page has noticed.
    """
    page = scene.page
    do = await begun(page)
    async with busy(page):
        await do(STEAL)
        await page.keyboard.down(LETTERS[0])
    await page.wait_for_function(HAS_FIELD)
    await page.keyboard.up(LETTERS[0])


async def lost(scene: Scene, attempt: Attempt) -> None:
    await swallowed(scene, attempt)
    await finished(scene.page, attempt, LETTERS[1:])


async def lost_in_a_knot(scene: Scene, attempt: Attempt) -> None:
    """The view takes the focus and a key, and then says nothing more, nor does the script that runs first in it."""
    page = scene.page
    do = await begun(page)
    async with busy(page):
        await do(STEAL)
        await do(HANG)
        down = asyncio.ensure_future(page.keyboard.down(LETTERS[0]))
        await asyncio.wait([down], timeout=HELD)
    await page.wait_for_function(HAS_FIELD)
    await page.keyboard.up(LETTERS[0])
    await finished(page, attempt, LETTERS[1:])
    down.cancel()


async def in_a_pause(scene: Scene, attempt: Attempt) -> None:
    """The theft comes when the person has typed nothing for a while, so that they may have clicked in the view, and the
    page is too busy to ask before the next key is pressed. Then they type on.
    """
    page = scene.page
    do = await begun(page)
    await asyncio.sleep(PAUSE)
    async with busy(page):
        await do(STEAL)
        await pressed(page, LETTERS[0])
    await finished(page, attempt, PASSWORD)


async def covered(scene: Scene, attempt: Attempt) -> None:
    """A person clicks in the view, and then writes into the field."""
    page = scene.page
    await page.locator("mcp-app").click(position={"x": 200, "y": 140})
    await page.evaluate(FIELD, "text")
    await clicked(page)
    for key in PASSWORD:
        await pressed(page, key)
    await arrived(page, attempt, PASSWORD)


def theft(name: str, driver: Driver, control: Control = UNGUARDED) -> Attack:
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
    )


ATTACKS = [
    *(
        theft(name, typing("password"))
        for name in ("focus-a-field", "focus-the-window", "focus-by-validation", "focus-by-dialog")
    ),
    theft("focus-after-a-click", typing("password", clicks=True)),
    theft("focus-under-the-pointer", typing("password", hovers=True)),
    theft("focus-from-a-text", typing("text")),
    theft("swallow-a-letter", lost, KEPT),
    theft("swallow-and-hang", lost_in_a_knot, KEPT),
    theft("read-a-letter", swallowed, UNPUNISHED),
    theft("read-in-a-pause", in_a_pause, BY_ACTIVATION),
    theft("fill-the-window-over-a-field", covered, COVERING),
]
