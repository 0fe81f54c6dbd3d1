"""What a server is, found out when it is built: its tools and its setup, for pages that show them before Python runs.

The server's file is imported in a process of its own, so that what it does there ends with it.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

import msgspec

from cloche.browser.cache import ProgramError, run_program
from cloche.browser.published_views import views_of
from cloche.browser.python_main import Plan, load
from cloche.browser.sources import IN_THE_BROWSER
from cloche.errors import ConfigurationError, LoadError, LocalError, shorten
from cloche.server.setup import Setup

SECONDS = 60.0
"""How long the server's file may take to be imported."""

MARK = "cloche: "
"""What stands before the sentence of a process that failed."""


def describe_server(entry: Path, object: str) -> dict[str, Any]:
    """Name, version, tools, views and setup of the server `object` in the file `entry`, as JSON."""
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "server.json"
        words = [sys.executable, "-m", "cloche.browser.description", str(entry), object, str(target)]
        try:
            run_program(words, what=f"Importing {entry.name}", seconds=SECONDS)
        except ProgramError as error:
            *_, told = [line for line in error.output.splitlines() if line.startswith(MARK)] or [""]
            raise LoadError(told.removeprefix(MARK) or str(error)) from None
        found: dict[str, Any] = msgspec.json.decode(target.read_bytes())
    return found


async def described(plan: Plan) -> dict[str, Any]:
    """What a client sees of the server, and its setup."""
    from cloche.client import Client

    server = load(plan)
    async with Client(server) as client:
        tools = [msgspec.to_builtins(tool) for tool in await client.list_tools()]
        views = await views_of(client, tools)
    about: dict[str, Any] = {
        "name": server.name,
        **({"title": server.info.title} if server.info.title else {}),
        "version": server.version,
        **({"description": server.info.description} if server.info.description else {}),
        "tools": [tool for tool in tools if _is_for_people(tool)],
        **({"views": views} if views else {}),
    }
    setup = server.capabilities.get(Setup.name)
    if isinstance(setup, Setup):
        about["setup"] = {
            "schema": setup.schema,
            "secrets": setup.secrets,
            "visible": setup.visible,
            "visibility": setup.visibility,
            **({"description": setup.description} if setup.description else {}),
            **({"permissions": msgspec.to_builtins(setup.permissions)} if setup.permissions else {}),
        }
    return about


def _is_for_people(tool: dict[str, Any]) -> bool:
    """Not one that only views call."""
    visibility = ((tool.get("_meta") or {}).get("ui") or {}).get("visibility")
    return visibility is None or "model" in visibility


def main(words: list[str]) -> int:
    """`python -m cloche.browser.description FILE OBJECT TARGET`."""
    entry, name, target = Path(words[0]), words[1], Path(words[2])
    try:
        about = asyncio.run(described(Plan(str(entry.parent), entry.name, name)))
        target.write_bytes(msgspec.json.encode(about))
    except (LocalError, ConfigurationError) as error:
        text, missing, _ = str(error).replace("imported in the browser", "imported").partition("; add what has it")
        if missing:
            text += "; install it here too, because the build imports the file once to list its tools"
        if any(f"No module named {name!r}" in text for name in IN_THE_BROWSER):
            text = f"{entry.name} is imported once to list its tools, and here is no browser: import js in a function"
        sys.stdout.write(f"\n{MARK}{shorten(text, 500)}\n")
        return 1
    sys.stdout.flush()
    os._exit(0)  # whatever the server's file has left running


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
