"""What a person names as a server: `FILE[:OBJECT]`, `package.module[:OBJECT]`, a URL, or the words of a command."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.machinery import PathFinder
from pathlib import Path

from cloche.browser.sources import check_file
from cloche.errors import ConfigurationError, LoadError, shorten

DASHES = "--"
"""Everything after it is a command."""

SCHEMES = ("http", "https", "ws", "wss")


@dataclass(frozen=True, slots=True)
class Target:
    """What to import, and the dotted name of the object in it; no name means: find it."""

    file: Path | None
    module: str | None
    name: str | None

    @property
    def text(self) -> str:
        """What can be typed anywhere: files with their whole path."""
        source = str(self.file) if self.file else str(self.module)
        return f"{source}:{self.name}" if self.name else source

    @property
    def label(self) -> str:
        """What the user calls it."""
        return self.file.name if self.file else str(self.module)

    @property
    def folder(self) -> Path:
        """Where the user's other files are, as far as one can tell."""
        return self.file.parent if self.file else Path.cwd()


def parse_target(text: str) -> Target:
    """Split `text` and look whether there is such a file; a module is looked for by importing it."""
    source, name = split(text)
    if name is not None and not is_dotted(name):
        raise LoadError(f"{shorten(name)!r} is not the name of an object: write FILE:OBJECT, as in server.py:server")
    if not source:
        raise LoadError("there is no file before the colon: write FILE:OBJECT, as in server.py:server")
    path = Path(source)
    if not os.path.exists(path) and is_dotted(source) and not source.endswith(".py"):
        return Target(None, source, name)
    return Target(check_file(path), None, name)


@dataclass(frozen=True, slots=True)
class ServerWords:
    """One server as a person named it: exactly one of a file or module, a URL, or a command."""

    target: Target | None = None
    url: str | None = None
    command: tuple[str, ...] = ()
    state: Path | None = None
    """The file in which its stores are kept."""

    @property
    def process(self) -> list[str]:
        """The words that start it in a process of its own; empty for a URL."""
        kept = [] if self.state is None else ["--state", str(self.state)]
        return [sys.executable, "-m", "cloche", "run", self.target.text, *kept] if self.target else list(self.command)

    def typed_with(self, verb: str, rest: str) -> str:
        """What a person types to do something with this server."""
        if self.command:
            return f"cloche {verb} {rest} -- {shlex.join(self.command)}"
        name = self.url or (os.path.relpath(self.target.file) if self.target and self.target.file else "")
        return f"cloche {verb} {shlex.quote(name or str(self.target and self.target.text))} {rest}"


def parse_server(words: Sequence[str], verb: str) -> ServerWords:
    """The one server that `cloche VERB` is told."""
    if not words:
        raise ConfigurationError(f"name a server: cloche {verb} server.py, a URL, or two dashes and a command")
    if len(words) > 1 and ("://" in words[0] or _names_code(words[0])):
        raise ConfigurationError(f"one server at a time: leave out what follows {shorten(words[0])!r}")
    return parse_servers(words, verb)[0]


def parse_servers(words: Sequence[str], verb: str) -> list[ServerWords]:
    """Files, modules and URLs, and at the end a command: what follows two dashes, or the first word that is neither."""
    found: list[ServerWords] = []
    for at, word in enumerate(words):
        rest = tuple(words[at:])
        if word == DASHES:
            return [*found, _command(rest[1:], verb)]
        scheme, is_url, _ = word.partition("://")
        if is_url:
            found.append(_url(word, scheme.lower()))
        elif _names_code(word):
            found.append(ServerWords(target=parse_target(word)))
        elif len(rest) > 1:
            return [*found, _command(rest, verb)]
        else:
            found.append(ServerWords(target=_known_module(word, verb)))
    return found


def _names_code(word: str) -> bool:
    """Whether a word is meant as a file or a module, and not as a program."""
    source, name = split(word)
    if source.endswith(".py") or name is not None or ("." in source and is_dotted(source)):
        return True
    return os.path.exists(word) and not os.access(word, os.X_OK)


def _known_module(word: str, verb: str) -> Target:
    """A single word is a module when there is one of that name; programs are many."""
    if os.path.exists(word) or (is_dotted(word) and PathFinder.find_spec(word, [os.getcwd(), *sys.path]) is not None):
        return parse_target(word)
    near = f": did you mean {word}.py?" if os.path.exists(f"{word}.py") else ""
    command = f"a command goes after two dashes: cloche {verb} -- {shorten(word)} …"
    raise LoadError(f"there is no file or module {shorten(word)!r}{near or f'; {command}'}")


def _url(word: str, scheme: str) -> ServerWords:
    if scheme not in SCHEMES:
        raise ConfigurationError(f"{shorten(word)!r} is not an address of a server: it begins with http:// or https://")
    return ServerWords(url=word)


def _command(words: tuple[str, ...], verb: str) -> ServerWords:
    if not words:
        raise ConfigurationError(f"there is no command after the two dashes: cloche {verb} -- npx some-server")
    return ServerWords(command=words)


def split(text: str) -> tuple[str, str | None]:
    """Source and object; a colon of a Windows drive is not one of ours."""
    source, colon, name = text.rpartition(":")
    if not colon or os.path.isfile(text):
        return text, None
    drive = len(source) == 1 and source.isascii() and source.isalpha()
    if drive and (name.startswith(("\\", "/")) or name.endswith(".py")):
        return text, None
    return source, name


def is_dotted(text: str) -> bool:
    """Whether `text` is a name, or names joined by dots."""
    return all(part.isidentifier() for part in text.split("."))
