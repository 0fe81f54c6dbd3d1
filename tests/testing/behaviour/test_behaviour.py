"""The behaviour cases on every transport, in both eras, through our client."""

from __future__ import annotations

from typing import Any

import pytest

from cloche.testing.behaviour import CASES, name_of, run_case
from tests.support.behaviour.official import CANNOT
from tests.support.behaviour.ways import OFFICIAL_WAYS, WAYS, Way

pytestmark = pytest.mark.filterwarnings("ignore::mcp.shared.exceptions.MCPDeprecationWarning")

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


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
@pytest.mark.parametrize("way", OFFICIAL_WAYS, ids=lambda way: way.__name__)
@pytest.mark.parametrize("case", [case for case in CASES if case.__name__ not in CANNOT], ids=name_of)
async def test_the_official_client(case: Any, way: Way, mode: str) -> None:
    await run_case(case, lambda: way(mode))


def test_every_exception_is_a_case() -> None:
    assert set(CANNOT) <= {case.__name__ for case in CASES}
