"""A recording as one HTML file, which plays in any browser with no server and no network.

The file holds other people's code, the views, and other people's data, so it trusts neither:

- Its first policy forbids the network to everything in it. Views run under that policy and one of their own, each in a
  frame of an opaque origin.
- Its script makes the room for views, then binds the page to a second policy that allows no script but itself, and only
  then reads the recording.
- The recording stands in a block of JSON without a single `<`: nothing in it can end the block.
"""

from __future__ import annotations

import base64
import hashlib
import re
from html import escape
from pathlib import Path
from typing import Any

import msgspec

from cloche.errors import ConfigurationError
from cloche.testing.cassettes.cassette import Cassette, RecordedView
from cloche.testing.cassettes.lines import PageLine
from cloche.testing.cassettes.moments import moments_of
from cloche.views.scripts import first_place
from cloche.web import bundled, read_web
from cloche.wire.apps.csp import KEYWORDS, Sources, content_policy
from cloche.wire.types import Json

MAX_SHARED = 32 << 20
"""Bytes of a shared file: more than that, and mail refuses it and a browser takes long to open it."""

WIDEST = (
    "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval' 'wasm-unsafe-eval' blob: data:; "
    "style-src 'unsafe-inline' blob: data:; img-src data: blob:; media-src data: blob:; font-src data: blob:; "
    "worker-src blob: data:; connect-src 'none'; frame-src blob:; object-src 'none'; base-uri 'none'; "
    "form-action 'none'"
)
"""The policy of everything in the file: bytes that are in it may be shown and run, and nothing is fetched. Frames
inherit it from the page, so it must allow what any view needs; the page itself is bound more strictly as soon as it has
made the room for views.
"""

STYLES = ("theme.css", "dev/dev.css", "share/share.css")
_PLACE = re.compile(r"<!-- \{\{([a-z]+)\}\} -->|\{\{ ?([a-z]+) ?\}\}")
MARK = '<meta name="generator" content="cloche shared recording">'
"""Stands at the beginning of every shared file."""

START = 4000
"""Characters in which the mark stands."""


def shared_page(cassette: Cassette) -> str:
    """The HTML of a recording. Raises `ConfigurationError` when there is nothing in it, or too much."""
    moments = moments_of(cassette)
    if not moments:
        raise ConfigurationError("There is nothing to share: no message was sent while it was recorded")
    pages = {page.hash: page for page in (view.page for view in cassette.views)}
    title = _title(cassette)
    recording = {
        "title": title,
        "made": cassette.header.made,
        "cloche": cassette.header.cloche,
        "interrupted": cassette.is_cut_off,
        "script": bundled("shared-view.js"),
        "pages": [_page(page) for page in pages.values()],
        "views": [_view(view, list(pages)) for view in cassette.views],
        "moments": moments,
    }
    script, style = bundled("shared-page.js"), "\n".join(map(read_web, STYLES))
    room = _filled("share/room.html", script=f"<script>{bundled('shared-stage.js')}</script>")
    html = _filled(
        "share/index.html",
        widest=WIDEST,
        title=escape(title),
        style=f"<style>{style}</style>",
        setup=_block("setup", {"room": room, "policy": _strict(script, style)}),
        recording=_block("recording", recording),
        script=f"<script>{script}</script>",
    )
    size = len(html.encode())
    if size > MAX_SHARED:
        raise ConfigurationError(
            f"The shared file would have {size >> 20} MB, and at most {MAX_SHARED >> 20} MB can be shared: "
            "record again, with fewer views and smaller results"
        )
    return html


def is_shared(file: Path) -> bool:
    """Whether a file is a shared recording, or empty."""
    try:
        with file.open(encoding="utf-8", errors="replace") as stream:
            start = stream.read(START)
    except OSError:
        return False
    return not start or MARK in start


def _filled(template: str, **values: str) -> str:
    """A page of ours with each place filled, once: what is put in is not looked at again."""
    return _PLACE.sub(lambda place: values[place[1] or place[2]], read_web(template))


def _block(name: str, value: Any) -> str:
    """A block of JSON that is neither run nor shown."""
    return f'<script type="application/json" id="{name}">{_inert(msgspec.json.encode(value).decode())}</script>'


def _inert(text: str) -> str:
    """JSON that can stand between script tags: without `<`, nothing in it ends the block or begins a comment."""
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def _strict(script: str, style: str) -> str:
    """The policy of the page itself: this script, this style, and pictures that are in the file."""
    return (
        f"default-src 'none'; script-src {_hash(script)}; style-src {_hash(style)}; img-src data:; media-src data:; "
        "frame-src blob:; connect-src 'none'; base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _title(cassette: Cassette) -> str:
    tools = list(dict.fromkeys(f"{view.opened.tool} of {view.opened.server}" for view in cassette.views))
    named = tools or cassette.header.servers or ["Recording"]
    return ", ".join(named[:3]) + (f" and {len(named) - 3} more" if len(named) > 3 else "")


def _page(page: PageLine) -> Json:
    """The page of a view, divided where its policy and our script are put in, and the policy: the recorded one without
    every address.
    """
    place = first_place(page.html)
    more = {
        name: [source for source in sources if source in KEYWORDS and source != "'self'"]
        for name, sources in page.more.items()
        if re.fullmatch("[a-z-]+", name)
    }
    parts = content_policy(Sources({}), "'none'", more).split("; ")
    policy = "; ".join(part for part in parts if not part.startswith("frame-ancestors"))
    return {"before": page.html[:place], "after": page.html[place:], "policy": policy}


def _view(view: RecordedView, pages: list[str]) -> Json:
    opened, start = view.opened, view.start
    return {
        "server": opened.server,
        "tool": opened.tool,
        "arguments": opened.arguments,
        "page": pages.index(opened.page),
        "seed": opened.seed,
        "time": start.time if start else 0,
        "theme": start.theme if start else "light",
        "width": start.width if start else 600,
        "height": start.height if start else 300,
    }
