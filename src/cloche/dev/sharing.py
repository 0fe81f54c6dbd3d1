"""The Share button: record what happens in the playground, and save it as one HTML file."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from cloche.errors import ConfigurationError, InvalidParamsError, LoadError
from cloche.wire.types import Json

if TYPE_CHECKING:
    from cloche.dev.playground import Playground
    from cloche.testing.cassettes.recorder import CassetteRecorder

NAME = "recording.html"
"""What the file is called where nobody has named it."""


class Sharing:
    """Records from a click to a click. With `cloche dev --record` it shares what is recorded from the start."""

    def __init__(self, playground: Playground) -> None:
        self._playground = playground
        self._folder: Path | None = None
        self._recorder: CassetteRecorder | None = None
        self._since = time.time()

    def use(self, recorder: CassetteRecorder) -> None:
        """Share what this recorder writes."""
        self._recorder = recorder
        self._since = time.time()
        self._playground.host.recorder = recorder
        recorder.listen(self._playground.host.traffic)

    @property
    def is_recording(self) -> bool:
        """Whether what happens now is recorded."""
        return self._recorder is not None and self._recorder.tape.is_open

    async def state(self) -> Json:
        """What the button shows."""
        return {
            "recording": self.is_recording,
            "recorded": self._recorder is not None,
            "own": self._folder is not None,
            "since": self._since,
        }

    async def start(self) -> Json:
        """Record from now on; views that are open are shown again, so that they are recorded from their start."""
        from cloche.testing.cassettes.recorder import CassetteRecorder

        if self.is_recording:
            raise InvalidParamsError("A recording is under way: save it or stop it first")
        self._forget()
        self._folder = Path(tempfile.mkdtemp(prefix="cloche-recording-"))
        self.use(CassetteRecorder(self._folder / "run.cassette", list(self._playground.servers)))
        self._playground.tell_now("view-changed")
        return await self._told()

    async def stop(self) -> Json:
        """Record no longer. What was recorded can still be saved."""
        if self._recorder is not None and self._folder is not None:
            # It stays the host's recorder: views that are open still have its script in front of them.
            self._recorder.close()
        return await self._told()

    async def page(self) -> Json:
        """What was recorded so far, as an HTML file."""
        if self._recorder is None:
            raise InvalidParamsError("Nothing was recorded yet: start a recording first")
        path = self._recorder.tape.path
        try:
            html = await asyncio.to_thread(_page_of, path)
        except (LoadError, ConfigurationError) as error:
            raise InvalidParamsError(str(error)) from None
        return {"html": html, "name": NAME if self._folder is not None else path.with_suffix(".html").name}

    async def _told(self) -> Json:
        state = await self.state()
        self._playground.tell_now("sharing", **state)
        return state

    def _forget(self) -> None:
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder = None

    def close(self) -> None:
        """End a recording that was begun with the button, and remove its file."""
        if self._folder is not None and self._recorder is not None:
            self._recorder.close()
        self._forget()


def _page_of(path: Path) -> str:
    from cloche.testing.cassettes import Cassette

    return Cassette.read(path).html()
