"""Our client as the conformance suite starts it: with the URL of a server as its last word."""

from __future__ import annotations

import asyncio
import sys
from typing import Any

from cloche import Client


async def answer(_: Any) -> Any:
    """Nothing is asked in these scenarios: this only has the client declare that it could be."""
    raise AssertionError


async def main() -> None:
    async with Client(sys.argv[-1], roots=[], sampling=answer, elicitation=answer) as client:
        await client.list_tools()


asyncio.run(main())
