"""Tasks in the playground: their state while they run, a list of them, and what survives a reload. In both eras."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Browser, Locator, expect

from tests.support.axe import violations
from tests.support.playground import Screen, opened, playground

SERVER = '''
import asyncio
from cloche import Context, McpError, Server

server = Server("bakery")
oven = asyncio.Event()

@server.tool(task=True)
async def bake(loaves: int, ctx: Context) -> str:
    """Bake bread."""
    await ctx.progress(1, 4, "Kneading")
    await oven.wait()
    oven.clear()
    form = {"type": "object", "properties": {"seeds": {"type": "boolean"}}, "required": ["seeds"]}
    answer = await ctx.elicit("With seeds?", form)
    if not answer.accepted:
        raise McpError("Nobody said whether with seeds")
    await ctx.progress(3, 4, "In the oven")
    await oven.wait()
    oven.clear()
    return f"{loaves} loaves, seeds: {answer.data['seeds']}"

@server.tool
async def go_on() -> str:
    """Let the baker go on."""
    oven.set()
    return "going on"
'''


def go_on(screen: Screen) -> None:
    screen.choose("go_on")
    screen.call()
    expect(screen.page.locator("#outcome")).to_contain_text("going on")


def bake(screen: Screen, loaves: int) -> None:
    screen.choose("bake")
    screen.fill("loaves", str(loaves))
    screen.call()


def answer(screen: Screen, button: str) -> None:
    dialog = screen.page.get_by_role("alertdialog")
    expect(dialog).to_contain_text("With seeds?")
    screen.page.locator("button.accept[aria-disabled=false]").wait_for()
    if button == "Send":
        dialog.get_by_label("seeds").check()
    dialog.get_by_role("button", name=button).click()


def follow_one_to_its_end(screen: Screen, state: Locator) -> None:
    page = screen.page
    bake(screen, 3)
    expect(state).to_contain_text("Task: Working")
    expect(page.locator("#outcome .progress")).to_contain_text("25 % · Kneading")
    expect(state).to_contain_text(re.compile(r"\d+ s"))
    expect(page.get_by_role("link", name="1 task running")).to_be_visible()
    page.reload()
    expect(state).to_contain_text("Task: Working")
    expect(screen.status).to_contain_text("Running")
    go_on(screen)
    answer(screen, "Send")
    screen.choose("bake")
    expect(page.locator("#outcome .progress")).to_contain_text("75 % · In the oven")
    expect(state).to_contain_text("Task: Working")
    go_on(screen)
    screen.choose("bake")
    expect(state).to_contain_text("Task: Completed")
    expect(page.locator("#outcome")).to_contain_text("3 loaves, seeds: True")
    expect(page.get_by_role("link", name="running")).to_have_count(0)


def test_a_task_is_seen_from_its_beginning_to_its_end(browser: Browser, tmp_path: Path) -> None:
    (tmp_path / "bakery.py").write_text(SERVER, "utf-8")
    with playground("bakery.py", folder=tmp_path) as running:
        with opened(browser, running.url) as screen:
            use_tasks(screen)
        for width, theme in ((1440, "light"), (390, "dark")):
            size = {"width": width, "height": 900}
            with opened(browser, running.url, color_scheme=theme, viewport=size, bypass_csp=True) as screen:
                look_at_tasks(screen, f"{running.url.partition('#')[0]}#")


def use_tasks(screen: Screen) -> None:
    page = screen.page
    state, rows = page.locator("#outcome .task"), page.get_by_role("region", name="Tasks").locator("li")
    follow_one_to_its_end(screen, state)

    bake(screen, 4)
    expect(state).to_contain_text("Task: Working")
    page.get_by_role("link", name="1 task running").click()
    expect(rows).to_have_count(2)
    expect(rows.first).to_contain_text("Task: Working")
    page.reload()
    expect(rows.first).to_contain_text("Task: Working")
    expect(rows.last).to_contain_text("Task: Completed")
    rows.first.get_by_role("button", name="Cancel bake").click()
    expect(rows.first).to_contain_text("Task: Cancelled")
    rows.last.get_by_role("link", name="bake").click()
    expect(page.locator("#outcome")).to_contain_text("3 loaves, seeds: True")
    expect(state).to_contain_text("Task: Completed")

    bake(screen, 5)
    expect(state).to_contain_text("Task: Working")
    go_on(screen)
    page.get_by_role("alertdialog").wait_for()
    page.evaluate("location.hash = '#/server/bakery'")
    expect(rows.first).to_contain_text("Task: Input required")
    answer(screen, "Decline")
    expect(rows.first).to_contain_text("Task: Failed")
    screen.choose("bake")
    expect(state).to_contain_text("Task: Failed")
    expect(page.locator("#outcome")).to_contain_text("Nobody said whether with seeds")

    page.get_by_label("Run as a task").uncheck()
    bake(screen, 3)
    expect(screen.status).to_contain_text("Running")
    expect(state).to_be_hidden()
    page.get_by_role("button", name="Cancel", exact=True).click()
    expect(screen.status).to_contain_text("Cancelled after")

    page.get_by_role("link", name="bakery", exact=True).click()
    page.get_by_label("Protocol version").select_option("2026-07-28")
    expect(page.locator("#main")).to_contain_text("each request stands alone")
    expect(rows).to_have_count(3)
    follow_one_to_its_end(screen, state)


def look_at_tasks(screen: Screen, root: str) -> None:
    """Nothing is cut off, and nothing is hidden from people who do not see it."""
    page = screen.page
    page.goto(f"{root}/tool/bakery/bake")
    bake(screen, 2)
    expect(page.locator("#outcome .task")).to_contain_text("Task: Working")
    expect(page.locator("#outcome .progress")).to_contain_text("25 %")
    assert violations(page) == []
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    page.goto(f"{root}/server/bakery")
    rows = page.get_by_role("region", name="Tasks").locator("li")
    expect(rows.first).to_contain_text("Task: Working")
    for state in ("Completed", "Cancelled", "Failed"):
        expect(rows.filter(has_text=f"Task: {state}").first).to_be_visible()
    assert violations(page) == []
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    rows.first.get_by_role("button", name="Cancel bake").click()
    expect(rows.first).to_contain_text("Task: Cancelled")
