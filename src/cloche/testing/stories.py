"""Stories: inputs of tools that are worth seeing again, as plain text beside the server's file.

`weather.stories.toml` holds the stories of `weather.py`, a table for each:

    ["Rain in Ghent"]
    tool = "forecast"
    arguments = {city = "Ghent", days = 3}
    theme = "dark"

The playground shows and saves them, `open_view.story` opens them in tests, and `cloche check` runs them all.
"""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any, Literal

import msgspec

from cloche.errors import StoryError, shorten
from cloche.testing.profiles import PROFILES
from cloche.testing.story_text import blocks_of, table_text, with_block, without_block
from cloche.wire.types import Json

SUFFIX = ".stories.toml"
MAX_BYTES = 8 << 20
"""Of one file, recorded results included."""
MAX_STORIES = 500
MAX_NAME = 100
SIZES = (100, 4000)
"""The smallest and the largest width or height, in pixels."""


class Story(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One input of a tool, and how a host shows what comes of it."""

    name: str
    tool: str
    arguments: Json = {}
    result: Json | None = None
    """The recorded result of the call; with one, the tool is not called."""
    profile: str = "strict"
    """The host that is emulated, one of `cloche.testing.PROFILES`."""
    theme: Literal["light", "dark"] | None = None
    width: int | None = None
    height: int | None = None

    @property
    def options(self) -> Json:
        """What `open_view` takes."""
        chosen = {"profile": self.profile, "theme": self.theme, "width": self.width, "height": self.height}
        known = {key: value for key, value in chosen.items() if value is not None}
        return known if self.result is None else {**known, "answers": {self.tool: self.result}}


FIELDS = [name for name in Story.__struct_fields__ if name != "name"]


class StoryFile:
    """The stories of one server. Whatever is wrong with the file raises `StoryError`, with its line."""

    def __init__(self, path: str | Path) -> None:
        given = Path(path)
        self.path = given if given.name.endswith(SUFFIX) else given.with_name(given.stem + SUFFIX)
        """The file of stories; made from the server's own file if that was given."""

    @property
    def server(self) -> Path:
        """The server's file, which lies beside it."""
        return self.path.with_name(self.path.name.removesuffix(SUFFIX) + ".py")

    def read(self) -> list[Story]:
        """All stories, in the file's order; none when there is no file."""
        return _Reader(self.path.name, self._text()).stories()

    def get(self, name: str) -> Story:
        """The story of this name."""
        stories = self.read()
        for story in stories:
            if story.name == name:
                return story
        there = ", ".join(repr(one.name) for one in stories) or "none at all"
        raise StoryError(f"there is no story {shorten(name)!r}; there are {shorten(there, 300)}", self.path.name)

    def save(self, story: Story) -> None:
        """Write a story, in the place of the one that has its name; everything else in the file stays as it is."""
        stories = {**{one.name: one for one in self.read()}, story.name: story}
        table = {key: value for key, value in msgspec.to_builtins(story).items() if key != "name"}
        self._write(with_block(self._text() or self._heading(), story.name, table_text(story.name, table)), stories)

    def remove(self, name: str) -> None:
        """Remove a story."""
        self.get(name)
        kept = {one.name: one for one in self.read() if one.name != name}
        self._write(without_block(self._text(), name), kept)

    def _heading(self) -> str:
        return f"# Stories of {self.server.name}: see them in `cloche dev`, run them with `cloche check`.\n"

    def _text(self) -> str:
        try:
            data = self.path.read_bytes()
        except FileNotFoundError:
            return ""
        except OSError as error:
            raise StoryError(f"it cannot be read: {error.strerror}", self.path.name) from None
        if len(data) > MAX_BYTES:
            raise StoryError(f"it is larger than {MAX_BYTES >> 20} MB: record fewer results", self.path.name)
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, error.start) + 1
            raise StoryError("this is not UTF-8", self.path.name, line) from None

    def _write(self, text: str, expected: dict[str, Story]) -> None:
        """Write the file if it then says what it should."""
        if len(text.encode()) > MAX_BYTES:
            raise StoryError(f"it would be larger than {MAX_BYTES >> 20} MB: record fewer results", self.path.name)
        if {one.name: one for one in _Reader(self.path.name, text).stories()} != expected:
            raise StoryError("it is laid out in a way that cannot be edited here: edit it by hand", self.path.name)
        temporary = self.path.with_name(self.path.name + ".new")
        try:
            temporary.write_text(text, "utf-8", newline="")
            temporary.replace(self.path)
        except OSError as error:
            raise StoryError(f"it cannot be written: {error.strerror}", self.path.name) from None


