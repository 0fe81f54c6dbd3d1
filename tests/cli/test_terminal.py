"""What a person at a terminal sees, on a terminal made for the test."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from tests.support.command import CLOCHE, DEADLINE, environment, write

COLOURS = ("\x1b[31m", "\x1b[4;36m")


class Terminal:
    """The far end of a process's terminal."""

    def __init__(self, process: subprocess.Popen[bytes], end: int) -> None:
        self.process = process
        self.end = end
        self.seen = ""

    def until(self, text: str) -> str:
        """Read until `text` has been shown; returns everything so far."""
        while text not in self.seen:
            try:
                data = os.read(self.end, 4096)
            except OSError:  # how Linux says that the other end is closed
                data = b""
            assert data, self.seen
            self.seen += data.decode().replace("\r\n", "\n")
        return self.seen


@contextmanager
def at_a_terminal(*arguments: str, folder: Path, **env: str) -> Generator[Terminal, None, None]:
    """`cloche` with a terminal on stdin and stderr."""
    end, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "cloche", *arguments],
        cwd=folder,
        stdin=theirs,
        stdout=subprocess.DEVNULL,
        stderr=theirs,
        env=environment(TERM="xterm-256color", COLUMNS="40", **env),
    )
    os.close(theirs)
    watchdog = threading.Timer(DEADLINE, process.kill)
    watchdog.start()
    try:
        yield Terminal(process, end)
    finally:
        watchdog.cancel()
        process.kill()
        process.wait()
        os.close(end)


def test_colours_and_the_url_alone_on_its_line(tmp_path: Path) -> None:
    write(tmp_path, CLOCHE)
    with at_a_terminal("run", "server.py", "--http", "0", folder=tmp_path) as terminal:
        lines = terminal.until("Ctrl+C stops it.").splitlines()
        assert lines[0] == "\x1b[1mpantry: 1 tool, 0 resources, 0 prompts\x1b[0m"
        assert lines[1].startswith("\x1b[4;36mhttp://127.0.0.1:")
        assert lines[1].endswith("/mcp\x1b[0m")
        terminal.process.send_signal(signal.SIGINT)
        assert terminal.process.wait(3.0) == 0


def test_no_color_is_respected(tmp_path: Path) -> None:
    with at_a_terminal("run", "missing.py", folder=tmp_path) as terminal:
        assert COLOURS[0] in terminal.until("check the path")
    write(tmp_path, CLOCHE)
    with at_a_terminal("run", "missing.py", folder=tmp_path, NO_COLOR="1") as terminal:
        said = terminal.until("check the path")
        assert not any(colour in said for colour in COLOURS)
    with at_a_terminal("run", "server.py", "--http", "0", folder=tmp_path, NO_COLOR="1") as terminal:
        said = terminal.until("Ctrl+C stops it.")
        assert not any(colour in said for colour in COLOURS)


def test_a_slow_import_is_mentioned(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "gate")
    write(tmp_path, "open('gate').read()\n" + CLOCHE)
    with at_a_terminal("run", "server.py", "--http", "0", folder=tmp_path) as terminal:
        assert "pantry" not in terminal.until("Loading server.py …")
        (tmp_path / "gate").write_text("go")
        terminal.until("pantry: 1 tool")


def test_stdio_at_a_terminal_says_what_it_waits_for(tmp_path: Path) -> None:
    write(tmp_path, CLOCHE)
    with at_a_terminal("run", "server.py", folder=tmp_path) as terminal:
        terminal.until("pantry: waiting for a client on stdio; for HTTP add --http 8000")


def test_a_check_shows_how_far_it_is(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "gate")
    write(tmp_path, "open('gate').read()\n" + CLOCHE)
    with at_a_terminal("check", "server.py", "--static", folder=tmp_path, NO_COLOR="1") as terminal:
        terminal.until("Reading")
        (tmp_path / "gate").write_text("go")
        assert terminal.process.wait(DEADLINE) == 0
