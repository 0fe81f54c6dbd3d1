"""Who records views: nobody in a product. The playground does, when it is asked to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from cloche.host.bridge import MountedView


class ViewRecorder(Protocol):
    """What `host.recorder` can be set to, before views are opened."""

    def prepare(self, view: MountedView, html: str) -> str:
        """The page to show instead of this one."""

    def heard(self, view: MountedView, message: Any) -> bool:
        """Whether a message came from what `prepare` put into the page, and not from the view."""
