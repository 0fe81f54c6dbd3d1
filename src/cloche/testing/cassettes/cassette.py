"""Reading a cassette: all of it, or as far as it goes when the recording was cut off."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from cloche.errors import ConfigurationError, LoadError, shorten
from cloche.testing.cassettes.lines import (
    FORMAT,
    MAX_LINE,
    MAX_TOTAL,
    Answer,
    AnyLine,
    Ask,
    Clock,
    Dom,
    Got,
    Header,
    OfView,
    PageLine,
    Said,
    Start,
    Step,
    User,
    View,
    decoder,
)

if TYPE_CHECKING:
    from cloche.testing.cassettes.server import CassetteServer


@dataclass
class RecordedView:
    """One view of a cassette: what it was given, and everything it went through."""

    opened: View
    page: PageLine
    steps: list[Step] = field(default_factory=list)
    said: list[Said] = field(default_factory=list)
    times: list[int] = field(default_factory=list)
    """When it looked at the clock, in milliseconds since its start."""

    def take(self, line: OfView) -> None:
        """Add a line about this view."""
        if isinstance(line, Said):
            self.said.append(line)
        elif isinstance(line, Clock):
            self.times += line.times
        elif isinstance(line, Start | Got | User | Dom):
            self.steps.append(line)

    @property
    def name(self) -> str:
        """Number, server and tool, for people."""
        return f"view {self.opened.number} ({self.opened.server}.{self.opened.tool})"

    @property
    def start(self) -> Start | None:
        """The surroundings; None when the recording ended before the view began."""
        return next((step for step in self.steps if isinstance(step, Start)), None)


class Cassette:
    """A recording that was read from a file; `Cassette.read("run.cassette")`."""

    def __init__(self, header: Header) -> None:
        self.header = header
        self.lines: list[AnyLine] = []
        """Everything after the header, in the order of the file."""
        self.views: list[RecordedView] = []
        """In the order in which they were opened."""
        self.exchanges: list[tuple[Ask, Answer]] = []
        """What was asked of servers, and what they answered."""
        self.is_cut_off = False
        """Whether the last line is not whole: the recording was interrupted."""
        self._asked: dict[int, Ask] = {}
        self._pages: dict[str, PageLine] = {}

    @classmethod
    def read(cls, path: str | Path) -> Cassette:
        """Read a file; raises `LoadError` with one sentence when it is not a cassette."""
        name = shorten(str(path), 80)
        lines = _lines(Path(path), name)
        header = _header(next(lines, b""), name)
        if header.format != FORMAT:
            remedy = "update Cloche" if header.format > FORMAT else "record it again"
            raise LoadError(
                f"{name!r} is a cassette of format {header.format}, and this version reads {FORMAT}: {remedy}"
            )
        cassette = cls(header)
        cassette._take_all(lines, name)
        return cassette

    @staticmethod
    def read_header(path: str | Path) -> Header:
        """Only the first line; raises `LoadError` when it is none of a cassette."""
        name = shorten(str(path), 80)
        return _header(next(_lines(Path(path), name), b""), name)

    def _take_all(self, lines: Iterator[bytes], name: str) -> None:
        for number, data in enumerate(lines, 2):
            line = _decoded(data)
            if line is not None:
                self._take(line, f"line {number} of {name!r}")
            elif next(lines, None) is not None:
                raise LoadError(f"line {number} of {name!r} is not one of a cassette: it was changed or damaged")
            else:
                self.is_cut_off = True

    def _take(self, line: AnyLine, where: str) -> None:
        self.lines.append(line)
        if isinstance(line, Ask):
            self._asked[line.exchange] = line
        elif isinstance(line, Answer) and line.exchange in self._asked:
            self.exchanges.append((self._asked.pop(line.exchange), line))
        elif isinstance(line, PageLine):
            self._pages[line.hash] = line
        elif isinstance(line, View):
            if line.page not in self._pages or line.number != len(self.views):
                raise LoadError(f"{where} opens a view whose page is not there: the file was changed or damaged")
            self.views.append(RecordedView(line, self._pages[line.page]))
        elif isinstance(line, OfView):
            if not 0 <= line.view < len(self.views):
                raise LoadError(f"{where} is about a view that was not opened: the file was changed or damaged")
            self.views[line.view].take(line)

    def view(self, number: int) -> RecordedView:
        """One of the views."""
        if not 0 <= number < len(self.views):
            there = f"0 to {len(self.views) - 1}" if self.views else "none at all"
            raise ConfigurationError(f"The cassette has no view {number}: it has {there}")
        return self.views[number]

    def html(self) -> str:
        """The recording as one HTML file that plays in any browser, without a server and without a network."""
        from cloche.testing.cassettes.shared_page import shared_page

        return shared_page(self)

    def server(self, name: str | None = None) -> CassetteServer:
        """A server that answers from the recording; by name when there are several."""
        from cloche.testing.cassettes.server import CassetteServer

        names = self.header.servers
        if name is None and len(names) != 1:
            raise ConfigurationError(f"The cassette has several servers: say which of {', '.join(names)}")
        chosen = name or names[0]
        if chosen not in names:
            raise ConfigurationError(f"The cassette has no server {shorten(chosen)!r}; it has {', '.join(names)}")
        return CassetteServer(chosen, [both for both in self.exchanges if both[0].server == chosen])


def _lines(file: Path, name: str) -> Iterator[bytes]:
    """The lines, none of them longer than they may be."""
    try:
        size = file.stat().st_size
        if size > MAX_TOTAL + MAX_LINE:
            raise LoadError(f"{name!r} has {size} bytes, and a cassette has at most {MAX_TOTAL}")
        with file.open("rb") as stream:
            while data := stream.readline(MAX_LINE + 1):
                yield data
    except OSError as error:
        raise LoadError(f"{name!r} cannot be read: {error.strerror or error}") from None


def _header(data: bytes, name: str) -> Header:
    line = _decoded(data)
    if not isinstance(line, Header):
        raise LoadError(f"{name!r} is not a cassette: cloche dev --record FILE makes one")
    return line


def _decoded(data: bytes) -> AnyLine | None:
    """A line, if it is one and whole."""
    if not data.endswith(b"\n") or len(data) > MAX_LINE:
        return None
    try:
        return decoder.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
