"""Names under which the tools of a page and its frames are served: one for each, and never given to another tool."""

from __future__ import annotations

import base64
import hashlib
import re
from urllib.parse import urlsplit

from cloche.webmcp.tools import PageTool

MAX_NAME = 64
"""Characters that the models' interfaces take, of letters, digits, `_` and `-`."""
DIGEST = 10

_PLAIN = re.compile(rf"[A-Za-z0-9_-]{{1,{MAX_NAME}}}")
_UNSAFE = re.compile(r"[^A-Za-z0-9_-]+")
_WITH_DIGEST = re.compile(rf"_[a-z2-7]{{{DIGEST}}}\Z")


def served_name(tool: PageTool, number: int = 0) -> str:
    """The name of a tool: the page's own where models take it. A frame's tool has the frame's host before it and a
    digest behind it, which follows from the frame's address, its `number` among those of the same address, and the
    tool's name; a name of the page's own that looks like that gets a digest, too.
    """
    if tool.is_main_frame and _PLAIN.fullmatch(tool.name) and not _WITH_DIGEST.search(tool.name):
        return tool.name
    address = tool.url.partition("?")[0].partition("#")[0]
    what = "\0".join(("main" if tool.is_main_frame else address, str(number), tool.name))
    digest = base64.b32encode(hashlib.sha256(what.encode()).digest()).decode("ascii").lower()[:DIGEST]
    host = "" if tool.is_main_frame else f"{urlsplit(tool.url).hostname or 'frame'}_"
    return f"{_UNSAFE.sub('_', host + tool.name)[: MAX_NAME - DIGEST - 1]}_{digest}"
