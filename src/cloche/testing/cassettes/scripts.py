"""The scripts in front of a view that is recorded or played. No other view ever gets them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from cloche.views.scripts import put_first
from cloche.web import bundled, read_web

METHOD = "cloche/recorded"
"""What a recorded view's script calls the messages that are not the view's."""

MAX_DOCUMENT = 200_000
MAX_MESSAGE = 60_000
MAX_BATCH = 60_000
"""Characters: of a document, of a message that is told in full, and of what is told at once. A batch may be exceeded
by one entry, and together they must stay below what a host takes of a view.
"""


def recorded_page(html: str, seed: int) -> str:
    """The page with the recorder in front."""
    options = {"method": METHOD, "document": MAX_DOCUMENT, "message": MAX_MESSAGE, "batch": MAX_BATCH}
    return _in_front(html, bundled("recorder.js", SEED=seed, OPTIONS=options))


def played_page(html: str, seed: int, times: Sequence[int], counter: str) -> str:
    """The page as the recorded view had it: the same chance and times (in ms), and a counter for the player."""
    return _in_front(html, bundled("player.js", SEED=seed, TIMES=times, COUNTER=counter))


@cache
def serialiser() -> str:
    """A function of the root element that gives the document as text."""
    function = read_web("cassettes/serialise.js").replace("export function", "function")
    return f"(root) => {{ {function} return serialise(root, {MAX_DOCUMENT}); }}"


def _in_front(html: str, script: str) -> str:
    """The script before everything else in the page."""
    return put_first(html, f"<script>{script}</script>")
