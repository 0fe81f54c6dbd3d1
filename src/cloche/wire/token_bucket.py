"""A token bucket without a clock."""

from __future__ import annotations


class TokenBucket:
    """`burst` at once, `rate` per second for long."""

    def __init__(self, rate: float, burst: float, now: float) -> None:
        self._rate = rate
        self._burst = float(burst)
        self._tokens = float(burst)
        self._at = now

    def take(self, now: float, overdraft: float = 0.0, count: float = 1.0) -> bool:
        """Whether one more (or `count`) may pass at this time, in seconds; `overdraft` is how many may be owed then."""
        allowed = self._filled(now) - count >= -overdraft
        self._tokens -= count * allowed
        return allowed

    def spend(self, count: float, now: float) -> float:
        """So many pass, whether they may or not: the seconds until nothing is owed."""
        self._tokens = self._filled(now) - count
        return max(0.0, -self._tokens / self._rate)

    def _filled(self, now: float) -> float:
        self._tokens = min(self._burst, self._tokens + (now - self._at) * self._rate)
        self._at = now
        return self._tokens
