"""`ViewState`: what a host has to know of an open view, as data that can be stored and moved to another process."""

from __future__ import annotations

import msgspec

from cloche.wire.apps.lifecycle import CallPhase, ViewPhase
from cloche.wire.types import Json


class ViewState(msgspec.Struct, kw_only=True):
    """Where one view is: its call, its phase, what it was granted and told, and what was counted."""

    call: str = ""
    """The id of the call that it shows."""
    phase: ViewPhase = ViewPhase.LOADING
    delivered: CallPhase = CallPhase.NOTHING
    """What it was told of its call."""
    mode: str = "inline"
    """The display mode that the page shows it in."""
    size: Json = msgspec.field(default_factory=dict)
    """How large it last said it is."""
    context: Json = msgspec.field(default_factory=dict)
    """The host context that comes from the page."""
    granted: tuple[str, ...] = ()
    """The permissions that policy or user gave."""
    app: Json = msgspec.field(default_factory=dict)
    """What it said of itself in `ui/initialize`."""
    is_legacy: bool = False
    """Whether it has shown that it speaks the legacy dialect."""
    counters: dict[str, int] = msgspec.field(default_factory=dict)
    """How often something happened that is only noted or tolerated so often."""

    def count(self, what: str) -> int:
        """One more of it; how many there are now."""
        self.counters[what] = self.counters.get(what, 0) + 1
        return self.counters[what]
