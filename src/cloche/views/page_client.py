"""The client of a page and every transport it may need as one small module, for pages without a build step."""

from __future__ import annotations

from cloche.web import bundled


def page_client() -> str:
    """`McpClient` and every transport of `cloche.web` as one module: write it to a file of your site and import it.

    The only thing left to the modules is the server.
    """
    return bundled("client.js")
