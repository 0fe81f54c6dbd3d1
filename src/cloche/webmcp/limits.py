"""How much of a page's tools is taken."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class PageLimits:
    """How much is taken from one page. What is over a limit is left out or refused, with a sentence."""

    tools: int = 200
    """Tools of one page, all its frames together."""
    documents: int = 30
    """Frames whose tools are read."""
    description: int = 4_000
    """Characters of a description; a longer one is cut."""
    schema_bytes: int = 32_768
    """JSON of a tool's input schema; a tool with more is left out."""
    argument_bytes: int = 1_000_000
    """JSON of a call's arguments."""
    result_bytes: int = 1_000_000
    """JSON of a call's result."""
    calls: int = 16
    """Calls of one page that are under way."""
    list_seconds: float = 5.0
    """How long a frame may take to tell its tools; a slower one is left out."""
    call_seconds: float = 60.0
    """How long a call may take."""
    check_seconds: float = 3.0
    """How long the check of arguments against a schema with patterns or many alternatives may take."""
    changes_per_second: float = 5.0
    """How often listeners are told that the tools changed; what happens in between is told as one change."""
