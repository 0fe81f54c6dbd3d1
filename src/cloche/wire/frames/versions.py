"""Versions of the two-phase protocol: dotted numbers, compared number by number, so that 1.10 is newer than 1.9."""

from __future__ import annotations

from collections.abc import Iterable

PROTOCOL_VERSION = "1.0"
"""The version that the transport phase has, and the only one that is spoken here."""

SUPPORTED_VERSIONS = (PROTOCOL_VERSION,)
"""What an outer page chooses from, unless it is told otherwise."""


def version_key(version: str) -> tuple[int, ...]:
    """What versions are compared by; zeros at the end mean nothing, so 1.0 and 1.0.0 are the same."""
    numbers = [int(part) for part in version.split(".")]
    while numbers and numbers[-1] == 0:
        numbers.pop()
    return tuple(numbers)


def highest_within(versions: Iterable[str], least: str, most: str) -> str | None:
    """The highest of `versions` from `least` to `most`; None when none of them is."""
    fitting = [one for one in versions if version_key(least) <= version_key(one) <= version_key(most)]
    return max(fitting, key=version_key, default=None)
