"""The behaviour cases on every transport, in both eras, through our client."""

from __future__ import annotations

from typing import Any

import pytest

from cloche.testing.behaviour import CASES, name_of, run_case
from tests.behaviour.ways import WAYS, Way

VERSIONS = ["2025-11-25", "2026-07-28"]


@pytest.mark.requirement(27, 28, 30, 37, 69)
@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
@pytest.mark.parametrize("case", CASES, ids=name_of)
async def test_our_client(case: Any, way: Way, version: str) -> None:
    await run_case(case, lambda: way(version))


@pytest.mark.requirement(15)
@pytest.mark.parametrize("version", ["2024-11-05", "2025-03-26", "2025-06-18", None])
@pytest.mark.parametrize("case", CASES, ids=name_of)
async def test_every_version_in_memory(case: Any, version: str | None) -> None:
    await run_case(case, lambda: WAYS[0](version))
