"""Who may use a host's routes: its own pages, under the names of this machine or those it was told."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlsplit

from cloche.asgi import Scope
from cloche.errors import ConfigurationError
from cloche.serve.guard import Admission, Refusal


class PageAdmission(Admission):
    """Host, Origin and Sec-Fetch-Site, as for a server; the setting that admits is `Host(origins=…)` for all three.

    A product's pages are named once, as origins. Their host names are what the host answers to, besides loopback with
    the bound port: otherwise a name that somebody else points to this machine would be as good (H01).
    """

    def __init__(self, origins: Sequence[str]) -> None:
        if "*" in origins:
            raise ConfigurationError("Host(origins=['*']) would let every page of the web show views here: name yours")
        super().__init__([urlsplit(origin).netloc for origin in origins], origins, "Host")

    def check_arrival(self, scope: Scope, headers: dict[bytes, bytes]) -> Refusal | None:
        """Why a browser that another site sends here is refused: it may only arrive as a page of its own, in no frame
        and by no script. The name must be ours as ever.
        """
        arrives = headers.get(b"sec-fetch-mode", b"navigate") == b"navigate"
        alone = headers.get(b"sec-fetch-dest", b"document") == b"document"
        if arrives and alone and b"origin" not in headers:
            headers = {name: value for name, value in headers.items() if name != b"sec-fetch-site"}
        return self.check(scope, headers)

    def host_refusal(self, host: str) -> str:
        """Name the setting."""
        # A name with a port of its own, or none but a number, is hardly ever one with a certificate.
        scheme = "http" if ":" in host or host.replace(".", "").isdigit() else "https"
        return (
            f"Cloche does not answer to the host {host!r}: if your product is served there, "
            f"set Host(origins=['{scheme}://{host}'])"
        )

    def origin_refusal(self, origin: str) -> str:
        """Name the setting."""
        return f"Pages of the origin {origin!r} may not show views here: to admit them, set Host(origins=[{origin!r}])"

    def site_refusal(self, site: str) -> str:
        """Say what such a page has to do."""
        return (
            f"A page of another site (Sec-Fetch-Site: {site}) may not load this: load mcp-app.js as a module "
            "(<script type=module>), from an origin in Host(origins=[…])"
        )
