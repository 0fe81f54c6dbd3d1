"""The modules of `cloche.web` and the pages of these tests, from loopback, under the strictest policy they run with."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

from tests.support.file_site import Site

HERE = Path(__file__).parents[1] / "web" / "transports"

POLICY = (
    "default-src 'none'; script-src 'self'; connect-src 'self'; worker-src 'self'; "
    "frame-src 'self' http://127.0.0.1:* http://localhost:*; style-src 'unsafe-inline'"
)
"""No inline script, no eval, nothing from elsewhere; frames also of the other name of this machine."""

PAGE = b'<!doctype html><meta charset="utf-8"><title>transports</title>'
"""A page with nothing on it, for tests that bring their own module."""


class TransportSite(Site):
    """`with TransportSite() as site`: the same files as `site.url` (127.0.0.1) and `site.other_url` (localhost).

    What lies in `src/cloche/web` comes from the installed package, everything in that folder of tests under
    `/tests/web/transports/`; `/empty.html` is a page with nothing on it.
    """

    def __init__(self, policy: str = POLICY) -> None:
        super().__init__(policy)
        web = Path(str(resources.files("cloche.web")))
        for root, prefix in ((web, "/src/cloche/web"), (HERE, "/tests/web/transports")):
            for file in root.rglob("*"):
                if file.suffix in {".js", ".html"}:
                    self.add(f"{prefix}/{file.relative_to(root).as_posix()}", file)
        self.add("/empty.html", PAGE)
        self.add("/favicon.ico", b"")

    def paths(self) -> list[str]:
        """Everything that is served."""
        return list(self._files)

    @property
    def other_url(self) -> str:
        """The same site under another origin, and for a browser another site."""
        return self.url.replace("127.0.0.1", "localhost")
