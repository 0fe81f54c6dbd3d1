"""Bundles and pages from loopback, under the strictest policy that Python runs with."""

from __future__ import annotations

from pathlib import Path

from tests.support.file_site import POLICY
from tests.support.transport_site import TransportSite

HERE = Path(__file__).parent

ISOLATION = {"Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp"}
"""What a page needs for memory that is shared with its workers."""

ANYBODY = {"Access-Control-Allow-Origin": "*"}
"""What files need that a frame without an origin loads."""

DATA_WORKERS = POLICY.replace("worker-src 'self'", "worker-src 'self' data:")


class PythonSite(TransportSite):
    """Bundles by name, as folders; the pages of these tests; and everything a `TransportSite` has."""

    def __init__(self, bundles: dict[str, Path], policy: str = POLICY, headers: dict[str, str] | None = None) -> None:
        super().__init__(policy)
        self.headers = headers or {}
        self.add_folder("/pages", HERE / "pages")
        self.add("/ways.js", HERE / "ways.js")
        for name, folder in bundles.items():
            for file in folder.rglob("*"):
                if file.is_file():
                    self.add(f"/{name}/{file.relative_to(folder).as_posix()}", file)

    def page(self, name: str = "page") -> str:
        """The address of a page."""
        return f"{self.url}/pages/{name}.html"
