"""Starts a server process and asks it, over its control line, what it has spent."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass

import msgspec


@dataclass(frozen=True, slots=True)
class ServerProcess:
    """A running server; its CPU time is its own account of the whole process, threads and kernel included."""

    name: str
    port: int
    _process: asyncio.subprocess.Process

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.port}"

    @property
    def pid(self) -> int:
        return self._process.pid

    async def cpu(self) -> float:
        return (await self._ask("cpu"))["cpu"]

    async def memory(self) -> dict[str, float]:
        return await self._ask("memory")

    async def publish(self) -> None:
        await self._ask("publish")

    async def freeze(self) -> None:
        """Turns the collector off, as `measure.race` does for what runs in process."""
        await self._ask("freeze")

    async def _ask(self, command: str) -> dict[str, float]:
        assert self._process.stdin is not None
        self._process.stdin.write(command.encode() + b"\n")
        return msgspec.json.decode(await _line(self._process), type=dict[str, float])


@contextmanager
def one_processor() -> Iterator[None]:
    """Keeps this process and the servers it starts meanwhile on one processor, so that the scheduler has no choices."""
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(allowed)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, allowed)


@asynccontextmanager
async def serving(name: str) -> AsyncIterator[ServerProcess]:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "benchmarks.serving", name),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        yield ServerProcess(name, int(await _line(process)), process)
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def _line(process: asyncio.subprocess.Process) -> bytes:
    assert process.stdout is not None
    line = await asyncio.wait_for(process.stdout.readline(), 60)
    if not line:
        raise RuntimeError("A server process ended early; what it printed above says why.")
    return line
