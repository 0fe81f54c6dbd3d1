"""Lines for people: in colour on a terminal, plain elsewhere. They go to stderr, as stdout belongs to the protocol,
unless they are what a command was asked for.
"""

from __future__ import annotations

import os
import re
import sys
import threading
from collections.abc import Generator, Mapping
from contextlib import contextmanager, redirect_stdout
from typing import TextIO

SLOW = 1.0
"""Seconds of silence after which a person at a terminal is told what takes so long."""

_UNPRINTED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def printable(text: str) -> str:
    """Somebody else's text without what would steer the terminal or turn the line around: that is shown by number."""
    return _UNPRINTED.sub(lambda found: f"⟨U+{ord(found[0]):04X}⟩", text.replace("\r\n", "\n"))


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


def say_error(text: str) -> None:
    """The last line of a command that failed."""
    say(f"Error: {text}", "red")


def report(text: str, style: str = "") -> None:
    """One line of what a command was asked for: on stdout, so that a pipe or a file gets it."""
    say(text, style, sys.stdout)


@contextmanager
def telling_if_slow(text: str) -> Generator[None, None, None]:
    """Say what is being done, at a terminal, when it takes more than a second."""
    if not sys.stderr.isatty():
        yield
        return
    timer = threading.Timer(SLOW, say, (text, "dim"))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


@contextmanager
def stdout_kept_clean() -> Generator[None, None, None]:
    """Send what is printed, also by C code and child processes, to stderr: on stdio a stray line breaks the client."""
    sys.stdout.flush()
    saved = os.dup(1)
    os.dup2(2, 1)
    try:
        with redirect_stdout(sys.stderr):
            yield
    finally:
        os.dup2(saved, 1)
        os.close(saved)
