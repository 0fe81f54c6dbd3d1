"""JavaScript, HTML and JSON that browsers get: plain modules as they are written, and `dist/`, bundled from them.

`make web` writes `dist/`; it is committed, so that nobody who installs or runs Cloche needs a bundler.
"""

from __future__ import annotations

import json
import re
from functools import cache
from importlib import resources


@cache
def read_web(path: str) -> str:
    """The text of a file, by its path in this package."""
    return (resources.files(__name__) / path).read_text(encoding="utf-8")


def bundled(name: str, **values: object) -> str:
    """A script of `dist/`, safe between script tags; each value takes the place of `globalThis.NAME` in it, as JSON."""
    script = read_web(f"dist/{name}").rstrip("\n")
    if sorted(_PLACE.findall(script)) != sorted(values):
        raise ValueError(f"dist/{name} wants {_PLACE.findall(script)}, got {list(values)}")
    # In strings \u003c means the same, and ends no script.
    return _PLACE.sub(lambda place: json.dumps(values[place[1]]).replace("<", "\\u003c"), script)


_PLACE = re.compile(r"\bglobalThis\.([A-Z_]+)\b")
