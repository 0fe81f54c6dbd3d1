"""A server in a process of its own, spoken to over its stdin and stdout: one message a line.

The end of the process, or of its output, is the end of the connection. Closing goes in steps, which are timers and not
tasks, so that nothing is left behind whoever gives up waiting for it:

    stdin is closed ──CLOSE_SECONDS──▶ SIGTERM ──TERMINATE_SECONDS──▶ SIGKILL
"""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from typing import IO, Any, Literal, Self

from msgspec import UNSET

from cloche.errors import ConfigurationError, McpError, ServerExitedError, TransportClosedError, shorten
from cloche.transports.base import TooLong
from cloche.transports.outlet import StreamTransport
from cloche.transports.pace import Pace
from cloche.transports.stdio.lines import Lines
from cloche.wire.json import MAX_ANSWER_BYTES, is_json
from cloche.wire.messages import HEAD_BYTES, checked, is_batch, parse

CLOSE_SECONDS = 2.0
"""How long a server may take to leave after its stdin was closed, before it is asked to (SIGTERM)."""

TERMINATE_SECONDS = 2.0
"""How long it may take after that, before it is killed."""

LAST_WORDS_SECONDS = 0.5
"""How long the output of a process that ended is still read, and how long one that closed its output may live."""

STDERR_TAIL = 4096
"""How many bytes of stderr are kept with `stderr="collect"`."""

INHERITED_VARIABLES = (
    (
        *("APPDATA", "HOMEDRIVE", "HOMEPATH", "LOCALAPPDATA", "PATH", "PATHEXT", "PROCESSOR_ARCHITECTURE"),
        *("SYSTEMDRIVE", "SYSTEMROOT", "TEMP", "USERNAME", "USERPROFILE"),
    )
    if sys.platform == "win32"
    else ("HOME", "LANG", "LC_ALL", "LOGNAME", "PATH", "SHELL", "TERM", "TMPDIR", "USER")
)
"""The environment variables that a server gets without being given them."""

_SHOWN_TAIL = 500
_SPACES_FOR_BREAKS = bytes.maketrans(b"\r\n", b"  ")

Stderr = Literal["inherit", "collect"] | int | IO[Any]


