"""The scripts in front of a view that is recorded or played. No other view ever gets them."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import cache
from typing import Any

from cloche.views.scripts import functions_of, put_first

METHOD = "cloche/recorded"
"""What a recorded view's script calls the messages that are not the view's."""

MAX_DOCUMENT = 200_000
MAX_MESSAGE = 60_000
MAX_BATCH = 60_000
"""Characters: of a document, of a message that is told in full, and of what is told at once. A batch may be exceeded
by one entry, and together they must stay below what a host takes of a view.
"""

_BREAKS_OUT = re.compile(r"<(?=!--|/?script)", re.IGNORECASE)


def recorded_page(html: str, seed: int) -> str:
    """The page with the recorder in front."""
    options = {"method": METHOD, "document": MAX_DOCUMENT, "message": MAX_MESSAGE, "batch": MAX_BATCH}
    names = ("cassettes/steady.js", "cassettes/selector.js", "cassettes/gestures.js", "cassettes/typing.js")
    code = functions_of(*names, "cassettes/serialise.js", "cassettes/time.js", "cassettes/record.js")
    return _in_front(html, f"{code}steadyChance(window,{seed});record(window,{_literal(options)});")


def played_page(html: str, seed: int, times: Sequence[int], counter: str) -> str:
    """The page as the recorded view had it: with storage, the same chance and the same times of day (milliseconds
    since the epoch), and a counter for the player.
    """
    code = functions_of("sandbox/storage.js", "cassettes/steady.js", "cassettes/time.js", "cassettes/count.js")
    calls = [
        "installStorage(window)",
        f"steadyChance(window,{seed})",
        f"playTime(window,{_literal(times)})",
        f"countMessages(window,{_literal(counter)})",
    ]
    return _in_front(html, code + ";".join(calls))


@cache
def serialiser() -> str:
    """A function of the root element that gives the document as text."""
    return f"(root) => {{ {functions_of('cassettes/serialise.js')} return serialise(root, {MAX_DOCUMENT}); }}"


def _in_front(html: str, code: str) -> str:
    """The script before everything else in the page; it takes itself out of what the view sees."""
    harmless = _BREAKS_OUT.sub(lambda _: "\\x3c", code)
    return put_first(html, f"<script>(() => {{document.currentScript.remove();\n{harmless}}})()</script>")


def _literal(value: Any) -> str:
    return json.dumps(value)