def find_story(name: str, folder: Path, root: Path) -> StoryFile:
    """The file with this story: in `folder` or a folder inside it, else in the folders above it up to `root`."""
    around = [folder, *(parent for parent in folder.parents if parent.is_relative_to(root))]
    seen: dict[Path, StoryFile] = {}
    for place in around:
        near = [StoryFile(path) for pattern in ("*", "*/*") for path in sorted(place.glob(pattern + SUFFIX))]
        found = [one for one in near if any(story.name == name for story in one.read())]
        if len(found) > 1:
            files = " and ".join(str(one.path.relative_to(place)) for one in found[:2])
            raise StoryError(f"the story {shorten(name)!r} is in {files}: say which with file=", found[0].path.name)
        if found:
            return found[0]
        seen.update({one.path: one for one in near})
    if not seen:
        raise StoryError(f"there is no such file from {folder} up to {root}: name it with file=", f"*{SUFFIX}")
    there = ", ".join(repr(story.name) for one in seen.values() for story in one.read())
    files = ", ".join(path.name for path in seen)
    raise StoryError(f"there is no story {shorten(name)!r}; there are {shorten(there, 300)}", files)


class _Reader:
    """From text to stories; a mistake is told with the line that it is on."""

    def __init__(self, file: str, text: str) -> None:
        self._file = file
        self._text = text

    def stories(self) -> list[Story]:
        try:
            found = tomllib.loads(self._text)
        except tomllib.TOMLDecodeError as error:
            raise self._not_toml(str(error)) from None
        if len(found) > MAX_STORIES:
            raise StoryError(f"there are more than {MAX_STORIES} stories", self._file)
        return [self._story(name, table) for name, table in found.items()]

    def _not_toml(self, said: str) -> StoryError:
        """What the parser says, without the place that it names at the end."""
        what, _, place = said.rpartition(" (at ")
        line = place.removeprefix("line ").partition(",")[0]
        number = int(line) if line.isdigit() else self._text.count("\n") + 1  # "at end of document"
        return StoryError(f"this is not TOML: {shorten(what)}", self._file, number)

    def _story(self, name: str, table: Any) -> Story:
        if not isinstance(table, dict):
            what = f'{shorten(name)!r} stands outside of a story: begin one with ["Its name"] on a line of its own'
            lines = self._text.splitlines()
            line = next((number for number, one in enumerate(lines, 1) if one.lstrip().startswith(name)), None)
            raise StoryError(what, self._file, line)
        for key in table:
            if key not in FIELDS:
                raise self._wrong(name, f"a story has no {shorten(key)!r}; it has {', '.join(FIELDS)}", key)
        if "tool" not in table:
            raise self._wrong(name, 'the story names no tool: add tool = "…"')
        read = {key: self._decoded(name, key, value) for key, value in table.items()}
        try:
            story = msgspec.convert({"name": name, **read}, Story)
        except msgspec.ValidationError as error:
            what, _, place = str(error).partition(" - at `$.")
            key = place.rstrip("`").partition(".")[0].partition("[")[0]
            raise self._wrong(name, f"{key}: {what}", key) from None
        self._check(story)
        return story

    def _decoded(self, name: str, key: str, value: Any) -> Any:
        """Arguments and results may be JSON in a text, since TOML has no null."""
        if key not in ("arguments", "result"):
            return value
        if not isinstance(value, str):
            return msgspec.to_builtins(value)  # TOML has dates, JSON has texts
        try:
            return json.loads(value)
        except json.JSONDecodeError as error:
            lines = [one.text_line_of(key) for one in blocks_of(self._text) if one.name == name]
            first = next((line for line in lines if line is not None), 1)
            raise StoryError(f"{key} is not JSON: {error.msg}", self._file, first + error.lineno - 1) from None
        except RecursionError:
            raise self._wrong(name, f"{key} is nested too deeply", key) from None

    def _check(self, story: Story) -> None:
        """What types do not say."""
        name = story.name
        if not name.strip() or len(name) > MAX_NAME or not name.isprintable():
            raise self._wrong(name, f"a story's name has 1 to {MAX_NAME} characters, on one line")
        if not story.tool:
            raise self._wrong(name, "tool is empty: name the tool to call", "tool")
        if story.profile not in PROFILES:
            what = f"there is no profile {shorten(story.profile)!r}; there are {', '.join(PROFILES)}"
            raise self._wrong(name, what, "profile")
        for key, size in (("width", story.width), ("height", story.height)):
            if size is not None and not SIZES[0] <= size <= SIZES[1]:
                raise self._wrong(name, f"{key} must be from {SIZES[0]} to {SIZES[1]} pixels", key)

    def _wrong(self, name: str, what: str, key: str = "") -> StoryError:
        """A mistake in a story, on the line of the key or else of the story's header."""
        blocks = [one for one in blocks_of(self._text) if one.name == name]
        lines = [line for line in (one.line_of(key) for one in blocks if key) if line is not None]
        return StoryError(what, self._file, next(iter([*lines, *(one.start + 1 for one in blocks)]), None))
