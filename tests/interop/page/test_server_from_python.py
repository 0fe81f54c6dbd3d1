"""server.js on stdio against the clients of Python, ours and the official one: every behaviour case of theirs."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from mcp import StdioServerParameters

from cloche.errors import McpError
from cloche.testing.behaviour import CASES, Link, connect, name_of, run_case
from cloche.testing.behaviour.task_cases import TASK_CASES
from tests.support.behaviour.official import CANNOT, connect_official
from tests.support.deno import ENVIRONMENT, command

pytestmark = pytest.mark.filterwarnings("ignore::mcp.shared.exceptions.MCPDeprecationWarning")

VERSIONS = ["2025-11-25", "2026-07-28"]
OTHERWISE = {
    "carries_any_json": "the page takes no __proto__: see the test below",
    **{case.__name__: "a server in JavaScript has no tasks" for case in TASK_CASES},
}
"""Cases that a server in the page does not pass on purpose."""


@asynccontextmanager
async def ours(version: str | None) -> AsyncIterator[Link]:
    async with connect(command("serve_lines.js"), version=version) as link:
        yield link


@asynccontextmanager
async def official(mode: str) -> AsyncIterator[Link]:
    program, *arguments = command("serve_lines.js")
    parameters = StdioServerParameters(command=program, args=arguments, env=ENVIRONMENT)
    async with connect_official(parameters, mode) as link:
        yield link


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("case", [case for case in CASES if case.__name__ not in OTHERWISE], ids=name_of)
async def test_our_client(case: Any, version: str) -> None:
    await run_case(case, lambda: ours(version))


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
@pytest.mark.parametrize("case", [case for case in CASES if case.__name__ not in CANNOT], ids=name_of)
async def test_the_official_client(case: Any, mode: str) -> None:
    await run_case(case, lambda: official(mode))


@pytest.mark.requirement(15)
@pytest.mark.parametrize(
    ("asked", "spoken"), [(None, "2026-07-28"), *((version, version) for version in ("2024-11-05", "2025-06-18"))]
)
async def test_a_version_is_agreed_on(asked: str | None, spoken: str) -> None:
    async with ours(asked) as link:
        assert link.client.protocol_version == spoken
        assert (await link.client.call_tool("add", {"a": 2})).text == "2"


async def test_a_key_that_poisons_objects_is_refused_and_named() -> None:
    async with ours("2025-11-25") as link:
        with pytest.raises(McpError, match="__proto__"):
            await link.client.call_tool("mirror", {"value": {"__proto__": {"polluted": True}}})
        assert (await link.client.call_tool("mirror", {"value": {"proto": 1}})).data == {"proto": 1}
