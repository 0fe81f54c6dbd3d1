"""A server in, findings out."""

from __future__ import annotations

import asyncio
from typing import Any

from cloche.check.findings import Finding
from cloche.check.survey import survey
from cloche.check.tool_rules import check_tools
from cloche.check.view_rules import check_views
from cloche.client import Client
from cloche.errors import McpError, TransportError, shorten
from cloche.testing.source import EXTENSION

SECONDS = 30.0
"""From the first word to the last page."""


async def check_server(target: Any) -> list[Finding]:
    """Everything that is wrong with a server: an object, a command as a list, or a URL. Errors come first."""
    try:
        async with asyncio.timeout(SECONDS), Client(target, capabilities=EXTENSION) as client:
            found = await survey(client)
    except TimeoutError:
        return [_silent(f"It did not answer everything within {SECONDS:g} s.")]
    except (McpError, TransportError) as error:
        return [_silent(f"It could not be asked: {shorten(str(error), 300)}")]
    findings = [*check_views(found), *check_tools(found)]
    return sorted(findings, key=lambda one: one.rule.severity)


def _silent(what: str) -> Finding:
    return Finding("S01", "server", what, "Start it by hand and read what it says.")
