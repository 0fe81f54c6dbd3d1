"""Hostile upstreams of every kind for a few seconds; `make soak-upstream` runs minutes."""

from __future__ import annotations

from pathlib import Path

from tests.soak.upstream.product import Report
from tests.soak.upstream.soak import MAX_BYTES, MAX_STOP, soak, summary, wrong

SEED = 20261118
SECONDS = 6.0


def test_the_product_goes_on_beside_hostile_servers(tmp_path: Path) -> None:
    report = soak(SEED, SECONDS, tmp_path)
    assert wrong(report) == [], f"seed {SEED}: {summary(report)}"


def test_what_is_wrong_is_found() -> None:
    """The control of the one above."""
    kinds = {"url call answered": 1, "program call answered": 1, "tab call answered": 1}
    good = {"asked": 5, "answered": 5, "outcomes": kinds}
    assert wrong(Report(**good)) == []
    for bad in (
        {"stop": 2 * MAX_STOP},
        {"peak_bytes": 2 * MAX_BYTES},
        {"answered": 4},
        {"asked": 0, "answered": 0},
        {"problems": ["something"]},
        {"outcomes": {"url call answered": 1}},
    ):
        assert len(wrong(Report(**{**good, **bad}))) == 1
