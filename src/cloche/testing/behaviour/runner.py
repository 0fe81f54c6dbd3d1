"""Runs cases: one after the other, each on a link of its own, each with a deadline. No test framework needed."""

from __future__ import annotations

import asyncio
import inspect
import traceback
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Any

Case = Callable[[Any], Awaitable[None]]
Open = Callable[[], AbstractAsyncContextManager[Any]]

CASE_SECONDS = 30.0
"""How long a case may take, with opening and closing."""


@dataclass(frozen=True)
class Outcome:
    """What became of one case; `failure` is a traceback, or None."""

    name: str
    failure: str | None


def cases_in(names: Mapping[str, Any]) -> list[Case]:
    """The cases of a module, of which these are the `vars()`: its public coroutine functions, in their order."""
    return [one for name, one in names.items() if not name.startswith("_") and inspect.iscoroutinefunction(one)]


async def run_case(case: Case, open_link: Open, *, seconds: float = CASE_SECONDS) -> None:
    """Run one case; raises what it raises."""
    async with asyncio.timeout(seconds), open_link() as link:
        await case(link)


async def run_cases(cases: Sequence[Case], open_link: Open, *, seconds: float = CASE_SECONDS) -> list[Outcome]:
    """Run every case and tell what became of each; one that fails keeps none from running."""
    outcomes = []
    for case in cases:
        try:
            await run_case(case, open_link, seconds=seconds)
        except Exception:
            outcomes.append(Outcome(name_of(case), traceback.format_exc()))
        else:
            outcomes.append(Outcome(name_of(case), None))
    return outcomes


def check(outcomes: Sequence[Outcome]) -> None:
    """Raise `AssertionError` with every failure, when there is one."""
    failed = [outcome for outcome in outcomes if outcome.failure is not None]
    if failed:
        told = "\n\n".join(f"{outcome.name}\n{outcome.failure}" for outcome in failed)
        raise AssertionError(f"{len(failed)} of {len(outcomes)} cases failed:\n\n{told}")


def name_of(case: Case) -> str:
    """The case's name, as a sentence."""
    return getattr(case, "__name__", str(case)).replace("_", " ")
