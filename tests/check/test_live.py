"""What only shows when a view runs: every rule finds its view, the table says where it renders, tools are spared."""

from __future__ import annotations

import asyncio
from typing import Any

from cloche.check import LiveOptions, Report, examine
from tests.check.broken_live import LIVE, RESPONSES, one_server, running
from tests.check.raw_server import RawServer

PATIENCE = 20.0


def options(**changes: Any) -> LiveOptions:
    ready: dict[str, Any] = {"calls": "all", "personalities": ["strict"], "patience": PATIENCE, "look": 2.0}
    return LiveOptions(**{**ready, "responses": RESPONSES, **changes})


def run(said: dict[str, Any], **changes: Any) -> Report:
    """All of them in one browser, without the deadline of an `async def` test: machines are busy."""
    return asyncio.run(examine(RawServer(said), live=options(**changes)))


def test_each_rule_finds_its_view_and_nothing_else() -> None:
    report = run(one_server({**LIVE, "sound": {"page": running()}}))
    found: dict[str, set[str]] = {name: set() for name in LIVE}
    for finding in report.findings:
        found[finding.where.removeprefix("tool ")].add(finding.code)
        assert finding.fix.endswith("."), finding
        assert len(finding.what) + len(finding.fix) < 900
    assert found == {name: {name} for name in LIVE}
    assert report.notes == []
