"""What is said on stderr: in colour on a terminal, plain lines elsewhere; stdout belongs to the protocol."""

from __future__ import annotations

import sys
from collections.abc import Mapping


def say(text: str, style: str = "") -> None:
    """One line, never wrapped: it may be a URL."""
    if not (style and sys.stderr.isatty() and _say_in_style(text, style)):
        sys.stderr.write(f"{text}\n")
        sys.stderr.flush()


def _say_in_style(text: str, style: str) -> bool:
    try:
        from rich.console import Console
        from rich.text import Text
    except ImportError:  # the extra http comes without it
        return False
    Console(stderr=True).print(Text(text, style=style), soft_wrap=True)
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
