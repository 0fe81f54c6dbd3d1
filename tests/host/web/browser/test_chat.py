"""The chat example, used as a person would: a scripted agent, views in the conversation, a reload."""

from __future__ import annotations

import asyncio
import importlib
import re
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest
from playwright.sync_api import Browser, FrameLocator, Page, expect

from tests.support.served import Served

WISHES = ["Show my to-do list", "Chart last week's sales", "Draw a house", "What time is it?", "to-do again"]


@pytest.fixture
def example(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """The app of the example, fresh: a host that was closed stays closed."""
    for key in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "CHAT_MODEL"):
        monkeypatch.delenv(key, raising=False)
    module = importlib.reload(importlib.import_module("examples.host_fastapi.app"))
    monkeypatch.setattr(module.scripted, "PACE", 0.0)
    module.todo_view = importlib.import_module("examples.todo_view")
    module.todo_view.todos.clear()
    yield module
    module.todo_view.todos.clear()


@pytest.fixture
def chat(example: ModuleType, page: Page) -> Iterator[Served]:
    with Served(example.app) as served:
        page.goto(served.url())
        yield served
        page.goto("about:blank")


def view(page: Page, number: int) -> FrameLocator:
    """The document of a view, by its place in the conversation."""
    return page.locator("mcp-app").nth(number).frame_locator("iframe").frame_locator("iframe")


def ask(page: Page, text: str) -> None:
    """Say something and wait for the end of the answer."""
    expect(page.locator("#send")).to_be_visible()
    before = page.locator("article.user").count()
    page.fill("textarea", text)
    page.press("textarea", "Enter")
    expect(page.locator("article.user")).to_have_count(before + 1)
    expect(page.locator("#send")).to_be_visible()


def calls(example: ModuleType) -> int:
    return len(example.host.timeline.entries(action="call"))


def test_the_empty_page_offers_something_to_do(chat: Served, page: Page) -> None:
    expect(page.locator("#start")).to_be_visible()
    page.get_by_text("What time is it?").click()
    expect(view(page, 0).locator("time")).to_have_text(re.compile(r"\d\d:\d\d:\d\d"))
    expect(page.locator("#start")).to_be_hidden()
    ask(page, "sing a song")
    expect(page.locator("article.assistant").last).to_contain_text("four things")


@pytest.mark.requirement(109)
def test_a_reloaded_chat_shows_five_past_views_without_a_call(chat: Served, page: Page, example: ModuleType) -> None:
    for wish in WISHES:
        ask(page, wish)
    expect(page.locator("mcp-app")).to_have_count(5)
    before = calls(example)
    assert before == 5
    page.reload()
    expect(view(page, 0).locator("h2")).to_have_text("To do")
    expect(view(page, 1).locator("h2")).to_have_text("Sales last week")
    expect(view(page, 2).locator("p")).to_have_text("A house")
    expect(view(page, 3).locator("time")).to_have_text(re.compile(r"\d\d:\d\d:\d\d"))
    expect(view(page, 4).locator("h2")).to_have_text("To do")
    expect(page.locator("article.user")).to_have_count(5)
    assert calls(example) == before


def test_a_view_is_used_and_the_agent_sees_what_came_of_it(chat: Served, page: Page) -> None:
    ask(page, "todo")
    view(page, 0).locator("[name=title]").click()  # a view that takes the keyboard by itself loses it
    view(page, 0).locator("[name=title]").fill("Buy bread")
    view(page, 0).locator("[name=title]").press("Enter")
    expect(view(page, 0).locator("li")).to_have_count(1)
    ask(page, "todo")
    expect(page.locator("article.assistant").last).to_contain_text("1 of 1 things are still open")


def test_arguments_are_drawn_while_they_are_written_and_stopping_cancels(
    chat: Served, page: Page, example: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def pause(words: int) -> None:
        if words > 1:  # between two lines of the drawing
            await asyncio.Event().wait()

    monkeypatch.setattr(example.scripted, "pause", pause)
    page.fill("textarea", "draw")
    page.press("textarea", "Enter")
    expect(view(page, 0).locator("p")).to_have_text("A house …")
    page.click("#stop")
    expect(view(page, 0).locator("p")).to_have_text("Cancelled")
    expect(page.locator("article.assistant").last).to_contain_text("Stopped")
    expect(page.locator("#send")).to_be_visible()


def test_what_a_view_says_stands_in_the_conversation_under_its_name(chat: Served, page: Page) -> None:
    ask(page, "What time is it?")
    view(page, 0).locator("body").evaluate("() => cloche.sendMessage('Chart last week')")
    expect(page.locator("article.user small")).to_have_text("From clock")
    expect(page.locator("article.user").last).to_contain_text("Chart last week")
    expect(view(page, 1).locator("h2")).to_have_text("Sales last week")


def test_two_people_have_two_conversations(chat: Served, page: Page, browser: Browser) -> None:
    ask(page, "What time is it?")
    context = browser.new_context()
    other = context.new_page()
    other.goto(chat.url())
    expect(other.locator("#start")).to_be_visible()
    expect(other.locator("article")).to_have_count(0)
    context.close()


@pytest.mark.parametrize(("scheme", "width"), [("light", 1920), ("dark", 360)])
def test_nothing_is_wider_than_the_window_and_the_view_follows_the_theme(
    chat: Served, page: Page, scheme: Any, width: int
) -> None:
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": 800})
    ask(page, "chart")
    heading = view(page, 0).locator("h2")
    expect(heading).to_be_visible()
    expect(view(page, 0).locator("html")).to_have_attribute("data-theme", scheme)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    own = page.evaluate("getComputedStyle(document.body).color")
    expect(heading).to_have_css("color", own)
