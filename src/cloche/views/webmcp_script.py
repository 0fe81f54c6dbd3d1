"""The WebMCP polyfill as one small script, for pages that are to be ready for browser agents."""

from __future__ import annotations

from cloche.errors import ConfigurationError
from cloche.web import bundled


def webmcp_script(*, forms: bool = True, session: bool = False) -> str:
    """`document.modelContext` for browsers that have none: write it to a file of your site and load it first.

    Without `forms`, forms with `toolname` are left to the browser, and the script is a third smaller. With `session` it
    is a module that also has `connect()`, the session of the documents before WebMCP.
    """
    if session:
        if not forms:
            raise ConfigurationError("webmcp_script(session=True) has the forms with it: leave forms=False away")
        return bundled("webmcp-session.js")
    return bundled("webmcp.js" if forms else "webmcp-core.js")
