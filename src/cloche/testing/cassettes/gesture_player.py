"""Recorded gestures, played with the browser's own mouse and keyboard, so that a view cannot tell the difference."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from cloche.testing.browser_page import Stage
from cloche.testing.cassettes.lines import PASSWORD, User

if TYPE_CHECKING:
    from playwright.async_api import Locator

PATIENCE = 10_000
"""Milliseconds until an element that is not there counts as missing."""

BUTTONS: tuple[Literal["left"], Literal["middle"], Literal["right"]] = ("left", "middle", "right")


class GesturePlayer:
    """Plays the recorded clicks and keys of a person: every `Gesture` by the method of its name."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage

    async def do(self, step: User) -> None:
        """Play one gesture; raises Playwright's `Error` when that is not possible."""
        await getattr(self, f"_{step.event}")(step)

    def _element(self, step: User) -> Locator:
        return self._stage.view.locator(step.target or "body").first

    async def _click(self, step: User) -> None:
        await self._down(step)
        await self._stage.page.mouse.up(button=_button(step), click_count=step.count)

    async def _down(self, step: User) -> None:
        await self._move(step)
        await self._stage.page.mouse.down(button=_button(step), click_count=step.count)

    async def _move(self, step: User) -> None:
        element = self._element(step)
        await element.scroll_into_view_if_needed(timeout=PATIENCE)
        box = await element.bounding_box(timeout=PATIENCE)
        if box is not None:
            await self._stage.page.mouse.move(box["x"] + (step.x or 0), box["y"] + (step.y or 0))

    async def _drag(self, step: User) -> None:
        left, top = await self._origin()
        await self._stage.page.mouse.move(left + (step.x or 0), top + (step.y or 0))

    async def _up(self, step: User) -> None:
        await self._drag(step)
        await self._stage.page.mouse.up(button=_button(step))

    async def _leave(self, _: User) -> None:
        await self._stage.page.mouse.move(-1, -1)

    async def _origin(self) -> tuple[float, float]:
        box = await self._stage.page.locator("iframe").bounding_box()
        return (box["x"], box["y"]) if box is not None else (0, 0)

    async def _input(self, step: User) -> None:
        await self._element(step).fill(PASSWORD if step.secret else step.value or "", timeout=PATIENCE)

    async def _choose(self, step: User) -> None:
        await self._element(step).select_option(step.values, timeout=PATIENCE)

    async def _key(self, step: User) -> None:
        element = self._element(step)
        # The body cannot be given the focus; it has it when nothing else does.
        await element.evaluate("(element) => element === document.body && document.activeElement?.blur()")
        await element.press(step.key or "Unidentified", timeout=PATIENCE)

    async def _scroll(self, step: User) -> None:
        await self._element(step).evaluate("(element, [x, y]) => element.scrollTo(x, y)", [step.x or 0, step.y or 0])

    async def _resize(self, step: User) -> None:
        await self._stage.resize(step.x or 0, step.y or 0)

    async def _scheme(self, step: User) -> None:
        await self._stage.page.emulate_media(color_scheme="dark" if step.value == "dark" else "light")


def _button(step: User) -> Literal["left", "middle", "right"]:
    return BUTTONS[min(step.button, 2)]
