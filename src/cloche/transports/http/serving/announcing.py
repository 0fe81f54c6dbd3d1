"""Lines for people: in colour on a terminal, plain elsewhere. They go to stderr, as stdout belongs to the protocol,
unless they are what a command was asked for.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import TextIO


def say(text: str, style: str = "", to: TextIO | None = None) -> None:
    """One line, on stderr unless `to` says otherwise; never wrapped: it may be a URL."""
    stream = to or sys.stderr
    if not (style and stream.isatty() and _say_in_style(text, style, stream)):
        stream.write(f"{text}\n")
        stream.flush()


def _say_in_style(text: str, style: str, stream: TextIO) -> bool:
    try:
        from rich.console import Console
        from rich.text import Text
    except ImportError:  # the extra http comes without it
        return False
    Console(file=stream).print(Text(text, style=style), soft_wrap=True)
    return True


def announce(name: str, counts: Mapping[str, int], url: str) -> None:
    """The server's name, what it has, and the URL alone on its line."""
    say(f"{name}: {describe(counts)}" if counts else name, "bold")
    say(url, "cyan underline")
    if sys.stderr.isatty():
        say("Ctrl+C stops it.", "dim")


def describe(counts: Mapping[str, int]) -> str:
    """`{"tool": 1, "prompt": 2}` as `1 tool, 2 prompts`."""
    return ", ".join(f"{number} {what}{'' if number == 1 else 's'}" for what, number in counts.items())
