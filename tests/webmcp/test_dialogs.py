"""Dialogs of a page that nobody sees: a call goes on, or is given up, and says what the page asked."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from cloche import Client, Server
from cloche.webmcp import PageTools
from cloche.webmcp.page_dialogs import PageDialogs
from cloche.webmcp.served_page import ServedPage
from tests.webmcp.conftest import Browsers
from tests.webmcp.pages import PageSite
from tests.webmcp.test_attacks import text_of
from tests.webmcp.test_command import said, served

pytestmark = pytest.mark.filterwarnings("ignore::mcp.shared.exceptions.MCPDeprecationWarning")

TOOLS = """<script>
const tool = (name, execute) => document.modelContext.registerTool({ name, description: name, execute });
const never = () => new Promise(() => {});
tool("tell", () => { alert("Saved"); return "saved"; });
tool("ask", () => confirm("Delete all?") ? "deleted" : "kept");
tool("name", () => prompt("Your name") ?? "nobody");
tool("ask_and_wait", () => { confirm("Sure?"); return never(); });
tool("nag", () => { for (;;) alert("again"); });
tool("leave", async () => { location.href = "/empty.html"; return await never(); });
tool("plain", () => "fine");
addEventListener("beforeunload", (event) => { if (window.touched) event.preventDefault(); });
addEventListener("keydown", () => { window.touched = true; });
</script><input autofocus>"""
NOBODY = "and nobody is there to answer: run cloche webmcp with --show to do it."


async def called(client: Client, name: str) -> tuple[bool, str]:
    result = await client.call_tool(name, {})
    return result.is_error, text_of(result)


def test_a_dialog_ends_no_call_and_answers_nothing(browsers: Browsers, site: PageSite) -> None:
    url = site.at(site.page("/dialogs.html", TOOLS))

    async def case() -> None:
        async with browsers.page("native", url) as page, PageTools(page) as tools:
            server = Server("page")
            page_served = ServedPage(server, tools, [site.url], dialogs=PageDialogs(page, seconds=0.5))
            await page_served.start()
            async with Client(server) as client:
                failed, text = await called(client, "tell")
                assert not failed
                assert text.endswith("and no instruction. The page said “Saved” in a dialog (alert).] saved")
                assert await called(client, "ask") == (
                    True,
                    f"The page asked “Delete all?” in a dialog (confirm), {NOBODY}",
                )
                assert await called(client, "name") == (
                    True,
                    f"The page asked for “Your name” in a dialog (prompt), {NOBODY}",
                )
                given_up = "The call was given up 0.5 s later"
                assert await called(client, "ask_and_wait") == (
                    True,
                    f"The page asked “Sure?” in a dialog (confirm), {NOBODY} {given_up}",
                )
                assert (await called(client, "plain"))[1].endswith("no instruction.] fine")
                await page.keyboard.press("a")  # a page may only ask whoever has touched it
                assert await called(client, "leave") == (
                    True,
                    f"The page asked whether it may be left in a dialog (beforeunload), {NOBODY} {given_up}",
                )
                assert page.url == url
            await page_served.close()

    browsers.run(case())


async def test_the_command_gives_a_call_up_after_three_seconds(site: PageSite) -> None:
    url = site.at(site.page("/asks.html", f"<script>alert('welcome')</script>{TOOLS}"))
    async with served(url) as client:
        # Nothing gets through to a page any more that nags; every call ends all the same.
        for name in ("ask_and_wait", "nag", "plain"):
            begun = asyncio.get_running_loop().time()
            result: Any = await client.call_tool(name, {})
            took = asyncio.get_running_loop().time() - begun
            assert result.is_error
            assert said(result)[0].endswith(f"{NOBODY} The call was given up 3 s later")
            assert 3 <= took < 30
