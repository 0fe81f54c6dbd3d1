"""How much one view may ask for: every bound of a host in one place."""

from __future__ import annotations

import msgspec

from cloche.wire.types import Json


class HostLimits(msgspec.Struct, frozen=True, kw_only=True):
    """Bounds of a host. Pass `Host(limits=HostLimits(pending=…))` to change one."""

    message_bytes: int = 1024 * 1024
    """The largest message of a view."""
    message_depth: int = 64
    """The deepest nesting of a view's message."""
    rate: float = 50.0
    """Messages per second that a view may send for long."""
    burst: int = 200
    """Messages that it may send at once."""
    refusals: int = 2000
    """Messages over the rate after which the view is taken away."""
    pending: int = 64
    """Requests of one view that are answered at the same time."""
    questions: int = 3
    """Questions to the user that one view may have open."""
    height: int = 10_000
    """The tallest a view gets, in pixels."""
    text_bytes: int = 64 * 1024
    """The largest message to the conversation, and the largest context for the model."""
    state_bytes: int = 64 * 1024
    """The largest state that is kept for a view."""
    download_bytes: int = 512 * 1024
    """The largest file that a view hands over itself; larger ones are links to resources."""
    html_bytes: int = 8 * 1024 * 1024
    """The largest page of a view."""
    queued: int = 1000
    """Messages that wait for a view to be initialized."""
    call_seconds: float = 300.0
    """What a call of a tool may take."""
    initialize_seconds: float = 20.0
    """After this long without `ui/initialize` the caller is told that the view says nothing."""
    grace_seconds: float = 1.0
    """A view of an older dialect sends no `initialized`: so long after its greeting it counts as initialized."""
    teardown_seconds: float = 2.0
    """What a view gets to put its things away."""
    hook_seconds: float = 10.0
    """What the product's hooks get to finish after their view is gone."""
    display_seconds: float = 5.0
    """What the page gets to change a display mode."""
    view_tool_seconds: float = 30.0
    """What a tool that a view provides may take."""
    ticket_seconds: float = 3600.0
    """How long a ticket opens its view; a page that shows the view gets a new one with it."""
    ticket_life_seconds: float = 24 * 3600.0
    """How long a ticket can be renewed after the product made it; then the page has to be loaded again."""
    calls: int = 500
    """Calls one session remembers; the oldest that are over are forgotten first."""
    visitor_calls: int = 20
    """The same for a visitor without a name (`page_tools`), who has nothing but the page that is open."""
    views: int = 200
    """Views one session may have open."""
    tabs: int = 20
    """Pages of one user that may offer the same server; of more, the one that was looked at longest ago is let go."""
    sessions: int = 10_000
    """Sessions of users; the ones that lie idle longest are forgotten first."""
    visitors: int = 1000
    """Sessions of visitors without a name (`page_tools`), counted apart: they never take the place of a user."""
    records: int = 1000
    """Records that are kept because they do not fit into a ticket."""
    timeline: int = 10_000
    """Entries of the timeline that are kept."""

    def for_page(self) -> Json:
        """What the page and the sandbox hold a view to."""
        return {
            "bytes": self.message_bytes,
            "depth": self.message_depth,
            "rate": self.rate,
            "burst": self.burst,
            "pending": self.pending,
            "maxHeight": self.height,
        }
