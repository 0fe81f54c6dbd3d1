"""What a product may allow the views of one server beyond the strict policy, each with its price.

Some published views cannot start without it: their libraries make code of text, or start a worker from a blob. The
network stays as closed as before, because none of this adds an origin.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, TypeAlias, get_args

from cloche.errors import ConfigurationError, shorten

Relaxation: TypeAlias = Literal["unsafe-eval", "blob-workers", "data-modules"]
"""`unsafe-eval`: code made of text; a text that the view was given can become code. `blob-workers`: workers from
`blob:` addresses; they compute on after the view is hidden. `data-modules`: scripts and modules from `data:`
addresses; a text in an attribute can become code.
"""

SOURCES: Mapping[str, Mapping[str, Sequence[str]]] = {
    "unsafe-eval": {"script-src": ("'unsafe-eval'",)},
    "blob-workers": {"worker-src": ("blob:",)},
    "data-modules": {"script-src": ("data:",)},
}
"""What each adds to the content policy."""


def checked_relax(given: Mapping[str, Iterable[str]] | None) -> dict[str, tuple[str, ...]]:
    """`Policy(relax=…)` as it was given: server → what its views may do. Raises `ConfigurationError`."""
    found: dict[str, tuple[str, ...]] = {}
    for server, words in (given or {}).items():
        if isinstance(words, str):
            raise ConfigurationError(f"Policy(relax={{{server!r}: …}}) is a list, such as [{words!r}]")
        found[server] = tuple(words)
        for word in found[server]:
            if word not in SOURCES:
                known = ", ".join(map(repr, get_args(Relaxation)))
                raise ConfigurationError(f"Policy(relax=…) has {shorten(repr(word), 60)}: it is one of {known}")
    return found


def relaxed(csp: Mapping[str, Sequence[str]], words: Iterable[str]) -> dict[str, list[str]]:
    """What a policy has besides the strict one, by directive, with what these words add."""
    found = {directive: list(sources) for directive, sources in csp.items()}
    for word in words:
        for directive, sources in SOURCES[word].items():
            found[directive] = list(dict.fromkeys([*found.get(directive, []), *sources]))
    return found


def relaxing(directive: str, blocked: str) -> Relaxation | None:
    """What would allow something that a browser has blocked; None when nothing here would."""
    if blocked in ("eval", "wasm-eval"):
        return "unsafe-eval"
    if directive == "worker-src" and blocked.startswith("blob"):
        return "blob-workers"
    if directive == "script-src" and blocked.startswith("data"):
        return "data-modules"
    return None
