"""Rules about stories: is the file readable, are the tools there, and what came of running each."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from cloche.check.findings import Finding
from cloche.check.server_survey import Json
from cloche.errors import StoryError, shorten
from cloche.testing.stories import Story, StoryFile

MAX_RUN = 50
"""Stories that one check runs."""


@dataclass(frozen=True)
class StoryRun:
    """A story, and what came of it."""

    story: Story
    renders: bool | None
    """Whether its view was seen; None when there was nothing to see."""
    note: str = ""

    @property
    def sentence(self) -> str:
        """For people."""
        what = f"Story {shorten(self.story.name)!r} ({shorten(self.story.tool)}, {self.story.profile})"
        outcome = {True: "renders", False: "does not render", None: "no view was opened"}[self.renders]
        return f"{what}: {outcome}{f', {self.note}' if self.note else ''}".rstrip(".") + "."

    def as_json(self) -> Json:
        """For programs."""
        return {
            "name": self.story.name,
            "tool": self.story.tool,
            "profile": self.story.profile,
            "renders": self.renders,
            "note": self.note,
        }


def place_of_story(name: str) -> str:
    """How findings name a story."""
    return f"story {shorten(name)!r}"


def is_story(place: str) -> bool:
    """Whether a finding is about a story."""
    return place.startswith("story ")


def read_stories(file: StoryFile) -> tuple[list[Story], list[Finding]]:
    """The stories, or what is wrong with their file."""
    try:
        return file.read(), []
    except StoryError as error:
        place = error.file if error.line is None else f"{error.file} line {error.line}"
        return [], [Finding("S02", place, f"{error.what}.", "Correct that line: docs/stories.md has the format.")]


def check_stories(stories: Sequence[Story], tools: Sequence[Json]) -> Iterator[Finding]:
    """Stories of tools that are not there."""
    names = [str(tool.get("name")) for tool in tools]
    for story in stories:
        if story.tool not in names:
            near = difflib.get_close_matches(story.tool, names, 1)
            fix = f"Write tool = {near[0]!r}." if near else "Name a tool of this server, or remove the story."
            what = f"The server has no tool {shorten(story.tool)!r}."
            yield Finding("S02", place_of_story(story.name), what, fix)
