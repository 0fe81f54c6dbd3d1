"""Targets: named places in a page of the author's own, and what `render` put there for whom."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from cloche.components.instances import REQUEST, Instance, Owner
from cloche.errors import ConfigurationError, McpError, ToolError, shorten

if TYPE_CHECKING:
    from cloche.components.capability import Components

SCHEME = "target://"
MAX_OWNERS = 10_000
"""Callers whose places are known at once."""

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_.\-]{0,63}")


class Targets:
    """Which instance is in which place, for each caller, or for all of them together where they are one person."""

    def __init__(self, names: Iterable[str], shared: bool) -> None:
        self.names = tuple(dict.fromkeys(names))
        self.shared = shared
        self._shown: OrderedDict[Owner, dict[str, tuple[Owner, str]]] = OrderedDict()
        for name in self.names:
            if not _NAME.fullmatch(name):
                raise ConfigurationError(
                    f"A target is a name such as 'chart', and the page says which element it is; got {shorten(name)!r}"
                )

    def check(self, name: str) -> None:
        """Refuse a place that the page does not have."""
        if name not in self.names:
            raise ToolError(f"There is no target {shorten(name)!r}: it is one of {', '.join(self.names)}")

    def put(self, owner: Owner, name: str, instance: Instance) -> None:
        """An instance is in a place now."""
        whose = self._whose(owner)
        self._shown.setdefault(whose, {})[name] = owner, instance.id
        instance.places.add((whose, name))
        self._shown.move_to_end(whose)
        if len(self._shown) > MAX_OWNERS:
            self._shown.popitem(last=False)

    def at(self, owner: Owner, name: str) -> tuple[Owner, str] | None:
        """The instance in a place, and who rendered it, if there is one."""
        return self._shown.get(self._whose(owner), {}).get(name)

    def holding(self, instance: Instance) -> Iterator[tuple[str, str | None]]:
        """The URI of each place that has this instance, and whose place it is."""
        for whose, name in tuple(instance.places):
            if self._shown.get(whose, {}).get(name, ("", ""))[1] == instance.id:
                yield SCHEME + name, whose or None

    def audience(self, owner: Owner) -> str | None:
        """Who hears of a place that this caller sees: None is everybody."""
        whose = self._whose(owner)
        if whose.startswith(REQUEST):
            raise McpError("Nobody knows whose places these are: the server needs auth=…, or a client with sessions")
        return whose or None

    def _whose(self, owner: Owner) -> Owner:
        return "" if self.shared else owner


def put(components: Components, owner: Owner, target: str, instance: Instance) -> None:
    """Show an instance in a place of the page."""
    with components.lock:
        components.targets.put(owner, target, instance)
    components.updated(instance)


def shown_at(components: Components, owner: Owner, target: str) -> dict[str, Any]:
    """What a place of the page shows: an instance as JSON and as HTML, or that there is none."""
    with components.lock:
        placed = components.targets.at(owner, target)
        found = None if placed is None else components.instances.find(*placed)
        theme = components.themes.of(owner)
    if found is None:
        return {"target": target, "instance": None}
    facts = {"component": found.component, "version": found.version, "props": found.props}
    return {"target": target, "instance": found.id, **facts, "html": str(components.html_of(found, theme))}
