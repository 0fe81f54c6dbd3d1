"""Components inside components: how JSON names them, and how deep they may go."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from cloche.errors import ToolError
from cloche.views.html import Html

MAX_DEPTH = 8
"""How deep components may be in each other."""

MAX_NODES = 500
"""Components in one that is rendered."""


class Node(msgspec.Struct, forbid_unknown_fields=True):
    """A component inside another one, as JSON: `{"component": "metric", "props": {"label": "Sold", "value": 3}}`."""

    component: str
    props: dict[str, Any] = {}


if TYPE_CHECKING:
    Child = Any
    """What a layout holds: in Python HTML or text, in JSON a `Node` or text."""
else:
    Child = Node | str


class Drawing:
    """One rendering: the components that are drawn in it, and what is said of them for the model."""

    def __init__(self, draw: Callable[[str, Mapping[str, Any], Drawing], Html]) -> None:
        self._draw = draw
        self._depth = 0
        self._drawn = 0
        self._said: list[str] = []

    def draw(self, name: str, props: Mapping[str, Any]) -> Html:
        """A component by its name."""
        self._drawn += 1
        if self._drawn > MAX_NODES:
            raise ToolError(f"More than {MAX_NODES} components in one: render several")
        self._depth += 1
        try:
            return self._draw(name, props, self)
        finally:
            self._depth -= 1

    def inside(self) -> Drawing:
        """The drawing, one level deeper."""
        if self._depth >= MAX_DEPTH:
            raise ToolError(f"Components are nested more than {MAX_DEPTH} deep: use fewer layouts")
        return self

    def say(self, sentence: str) -> None:
        """Tell the model of something that was drawn."""
        self._said.append(sentence)

    @property
    def summary(self) -> str:
        """What was drawn, a line for each part."""
        return "\n".join(self._said)
