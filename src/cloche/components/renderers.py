"""Renderers: named ways to make something of a component. `default` makes HTML; others are yours."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from cloche.components.component import Component
from cloche.components.nodes import Drawing
from cloche.errors import RegistrationError, ToolError, shorten
from cloche.views.html import Html

Renderer = Callable[[Component[Any], Mapping[str, Any], Drawing], Html]
"""Gets the component, its props as JSON and the drawing, and returns HTML."""


def default(component: Component[Any], props: Mapping[str, Any], drawing: Drawing) -> Html:
    """The component as its own function draws it."""
    return component.draw(props, drawing)


class Renderers:
    """Renderers by name. `default` is the one that `render` uses unless another is named."""

    def __init__(self) -> None:
        self._renderers: dict[str, Renderer] = {"default": default}

    def register(self, name: str, renderer: Renderer) -> None:
        """Add a renderer. A second one of the same name is refused; `default` may be replaced once."""
        if not callable(renderer):
            raise RegistrationError("A renderer is a function: (component, props, drawing) -> Html")
        if name in self._renderers and not (name == "default" and self._renderers[name] is default):
            raise RegistrationError(f"There is a renderer {name!r} already: choose another name")
        self._renderers[name] = renderer

    def get(self, name: str = "default") -> Renderer:
        """The renderer of this name; raises `ToolError` with those that there are."""
        found = self._renderers.get(name)
        if found is None:
            raise ToolError(f"There is no renderer {shorten(name)!r}; there are {', '.join(sorted(self._renderers))}")
        return found

    def has(self, name: str) -> bool:
        """Whether there is a renderer of this name."""
        return name in self._renderers

    def has_any(self) -> bool:
        """Whether there is any renderer."""
        return bool(self._renderers)

    def list(self) -> Sequence[str]:
        """The names of all renderers."""
        return [*self._renderers]
