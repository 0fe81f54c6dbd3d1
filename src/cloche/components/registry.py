"""The components that a server knows, by name, category and tag."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from cloche.components.component import Component
from cloche.errors import RegistrationError, ToolError, shorten


class Registry:
    """Components by name. Looking one up costs the same however many there are."""

    def __init__(self, components: Iterable[Component[Any]] = ()) -> None:
        self._components: dict[str, Component[Any]] = {}
        self._by_category: dict[str, Any] = {}
        for one in components:
            self._add(one)

    def _add(self, component: Component[Any]) -> Component[Any]:
        if not isinstance(component, Component):
            raise RegistrationError("Register what @component made, or use @components.component on the function")
        if component.name in self._components:
            raise RegistrationError(f"There is a component {component.name!r} already: choose another name")
        self._components[component.name] = component
        self._by_category.setdefault(component.category, []).append(component)
        return component

    def get(self, name: str) -> Component[Any]:
        """The component of this name; raises `ToolError` with those that there are."""
        found = self._components.get(name)
        if found is None:
            there = ", ".join(sorted(self._components)) or "none"
            raise ToolError(f"There is no component {shorten(name)!r}; there are {shorten(there, 600)}")
        return found

    def has(self, name: str) -> bool:
        """Whether there is a component of this name."""
        return name in self._components

    def has_any(self) -> bool:
        """Whether there is any component."""
        return bool(self._components)

    def list(self) -> Sequence[Component[Any]]:
        """Every component, in the order in which they were registered."""
        return [*self._components.values()]

    def list_by_category(self, category: str) -> Sequence[Component[Any]]:
        """The components of one category."""
        return [*self._by_category.get(category, ())]

    @property
    def categories(self) -> tuple[str, ...]:
        """The categories that have a component."""
        return tuple(self._by_category)

    def search(self, text: str = "", *, tags: Iterable[str] = ()) -> Sequence[Component[Any]]:
        """The components that have all of `tags`, and every word of `text` in their name, description or tags."""
        wanted = {tag.lower() for tag in ([tags] if isinstance(tags, str) else tags)}
        words = text.lower().split()
        return [one for one in self if wanted <= {*map(str.lower, one.tags)} and _mentions(one, words)]

    def __iter__(self) -> Iterator[Component[Any]]:
        return iter(self._components.values())

    def __len__(self) -> int:
        return len(self._components)

    def __contains__(self, name: object) -> bool:
        return name in self._components


def _mentions(component: Component[Any], words: Iterable[str]) -> bool:
    text = " ".join((component.name, component.category, component.description, *component.tags)).lower()
    return all(word in text for word in words)
