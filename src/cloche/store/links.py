"""Where a tracked value is in its state: the link to what holds it, and the path that follows from it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from cloche.store.pointer import Path
from cloche.store.shapes import Shape

if TYPE_CHECKING:
    from cloche.store.tree import Tree


class Link:
    """The place of one tracked value. `parent` is None for the root, and for a value that was taken out."""

    __slots__ = ("key", "parent", "shape", "tree")

    def __init__(self, tree: Tree, shape: Shape) -> None:
        self.tree = tree
        self.shape = shape
        self.parent: Tracked | None = None
        self.key: str | int = 0


class Tracked(Protocol):
    """A list, dict or object whose changes its tree hears of."""

    _cloche_link: Link

    def _cloche_place(self, child: Any) -> str | int:
        """Under which key the child is here."""

    def _cloche_get(self, part: str) -> Any:
        """What is under this part of a pointer; raises `KeyError` if there is nothing."""

    def _cloche_set(self, part: str, value: Any, *, insert: bool) -> None:
        """Set what is under this part of a pointer; `insert` is JSON Patch's `add`."""

    def _cloche_remove(self, part: str) -> None:
        """Take out what is under this part of a pointer."""

    def _cloche_fill(self, value: Any) -> None:
        """Become equal to a value of the same kind."""


def path_of(node: Tracked) -> Path | None:
    """The path of a tracked value in its state; None if it is not part of it any more."""
    keys: list[str | int] = []
    link = node._cloche_link
    root = link.tree.root
    while (parent := link.parent) is not None:
        keys.append(parent._cloche_place(node))
        node = parent
        link = node._cloche_link
    return tuple(reversed(keys)) if node is root else None


def release(value: Any) -> None:
    """A value was taken out of what held it."""
    link: Link | None = getattr(value, "_cloche_link", None)
    if link is not None:
        link.parent = None


def unlinked(value: Any, tree: Tree, shape: Shape, parent: Any) -> bool:
    """Whether a tracked value was taken out of this tree, and may be put into `parent`, at a place of this shape, as it
    is.
    """
    link: Link | None = getattr(value, "_cloche_link", None)
    if link is None or link.parent is not None or link.tree is not tree or link.shape is not shape:
        return False
    while parent is not None:  # nothing contains itself
        if parent is value:
            return False
        parent = parent._cloche_link.parent
    return value is not tree.root
