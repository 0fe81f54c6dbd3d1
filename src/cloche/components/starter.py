"""The components that `Components()` has from the start."""

from __future__ import annotations

from typing import Any

from cloche.components.charts import area_chart, bar_chart, heat_map, line_chart, pie_chart, scatter_chart
from cloche.components.code import code
from cloche.components.component import Component
from cloche.components.form import form
from cloche.components.images import image_gallery
from cloche.components.key_value import key_value, metric
from cloche.components.layout import card, grid, stack, tabs
from cloche.components.markdown import markdown
from cloche.components.table import table

STARTER: tuple[Component[Any], ...] = (
    table,
    line_chart,
    bar_chart,
    area_chart,
    scatter_chart,
    pie_chart,
    heat_map,
    metric,
    key_value,
    form,
    markdown,
    code,
    image_gallery,
    stack,
    grid,
    card,
    tabs,
)
