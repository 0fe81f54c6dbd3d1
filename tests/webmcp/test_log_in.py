"""`cloche webmcp` of a page behind a log-in at another origin: it says where the page went, and goes on after it."""

from __future__ import annotations

from pathlib import Path

import mcp_types as types
import pytest
from playwright.async_api import BrowserContext, Page, async_playwright

from cloche.cli.webmcp import home_of
from cloche.testing.browser import launch_flags
from tests.support.official_client import Inbox
from tests.webmcp.pages import PageSite
from tests.webmcp.test_command import names_of, running_chromium, said, served
from tools.chromium import whole_chromium

pytestmark = pytest.mark.filterwarnings("ignore::mcp.shared.exceptions.MCPDeprecationWarning")

TOOLS = """
const tool = (name, execute) => document.modelContext.registerTool({ name, description: name, execute });
"""


def private(site: PageSite) -> str:
    """A page that sends whoever is not signed in to another origin, which sends them back; returns its address."""
    log_in = site.elsewhere("/log-in.html")
    site.page(
        "/orders.html",
        f"""<script>{TOOLS}
        if (location.hash === "#in") localStorage.who = "ann";
        if (!localStorage.who) location.replace({log_in!r});
        else tool("orders", () => `two orders of ${{localStorage.who}}`);
        </script><button onclick="localStorage.clear(); location.href = '/orders.html?out'">Sign out</button>""",
    )
    back = site.at("/orders.html#in")
    site.page("/log-in.html", f"""<script>{TOOLS}tool("forgot", () => 1)</script><a href="{back}">Sign in</a>""")
    return site.at("/orders.html")


async def sign_in(context: BrowserContext) -> Page:
    """What a person does in the window."""
    page = next(page for page in context.pages if page.url.endswith("/log-in.html"))
    await page.get_by_text("Sign in").click()
    await page.wait_for_url("**/orders.html#in")
    return page


async def test_a_page_that_wants_a_log_in_says_so_and_goes_on_after_it(site: PageSite, tmp_path: Path) -> None:
    url, elsewhere = private(site), site.elsewhere("")
    inbox = Inbox()
    away = (
        f"The page is at {elsewhere} now, not at {site.url}: it may want you to sign in. Sign in there, in a browser "
        "opened with --show and kept with --profile DIR; its tools come back with it. Tools of "
        f"{elsewhere} itself are served only with --origin"
    )
    with running_chromium(tmp_path) as endpoint:
        async with async_playwright() as playwright:
            browser = await playwright.chromium.connect_over_cdp(endpoint)
            (context,) = browser.contexts
            async with served(url, "--attach", endpoint, "--yes", inbox=inbox) as client:
                # The page had gone there before anybody looked, or goes there now.
                while await names_of(client):
                    await inbox.next(types.ToolListChangedNotification)
                result = await client.call_tool("orders", {})
                while said(result) != [away]:  # the page was still on its way
                    assert result.is_error
                    result = await client.call_tool("orders", {})
                page = await sign_in(context)
                while await names_of(client) != ["orders"]:
                    await inbox.next(types.ToolListChangedNotification)
                assert said(await client.call_tool("orders", {}))[1:] == ["two orders of ann"]
                await page.get_by_text("Sign out").click()
                while await names_of(client):
                    await inbox.next(types.ToolListChangedNotification)
                ended = await client.call_tool("orders", {})
                while said(ended) != [away]:  # the page was still on its way
                    assert ended.is_error
                    ended = await client.call_tool("orders", {})


async def test_a_log_in_is_kept_in_a_profile(site: PageSite, tmp_path: Path) -> None:
    url = private(site)
    profile = tmp_path / "profile"
    async with served(url, "--profile", str(profile)) as client:
        result = await client.call_tool("orders", {})
        while "it may want you to sign in" not in said(result)[0]:
            result = await client.call_tool("orders", {})
    async with async_playwright() as playwright:  # what `--show` opens, and a person in front of it
        context = await playwright.chromium.launch_persistent_context(
            profile, executable_path=whole_chromium(), args=[*launch_flags(), "--enable-features=WebMCP"]
        )
        page = await context.new_page()
        await page.goto(url)
        await page.wait_for_url("**/log-in.html")
        await sign_in(context)
        await context.close()
    inbox = Inbox()
    async with served(url, "--profile", str(profile), inbox=inbox) as client:
        while await names_of(client) != ["orders"]:
            await inbox.next(types.ToolListChangedNotification)
        assert said(await client.call_tool("orders", {}))[1:] == ["two orders of ann"]


@pytest.mark.parametrize(
    ("url", "where", "home"),
    [
        ("https://shop.example/a", "https://shop.example", "https://shop.example"),
        ("http://shop.example/", "https://shop.example", "https://shop.example"),
        ("https://shop.example/", "https://www.shop.example", "https://www.shop.example"),
        ("https://www.shop.example/", "https://shop.example", "https://shop.example"),
        ("https://shop.example/", "http://shop.example", "https://shop.example"),
        ("https://shop.example/", "https://login.shop.example", "https://shop.example"),
        ("https://shop.example/", "https://login.example", "https://shop.example"),
        ("http://localhost:8000/", "http://localhost:9000", "http://localhost:8000"),
        ("https://shop.example/", "", "https://shop.example"),
        ("file:///tmp/a.html", "file://", "file://"),
    ],
)
def test_what_is_served_is_the_origin_that_was_named(url: str, where: str, home: str) -> None:
    assert home_of(url, where) == home
