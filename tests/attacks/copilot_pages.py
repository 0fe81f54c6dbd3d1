"""Pages of a hostile copilot, which speaks the wire by hand and without the port: so that every protection of the outer
page is the only one. Its address says what it does, and its site hears what it has done.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from types import TracebackType

from tests.support.file_site import Site

POLICY = "default-src 'none'; script-src 'self'; connect-src 'self'"
PAGE = b'<!doctype html><meta charset="utf-8"><title>copilot</title><script src="copilot.js"></script>'
SCRIPT = Path(__file__).parent / "views" / "copilot.js"


class _Pages(Site):
    def __init__(self) -> None:
        super().__init__(POLICY)
        self.add("/copilot.html", PAGE)
        self.add("/copilot.js", SCRIPT)


class HostileCopilots:
    """`with HostileCopilots() as pages`: `pages.one` and `pages.other` are two origins that have them."""

    def __init__(self) -> None:
        self._sites = (_Pages(), _Pages())

    def __enter__(self) -> HostileCopilots:
        self.one, self.other = (f"{site.__enter__().url}/copilot.html" for site in self._sites)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        for site in self._sites:
            site.__exit__(kind, error, tb)

    async def did(self, what: str, seconds: float) -> bool:
        """Wait until one of the pages has told its site that it did this."""
        end = asyncio.get_running_loop().time() + seconds
        while not any(f"/did-{what}" in site.missed for site in self._sites):
            if asyncio.get_running_loop().time() > end:
                return False
            await asyncio.sleep(0.02)
        return True
