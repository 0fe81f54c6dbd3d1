"""`cloche webmcp` joins what `cloche build` published with every MCP client, by its address alone."""

from __future__ import annotations

import asyncio
from pathlib import Path

import mcp_types as types
import pytest

from cloche.browser import write_site
from tests.browser.published.conftest import fill, sent_with
from tests.support.file_site import Site
from tests.support.official_client import Inbox
from tests.webmcp.test_command import names_of, said, served
from tools.chromium import shell
from tools.npm_tools import node_modules

pytestmark = pytest.mark.filterwarnings("ignore::mcp.shared.exceptions.MCPDeprecationWarning")

RUNTIME = Path(__file__).parents[1] / "browser" / "core" / "node"
SERVER = '''"""A server for the tests: it counts."""

from cloche import Server

server = Server("counter")


@server.tool(annotations={"readOnlyHint": True})
def count(words: str) -> int:
    """Count the words."""
    return len(words.split())


@server.tool
def forget() -> str:
    """Forget everything."""
    return "forgotten"
'''


@pytest.mark.parametrize("engine", ["", pytest.param("shell", marks=pytest.mark.long)], ids=["native", "polyfill"])
async def test_the_official_client_calls_a_published_server(engine: str, tmp_path: Path) -> None:
    (tmp_path / "counter.py").write_text(SERVER, encoding="utf-8")
    folder = tmp_path / "site"
    await asyncio.to_thread(
        write_site, tmp_path / "counter.py", folder, runtime=node_modules(RUNTIME) / "pyodide", snapshot=False
    )
    inbox = Inbox()
    with Site("", sent_with(folder)) as site:
        fill(site, folder)
        address = f"{site.url}/index.html"
        async with served(address, chromium=shell() if engine else "", inbox=inbox) as client:
            while await names_of(client) != ["count", "forget"]:
                await inbox.next(types.ToolListChangedNotification)
            result = await client.call_tool("count", {"words": "one two three"})
            assert (said(result)[-1], result.is_error) == ("3", False)
            wrong = await client.call_tool("count", {"words": 3})
            assert wrong.is_error
