"""Budgets: everything that a host counts, in one place.

`HostLimits` says how much there may be. What is held (bytes, connections) is on a `Shelf`, by holder and in all, and
what several hold of the same is counted once. What happens (a view is opened, a tool is called) goes through a `Rate`.
Whoever goes beyond gets a `BudgetError` that names the limit, and the timeline has an entry with the action "budget".
"""

from __future__ import annotations

import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import TypeAlias

from cloche.errors import BudgetError
from cloche.host.limits import HostLimits
from cloche.wire.json import count_values, encode
from cloche.wire.token_bucket import TokenBucket

NOTE_RATE, NOTE_BURST = 1.0, 20
"""Entries about one limit per second, and at once: who goes beyond it all the time must not fill the timeline."""

KEYS = 10_000
"""Users, pages or addresses whose rate is known; the ones not seen for longest are forgotten first."""

HOUR = 3600.0

VALUE_BYTES = 64
"""What a value takes in memory beside its text, roughly."""

Clock: TypeAlias = Callable[[], float]
Note: TypeAlias = Callable[[str, str | None, str], None]
"""Gets the user or address, the server if there is one, and the sentence."""


@dataclass(frozen=True)
class Visitor:
    """Somebody without a name, who opens what every visitor may."""

    user: str
    """The name made up for this page's visitor."""
    address: str = ""
    """Where it comes from; empty when that is unknown."""
    admitted: Callable[[], None] = lambda: None
    """Told when nothing stands in the way."""


class Bucket:
    """A token bucket: `burst` at once, `rate` per second for long."""

    def __init__(self, rate: float, burst: int, clock: Clock = time.monotonic) -> None:
        self._clock = clock
        self._bucket = TokenBucket(rate, burst, clock())

    def take(self) -> bool:
        """Whether one more may pass now."""
        return self._bucket.take(self._clock())


class Budgets:
    """What a host counts, by `limits`; `note` writes down who went beyond one."""

    def __init__(self, limits: HostLimits, note: Note, clock: Clock = time.monotonic) -> None:
        self.limits = limits
        self.clock = clock
        self._note = note
        self._notes: dict[str, Bucket] = {}
        self._silent: Counter[str] = Counter()
        self.bodies = Shelf(self, "What waits to be fetched by pages is too much", "body_bytes", "host_body_bytes")
        """What pages fetch: the HTML of views, and large messages."""
        self.results = Shelf(self, "The results that are kept are too much", "kept_bytes", "host_kept_bytes")
        """The results of calls."""
        self.records = Shelf(self, "The records that are kept are too much", "record_bytes", "host_record_bytes")
        """Records that do not fit into a ticket."""
        self.sockets = Shelf(self, "Too many pages have a view open", None, "sockets")
        """Connections of pages with a view."""
        self.openings = Rate(self, "Views are opened too fast", "open")
        """Views that a user opens."""
        self.offers = Rate(self, "The server is offered too often", "offer")
        """Servers in tabs that a user's pages offer, by user and server."""
        self.questions = Rate(self, "The server asks too often", "question")
        """Questions of servers, by user and server."""
        self.samplings = Rate(self, "Servers ask the model too often", "sample")
        """Requests of servers to the product's model, by user."""
        self.sample_tokens = Allowance(self, "Servers asked the model for too much", "sample_user_tokens")
        """Tokens that servers ask the model for, by user."""
        self.page_tools = (
            Rate(self, "This page calls tools too fast", "page_tool"),
            Rate(self, "Tools are called too fast from this address", "address_tool"),
            Rate(self, "Visitors call tools too fast", "host_tool"),
        )
        """Calls of `page_tools`: by page, by address, and by everybody."""

    def admit(self, visitor: Visitor) -> None:
        """A page calls a tool that every visitor may call; raises `BudgetError` when that happens too often."""
        page, address, everybody = self.page_tools
        page.take(visitor.user, visitor.address)
        if visitor.address:
            address.take(visitor.address, visitor.address)
        everybody.take("", visitor.address)
        visitor.admitted()

    def exceeded(self, error: BudgetError, holder: str = "", server: str | None = None) -> BudgetError:
        """Write down that somebody went beyond a limit, unless that is written down all the time. Returns the error."""
        notes = self._notes.setdefault(error.limit, Bucket(NOTE_RATE, NOTE_BURST, self.clock))
        if notes.take():
            silent = self._silent.pop(error.limit, 0)
            more = f" ({silent} more such entries were left out)" if silent else ""
            self._note(holder, server, error.message + more)
        else:
            self._silent[error.limit] += 1
        return error


