"""What is known of the attacks in other engines: what is open there and what shows nothing, each with its reason. A run
that differs fails.
"""

from __future__ import annotations

CONNECTS = "no policy but Connection-Allowlist forbids to connect in advance; it carries no more than a name"

ONE_PROCESS = "WebKitGTK runs a page and its frames in one process: what stops a view stops the page"

POSTING = f"{ONE_PROCESS}; to post so many messages takes a view about 100 ms, and only more than that counts"

OPEN: dict[str, dict[str, str]] = {
    "firefox": {"preconnect": CONNECTS},
    "webkit": {
        "preconnect": CONNECTS,
        **dict.fromkeys(("while-loop", "messages-to-top", "endless-loop", "endless-microtasks"), ONE_PROCESS),
        "twenty-thousand-messages": POSTING,
    },
}
"""Engine → attack → why it succeeds against our host there."""

SOMETIMES = "Firefox runs timers between messages: the page stops for 40 to 320 ms, and only more than 100 count"
SLOW = "the browser tries for so long to make a text of it that the run does not wait for the end"
UNSTEADY = (SOMETIMES, SLOW, POSTING)
"""Reasons for which an attack is dead, or open, in some runs only."""

A_CLICK = "no such permission exists here: a click is enough, whatever the host does, as said of every browser below"

DEAD: dict[str, dict[str, tuple[str, ...]]] = {
    "firefox": {
        "Firefox prefetches nothing for an opaque frame": ("prefetch",),
        "Firefox sends no pings unless the user turns them on": ("anchor-ping",),
        A_CLICK: ("clipboard-write",),
        SOMETIMES: ("messages-to-top",),
        SLOW: ("list-of-a-billion",),
    },
    "webkit": {
        "WebKitGTK prefetches nothing": ("prefetch",),
        A_CLICK: ("clipboard-write",),
        "WebKitGTK has no WebRTC": (
            *("stun", "turn-udp", "turn-tcp", "turn-tls", "stun-by-name", "child-frame-stun", "shadow-frame-stun"),
            *("declared-shadow-stun", "remote-candidate"),
        ),
        "WebKit calls it insecure whatever the frame may do": ("top-about-blank",),
        "WebKit gives the keyboard to a frame only after a click in it": (
            *("focus-a-field", "focus-the-window", "focus-by-validation", "focus-by-dialog"),
            *("focus-under-the-pointer", "focus-from-a-text"),
        ),
        SLOW: ("list-of-a-billion",),
        "WebKitGTK asks GeoClue where it is, a service of the desktop that a test does not have": ("geolocation",),
    },
}
"""Engine → why → attacks that fail there even without the protection, beside those that are dormant in Chromium: they
are tried, and show nothing.
"""


def dead_in(engine: str) -> dict[str, str]:
    """Attack → why it shows nothing in this engine."""
    return {name: why for why, names in DEAD[engine].items() for name in names}
