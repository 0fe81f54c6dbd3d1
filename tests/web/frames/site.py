"""Outer and inner pages, under three origins: 127.0.0.1 at two ports, and localhost, which is another site.

The scripts are bundled from the installed package and the pages of these tests, with passages replaced where a test
wants to see what a line is good for.
"""

from __future__ import annotations

import shutil
import tempfile
import threading
from pathlib import Path
from types import TracebackType

from tests.support.edited_web import edited_web
from tests.support.file_site import Site
from tools.web_bundles import Group, bundle

PAGES = Path(__file__).parent / "pages"
SCRIPTS = Group({"server": "server", "cases": "cases"}, ("--format=esm",))
POLICY = (
    "default-src 'none'; script-src 'self'; connect-src 'self'; img-src 'self'; style-src 'unsafe-inline'; "
    "frame-src 'self' http://127.0.0.1:* http://localhost:*"
)
PAGE = b'<!doctype html><meta charset="utf-8"><title>empty</title>'
LATE = 0.1
"""Seconds until the picture comes: a page's `load` waits for it, its scripts do not."""

Edit = tuple[str, str, str]
"""A file of `cloche.web`, a passage in it, and what stands there instead."""


def scripts(*edits: Edit) -> dict[str, bytes]:
    """The pages' scripts, each as one file."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        edited_web(root / "src" / "cloche" / "web", edits)
        pages = root / "tests" / "web" / "frames" / "pages"
        shutil.copytree(PAGES, pages)
        bundle(root / "made", pages, (SCRIPTS,))
        return {f"{name}.js": (root / "made" / f"{name}.js").read_bytes() for name in SCRIPTS.entries}


class _Files(Site):
    def __init__(self, made: dict[str, bytes]) -> None:
        # Frames without an origin may load only what is meant for everybody.
        super().__init__(POLICY, {"Access-Control-Allow-Origin": "*"})
        for file in PAGES.iterdir():
            self.add(f"/{file.name}", made.get(file.name, file))
        for path in ("/empty.html", "/favicon.ico"):
            self.add(path, PAGE)

    def content(self, path: str) -> bytes | None:
        if path == "/late.png":
            threading.Event().wait(LATE)
            return b""
        return super().content(path)


class FrameSite:
    """`with FrameSite() as site`: `site.own`, `site.port` and `site.name` are the three origins."""

    def __init__(self, *edits: Edit) -> None:
        made = scripts(*edits)
        self._sites = (_Files(made), _Files(made))

    def __enter__(self) -> FrameSite:
        first, second = (site.__enter__() for site in self._sites)
        self.own, self.port = first.url, second.url
        self.name = second.url.replace("127.0.0.1", "localhost")
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        for site in self._sites:
            site.__exit__(kind, error, tb)

    @property
    def missed(self) -> list[str]:
        """What was asked for and is not there."""
        return [path for site in self._sites for path in site.missed]
