"""Views that are Python functions: the HTML made from each result travels in the result's `_meta`."""

from __future__ import annotations

import functools
import logging
from typing import TYPE_CHECKING, Any

import msgspec

from cloche.server.content import ToolResult, blocks

if TYPE_CHECKING:
    from cloche.server.entries import ToolEntry
    from cloche.server.server import Server
    from cloche.views.view import View

logger = logging.getLogger("cloche.views")

HTML_META_KEY = "cloche/html"

SHELL = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<main id="cloche-root"></main>
<script>
addEventListener("tool:result", (event) => {
  const html = event.detail?._meta?.["cloche/html"];
  if (typeof html === "string") document.getElementById("cloche-root").innerHTML = html;
});
</script>
</html>
"""


def attach_renderer(server: Server, entry: ToolEntry, view: View) -> str:
    """Make the tool send the HTML of each result along, and give the page that shows it."""
    fn, render = entry.fn, view.renderer
    assert render is not None
    if entry.is_async:

        @functools.wraps(fn)
        async def shown(*args: Any, **kwargs: Any) -> ToolResult:
            return _with_html(entry, render, await fn(*args, **kwargs))

        entry.fn = shown
    else:

        @functools.wraps(fn)
        def shown_now(*args: Any, **kwargs: Any) -> ToolResult:
            return _with_html(entry, render, fn(*args, **kwargs))

        entry.fn = shown_now
    return SHELL


def _with_html(entry: ToolEntry, render: Any, value: Any) -> ToolResult:
    if isinstance(value, ToolResult):
        result, shown = value, value.structured if value.structured is not None else value.content
    else:
        result, shown = _whole(entry, value), value
    if not result.is_error:
        result.meta = {**(result.meta or {}), HTML_META_KEY: str(render(shown))}
    return result


def _whole(entry: ToolEntry, value: Any) -> ToolResult:
    if entry.output.schema is None:
        return ToolResult(blocks(value))
    data = entry.output.encode(value)
    return ToolResult(value if isinstance(value, str) else data.decode(), structured=msgspec.json.decode(data))
