"""What happens when a file is saved: a view is shown anew, a server started anew."""

from __future__ import annotations

import asyncio

from cloche.dev.file_times import changes, file_times
from cloche.dev.playground import Playground
from cloche.testing.stories import SUFFIX

EVERY = 0.4
"""Seconds between two looks."""


async def watch(playground: Playground) -> None:
    """Look at the users' folders for as long as the playground runs."""
    folders = {name: server.file.parent for name, server in playground.servers.items() if server.file is not None}
    seen = {name: file_times(folder) for name, folder in folders.items()}
    while folders:
        await asyncio.sleep(EVERY)
        for name, folder in folders.items():
            now = await asyncio.to_thread(file_times, folder)
            changed = changes(seen[name], now)
            seen[name] = now
            if not changed:
                continue
            stories = {path for path in changed if path.name.endswith(SUFFIX)}
            if stories:
                playground.tell("stories-changed", server=name)
            changed -= stories
            if not changed:
                continue
            if any(path.suffix == ".py" for path in changed):
                await playground.running.restart(name, sorted(path.name for path in changed)[:5])
            else:
                playground.session.pages.forget(name)
                playground.tell("view-changed", server=name, files=sorted(path.name for path in changed)[:5])
