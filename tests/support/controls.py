"""Controls: the same host with one protection taken away, to show that an attack would succeed without it.

Production code has no switch for this. A control replaces one Python function, or edits one line of a served file; when
the function or the line is no longer there, it fails loudly. Everything runs in one process, the real host beside the
weakened ones: a replacement takes effect only in the context of its own control.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import tempfile
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any

from tests.support.edited_web import PROXY, SERVED, edited_web

_active: ContextVar[str | None] = ContextVar("control", default=None)

Replacement = Callable[..., Any]


@dataclass(frozen=True)
class Patch:
    """One Python function: `instead` gets the original first, then what the original would have got."""

    place: str
    """`module:name` or `module:Class.name`."""
    instead: Replacement


@dataclass(frozen=True)
class Edit:
    """One passage of a file in `cloche/web`."""

    file: str
    old: str
    new: str


@dataclass(frozen=True)
class Control:
    """What is taken away, in words and in deed."""

    name: str
    without: str
    """What the host is without."""
    patches: tuple[Patch, ...] = ()
    edits: tuple[Edit, ...] = ()

    def __str__(self) -> str:
        return self.name


@contextlib.contextmanager
def acting_as(control: Control | None) -> Iterator[None]:
    """What runs inside, and every task started inside, belongs to this control's host."""
    token = _active.set(control.name if control else None)
    try:
        yield
    finally:
        _active.reset(token)


@contextlib.contextmanager
def installed(controls: list[Control]) -> Iterator[None]:
    """Put every replacement in place, and take it away again."""
    with contextlib.ExitStack() as stack:
        for control in controls:
            for patch in control.patches:
                stack.enter_context(_installed(control.name, patch))
        stack.enter_context(_edited({control.name: control.edits for control in controls if control.edits}))
        yield


@contextlib.contextmanager
def _installed(name: str, patch: Patch) -> Iterator[None]:
    module, _, path = patch.place.partition(":")
    owner: Any = importlib.import_module(module)
    *outer, attribute = path.split(".")
    for part in outer:
        owner = getattr(owner, part)
    original = getattr(owner, attribute)
    raw = vars(owner)[attribute]

    @functools.wraps(original)
    def chosen(*args: Any, **options: Any) -> Any:
        if _active.get() == name:
            return patch.instead(original, *args, **options)
        return original(*args, **options)

    setattr(owner, attribute, staticmethod(chosen) if isinstance(raw, staticmethod) else chosen)
    try:
        yield
    finally:
        setattr(owner, attribute, raw)


@contextlib.contextmanager
def _edited(edits: dict[str, tuple[Edit, ...]]) -> Iterator[None]:
    """Serve edited files to the controls that have edits, bundled as `make web` does it."""
    from cloche.host.web import assets, routes

    read, bundled, table, template = assets.read_web, assets.bundled, assets.assets, assets._sandbox_template
    tables: dict[str | None, Any] = {}
    templates: dict[str | None, str] = {}
    with tempfile.TemporaryDirectory() as folder:
        places = {
            control: edited_web(Path(folder) / str(at), map(astuple, edits[control]), SERVED, PROXY)
            for at, control in enumerate(edits)
        }

        def key() -> str | None:
            return _active.get() if _active.get() in edits else None

        def read_edited(path: str) -> str:
            place = places.get(key() or "")
            return read(path) if place is None else (place / path).read_text(encoding="utf-8")

        def bundle_edited(name: str) -> str:
            return bundled(name) if key() is None else read_edited(f"dist/{name}")

        def assets_of_control() -> Any:
            if key() not in tables:
                tables[key()] = table.__wrapped__()
            return tables[key()]

        def template_of_control() -> str:
            if key() not in templates:
                templates[key()] = template.__wrapped__()
            return templates[key()]

        assets.read_web, assets.bundled = read_edited, bundle_edited  # type: ignore[assignment,attr-defined]
        assets._sandbox_template = template_of_control  # type: ignore[assignment]
        assets.assets = routes.assets = assets_of_control  # type: ignore[assignment,attr-defined]
        try:
            yield
        finally:
            assets.read_web, assets.bundled = read, bundled  # type: ignore[attr-defined]
            assets._sandbox_template = template
            assets.assets = routes.assets = table  # type: ignore[attr-defined]
