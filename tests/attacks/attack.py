"""What an attack is, and what came of it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tests.support.controls import Control

if TYPE_CHECKING:
    from tests.attacks.scene import Attempt, Scene
    from tests.support.house import House

Direct = Callable[["House", str], Awaitable[bool]]
"""An attack without a browser: `(house, user) -> whether it succeeded`."""

Driver = Callable[["Scene", "Attempt"], Awaitable[None]]
"""What the test does on the page once the view is there; it calls `attempt.win(proof)` when it sees success."""


@dataclass(frozen=True, kw_only=True)
class Attack:
    """One attack, the protection against it, and how to see whether it succeeded.

    `script` names a file in views/ whose `attacks[name]` a hostile view runs. `direct` is an attack without a browser.
    """

    name: str
    kind: str
    case: str
    """The W- or M-number of the catalogue."""
    control: Control
    ours: Control | None = None
    """Our host with nothing but its times changed, where the real ones are too long for a test."""
    script: str | None = None
    direct: Direct | None = None
    driver: Driver | None = None
    watcher: Driver | None = None
    """The same, before the page is loaded."""
    signs: tuple[str, ...] = ()
    """Entries of the diary that show success."""
    server: str = "evil"
    """Whose view it is: "loose" is a hostile server whose views the product allows more."""
    copies: int = 1
    """How many views of it are on the page."""
    with_victim: bool = False
    """Whether a view of another server is on the page, too."""
    alone: bool = False
    """Whether it needs a page for itself where it succeeds."""
    apart: bool = False
    """Whether it needs one even where it fails."""
    stores: bool = False
    """Whether it needs a browser that lets frames of other sites store things: private windows do not."""
    exclusive: bool = False
    """Whether nothing else may run at the same time, because it takes all there is or measures time."""
    silent: bool = False
    """Whether it is expected to say nothing when it has tried, because it is gone or busy."""
    refused: bool = False
    """Whether a good host does not even show the view."""
    meta: dict[str, Any] = field(default_factory=dict)
    """`_meta.ui` of the resource, as a hostile server declares it."""
    agrees_to: tuple[str, ...] = ()
    """What the user says yes to when asked."""
    setup: dict[str, Any] = field(default_factory=dict)
    dormant: str | None = None
    """Why this browser does not let it succeed even against the control; it is tried all the same."""

    @property
    def id(self) -> str:
        """Its name among all."""
        return f"{self.kind}/{self.name}".replace(" ", "-")

    def __str__(self) -> str:
        return self.id

    __hash__ = object.__hash__


@dataclass
class Outcome:
    """How one attack went."""

    attack: Attack
    against_control: bool = False
    against_host: bool = False
    seconds: float = 0.0
    """From the start to success, at the control."""
    proof: str = ""
    """What was seen of it at the control."""
    breach: str = ""
    """What was seen of it at our host; empty when it was blocked."""
    note: str = ""
    """What was measured at our host."""
    problem: str = ""
    """Why the attempt says nothing: the view was not shown, the test failed."""
    undriven: str = ""
    """What the driver of this browser cannot do; then nothing was tried."""
    done: asyncio.Event = field(default_factory=asyncio.Event)

    def forget(self) -> None:
        """Begin again."""
        self.against_control, self.proof, self.problem, self.seconds = False, "", "", 0.0

    @property
    def is_live(self) -> bool:
        """Whether it succeeds without the protection."""
        return self.against_control

    @property
    def is_blocked(self) -> bool:
        """Whether our host withstands it."""
        return not self.against_host and not self.problem

    @property
    def complaint(self) -> str:
        """What is wrong with this outcome; empty when all is well."""
        if self.undriven:
            return ""
        if self.problem:
            return self.problem
        if self.against_host:
            return f"it succeeded against our host: {self.breach}"
        if self.attack.dormant and self.is_live:
            return f"it is said to be dormant ({self.attack.dormant}) and succeeded against the control: {self.proof}"
        if not self.attack.dormant and not self.is_live:
            return f"it failed even against a host without {self.attack.control.without}: so nothing was shown"
        return ""
