"""A playground with servers of others: `python -m tests.dev.guests FOLDER`, where FOLDER has a file of fastmcp."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from cloche.dev.launch import run_dev
from cloche.dev.servers import DevServer, of_command, of_file
from tools.npm_tools import node_modules

HERE = Path(__file__).with_name("node")
THERE = Path(__file__).parents[1] / "support" / "published_servers" / "node"
PUBLISHED = ("debug", "basic-vanillajs", "basic-react", "budget-allocator", "transcript", "scenario-modeler")

PREFAB = '''
from fastmcp import FastMCP
from tests.support.published_servers import prefab

server = prefab()

@server.tool
def weigh(grams: int, unit: str = "kg") -> str:
    """Weigh something."""
    return f"{grams / 1000} {unit}"
'''


def servers(folder: Path) -> list[DevServer]:
    """The six published ones, server-everything, and a file."""
    published = node_modules(THERE) / "@modelcontextprotocol"
    everything = node_modules(HERE) / "@modelcontextprotocol" / "server-everything" / "dist" / "index.js"
    file = folder / "pantry.py"
    words = [sys.executable, "-m", "cloche", "run", f"{file}:server"]
    given = of_file(file, words)
    given.spec.env.update(PREFAB_BUNDLED_RENDERER="1", PYTHONPATH=os.getcwd())
    return [
        *(DevServer(name, of_command(["node", str(published / f"server-{name}" / "dist" / "index.js"), "--stdio"]).spec)
          for name in PUBLISHED),
        DevServer("everything", of_command(["node", str(everything), "stdio"]).spec),
        given,
    ]  # fmt: skip


if __name__ == "__main__":
    run_dev(servers(Path(sys.argv[1])), port=0, open_browser=False)
