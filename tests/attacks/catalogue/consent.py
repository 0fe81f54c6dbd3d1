"""Consent by trickery: the real dialog, a real mouse and keyboard, and a person who means something else."""

from __future__ import annotations

import asyncio
import time
from typing import Any

from tests.attacks.attack import Attack, Driver
from tests.attacks.scene import Attempt, Scene
from tests.support.controls import Control, Edit, Patch

KIND = "consent by trickery"

CLICKS = 24
PACE = 0.14
"""Seconds between two clicks in a fast game."""
TOO_SLOW = 0.5
"""A machine that is so late does not click fast: then nothing was shown, and the round is played again."""
ROUNDS = 4


def in_the_page(original: Any, self: Any, question: Any) -> Any:
    """Ask with the element's own dialog, not with the test's answers."""
    self._policy.ask = None
    return original(self, question)


ASKING = Patch("cloche.host.consent:Consent._question", in_the_page)

USED = Patch("cloche.host.gestures:Gestures.pays", lambda original, self, purpose, gesture: True)
"""Somebody plays in these views all the time: that a question needs a gesture is not what stops them."""
OURS = Control("ours-asking-in-the-page", "nothing: it only asks with its own dialog", (ASKING, USED))
BY_THE_CLOCK = Control(
    "armed-by-the-clock",
    "the look at where a question's button is and at early clicks, the calm of views while a question is open, and the "
    "look at how the focus came into a view",
    (ASKING, USED),
    (
        # Between two questions the person clicks in the view: that the guard of the keyboard removes it is luck.
        Edit("host/keyboard.js", "if (this.#isWelcome(frame)) return", "return"),
        Edit(
            "host/arming.js",
            "if (!isStill || this.#isHeld || !this.#isInSight(shown)) return this.#restart();",
            "",
        ),
        Edit("host/arming.js", "if (!this.#isArmed) this.#isHeld = true;", ""),
        Edit("host/arming.js", "if (this.#isArmed && !(presses && event.repeat)) return;", "return;"),
        Edit("host/calm.js", "if (this.#open.size === 0) return change();", "return change();"),
    ),
)

UNDER_A_PRESS = Control(
    "views-under-a-press",
    "the calm of views while a pointer is pressed on the page",
    (USED,),
    (Edit("host/calm.js", "isTrusted && this.#pressed(pointerId)", "isTrusted && pointerId < -1"),),
)

YES = "button.accept"
NO = "button.refuse"


async def tell(scene: Scene, element: int, locale: str) -> None:
    """Have one view do what it has under this name."""
    await scene.page.evaluate(
        "([element, locale]) => document.querySelectorAll('mcp-app')[element].setAttribute('locale', locale)",
        [element, locale],
    )


async def place_of_yes(scene: Scene, element: int = 0) -> tuple[float, float]:
    """Have a view ask, see where the button is, and refuse: an attacker knows the page as well."""
    await tell(scene, element, "en-AU")
    app = scene.page.locator("mcp-app").nth(element)
    await app.locator(YES).wait_for()
    box = await app.locator(YES).bounding_box()
    assert box is not None
    await app.locator(NO).click()
    await app.locator(YES).wait_for(state="hidden")
    await tell(scene, element, "en-GB")
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


class Clicker:
    """Somebody who clicks as fast as they can, always at the same place, and reads nothing."""

    def __init__(self, scene: Scene, attempt: Attempt, sign: str) -> None:
        self.scene = scene
        self.attempt = attempt
        self.before = self._count(sign)
        self.sign = sign
        self.slowest = 0.0

    def _count(self, sign: str) -> int:
        return sum(what == sign for what, _ in self.scene.diary.entries)

    @property
    def has_said_yes(self) -> bool:
        """Whether what would be asked about was done."""
        return self._count(self.sign) > self.before

    async def click(self, at: tuple[float, float], times: int = CLICKS) -> None:
        """Click so often, or until it was done."""
        last = time.monotonic()
        for _ in range(times):
            await self.scene.page.mouse.click(*at)
            await asyncio.sleep(max(0.0, last + PACE - time.monotonic()))
            self.slowest = max(self.slowest, time.monotonic() - last)
            last = time.monotonic()
            if self.has_said_yes:
                return


def played(play: Any, sign: str = "evil.erase") -> Driver:
    """Play until a round was fast enough to count; a yes that nobody meant wins."""

    async def drive(scene: Scene, attempt: Attempt) -> None:
        for _ in range(ROUNDS):
            clicker = Clicker(scene, attempt, sign)
            await play(scene, clicker)
            if clicker.has_said_yes and clicker.slowest < TOO_SLOW:
                attempt.started_at = time.monotonic()  # at our host, no more patience than the play itself has
                attempt.win(f"{sign} without anybody's having meant it")
            if clicker.slowest < TOO_SLOW:
                return
            await scene.page.reload()
            attempt.started.clear()
            await asyncio.wait_for(attempt.started.wait(), 45)
        raise AssertionError(f"the machine was too slow for a fast click {ROUNDS} times")

    return drive


async def under_the_game(scene: Scene, clicker: Clicker) -> None:
    """The question comes under the pointer of somebody who goes on clicking."""
    at = await place_of_yes(scene)
    await clicker.click(at, 3)
    await tell(scene, 0, "en-AU")
    await clicker.click(at)


