"""The server behind the host: its view calls tools without end, and everything that it carries out is written down.

Run as a command, so that it can be killed: `python -m tests.soak.host.worker FOLDER`.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from pathlib import Path
from typing import Any

from cloche import Server, View

PAGE = """<!doctype html>
<title>worker</title>
<p>working</p>
<script>
  // `journal` is put into every frame by the driver. Each life of this page is one name.
  window.life = Math.random().toString(36).slice(2, 10);
  window.stopped = false;
  let number = 0;

  async function work() {
    while (!window.stopped) {
      const id = `${life}-${++number}`;
      await journal({ life, began: id });
      let outcome;
      try {
        const result = await cloche.callTool("work", { id, ms: Math.random() * 200 });
        const text = result.content?.[0]?.text;
        outcome = result.isError ? "tool error" : text === id ? "result" : `the result of ${text}`;
      } catch (error) {
        outcome = `error: ${error.message}`;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      await journal({ life, ended: id, outcome });
    }
  }

  cloche.ready.then(() => {
    work();
    work();
  });
</script>
"""


def write(folder: Path, name: str, **entry: Any) -> None:
    """Append one line; a line is written whole or not at all, also when this process is killed."""
    line = json.dumps({**entry, "at": time.time(), "pid": os.getpid()}) + "\n"
    file = os.open(folder / name, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    try:
        os.write(file, line.encode())
    finally:
        os.close(file)


def make(folder: Path) -> Server:
    """The server, writing into `folder`."""
    server = Server("worker")

    @server.tool(view=View(PAGE))
    async def show(number: int) -> str:
        """Show the view."""
        write(folder, "executed.jsonl", id=f"show-{number}")
        return str(number)

    @server.tool
    async def work(id: str, ms: float) -> str:
        """Take a while."""
        write(folder, "executed.jsonl", id=id)
        await asyncio.sleep(ms / 1000)
        return id

    return server


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    write(folder, "workers.jsonl")
    make(folder).run()