class StdioTransport(StreamTransport):
    """The client's end of a server process. Made by `await StdioTransport.start([sys.executable, "server.py"])`.

    `close` ends the server: it closes its stdin, and when that does not do, terminates and then kills it.
    """

    def __init__(self, *, limit: int = MAX_ANSWER_BYTES, pace: Pace | None = None) -> None:
        super().__init__(limit=limit)
        self._lines = Lines(limit)
        self._pace = pace or Pace()
        self._pause: asyncio.TimerHandle | None = None
        self._has_room_to_read = True
        self._process: asyncio.SubprocessTransport
        self._stdin: Any
        self._stdout: Any
        self._tail = b""
        self._heard = False
        self._open_pipes = {1}  # and 2, when stderr is collected
        self._exited = False
        self._leaving = False
        self._left = asyncio.Event()
        self._killed = False

    @classmethod
    async def start(
        cls,
        command: Sequence[str],
        *,
        env: Mapping[str, str] | None = None,
        cwd: str | os.PathLike[str] | None = None,
        limit: int = MAX_ANSWER_BYTES,
        stderr: Stderr = "inherit",
        pace: Pace | None = None,
    ) -> Self:
        """Start `command`, a list of the program and its arguments; no shell is involved.

        The server does not get the whole environment, which may hold secrets that are none of its business: it gets
        `INHERITED_VARIABLES` and what `env` adds. What it writes to stderr goes to our stderr, or with
        `stderr="collect"` into `stderr_tail`, or wherever `subprocess` can send it. Answers longer than `limit` bytes
        become errors. A server that sends more on its own than `pace` allows is read more slowly.
        """
        _check_command(command)
        self = cls(limit=limit, pace=pace)
        try:
            await self._loop.subprocess_exec(
                lambda: _Pipes(self),
                *command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=_stderr_target(stderr),
                env=_environment(env),
                cwd=cwd,
                # A group of its own, so that what the command starts (as `npx` and `uv run` do) ends with it.
                start_new_session=sys.platform != "win32",
            )
        except (OSError, ValueError) as error:
            raise _cannot_start(command[0], cwd, error) from None
        return self

    @property
    def pid(self) -> int:
        """The process's id."""
        return self._process.get_pid()

    @property
    def returncode(self) -> int | None:
        """The process's exit code, or minus the signal that ended it; None while it runs."""
        return self._process.get_returncode()

    @property
    def stderr_tail(self) -> str:
        """The last of what the server wrote to stderr, with `stderr="collect"`."""
        return self._tail.decode(errors="replace")

    def closed_error(self) -> TransportClosedError:
        """Says why, when the server ended before it said anything."""
        if self._heard or (1 in self._open_pipes and not self._exited):
            return TransportClosedError()
        return ServerExitedError(self.returncode, self.stderr_tail.strip()[-_SHOWN_TAIL:])

    # What the pipes tell

    def _started(self, process: asyncio.SubprocessTransport) -> None:
        self._process = process
        self._stdin, self._stdout = process.get_pipe_transport(0), process.get_pipe_transport(1)
        if process.get_pipe_transport(2) is not None:
            self._open_pipes.add(2)

    def _received(self, descriptor: int, data: bytes) -> None:
        if descriptor == 2:
            self._tail = (self._tail + data)[-STDERR_TAIL:]
            return
        if self._leaving:
            return
        unasked = sum(self._take(line) for line in self._lines.feed(data))
        pause = self._pace.spend(unasked)
        if pause > 0 and self._pause is None and not self._leaving:
            self._pause = self._loop.call_later(pause, self._read_on)
            self._follow()

    def _take(self, line: bytes | TooLong) -> bool:
        """Deliver one line; whether it is one that nobody asked for."""
        if isinstance(line, TooLong):
            self.refuse(line.head)
            return True
        try:
            unasked = parse(line).method is not UNSET
            line = checked(line)
        except McpError as error:
            if not is_batch(line) or not is_json(line):  # servers print
                self.refuse(line[:HEAD_BYTES], f"The answer is not a message: {error.message}")
                return True
            unasked = True
        self._heard = True
        self.deliver(line)
        self._outlet.took(line)
        return unasked

    def _read_on(self) -> None:
        self._pause = None
        self._follow()

    def _pipe_lost(self, descriptor: int) -> None:
        self._open_pipes.discard(descriptor)
        if descriptor != 2 or self._exited:  # a server may close its stderr and live
            self._wane()

    def _process_exited(self) -> None:
        self._exited = True
        if self._leaving:
            self._bury()
        else:
            self._cancel_pause()
            self._set_reading(True)  # to the end of its last words
            self._wane()

    def _process_gone(self) -> None:
        self._cancel_timer()
        self._gone.set()

    # Sending and reading

    async def send(self, data: bytes) -> None:
        """Send one message; waits while the server leaves too much unread."""
        try:
            await super().send(data)
        except TransportClosedError:
            if self._left.is_set():
                raise
            # The pipe broke before anything was read of why: the process's last words come within a moment.
            self._wane()
            await self._left.wait()
            raise self.closed_error() from None

    def _write(self, data: bytes) -> None:
        if not self._connected or self._stdin.is_closing():
            raise self.closed_error()
        if b"\n" in data or b"\r" in data:  # between the parts of a message they mean nothing, here they would
            data = data.translate(_SPACES_FOR_BREAKS)
        self._stdin.write(data + b"\n")

    def _set_reading(self, on: bool) -> None:
        """Whether there is room for the answers to what the server asks."""
        self._has_room_to_read = on
        self._follow()

    def _follow(self) -> None:
        """Read on, or wait: for room, or because the server says too much."""
        if self._stdout.is_closing():
            return
        if self._has_room_to_read and self._pause is None:
            self._stdout.resume_reading()
        else:
            self._stdout.pause_reading()

    # The end

    def _wane(self) -> None:
        """One of the pipes or the process ended: the rest follows, or gets a moment to."""
        if self._leaving:
            return
        if self._exited and not self._open_pipes:
            self._leave()
        elif self._timer is None:
            self._timer = self._loop.call_later(LAST_WORDS_SECONDS, self._leave)

    def _leave(self) -> None:
        if self._leaving:
            return
        self._leaving = True
        self._left.set()
        self._cancel_timer()
        self._cancel_pause()
        self.ended()
        self._outlet.empty()
        self._stdin.close()
        if self._exited:
            self._bury()
        else:
            self._timer = self._loop.call_later(CLOSE_SECONDS, self._terminate)

    def _terminate(self) -> None:
        self._signal(signal.SIGTERM)
        self._timer = self._loop.call_later(TERMINATE_SECONDS, self._abort)

    def _abort(self) -> None:
        self._cancel_timer()
        if not self._exited and not self._killed:
            self._killed = True
            self._signal(signal.SIGKILL if sys.platform != "win32" else signal.SIGTERM)

    def _signal(self, number: int) -> None:
        try:
            if sys.platform != "win32":
                os.killpg(self.pid, number)
            else:
                self._process.send_signal(number)
        except (ProcessLookupError, PermissionError):
            pass  # it has just ended

    def _bury(self) -> None:
        """Close the pipes too: something else may hold their other ends."""
        self._cancel_timer()
        self._process.close()

    def _cancel_pause(self) -> None:
        if self._pause is not None:
            self._pause.cancel()
            self._pause = None


