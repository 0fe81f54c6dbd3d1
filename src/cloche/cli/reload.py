"""`cloche run --reload`: the server in a process of its own, which is started again when a file changes.

The sockets belong to the process that watches: who connects while the server starts again waits, and is not refused.
"""

from __future__ import annotations

import multiprocessing
import signal
import socket
import sys
import threading
from collections.abc import Sequence
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from cloche.cli import exit_with
from cloche.cli.run import STOP_SECONDS, HttpOptions, run_http
from cloche.cli.targets import parse_target
from cloche.dev.file_times import changes, file_times
from cloche.serve.uvicorn.listening_sockets import bind, resolve
from cloche.terminal import say

EVERY = 0.4
"""Seconds between two looks at the files."""

SHOWN = 3
"""Files that are named when they have changed."""


def run_reloading(target: str, options: HttpOptions) -> None:
    """Serve until a signal comes, and start again after every change beside the file."""
    folder = parse_target(target).folder
    sockets = bind(options.host, resolve(options.host, options.port))
    stop = threading.Event()
    before = {number: signal.signal(number, lambda *_: stop.set()) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        _watch(Child(target, options, sockets), folder, stop)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        for sock in sockets:
            sock.close()


def _watch(child: Child, folder: Path, stop: threading.Event) -> None:
    seen = file_times(folder)
    child.start()
    told = False
    try:
        while not stop.wait(EVERY):
            now = file_times(folder)
            changed = sorted(path.name for path in changes(seen, now))
            seen = now
            if changed:
                more = f" and {len(changed) - SHOWN} more" if len(changed) > SHOWN else ""
                child.end()
                say(f"Restarting: {', '.join(changed[:SHOWN])}{more} changed", "bold")
                child.start()
                told = False
            elif not child.is_alive and not told:
                told = True
                say("The server ended: it starts again when a file changes.", "yellow")
    finally:
        child.end()


class Child:
    """The process in which the server runs."""

    def __init__(self, target: str, options: HttpOptions, sockets: Sequence[socket.socket]) -> None:
        self._arguments: tuple[Any, ...] = (target, options, sockets)
        self._process: BaseProcess | None = None

    @property
    def is_alive(self) -> bool:
        """Whether it runs."""
        return self._process is not None and self._process.is_alive()

    def start(self) -> None:
        """Start it. A fresh interpreter imports the user's file as if for the first time."""
        self._process = multiprocessing.get_context("spawn").Process(target=_serve, args=self._arguments)
        self._process.start()

    def end(self) -> None:
        """Ask it to stop, and insist when it does not."""
        if self._process is None:
            return
        self._process.terminate()
        self._process.join(STOP_SECONDS + 1)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()


def _serve(target: str, options: HttpOptions, sockets: Sequence[socket.socket]) -> None:
    if sys.platform != "win32":
        # Ctrl+C reaches every process of the terminal; until the server handles it, the watching process does.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    exit_with(lambda: run_http(target, options, sockets))