class Shelf:
    """What is held, by each holder and in all (`each` and `whole` name the limits); the same key counts once."""

    def __init__(self, budgets: Budgets, text: str, each: str | None, whole: str) -> None:
        self._budgets = budgets
        self._text = text
        self._each, self._whole = each, whole
        self._holding: dict[tuple[str, Hashable], int] = {}
        self._sizes: dict[Hashable, tuple[int, int]] = {}
        """Key → its size, and how many hold it."""
        self._of: Counter[str] = Counter()
        self.total = 0

    def of(self, holder: str) -> int:
        """What one holder has."""
        return self._of[holder]

    def lacks(self, holder: str, key: Hashable, size: int) -> str | None:
        """The name of the limit that stands in the way; None when there is room."""
        if (holder, key) in self._holding:
            return None
        limits = self._budgets.limits
        if self._each is not None and self._of[holder] + size > getattr(limits, self._each):
            return self._each
        if key not in self._sizes and self.total + size > getattr(limits, self._whole):
            return self._whole
        return None

    def put(self, holder: str, key: Hashable, size: int = 1) -> None:
        """Hold something; raises `BudgetError` when there is no room."""
        lacking = self.lacks(holder, key, size)
        if lacking is not None:
            error = BudgetError(self._text, lacking, getattr(self._budgets.limits, lacking))
            raise self._budgets.exceeded(error, holder)
        times = self._holding.get((holder, key), 0)
        self._holding[holder, key] = times + 1
        if times:
            return
        known, holders = self._sizes.get(key, (size, 0))
        self._sizes[key] = known, holders + 1
        self._of[holder] += known
        self.total += 0 if holders else known

    def take(self, holder: str, key: Hashable) -> None:
        """Hold it once less; nothing happens when it is not held."""
        times = self._holding.pop((holder, key), 0)
        if times > 1:
            self._holding[holder, key] = times - 1
        if times != 1:
            return
        size, holders = self._sizes.pop(key)
        if holders > 1:
            self._sizes[key] = size, holders - 1
        else:
            self.total -= size
        self._of[holder] -= size
        if not self._of[holder]:
            del self._of[holder]


class Rate:
    """How often something happens, by key; `name` is what the two limits are called, before `_rate` and `_burst`."""

    def __init__(self, budgets: Budgets, text: str, name: str) -> None:
        self._budgets = budgets
        self._text = text
        self._name = name
        self._buckets: OrderedDict[Hashable, Bucket] = OrderedDict()

    def take(self, key: Hashable, holder: str = "") -> None:
        """One more happens; raises `BudgetError` when that is too fast."""
        limits = self._budgets.limits
        rate: float = getattr(limits, f"{self._name}_rate")
        bucket = self._buckets.get(key)
        if bucket is None:
            bucket = self._buckets[key] = Bucket(rate, getattr(limits, f"{self._name}_burst"), self._budgets.clock)
            if len(self._buckets) > KEYS:
                self._buckets.popitem(last=False)
        self._buckets.move_to_end(key)
        if not bucket.take():
            raise self._budgets.exceeded(BudgetError(self._text, f"{self._name}_rate", rate), holder)


class Allowance:
    """How much of something there is within an hour, by key; `limit` is what the limit is called."""

    def __init__(self, budgets: Budgets, text: str, limit: str) -> None:
        self._budgets = budgets
        self._text = text
        self._limit = limit
        self._buckets: OrderedDict[Hashable, TokenBucket] = OrderedDict()

    def take(self, key: Hashable, amount: float, holder: str = "") -> None:
        """So much is used; raises `BudgetError` when there is not so much left."""
        most: float = getattr(self._budgets.limits, self._limit)
        now = self._budgets.clock()
        bucket = self._buckets.setdefault(key, TokenBucket(most / HOUR, most, now))
        self._buckets.move_to_end(key)
        if len(self._buckets) > KEYS:
            self._buckets.popitem(last=False)
        if not bucket.take(now, count=amount):
            raise self._budgets.exceeded(BudgetError(self._text, self._limit, most), holder)


def weight(value: object) -> int:
    """What a value takes in memory, roughly; it is one that JSON has."""
    data = encode(value)
    return len(data) + VALUE_BYTES * count_values(data)
