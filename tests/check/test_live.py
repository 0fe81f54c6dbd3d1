"""What only shows when a view runs: every live rule finds its view, the table says where it renders, tools are spared."""

from __future__ import annotations

from typing import Any

import pytest

from cloche.check import LiveOptions, examine
from tests.check.broken_live import LIVE, RESPONSES, one_server, running
from tests.check.raw_server import RawServer

PATIENCE = 20.0


def options(**changes: Any) -> LiveOptions:
    ready: dict[str, Any] = {"calls": "all", "personalities": ["strict"], "patience": PATIENCE, "look": 2.0}
    return LiveOptions(**{**ready, "responses": RESPONSES, **changes})


async def test_each_rule_finds_its_view_and_nothing_else() -> None:
    report = await examine(RawServer(one_server({**LIVE, "sound": {"page": running()}})), live=options())
    found: dict[str, set[str]] = {name: set() for name in LIVE}
    for finding in report.findings:
        found[finding.where.removeprefix("tool ")].add(finding.code)
        assert finding.fix.endswith("."), finding
        assert len(finding.what) + len(finding.fix) < 900
    assert found == {name: {name} for name in LIVE}
    assert report.notes == []
