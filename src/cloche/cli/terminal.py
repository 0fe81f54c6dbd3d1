"""The terminal a command runs on: errors and progress on stderr, and stdout for the protocol or for a report."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager, redirect_stdout

from cloche.transports.http.serving.announcing import say

SLOW = 1.0
"""Seconds of silence after which a person at a terminal is told what takes so long."""


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
