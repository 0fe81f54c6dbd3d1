"""A person in front of an engine's page, by Playwright's names: mouse, keyboard, and elements that they are used on."""

from __future__ import annotations

import asyncio
import time
from typing import Any, Protocol

from tests.engines.display import Display

WITHIN = 30.0
"""Seconds that an element may take to appear."""

LOOK_EVERY = 0.02

FIND = """([steps, scrolls]) => {
  const within = (root, selector) => [...root.querySelectorAll("*")].flatMap((one) => [
    ...(one.matches(selector) ? [one] : []),
    ...(one.shadowRoot ? within(one.shadowRoot, selector) : []),
  ]);
  const inside = (root, selector) => [
    ...(root.shadowRoot ? within(root.shadowRoot, selector) : []), ...within(root, selector)];
  let found = document;
  for (const [selector, index] of steps) found = found && inside(found, selector)[index];
  if (!found) return null;
  if (scrolls) found.scrollIntoView({ block: "nearest" });
  const { x, y, width, height } = found.getBoundingClientRect();
  const isShown = width > 0 && height > 0 && getComputedStyle(found).visibility === "visible";
  return isShown ? { x, y, width, height, disabled: Boolean(found.disabled) } : null;
}"""
"""Where an element is that can be seen; open shadow roots count as part of the page, as they do in Playwright."""


KEYSYMS = {"-": "minus", "Space": "space", "Enter": "Return", "Backspace": "BackSpace"}
"""The display's names for keys; a letter is its own, and most others are called as Playwright calls them."""


class Hands(Protocol):
    """What an engine's page has for a person."""

    display: Display
    corner: tuple[int, int]
    """Where on the display the page begins."""

    async def evaluate(self, function: str, argument: Any = None) -> Any:
        """Call a function in the page."""

    async def evaluate_in(self, path: tuple[int, ...] | None, function: str, argument: Any = None) -> Any:
        """Call a function in a frame, or without a path in the innermost."""


class Mouse:
    """The pointer, at places of the window's inside."""

    def __init__(self, hands: Hands) -> None:
        self._hands = hands

    async def move(self, x: float, y: float, **_: Any) -> None:
        """Go there."""
        await self._hands.display.use(*self._to(x, y))

    async def click(self, x: float, y: float) -> None:
        """Go there, press and release."""
        await self._hands.display.use(*self._to(x, y), "mousedown", "1", "mouseup", "1")

    def _to(self, x: float, y: float) -> tuple[str, ...]:
        left, top = self._hands.corner
        return "mousemove", str(round(x) + left), str(round(y) + top)


class Keyboard:
    """The keys."""

    def __init__(self, hands: Hands) -> None:
        self._hands = hands

    async def down(self, key: str) -> None:
        """Press one."""
        await self._hands.display.use("keydown", KEYSYMS.get(key, key))

    async def up(self, key: str) -> None:
        """Release it."""
        await self._hands.display.use("keyup", KEYSYMS.get(key, key))

    async def press(self, key: str) -> None:
        """Press and release one."""
        await self.down(key)
        await self.up(key)

    async def type(self, text: str, delay: float = 0) -> None:
        """One after the other, with so many milliseconds between."""
        for key in text:
            await self.press(key)
            await asyncio.sleep(delay / 1000)


class Locator:
    """An element, looked for when it is used."""

    def __init__(self, hands: Hands, *steps: tuple[str, int]) -> None:
        self._hands = hands
        self._steps = steps

    def nth(self, index: int) -> Locator:
        """The one with this number."""
        return Locator(self._hands, *self._steps[:-1], (self._steps[-1][0], index))

    def locator(self, selector: str) -> Locator:
        """One inside it."""
        return Locator(self._hands, *self._steps, (selector, 0))

    async def wait_for(self, state: str = "visible") -> None:
        """Wait until it can be seen, or with "hidden" until it cannot."""
        await self._until(lambda box: (box is None) == (state == "hidden"))

    async def bounding_box(self) -> dict[str, float] | None:
        """Where it is in the window; None when it cannot be seen."""
        found: dict[str, float] | None = await self._hands.evaluate(FIND, [self._steps, False])
        return found

    async def click(self, position: dict[str, float] | None = None) -> None:
        """Click it, in the middle or at a place of it, once it can be and has stopped moving."""
        await Mouse(self._hands).click(*await self._place(position))

    async def hover(self, position: dict[str, float] | None = None) -> None:
        """Bring the pointer over it."""
        await Mouse(self._hands).move(*await self._place(position))

    async def _place(self, position: dict[str, float] | None) -> tuple[float, float]:
        last: list[Any] = [None]

        def is_still(box: Any) -> bool:
            before, last[0] = last[0], box
            return box is not None and not box["disabled"] and box == before

        box = await self._until(is_still, scrolls=True)
        inside = position or {"x": box["width"] / 2, "y": box["height"] / 2}
        return box["x"] + inside["x"], box["y"] + inside["y"]

    async def _until(self, fits: Any, *, scrolls: bool = False) -> Any:
        end = time.monotonic() + WITHIN
        while True:
            box = await self._hands.evaluate(FIND, [self._steps, scrolls])
            if fits(box):
                return box
            if time.monotonic() > end:
                raise TimeoutError(f"{self._steps} was not as it was waited for: {box}")
            await asyncio.sleep(LOOK_EVERY)


class Person(Hands):
    """What a page has for whoever uses it."""

    is_one_process = False
    """Whether a page and the views on it share one."""

    def __init__(self, display: Display, corner: tuple[int, int]) -> None:
        self.display, self.corner = display, corner
        self.mouse, self.keyboard = Mouse(self), Keyboard(self)

    def locator(self, selector: str) -> Locator:
        """An element of the page."""
        return Locator(self, (selector, 0))

    async def click(self, selector: str) -> None:
        """Click an element."""
        await self.locator(selector).click()

    async def wait_for_function(self, function: str) -> None:
        """Wait until it returns something true."""
        end = time.monotonic() + WITHIN
        while not await self.evaluate(function):
            if time.monotonic() > end:
                raise TimeoutError(f"{function} never came true")
            await asyncio.sleep(LOOK_EVERY)

    async def wait_for_load_state(self) -> None:
        """Wait until the page has loaded."""
        await self.wait_for_function("() => document.readyState === 'complete'")
