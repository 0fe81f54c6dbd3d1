"""Components: parts of an interface with typed props, for models to show and for tools to use.

from cloche.components import Components, component, line_chart, table
"""

from __future__ import annotations

from cloche.components.capability import Components
from cloche.components.charts import area_chart, bar_chart, heat_map, line_chart, pie_chart, scatter_chart
from cloche.components.code import code
from cloche.components.component import Component, component
from cloche.components.form import form
from cloche.components.images import Picture, image_gallery
from cloche.components.instances import Instance, InstanceLimits
from cloche.components.key_value import key_value, metric
from cloche.components.layout import card, grid, stack, tabs
from cloche.components.markdown import markdown
from cloche.components.nodes import Node
from cloche.components.renderers import Renderers
from cloche.components.table import Column, table
from cloche.components.templates import basic_resource, chart_resource, form_resource
from cloche.components.view import ComponentView

__all__ = [
    "Column",
    "Component",
    "ComponentView",
    "Components",
    "Instance",
    "InstanceLimits",
    "Node",
    "Picture",
    "Renderers",
    "area_chart",
    "bar_chart",
    "basic_resource",
    "card",
    "chart_resource",
    "code",
    "component",
    "form",
    "form_resource",
    "grid",
    "heat_map",
    "image_gallery",
    "key_value",
    "line_chart",
    "markdown",
    "metric",
    "pie_chart",
    "scatter_chart",
    "stack",
    "table",
    "tabs",
]
