"""Tools of web pages (WebMCP, `document.modelContext`) for agents in Python: `PageTools` over a page of Playwright."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cloche.lazy import lazy_names

if TYPE_CHECKING:
    from cloche.webmcp.limits import PageLimits as PageLimits
    from cloche.webmcp.page_tools import PageTools as PageTools
    from cloche.webmcp.tools import PageTool as PageTool
    from cloche.webmcp.tools import PageToolResult as PageToolResult

_HOMES = {
    "PageLimits": "webmcp.limits",
    "PageTool": "webmcp.tools",
    "PageToolResult": "webmcp.tools",
    "PageTools": "webmcp.page_tools",
}

__all__ = [*_HOMES]  # noqa: PLE0604
__getattr__, __dir__ = lazy_names(__name__, _HOMES)