class _Pipes(asyncio.SubprocessProtocol):
    """What asyncio tells of the process, passed on."""

    def __init__(self, owner: StdioTransport) -> None:
        self._owner = owner

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._owner._started(transport)  # type: ignore[arg-type]

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        self._owner._received(fd, data)

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        self._owner._pipe_lost(fd)

    def process_exited(self) -> None:
        self._owner._process_exited()

    def connection_lost(self, exc: Exception | None) -> None:
        self._owner._process_gone()

    def pause_writing(self) -> None:
        self._owner._outlet.fill()

    def resume_writing(self) -> None:
        self._owner._outlet.empty()


def _environment(given: Mapping[str, str] | None) -> dict[str, str]:
    inherited = {name: os.environ[name] for name in INHERITED_VARIABLES if name in os.environ}
    # A value that begins like this is a function for bash, and would be run by one.
    return {name: value for name, value in inherited.items() if not value.startswith("()")} | dict(given or {})


def _stderr_target(stderr: Stderr) -> int | IO[Any] | None:
    if stderr == "inherit":
        return None
    if stderr == "collect":
        return subprocess.PIPE
    if isinstance(stderr, str):
        raise ConfigurationError(f"stderr is 'inherit', 'collect', a file or its descriptor, not {shorten(stderr)!r}")
    return stderr


def _check_command(command: Sequence[str]) -> None:
    if isinstance(command, str):
        raise ConfigurationError(f"A command is a list of the program and its arguments: {command.split()!r}")
    if not command or not all(isinstance(word, str) for word in command):
        raise ConfigurationError("A command is a list of texts, the program first: ['python', 'server.py']")


def _cannot_start(program: str, cwd: Any, error: Exception) -> ConfigurationError:
    shown = shorten(program)
    if isinstance(error, ValueError):
        return ConfigurationError(f"The command {shown!r} cannot be started: {error}")
    if cwd is not None and not os.path.isdir(cwd):
        return ConfigurationError(f"The server cannot be started in {shorten(str(cwd))!r}: there is no such folder")
    if isinstance(error, FileNotFoundError):
        return ConfigurationError(f"The command {shown!r} was not found: check its name, and PATH")
    if isinstance(error, PermissionError):
        return ConfigurationError(f"The command {shown!r} may not be executed: check its permissions")
    return ConfigurationError(f"The command {shown!r} cannot be started: {getattr(error, 'strerror', None) or error}")
