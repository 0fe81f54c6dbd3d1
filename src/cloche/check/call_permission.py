"""Whether a tool may be called to see its view at work: calling has effects, and only its author knows which."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from cloche.check.arguments import NoArguments, make_arguments
from cloche.check.server_survey import Json
from cloche.errors import shorten

Calls: TypeAlias = Literal["no", "read-only", "own", "all"]
"""Which tools are called: none; those that say they only read; also those of one's own file that say nothing; or all
but the destructive."""


@dataclass(frozen=True)
class Call:
    """A tool whose view was opened: with which arguments, and what came of the call."""

    tool: str
    arguments: Json
    was_called: bool
    note: str = ""
    """Why it was not called, or what went wrong."""

    @property
    def sentence(self) -> str:
        """For people."""
        shown = shorten(json.dumps(self.arguments, ensure_ascii=False), 100)
        if self.was_called:
            return f"Called {shorten(self.tool)} with {shown}{f': {self.note}' if self.note else ''}."
        return f"Did not call {shorten(self.tool)}: {self.note}."

    def as_json(self) -> Json:
        """For programs."""
        return {"tool": self.tool, "arguments": self.arguments, "called": self.was_called, "note": self.note}


def plan_call(tool: Json, calls: Calls) -> Call:
    """What to do with a tool; `was_called` is the plan until it was tried."""
    name = str(tool.get("name"))
    try:
        arguments = make_arguments(tool.get("inputSchema"))
    except NoArguments as error:
        return Call(name, {}, False, f"no arguments could be made up, {error}")
    refusal = why_not(tool, calls)
    return Call(name, arguments, refusal is None, refusal or "")


def why_not(tool: Json, calls: Calls) -> str | None:
    """Why a tool is not called; None when it may be."""
    said: Any = tool.get("annotations")
    hints: Json = said if isinstance(said, dict) else {}
    if calls == "no":
        return "--no-call"
    if hints.get("readOnlyHint") is True:
        return None
    if hints.get("destructiveHint") is True:
        return "it says that it is destructive"
    if calls == "read-only":
        return "it does not say that it only reads (readOnlyHint); --call calls it all the same"
    if calls == "own" and hints.get("readOnlyHint") is False and hints.get("destructiveHint") is not False:
        return "it says that it changes something; --call calls it all the same"
    return None
