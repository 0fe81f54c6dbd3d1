"""The scripted model: steps that a person writes, so that the chat works without a network and in tests.

    say Here is the weather in Ghent.
    call forecast {"city": "Ghent"}

    say That was all.

Each paragraph answers one message. `say` writes a text, `call` calls a tool with JSON arguments, `#` begins a comment.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Literal

from cloche.errors import InvalidParamsError, shorten
from cloche.wire.types import Json

MAX_SCRIPT = 100_000
"""Characters of a script."""


@dataclass(frozen=True)
class Step:
    """One thing that the scripted model does."""

    does: Literal["say", "call"]
    text: str
    """What it says, or the tool that it calls."""
    arguments: Json


def parse_script(text: str) -> list[list[Step]]:
    """The steps of each answer. Raises `InvalidParamsError` with the line of a mistake."""
    if len(text) > MAX_SCRIPT:
        raise InvalidParamsError(f"The script is longer than {MAX_SCRIPT} characters")
    answers: list[list[Step]] = [[]]
    for number, line in enumerate(text.splitlines(), 1):
        written = line.strip()
        if not written and answers[-1]:
            answers.append([])
        elif written and not written.startswith("#"):
            answers[-1].append(_step(written, number))
    return [one for one in answers if one]


def _step(line: str, number: int) -> Step:
    word, _, rest = line.partition(" ")
    if word == "say" and rest.strip():
        return Step("say", rest.strip(), {})
    tool, _, given = rest.strip().partition(" ")
    if word != "call" or not tool:
        raise InvalidParamsError(
            f"Line {number} of the script is not a step: "
            f"write “say TEXT” or “call TOOL {{…}}”, not {shorten(line, 40)!r}"
        )
    try:
        arguments = json.loads(given or "{}")
    except (ValueError, RecursionError):
        arguments = None
    if not isinstance(arguments, dict):
        raise InvalidParamsError(f"Line {number} of the script: the arguments of {shorten(tool)} are no JSON object")
    return Step("call", tool, arguments)
