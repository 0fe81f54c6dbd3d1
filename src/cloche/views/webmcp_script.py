"""The WebMCP polyfill as one small script, for pages that are to be ready for browser agents."""

from __future__ import annotations

from cloche.web import bundled


def webmcp_script(*, forms: bool = True) -> str:
    """`document.modelContext` for browsers that have none: write it to a file of your site and load it first.

    Without `forms`, forms with `toolname` are left to the browser, and the script is a third smaller.
    """
    return bundled("webmcp.js" if forms else "webmcp-core.js")
