"""Copilots to put into a frame, on an origin of their own: one made with our scripts, and one of somebody else's."""

from __future__ import annotations

import threading
from pathlib import Path

from cloche.frames import frames_script
from cloche.views.page_client import page_client
from tests.support.file_site import Site

POLICY = "default-src 'none'; script-src 'self'; img-src 'self'; style-src 'unsafe-inline'"
LATE = 0.1
"""Seconds until the picture comes."""


class CopilotSite(Site):
    """`with CopilotSite() as site`: `site.url + "/ours.html?allow=ORIGIN"`, or `/peer.html`; with `&late=1` the page
    has a picture that comes late.
    """

    def __init__(self) -> None:
        super().__init__(POLICY)
        self.add_folder("", Path(__file__).parent)
        self.add("/client.js", page_client().encode())
        self.add("/frames.js", frames_script().encode())

    def content(self, path: str) -> bytes | None:
        """The bytes at a path."""
        if path == "/late.png":
            threading.Event().wait(LATE)
            return b""
        return super().content(path)
