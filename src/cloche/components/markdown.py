"""`markdown`: text with headings, lists, tables, links and code, laid out by the page."""

from __future__ import annotations

from cloche.components.component import component
from cloche.errors import ToolError
from cloche.views.html import Html, h

MAX_MARKDOWN = 100_000
"""Characters of one text."""

EXAMPLE = """## Bread in June

Sales went **up by 12 %**, mostly on Saturdays:

1. Rye bread
2. Baguette, but *only* before noon

| day | loaves |
|---|---|
| Friday | 240 |
| Saturday | 312 |

> Order more flour. See the [price list](https://example.com/flour).
"""


def _summary(text: str) -> str:
    start = " ".join(text.split())[:80]
    return f"A text of {len(text.split()):,} words is shown: {start}{'…' if len(text) > 80 else ''}"


@component(category="text", tags=("markdown", "text", "prose"), summary=_summary, examples=[{"text": EXAMPLE}])
def markdown(text: str) -> Html:
    """Text with headings, lists, tables, links, quotes and code. HTML in it is shown as text, and images as links.

    Args:
        text: The text, as Markdown.
    """
    if len(text) > MAX_MARKDOWN:
        raise ToolError(f"At most {MAX_MARKDOWN:,} characters of Markdown can be shown, and these are {len(text):,}")
    # Without the script, the text itself is still readable.
    return h.div(h.pre(text), class_="cc cc-markdown", data_cc="markdown")
