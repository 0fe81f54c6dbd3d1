"""The battery itself: a browser that ends under an attack does not take the others along."""

from __future__ import annotations

import contextlib
from dataclasses import replace

from playwright.async_api import Error

from tests.attacks.battery import Battery
from tests.attacks.catalogue import ATTACKS
from tests.attacks.scene import Attempt, Scene

FETCH, XHR = (next(attack for attack in ATTACKS if attack.name == name) for name in ("fetch", "xhr"))


async def test_what_a_browser_took_along_is_tried_in_a_new_one() -> None:
    crashed: list[str] = []

    async def crash_once(scene: Scene, attempt: Attempt) -> None:
        browser = scene.page.context.browser
        if crashed or browser is None:
            return
        crashed.append(attempt.attack.id)
        session = await browser.new_browser_cdp_session()
        with contextlib.suppress(Error):  # nobody is left to answer
            await session.send("Browser.crash")

    battery = Battery([replace(FETCH, driver=crash_once), XHR])
    await battery.run()
    assert crashed == [FETCH.id]
    assert battery.lost != []
    assert {name: outcome.complaint for name, outcome in battery.outcomes.items()} == {FETCH.id: "", XHR.id: ""}
    assert all(outcome.is_live and outcome.is_blocked for outcome in battery.outcomes.values())
