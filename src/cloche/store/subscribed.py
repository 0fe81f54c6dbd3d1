"""Which paths of a store somebody subscribed to: found from a change without looking at the others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence


class _Node:
    __slots__ = ("children", "uris")

    def __init__(self) -> None:
        self.children: dict[str, _Node] = {}
        self.uris: Counter[str] = Counter()


class SubscribedPaths:
    """The URIs that are subscribed to, by path."""

    def __init__(self) -> None:
        self._root = _Node()
        self.count = 0

    def add(self, parts: Sequence[str], uri: str) -> None:
        """Somebody subscribed."""
        node = self._root
        for part in parts:
            node = node.children.setdefault(part, _Node())
        node.uris[uri] += 1
        self.count += 1

    def remove(self, parts: Sequence[str], uri: str) -> None:
        """A subscription ended."""
        way = [self._root]
        for part in parts:
            child = way[-1].children.get(part)
            if child is None:
                return
            way.append(child)
        if way[-1].uris[uri] <= 0:
            return
        self.count -= 1
        way[-1].uris[uri] -= 1
        way[-1].uris += Counter()  # leaves out what is zero
        for at in reversed(range(len(parts))):
            child = way[at + 1]
            if child.uris or child.children:
                break
            del way[at].children[parts[at]]

    def affected(self, parts: Sequence[str]) -> Iterator[str]:
        """The URIs of what a change at a path changes: everything above it, and everything below."""
        node: _Node | None = self._root
        for part in parts:
            assert node is not None
            yield from node.uris
            node = node.children.get(part)
            if node is None:
                return
        below = [node]
        while below:
            one = below.pop()
            assert one is not None
            yield from one.uris
            below.extend(one.children.values())
