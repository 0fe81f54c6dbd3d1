"""One published server for the folder, under an origin with the headers of its own `_headers` file and one without, and
a page of another site that may use it.
"""

from __future__ import annotations

import fnmatch
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from cloche.browser import Site as Published
from cloche.browser import write_site
from tests.support.chromium import launched
from tests.support.edited_web import edited_web
from tests.support.file_site import Site
from tools.chromium import chromium
from tools.npm_tools import node_modules
from tools.web_bundles import Group, bundle

HERE = Path(__file__).parent
POLICY = "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; frame-src http:"
OUTER = b"""<!doctype html><meta charset="utf-8"><title>Outer</title><iframe></iframe>
<script type="module" src="outer.js"></script>"""
TIMEOUT = 60_000
"""Milliseconds; a machine may be busy with other tests."""


@dataclass
class Places:
    """Where everything is."""

    site: Published
    own: str
    """The published page, with the headers that a static host sends for it."""
    bare: str
    """The same without headers, as `python -m http.server` gives it out."""
    outer: str
    """The page that may use it."""
    stranger: str
    """The same page under an origin that may not."""


@pytest.fixture(scope="package")
def runtime() -> Path:
    """Pyodide, from the cache that other tests use too."""
    return node_modules(HERE.parent / "core" / "node") / "pyodide"


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    with launched(chromium()) as started:
        yield started


@pytest.fixture(scope="package")
def places(tmp_path_factory: pytest.TempPathFactory, runtime: Path) -> Iterator[Places]:
    folder = tmp_path_factory.mktemp("published") / "site"
    with Site(POLICY) as outer:
        outer.add("/outer.html", OUTER)
        outer.add("/outer.js", outer_script())
        # Another origin of the same site: some browsers let frames of other sites store nothing.
        made = write_site(HERE / "greeter.py", folder, allow_origins=[outer.url], runtime=runtime)
        stranger = outer.url.replace("127.0.0.1", "localhost")
        with HeadedSite(folder) as own, Site("") as bare:
            fill(bare, folder)
            yield Places(made, f"{own.url}/index.html", f"{bare.url}/index.html", outer.url, stranger)


def fill(site: Site, folder: Path, prefix: str = "") -> None:
    """Serve what was published."""
    for file in folder.rglob("*"):
        if file.is_file():
            site.add(f"{prefix}/{file.relative_to(folder).as_posix()}", file)
    site.add(f"{prefix}/", folder / "index.html")


def rules(folder: Path) -> dict[str, dict[str, str]]:
    """The headers in `_headers`, by the paths that they are for."""
    found: dict[str, dict[str, str]] = {}
    for line in (folder / "_headers").read_text().splitlines():
        if line.startswith("/"):
            last = found.setdefault(line, {})
        else:
            name, value = line.strip().split(": ", 1)
            last[name] = value
    return found


def sent_with(folder: Path, path: str = "/") -> dict[str, str]:
    """The headers that `_headers` names for a file, as a host sends them that joins all rules that fit."""
    found: dict[str, str] = {}
    for rule, given in rules(folder).items():
        if fnmatch.fnmatchcase(path, rule):
            for name, value in given.items():
                found[name] = f"{found[name]}, {value}" if name in found else value
    return found


class HeadedSite(Site):
    """A static host that gives out what was published, and reads `_headers`."""

    def __init__(self, folder: Path) -> None:
        super().__init__("")
        self.folder = folder
        fill(self, folder)

    def headers_for(self, path: str) -> dict[str, str]:
        return sent_with(self.folder, path)


def outer_script() -> bytes:
    """The outer page's script, with the installed package's modules in it."""
    with tempfile.TemporaryDirectory() as place:
        root = Path(place)
        edited_web(root / "src" / "cloche" / "web", ())
        pages = root / "tests" / "browser" / "published"
        pages.mkdir(parents=True)
        (pages / "outer.js").write_bytes((HERE / "outer.js").read_bytes())
        bundle(root / "made", pages, (Group({"outer": "outer"}, ("--format=esm",)),))
        return (root / "made" / "outer.js").read_bytes()
