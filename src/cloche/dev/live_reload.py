"""What happens when a file is saved: a view is shown anew, a server started anew."""

from __future__ import annotations

import asyncio
from pathlib import Path

from cloche.dev.playground import Playground

EVERY = 0.4
"""Seconds between two looks."""

VIEWS = (".html", ".css", ".js", ".svg", ".json")
MAX_FILES = 2000


async def watch(playground: Playground) -> None:
    """Look at the users' folders for as long as the playground runs."""
    folders = {name: server.file.parent for name, server in playground.servers.items() if server.file is not None}
    seen = {name: _times(folder) for name, folder in folders.items()}
    while folders:
        await asyncio.sleep(EVERY)
        for name, folder in folders.items():
            now = await asyncio.to_thread(_times, folder)
            changed = {path for path in now.keys() | seen[name].keys() if now.get(path) != seen[name].get(path)}
            seen[name] = now
            if not changed:
                continue
            if any(path.suffix == ".py" for path in changed):
                await playground.restart(name, sorted(path.name for path in changed)[:5])
            else:
                playground.session.pages.forget(name)
                playground.tell("view-changed", server=name, files=sorted(path.name for path in changed)[:5])


def _times(folder: Path) -> dict[Path, int]:
    """When the files of a server were last written: those in its folder, and in the folders there."""
    found: dict[Path, int] = {}
    for pattern in ("*", "*/*"):
        for path in folder.glob(pattern):
            if path.suffix in (".py", *VIEWS) and not any(part.startswith((".", "__")) for part in path.parts[-2:-1]):
                try:
                    found[path] = path.stat().st_mtime_ns
                except OSError:
                    continue
                if len(found) >= MAX_FILES:
                    return found
    return found
