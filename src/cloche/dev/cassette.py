"""`cloche dev --record`: everything that is said and done in the playground, into a cassette."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from cloche.dev.playground import Playground
from cloche.terminal import say


def recording_to(path: Path | None) -> Callable[[Playground], Callable[[], None]] | None:
    """What `run_dev` prepares the playground with; None when there is nothing to record to."""
    return None if path is None else lambda playground: _record(playground, path)


def _record(playground: Playground, path: Path) -> Callable[[], None]:
    """Record from now on, until the returned function is called."""
    from cloche.testing.cassettes.recorder import CassetteRecorder

    recorder = CassetteRecorder(path, list(playground.servers))
    playground.sharing.use(recorder)
    say(f"Recording to {path}: arguments and results will be in it.")
    return recorder.close
