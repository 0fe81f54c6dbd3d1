"""UI resources made of components: pages that a tool's result embeds, for hosts that show those."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from cloche.components.charts import area_chart, bar_chart, line_chart, pie_chart, scatter_chart
from cloche.components.component import Component
from cloche.components.form import form
from cloche.components.layout import stack
from cloche.components.markdown import markdown
from cloche.components.view import document
from cloche.errors import RegistrationError, shorten
from cloche.views.html import Html
from cloche.views.ui_resource import create_ui_resource
from cloche.wire.types import EmbeddedResource

CHARTS: dict[str, Component[Any]] = {
    "line": line_chart,
    "area": area_chart,
    "bar": bar_chart,
    "scatter": scatter_chart,
    "pie": pie_chart,
}
ChartKind = Literal["line", "area", "bar", "scatter", "pie"]


def basic_resource(*parts: Html | str, title: str = "", **options: Any) -> EmbeddedResource:
    """Components below each other as a UI resource: `return basic_resource(table(rows), title="Orders")`.

    Text among the parts is Markdown. The options are those of `create_ui_resource`.
    """
    if not parts:
        raise RegistrationError("A page needs something to show: basic_resource(table(rows))")
    drawn = [one if isinstance(one, Html) else markdown(one) for one in parts]
    return create_ui_resource(document(stack(drawn, gap="large"), title or "View"), title or None, **options)


def form_resource(
    schema: Any,
    *,
    tool: str,
    title: str = "",
    values: Mapping[str, Any] | None = None,
    submit: str = "Send",
    **options: Any,
) -> EmbeddedResource:
    """A form as a UI resource: its answers are the arguments of `tool`.

    `schema` is a JSON Schema of an object, a dataclass, a Struct or a TypedDict. The other options are those of
    `create_ui_resource`.
    """
    drawn = form(schema, title, tool, None if values is None else dict(values), submit)
    return create_ui_resource(document(drawn, title or "Form"), title or None, **options)


def chart_resource(
    kind: ChartKind, rows: Any, *, title: str = "", size: Mapping[str, Any] | None = None, **props: Any
) -> EmbeddedResource:
    """A chart as a UI resource: `return chart_resource("bar", rows, x="day", y="sold", title="Bread")`.

    The other options are the props of the chart; `size` has the `width` and `height` that the page would like to have.
    """
    if kind not in CHARTS:
        raise RegistrationError(f"There is no chart {shorten(str(kind))!r}: use one of {', '.join(CHARTS)}")
    drawn = CHARTS[kind](rows, title=title, **props)
    return create_ui_resource(document(drawn, title or "Chart"), title or None, **(size or {}))
