"""Runs the JavaScript cases over a way, in a page, and tells what failed."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page

CASES = 48
"""How many there are, in both eras together: so that a way that runs none does not pass."""


def run_cases(page: Page, module: str, way: str, **options: Any) -> list[str]:
    """Run every case over the way that `ways/<module>.js` exports under this name; gives the names of the cases.

    The export is `() => {transport, rubbish?, close?}`, async or not, and gets `options` when there are any.
    """
    outcomes: list[dict[str, Any]] = page.evaluate(
        """async ([module, way, options]) => {
            const { runCases } = await import("/tests/web/transports/runner.js");
            const ways = await import(`/tests/web/transports/ways/${module}.js`);
            return await runCases(() => ways[way](options));
        }""",
        [module, way, options],
    )
    failed = [f"{outcome['name']}\n{outcome['failure']}" for outcome in outcomes if outcome["failure"] is not None]
    assert not failed, f"{len(failed)} of {len(outcomes)} cases failed over {way}:\n\n" + "\n\n".join(failed)
    assert len(outcomes) == CASES
    return [outcome["name"] for outcome in outcomes]
