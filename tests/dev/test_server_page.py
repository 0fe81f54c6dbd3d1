"""The page of a server, completions, and subscriptions that outlast a look elsewhere: one server, one page."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.support.command import Running
from tests.support.playground import opened, playground, until

SERVER = '''
import asyncio
from cloche import Context, Server

server = Server("bakery", version="1.2", instructions="Ask for **prices** first.")
ovens = {"lit": 0}

@server.tool(annotations={"readOnlyHint": True})
def prices() -> str:
    """What things cost."""
    return "bread: 3"

@server.tool
def light() -> str:
    """Light an oven."""
    ovens["lit"] += 1
    server.resource_updated("bakery://ovens")
    return "done"

@server.tool
async def grumble(ctx: Context) -> str:
    """Log something that few want to read."""
    await ctx.log("debug", "the dough is sticky")
    await ctx.log("notice", "the oven is hot")
    return "grumbled"

@server.tool(visibility=["app"])
async def knead(ctx: Context) -> str:
    """Only views call this one."""
    await ctx.progress(1, 2, "kneading")
    await asyncio.Event().wait()
    return "never"

@server.resource("bakery://ovens")
def lit() -> str:
    """Ovens that are lit."""
    return f"{ovens['lit']} lit"

@server.prompt
def recipe(bread: str) -> str:
    """A recipe."""
    return f"How do I bake {bread}?"

@server.completion("recipe", "bread")
def breads(value: str, others: dict[str, str]) -> list[str]:
    return [one for one in ("rye", "rolls", "baguette") if one.startswith(value)]
'''


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder = tmp_path_factory.mktemp("servers") / "bakery"
    folder.mkdir()
    (folder / "server.py").write_text(SERVER, "utf-8")
    with playground("server.py", "--env", "BAKERY_KEY=sesame", folder=folder, deadline=300) as process:
        yield process


def test_a_server_says_what_it_is_and_speaks_another_era(browser: Browser, running: Running) -> None:
    with opened(browser, running.url) as screen:
        screen.page.get_by_role("link", name="bakery").click()
        page, shown = screen.page, screen.page.locator("#page")
        for words in ("bakery 1.2", "Ask for prices first.", "cloche run server.py", "Connected", "2025-11-25"):
            expect(shown).to_contain_text(words)
        expect(shown.locator("summary", has_text="prices")).to_contain_text("readOnlyHint")
        expect(shown.locator("summary", has_text="resources:")).to_be_visible()
        shown.locator("summary", has_text="prices").click()
        expect(shown.locator("summary", has_text="inputSchema:")).to_be_visible()
        shown.locator("summary", has_text="bakery://ovens").click()
        expect(shown.locator(".leaf", has_text="Ovens that are lit.")).to_be_visible()
        shown.locator("summary", has_text="recipe").first.click()
        expect(shown.locator("summary", has_text="arguments:")).to_be_visible()
        page.get_by_label("Protocol version").select_option("2026-07-28")
        expect(shown).to_contain_text("stateless: each request stands alone")
        screen.choose("prices")
        screen.call()
        expect(page.locator("#outcome")).to_contain_text("bread: 3")
        page.go_back()
        page.get_by_label("Protocol version").select_option("")
        expect(shown).to_contain_text("handshake: connections begin with initialize")
        page.get_by_role("button", name="Restart").click()
        expect(shown).to_contain_text("Connected")


def test_log_levels_environment_and_cancelling_a_tool_of_views(browser: Browser, running: Running) -> None:
    with opened(browser, running.url) as screen:
        page, shown = screen.page, screen.page.locator("#page")
        output = screen.side("Output")
        for version in ("2025-11-25", "2026-07-28"):
            page.get_by_role("link", name="bakery").click()
            expect(shown).to_contain_text("BAKERY_KEY")
            expect(shown).not_to_contain_text("sesame")
            page.get_by_label("Protocol version").select_option(version)
            expect(shown.locator("dd", has_text=version).first).to_be_visible()
            expect(shown).to_contain_text("Connected")
            page.get_by_label("Log level").select_option("warning")
            expect(page.get_by_label("Log level")).to_have_value("warning")
            screen.choose("grumble")
            screen.call()
            expect(screen.status).to_contain_text("Done")
            expect(output).not_to_contain_text("the oven is hot")
            page.get_by_role("link", name="bakery").click()
            expect(page.get_by_label("Log level")).to_have_value("warning")
            page.get_by_label("Log level").select_option("debug")
            screen.choose("grumble")
            screen.call()
            expect(output).to_contain_text("debug: the dough is sticky")
            expect(output).to_contain_text("notice: the oven is hot")
            output.evaluate("(panel) => panel.firstElementChild.replaceChildren()")
        page.get_by_text("Tools for views only").click()
        screen.choose("knead")
        screen.call()
        expect(page.locator("#outcome .progress")).to_contain_text("50 % · kneading")
        page.get_by_role("button", name="Cancel").click()
        expect(screen.status).to_contain_text("Cancelled after")


def test_completions_and_a_subscription_that_stays(browser: Browser, running: Running) -> None:
    with opened(browser, running.url) as screen:
        page = screen.page
        screen.choose("recipe")
        page.locator("#item").get_by_label("bread").fill("r")
        options = "() => [...document.querySelectorAll('#item datalist option')].map((one) => one.value)"
        until(lambda: page.evaluate(options) == ["rye", "rolls"], "the suggestions")
        screen.choose("bakery://ovens")
        page.get_by_role("button", name="Subscribe", exact=True).click()
        expect(page.locator("#outcome")).to_contain_text("0 lit")
        screen.choose("light")
        screen.call()
        nav = page.get_by_role("navigation").get_by_role("button", name="bakery://ovens")
        expect(nav).to_contain_text("changed")
        page.reload()
        expect(nav).to_contain_text("subscribed")
        screen.choose("bakery://ovens")
        expect(page.get_by_role("button", name="Unsubscribe")).to_be_visible()
        screen.call("Read")
        expect(page.locator("#outcome")).to_contain_text("1 lit")
        page.get_by_role("button", name="Unsubscribe").click()
        expect(page.get_by_role("button", name="Subscribe", exact=True)).to_be_visible()
