"""What a person at a terminal sees while a command waits for a server; elsewhere nothing."""

from __future__ import annotations

import sys
from collections.abc import Generator
from contextlib import contextmanager
from types import TracebackType
from typing import TYPE_CHECKING, Self

from cloche.errors import shorten
from cloche.terminal import printable, say

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

MAX_MESSAGE = 60
"""Characters of a server's message beside the bar."""


class CallProgress:
    """A bar on stderr, with the server's own message; it goes away when the work is done."""

    def __init__(self, doing: str) -> None:
        self._doing = doing
        self._progress: Progress | None = None
        self._task: TaskID | None = None

    def __enter__(self) -> Self:
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, Progress, SpinnerColumn, TaskProgressColumn, TextColumn

            self._progress = Progress(
                SpinnerColumn(),
                TextColumn("{task.description}", markup=False),
                BarColumn(),
                TaskProgressColumn(),
                console=Console(stderr=True),
                transient=True,
            )
            self._task = self._progress.add_task(self._doing, total=None)
            self._progress.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, value: object, trace: TracebackType | None) -> None:
        if self._progress is not None:
            self._progress.stop()

    def update(self, progress: float, total: float | None, message: str | None) -> None:
        """The server said how far it is."""
        if self._progress is None or self._task is None:
            return
        text = printable(shorten(" ".join(message.split()), MAX_MESSAGE)) if message else self._doing
        self._progress.update(self._task, completed=progress, total=total, description=text)

    def say(self, text: str, style: str = "") -> None:
        """A line above the bar."""
        with self.hidden():
            say(text, style)

    @contextmanager
    def hidden(self) -> Generator[None, None, None]:
        """Take the bar away while something else is on the terminal."""
        if self._progress is None or not self._progress.live.is_started:
            yield
            return
        self._progress.stop()
        try:
            yield
        finally:
            self._progress.start()
