"""A display of a browser's own, with the mouse and the keyboard of the person in front of it.

What they do goes where a real mouse and keyboard would send it: into whichever frame is there or has the focus, also
while a page is busy. Drivers of browsers can do less of it.
"""

from __future__ import annotations

import asyncio
import os
import subprocess

from tests.engines.driving import Program
from tools.engines import program

SETTINGS = {
    "WAYLAND_DISPLAY": "",
    "LIBGL_ALWAYS_SOFTWARE": "1",
    "NO_AT_BRIDGE": "1",
    "GTK_A11Y": "none",
    "GSETTINGS_BACKEND": "memory",
    "GIO_USE_VFS": "local",
}


class Display:
    """Xvfb, and xdotool to use it."""

    async def start(self) -> Display:
        """Start it."""
        reading, writing = os.pipe()
        # "-r": a key that is held for long is one key.
        options = ["-screen", "0", "1400x2400x24", "-nolisten", "tcp", "-r"]
        command = [program("Xvfb"), "-displayfd", str(writing), *options]
        self._server = Program(command, pass_fds=(writing,))
        os.close(writing)
        with os.fdopen(reading) as pipe:
            number = (await asyncio.to_thread(pipe.readline)).strip()
        self.env = {**SETTINGS, "DISPLAY": f":{number}"}
        return self

    async def use(self, *commands: str) -> str:
        """Use the mouse, the keyboard or the windows; what xdotool says."""
        env = {**os.environ, **self.env}
        done = await asyncio.to_thread(
            subprocess.run, [program("xdotool"), *commands], env=env, capture_output=True, text=True, timeout=10
        )
        return done.stdout

    async def close(self) -> None:
        """End it."""
        await self._server.close()
