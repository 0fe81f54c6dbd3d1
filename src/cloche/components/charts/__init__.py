"""Charts as SVG from Python: line, area, bar, scatter, pie and heat map."""

from __future__ import annotations

from cloche.components.charts.bar import bar_chart
from cloche.components.charts.heat_map import heat_map
from cloche.components.charts.line import area_chart, line_chart
from cloche.components.charts.pie import pie_chart
from cloche.components.charts.scatter import scatter_chart

__all__ = ["area_chart", "bar_chart", "heat_map", "line_chart", "pie_chart", "scatter_chart"]
