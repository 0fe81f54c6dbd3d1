"""`stack`, `grid`, `card` and `tabs`: components beside, below, in and behind each other."""

from __future__ import annotations

import secrets
from typing import Annotated, Literal

from msgspec import Meta

from cloche.components.component import component
from cloche.components.nodes import Child
from cloche.errors import ToolError
from cloche.views.html import Html, h

MAX_TABS = 20
"""Tabs of one set."""

Gap = Literal["small", "medium", "large"]

_METRICS = [
    {"component": "metric", "props": {"label": "Orders", "value": 1284, "change": 0.06, "period": "since May"}},
    {
        "component": "metric",
        "props": {"label": "Returns", "value": 31, "change": -0.11, "good": "down", "period": "since May"},
    },
    {"component": "metric", "props": {"label": "Rating", "value": 4.7, "change": 0.0, "period": "since May"}},
]
_TEXT = {"component": "markdown", "props": {"text": "Sales went **up** in June."}}
_CODE = {"component": "code", "props": {"text": "SELECT sum(price) FROM orders", "language": "sql"}}


@component(
    category="layout",
    tags=("layout", "column", "row"),
    nests=True,
    examples=[{"children": [_TEXT, *_METRICS[:2]], "direction": "vertical"}],
)
def stack(
    children: list[Child], direction: Literal["vertical", "horizontal"] = "vertical", gap: Gap = "medium"
) -> Html:
    """Components below or beside each other.

    Args:
        children: The components, or texts.
        direction: Below each other, or side by side while there is room.
        gap: The space between them.
    """
    return h.div((_child(one) for one in children), class_=f"cc cc-stack cc-{direction} cc-gap-{gap}")


@component(
    category="layout",
    tags=("layout", "columns", "dashboard"),
    nests=True,
    examples=[{"children": _METRICS, "columns": 3}],
)
def grid(children: list[Child], columns: Annotated[int, Meta(ge=1, le=6)] = 2, gap: Gap = "medium") -> Html:
    """Components in columns of the same width; there are fewer columns where there is less room.

    Args:
        children: The components, or texts.
        columns: The most columns there are.
        gap: The space between them.
    """
    if not 1 <= columns <= 6:
        raise ToolError("columns is a number from 1 to 6")
    return h.div(
        (_child(one) for one in children), class_=f"cc cc-grid cc-gap-{gap}", style=f"--columns:{int(columns)}"
    )


@component(
    category="layout",
    tags=("layout", "container", "box"),
    nests=True,
    examples=[{"title": "June", "children": [_TEXT]}],
)
def card(children: list[Child], title: str = "") -> Html:
    """Components in a box with a border.

    Args:
        children: The components, or texts.
        title: What stands above them.
    """
    return h.section(
        h.strong(title, class_="cc-title") if title else None,
        (_child(one) for one in children),
        class_="cc cc-card",
        aria_label=title or None,
    )


@component(
    category="layout",
    tags=("layout", "tabs", "switch"),
    nests=True,
    examples=[{"panels": {"Summary": [_TEXT], "Query": [_CODE]}, "label": "June"}],
)
def tabs(panels: dict[str, list[Child]], label: str = "Tabs") -> Html:
    """Components behind tabs, one panel at a time.

    Args:
        panels: What each tab shows, by the tab's name.
        label: What the tabs are about, for people who do not see them.
    """
    if not 1 <= len(panels) <= MAX_TABS:
        raise ToolError(f"There are 1 to {MAX_TABS} tabs, not {len(panels)}")
    own = f"cc-{secrets.token_hex(4)}"
    buttons = (
        h.button(
            name,
            type="button",
            role="tab",
            id=f"{own}-tab-{at}",
            aria_controls=f"{own}-panel-{at}",
            aria_selected=at == 0,
            tabindex=None if at == 0 else -1,
        )
        for at, name in enumerate(panels)
    )
    contents = (
        h.div(
            (_child(one) for one in content),
            role="tabpanel",
            id=f"{own}-panel-{at}",
            aria_labelledby=f"{own}-tab-{at}",
            tabindex=0,
        )
        for at, content in enumerate(panels.values())
    )
    return h.div(h.div(buttons, role="tablist", aria_label=label), contents, class_="cc cc-tabs", data_cc="tabs")


def _child(child: object) -> Html:
    return child if isinstance(child, Html) else h.p(child)
