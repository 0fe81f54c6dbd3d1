"""Messages that are none: one view must not be able to break the page's script, or the socket that all views share."""

from __future__ import annotations

from typing import Any

from tests.attacks.attack import Attack
from tests.attacks.scene import Attempt, Scene
from tests.support.controls import Control, Edit

KIND = "malformed messages"

LISTS_PASS = Control(
    "lists-pass",
    "the look whether a message is an object",
    (),
    (
        Edit(
            "sandbox/limits.js",
            'typeof message === "object" && !Array.isArray(message) && message?.jsonrpc === "2.0"',
            'typeof message === "object" && message?.jsonrpc === "2.0"',
        ),
    ),
)
REPORTS_PASS = Control(
    "reports-pass",
    "the short list of what a view's report may say",
    (),
    (
        Edit("host/mount.js", "REPORTED.filter((name)", "Object.keys(event).filter((name)"),
        Edit(
            "host/channel.js",
            "this.socket.send({ ...frame, view: this.view, n });",
            "this.socket.send({ view: this.view, n, ...frame });",
        ),
    ),
)
UNCHECKED = Control(
    "unchecked-messages",
    "the look at what a message is made of",
    (),
    (
        Edit(
            "sandbox/limits.js",
            "export function objection(message, { bytes, depth }) {",
            "export function objection(message, { bytes, depth }) {\n  if (bytes) return null;",
        ),
        Edit(
            "host/channel.js",
            "&& new TextEncoder().encode(text).length > FRAME_BYTES - 100) return false;",
            ") void 0;",
        ),
    ),
)


async def watch(scene: Scene, attempt: Attempt) -> None:
    """The page's script fails, or the host hangs up."""
    scene.on_told("failed", lambda error: attempt.win(f"the page failed: {error}"))
    scene.on_told("hungUp", lambda _: attempt.win("the host hung up"))


def attack(name: str, control: Control = UNCHECKED, **options: Any) -> Attack:
    return Attack(
        name=name, kind=KIND, case="W13", control=control, script="oddities", alone=True, watcher=watch, **options
    )


ATTACKS = [
    *(
        attack(name)
        for name in (
            "cycle",
            "big-integer",
            "nested-too-deep",
            "list-of-a-billion",
            "half-a-character",
            "half-a-character-in-a-key",
            "large-text",
        )
    ),
    attack("list-as-message", LISTS_PASS),
    attack("report-for-another-view", REPORTS_PASS),
]
