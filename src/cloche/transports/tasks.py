"""Tasks that run beside what started them."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any


class Tasks(set[asyncio.Task[None]]):
    """Tasks under way. They are kept here until they end, because asyncio itself does not keep a task alive."""

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Run `work` in a task of its own."""
        task = asyncio.get_running_loop().create_task(work)
        self.add(task)
        task.add_done_callback(self.discard)
        return task

    async def end(self) -> None:
        """Cancel every task but the one that calls this, and wait until they have ended."""
        others = [task for task in self if task is not asyncio.current_task()]
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
