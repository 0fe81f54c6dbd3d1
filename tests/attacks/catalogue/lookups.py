"""Getting data out of the view by the names that the browser looks up, whatever comes of it afterwards."""

from __future__ import annotations

import asyncio

from tests.attacks.attack import Attack
from tests.attacks.catalogue.exfiltration import NO_ALLOWLIST, OPEN_NETWORK, OPEN_RTC, names_in
from tests.attacks.scene import Attempt, Scene
from tests.engines.driving import CannotDrive

KIND = "exfiltration by lookup"


async def watch_lookups(scene: Scene, attempt: Attempt) -> None:
    """Success is a lookup of this attack's name, or a connection to its own port: only the name leads there."""
    if scene.net_log is None:
        raise CannotDrive("only Chromium writes down which names it looks up")
    scene.net_log.on_lookup(attempt.lookup, attempt.win)


async def wait_for_log(scene: Scene, attempt: Attempt) -> None:
    """Once the view has tried, everything that came of it so far is read before anybody waits longer."""
    if attempt.attack.name == "name-pressed-link":
        await press(scene, attempt)
    waiting = [asyncio.ensure_future(event.wait()) for event in (attempt.tried, attempt.won)]
    await asyncio.wait(waiting, timeout=scene.deadline, return_when=asyncio.FIRST_COMPLETED)
    for one in waiting:
        one.cancel()
    assert scene.net_log is not None
    await scene.net_log.caught_up()


async def press(scene: Scene, attempt: Attempt) -> None:
    """Somebody presses the mouse on the link that fills the view, and does not let go over it."""
    box = await scene.page.locator("mcp-app").bounding_box()
    assert box is not None
    await scene.page.mouse.move(box["x"] + 40, box["y"] + 60)
    await scene.page.mouse.down()


TOP_LEVEL = "Chromium does this for top-level pages only"

DORMANT = {
    "name-link-in-sight": TOP_LEVEL,
    "name-link-in-a-child": TOP_LEVEL,
    "name-speculated": TOP_LEVEL,
    "name-speculated-prerender": TOP_LEVEL,
    "name-icon": TOP_LEVEL,
    "name-manifest": TOP_LEVEL,
    "name-report": "Chromium sends no reports for a policy in a meta element",
}

CONTROLS = {
    NO_ALLOWLIST: (
        *("name-dns-prefetch", "name-dns-prefetch-body", "name-dns-prefetch-markup", "name-dns-prefetch-child"),
        *("name-dns-prefetch-shadow", "name-preconnect", "name-preconnect-cors", "name-preconnect-markup"),
        *("name-preconnect-child", "name-pressed-link", "name-prerender", "name-frame", "name-frame-location"),
        *("name-frame-in-frame", "name-frame-refresh", "name-form", "name-form-in-frame", "name-link", "name-refresh"),
    ),
    OPEN_RTC: ("name-stun", "name-stun-child"),
}
"""Those that the content policy does not stop: only Connection-Allowlist does."""

LEAVING = ("name-form", "name-link", "name-location", "name-refresh")
"""The view may be gone before it says that it has tried."""

CONTROL_OF = {name: control for control, names in CONTROLS.items() for name in names}

ATTACKS = [
    Attack(
        name=name,
        kind=KIND,
        case="W26",
        control=CONTROL_OF.get(name, OPEN_NETWORK),
        script="lookups",
        watcher=watch_lookups,
        driver=wait_for_log,
        stores=True,  # private windows look nothing up in advance
        alone=name == "name-pressed-link",
        apart=name == "name-pressed-link",
        silent=name in LEAVING,
        dormant=DORMANT.get(name),
    )
    for name in names_in("lookups")
]
