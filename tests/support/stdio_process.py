"""A stdio server in a process of its own, spoken to in bytes."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType
from typing import IO, Any

DEADLINE = 20.0

CODE = """
import asyncio, os, subprocess, sys
from cloche import Context, Server

server = Server("stdio")

@server.tool
async def echo(text: str = "") -> str:
    return text

@server.tool
async def big(size: int) -> str:
    return "x" * size

@server.tool
def noisy() -> str:
    print("printed")
    print("printed to the original", file=sys.__stdout__, flush=True)
    sys.stdout.write("written\\n")
    os.write(1, b"written to 1\\n")
    subprocess.run([sys.executable, "-c", "print('printed by a child')"], check=True)
    os.system("echo echoed")
    return f"quiet {sys.stdin.read()!r} {os.read(0, 10)!r}"

@server.tool
async def hang() -> str:
    print("hanging", file=sys.stderr, flush=True)
    await asyncio.Event().wait()
    return "never"

@server.tool
async def slow(ctx: Context) -> str:
    await asyncio.sleep(0.2)
    return "slow"

server.run()
"""


class StdioProcess:
    """`with StdioProcess(folder) as server`: send bytes, read lines."""

    def __init__(
        self, folder: Path, *, stdin: int | IO[bytes] = subprocess.PIPE, stdout: int = subprocess.PIPE, code: str = CODE
    ) -> None:
        file = folder / "stdio_server.py"
        file.write_text(code)
        self._errors_file = folder / "stderr.txt"
        self._errors = self._errors_file.open("wb")
        self._buffer = b""
        self.process = subprocess.Popen(
            [sys.executable, str(file)], stdin=stdin, stdout=stdout, stderr=self._errors, bufsize=0
        )

    def __enter__(self) -> StdioProcess:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self.process.kill()
        with self.process:
            pass
        self._errors.close()

    @property
    def stderr(self) -> str:
        return self._errors_file.read_text()

    def write(self, data: bytes) -> None:
        assert self.process.stdin
        view = memoryview(data)
        while view:
            view = view[self.process.stdin.write(view) or 0 :]

    def send(self, *messages: Any) -> None:
        self.write(b"".join(json.dumps(message).encode() + b"\n" for message in messages))

    def line(self) -> bytes:
        """The next line; fails when none comes in time."""
        assert self.process.stdout
        until = time.monotonic() + DEADLINE
        while b"\n" not in self._buffer:
            ready, _, _ = select.select([self.process.stdout], [], [], max(0.0, until - time.monotonic()))
            assert ready, f"no answer in time; stderr: {self.stderr}"
            part = os.read(self.process.stdout.fileno(), 1 << 20)
            assert part, f"the server ended; stderr: {self.stderr}"
            self._buffer += part
        line, _, self._buffer = self._buffer.partition(b"\n")
        return line

    def read(self) -> Any:
        return json.loads(self.line())

    def ask(self, message: Any) -> Any:
        self.send(message)
        return self.read()

    def close_input(self) -> None:
        assert self.process.stdin
        self.process.stdin.close()

    def rest(self) -> list[Any]:
        """Everything until the server closes its end."""
        assert self.process.stdout
        data = self._buffer + self.process.stdout.read()
        return [json.loads(line) for line in data.splitlines()]

    def wait(self) -> int:
        return self.process.wait(timeout=DEADLINE)
