"""What stands in a page: the addresses it loads, its scripts, and whether they are its own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import urlsplit

LOADS: dict[tuple[str, str], str] = {
    ("script", "src"): "script",
    ("img", "src"): "image",
    ("image", "href"): "image",
    ("audio", "src"): "media",
    ("video", "src"): "media",
    ("video", "poster"): "image",
    ("source", "src"): "media",
    ("track", "src"): "media",
    ("iframe", "src"): "frame",
    ("embed", "src"): "object",
    ("object", "data"): "object",
    ("input", "src"): "image",
}
"""Attributes whose address the browser fetches by itself, and what for."""

LINKS = {"stylesheet": "style", "icon": "image", "modulepreload": "script", "manifest": "manifest", "preload": "script"}

# Possessive, so that each page is read in one way only, however many blanks it has.
CSS_URL = re.compile(r"url\(\s*+(?:['\"]([^'\"]++)['\"]|([^'\"()\s]++))\s*+\)")
CSS_IMPORT = re.compile(r"@import\s++(?:url\(\s*+)?+['\"]([^'\"]++)['\"]")
JS_IMPORT = re.compile(r"(?:\bfrom|(?<!@)\bimport)\s*+(?:\(\s*+)?+['\"]([^'\"]++)['\"]")
JS_CONNECT = re.compile(
    r"(?:\bfetch|\bnew WebSocket|\bnew EventSource|\.open\(\s*+['\"][A-Z]++['\"],|sendBeacon)"
    r"\s*+(?:\(\s*+)?+['\"`]([^'\"`$]++)"
)

JS_CALL = re.compile(r"\bcall(?:Server)?Tool\s*\(\s*(?:\{\s*name\s*:\s*)?(['\"`])([^'\"`$\n]{1,200})\1")
"""`callTool("name"` and `callServerTool({ name: "name"`."""

WRITTEN = 500
"""Characters of the longest line that somebody writes by hand."""


@dataclass(frozen=True)
class Load:
    """One address that the page fetches."""

    url: str
    kind: str
    """script, style, image, font, media, frame, connect, object or manifest"""
    line: int

    @property
    def is_relative(self) -> bool:
        """Whether it is looked for beside the page: a view has nothing beside it."""
        parts = urlsplit(self.url)
        return not parts.scheme and not self.url.startswith(("//", "#"))

    @property
    def is_external(self) -> bool:
        """Whether it is on another machine."""
        return urlsplit(self.url).scheme in ("http", "https", "ws", "wss") or self.url.startswith("//")


@dataclass
class Reading:
    """What a page was found to hold."""

    loads: list[Load] = field(default_factory=list)
    scripts: list[tuple[int, str]] = field(default_factory=list)
    """Scripts that stand in the page, with their lines."""
    calls: list[tuple[int, str]] = field(default_factory=list)
    """Tools that are named in `data-tool` and in scripts, with their lines."""
    has_text: bool = False
    has_base: bool = False

    @property
    def code(self) -> str:
        """All of its own scripts."""
        return "\n".join(text for _, text in self.scripts)

    @property
    def written_code(self) -> str:
        """What people wrote of it: a bundler's lines are long, and mostly other people's."""
        return "\n".join(line for line in self.code.splitlines() if len(line) <= WRITTEN)


def read_page(html: str) -> Reading:
    """Look through a page."""
    parser = _Parser()
    parser.feed(html)
    parser.close()
    return parser.reading


class _Parser(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.reading = Reading()
        self._inside: str | None = None
        self._data = True

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        line = self.getpos()[0]
        given = {name: value for name, value in attrs if value is not None}
        for name, value in given.items():
            kind = LOADS.get((tag, name))
            if kind is not None:
                self._load(value, kind, line)
            elif name == "style":
                self._css(value, line)
            elif name.startswith("on"):
                self._js(value, line)
            elif name == "srcset":
                for part in value.split(","):
                    self._load(part.split()[0] if part.split() else "", "image", line)
        if given.get("data-tool"):
            self.reading.calls.append((line, given["data-tool"]))
        if tag == "link" and "href" in given:
            for word in given.get("rel", "").lower().split():
                if word in LINKS:
                    self._load(given["href"], LINKS[word], line)
        self.reading.has_base = self.reading.has_base or (tag == "base" and "href" in given)
        if tag in ("script", "style"):
            self._inside = tag
            kind = given.get("type", "").lower()
            self._data = tag == "script" and kind not in ("", "module", "text/javascript", "application/javascript")
        elif tag in ("svg", "canvas", "img", "input", "button", "video"):
            self.reading.has_text = True

    def handle_endtag(self, tag: str) -> None:
        if tag == self._inside:
            self._inside = None

    def handle_data(self, data: str) -> None:
        line = self.getpos()[0]
        if self._inside == "style":
            self._css(data, line)
        elif self._inside == "script":
            if not self._data:
                self._js(data, line)
        elif data.strip():
            self.reading.has_text = True

    def _css(self, text: str, line: int) -> None:
        for at, found in _with_lines(CSS_IMPORT, text, line):
            self._load(found[1], "style", at)
        for at, found in _with_lines(CSS_URL, CSS_IMPORT.sub(lambda seen: " " * len(seen[0]), text), line):
            url = found[1] or found[2]
            font = re.search(r"\.(?:woff2?|ttf|otf)\b", url) is not None
            self._load(url, "font" if font else "image", at)

    def _js(self, text: str, line: int) -> None:
        self.reading.scripts.append((line, text))
        for found in JS_CALL.finditer(text):
            self.reading.calls.append((line + text.count("\n", 0, found.start()), found[2]))
        for pattern, kind in ((JS_IMPORT, "script"), (JS_CONNECT, "connect")):
            for at, found in _with_lines(pattern, text, line):
                load = Load(found[1].strip(), kind, at)
                # A bare word after `import` may be in an import map; one that is fetched may be anything.
                if load.is_external or (kind == "script" and load.url.startswith((".", "/"))):
                    self.reading.loads.append(load)

    def _load(self, url: str, kind: str, line: int) -> None:
        url = url.strip()
        if url and not url.startswith(("#", "data:", "blob:", "about:", "javascript:")):
            self.reading.loads.append(Load(url, kind, line))


def _with_lines(pattern: re.Pattern[str], text: str, line: int) -> Iterator[tuple[int, re.Match[str]]]:
    """Everything that is found, with its line; each line break is counted once."""
    end = 0
    for found in pattern.finditer(text):
        line += text.count("\n", end, found.start())
        end = found.start()
        yield line, found