async def under_the_keys(scene: Scene, clicker: Clicker) -> None:
    """The same with the keyboard: Tab, Tab, Tab, Enter, as in a form."""
    page = scene.page
    await page.locator("mcp-app").click(position={"x": 20, "y": 20})
    await tell(scene, 0, "en-AU")
    await page.locator("mcp-app").locator(YES).wait_for()
    last = time.monotonic()
    for _ in range(CLICKS // 4):
        for key in ("Tab", "Tab", "Tab", "Enter"):
            await page.keyboard.press(key)
            await asyncio.sleep(max(0.0, last + PACE - time.monotonic()))
            clicker.slowest = max(clicker.slowest, time.monotonic() - last)
            last = time.monotonic()
        if clicker.has_said_yes:
            return


async def neighbour_shrinks(scene: Scene, clicker: Clicker) -> None:
    """The game above the question becomes smaller, and the question jumps under the pointer."""
    x, y = await place_of_yes(scene, 1)
    at = (x, y - 300)
    await tell(scene, 1, "en-AU")
    await clicker.click(at, 8)
    await tell(scene, 0, "en-CA")
    await clicker.click(at, 8)
    await tell(scene, 0, "en-US")


async def neighbour_uncovers(scene: Scene, clicker: Clicker) -> None:
    """The game fills the window, a question waits under it, and the game goes away."""
    at = await place_of_yes(scene, 1)
    await scene.page.locator("mcp-app").nth(0).click(position={"x": 20, "y": 20})
    await tell(scene, 0, "en-NZ")
    await scene.page.wait_for_function("() => document.querySelector('mcp-app').displayMode === 'fullscreen'")
    await tell(scene, 1, "en-AU")
    await clicker.click(at, 8)
    await tell(scene, 0, "en-CA")
    await clicker.click(at, 8)


async def below_the_fold(scene: Scene, clicker: Clicker) -> None:
    """A question that nobody can see waits until it may be answered, and then fills the window."""
    page, app = scene.page, scene.page.locator("mcp-app")
    await app.click(position={"x": 20, "y": 20})
    await tell(scene, 0, "en-NZ")
    await page.wait_for_function("() => document.querySelector('mcp-app').displayMode === 'fullscreen'")
    at = await place_of_yes(scene)
    await tell(scene, 0, "en-CA")
    await page.wait_for_function("() => document.querySelector('mcp-app').displayMode === 'inline'")
    await app.click(position={"x": 20, "y": 20})
    await page.evaluate("() => { document.getElementById('secret').style.marginBottom = '4000px'; scrollTo(0, 0) }")
    await tell(scene, 0, "en-AU")
    await clicker.click(at, 8)
    await tell(scene, 0, "en-NZ")
    await clicker.click(at, 8)


OWN_BUTTON = """() => {
  // As buttons of menus and toolbars do, so that the keyboard stays where it is.
  document.body.insertAdjacentHTML("beforeend", "<p><button id=own>The product's own</button>");
  document.getElementById("own").addEventListener("mousedown", (event) => event.preventDefault());
}"""
ASKED_WITHIN = 1.0
"""Seconds in which a view that asks for it fills the window, or grows."""


def released(condition: str) -> Driver:
    """A person presses a button of the product's, and lets it go a second later: a view has come under the pointer."""

    async def drive(scene: Scene, attempt: Attempt) -> None:
        page = scene.page
        await page.wait_for_function("() => document.querySelector('mcp-app').getBoundingClientRect().height < 300")
        await page.evaluate(OWN_BUTTON)
        box = await page.locator("#own").bounding_box()
        assert box is not None
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        await page.mouse.move(x, y)
        await page.mouse.down()
        await tell(scene, 0, "en-NZ")
        if scene.house.control is attempt.attack.control:
            await page.wait_for_function(condition)
        else:
            await asyncio.sleep(ASKED_WITHIN)
        await page.mouse.move(x + 2, y + 2)
        await page.mouse.up()

    return drive


IS_LARGE = "() => document.querySelector('mcp-app').displayMode === 'fullscreen'"
IS_TALL = "() => document.querySelector('mcp-app').getBoundingClientRect().height > 1000"


def trick(name: str, case: str, driver: Driver, copies: int = 1, control: Control = BY_THE_CLOCK) -> Attack:
    return Attack(
        name=name,
        kind=KIND,
        case=case,
        control=control,
        ours=OURS,
        script="consent",
        driver=driver,
        copies=copies,
        alone=True,
        apart=True,
        silent=True,
    )


ATTACKS = [
    trick("yes-under-the-game", "W21", played(under_the_game)),
    trick("link-under-the-game", "W21", played(under_the_game, "link")),
    trick("yes-under-the-keys", "W21", played(under_the_keys)),
    trick("neighbour-shrinks", "W19", played(neighbour_shrinks), copies=2),
    trick("neighbour-uncovers", "W19", played(neighbour_uncovers), copies=2),
    trick("below-the-fold", "W19", played(below_the_fold)),
    trick("fill-the-window-under-a-press", "W19", released(IS_LARGE), control=UNDER_A_PRESS),
    trick("grow-under-a-press", "W19", released(IS_TALL), control=UNDER_A_PRESS),
]
