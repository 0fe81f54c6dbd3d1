"""A new user at the playground: lists, forms, calls, views, what they say, and what happens when a file is saved."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.support.axe import violations
from tests.support.command import Running
from tests.support.playground import opened, playground, until

SERVER = '''
from dataclasses import dataclass
from typing import Annotated, Literal
from cloche import Server

server = Server("lab")

@dataclass
class Address:
    street: str
    number: int = 1

@server.tool
def send(to: Address, kind: Literal["letter", "parcel"], tags: list[str] = [], express: bool = False,
         note: str | None = None) -> dict[str, object]:
    """Send something. Example of many fields."""
    return {"to": to.street, "number": to.number, "kind": kind, "tags": tags, "express": express, "note": note}

@server.tool(view="page.html")
def show(word: str = "hello") -> dict[str, str]:
    """Show a word."""
    return {"word": word}

@server.tool
def forecast(city: Annotated[str, "Where. Example: Berlin"], days: int = 3) -> str:
    """The weather."""
    return f"{days} days of rain in {city}"

@server.tool
def fail() -> str:
    """Fail."""
    raise RuntimeError("the roof is on fire")

@server.resource("lab://notes")
def notes() -> str:
    """Some notes."""
    return "remember the milk"

@server.prompt
def greet(name: str) -> str:
    """Greet."""
    return f"Say hello to {name}."
'''

PAGE = """<!doctype html><p id="word"></p><button id="tell">tell</button><button id="say">say</button><script>
cloche.on("tool:result", (result) => document.getElementById("word").textContent = result.structuredContent.word);
document.getElementById("tell").onclick = () => cloche.updateModelContext({ seen: "the word" });
document.getElementById("say").onclick = () => cloche.sendMessage("What does it mean?");
</script>"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "server.py").write_text(SERVER, "utf-8")
    (tmp_path / "page.html").write_text(PAGE, "utf-8")
    return tmp_path


@pytest.fixture
def running(folder: Path) -> Iterator[Running]:
    with playground("server.py", folder=folder) as process:
        yield process


def test_a_file_that_cannot_be_imported_is_told_in_the_terminal_at_the_start_and_when_it_is_saved(
    folder: Path,
) -> None:
    (folder / "server.py").write_text("import no_such_package\n" + SERVER, "utf-8")
    with playground("server.py", folder=folder) as process:
        said = process.line(starting="The server ")
        assert "did not start" in said
        assert "No module named 'no_such_package'" in said
        (folder / "server.py").write_text(SERVER + "\noops = 1 / 0\n", "utf-8")
        assert "division by zero" in process.line(starting="The server ")


def test_a_new_user_finds_a_tool_fills_in_its_form_and_reads_the_result(browser: Browser, running: Running) -> None:
    with opened(browser, running.url) as screen:
        screen.choose("send")
        screen.call()
        expect(screen.page.get_by_text("Required", exact=True).first).to_be_visible()
        screen.fill("street", "Rue de Rivoli")
        screen.page.get_by_label("kind").select_option("parcel")
        screen.page.get_by_role("button", name="Add to tags").click()
        screen.page.get_by_label("tags 1").fill("fragile")
        screen.page.get_by_label("express").check()
        screen.call()
        expect(screen.status).to_contain_text("Done in")
        screen.tab("Content")
        text = screen.page.locator("#outcome pre.text").first
        expect(text).to_have_text(
            '{"to":"Rue de Rivoli","number":1,"kind":"parcel","tags":["fragile"],"express":true,"note":null}'
        )
        screen.page.reload()
        expect(screen.page.get_by_label("street")).to_have_value("Rue de Rivoli")


@pytest.mark.requirement(136)
def test_a_form_begins_with_the_example_of_a_description_and_with_defaults(browser: Browser, running: Running) -> None:
    with opened(browser, running.url) as screen:
        screen.choose("forecast")
        city = screen.page.get_by_label("city")
        expect(city).to_have_value("Berlin")
        expect(screen.page.get_by_label("days")).to_have_value("3")
        screen.call()
        expect(screen.page.locator("#outcome")).to_contain_text("3 days of rain in Berlin")
        screen.fill("city", "")
        expect(city).to_have_attribute("placeholder", "Berlin")
        screen.fill("city", "Oslo")
        screen.call()
        expect(screen.page.locator("#outcome")).to_contain_text("3 days of rain in Oslo")


def test_a_view_lives_and_what_it_says_is_shown(browser: Browser, running: Running) -> None:
    with opened(browser, running.url) as screen:
        screen.choose("show")
        screen.fill("word", "gloaming")
        screen.call()
        view = screen.view()
        expect(view.locator("#word")).to_have_text("gloaming")
        view.locator("#tell").click()
        expect(screen.side("Model")).to_contain_text("the word")
        view.locator("#say").click()
        expect(screen.side("Model")).to_contain_text("What does it mean?")
        messages = screen.side("Messages")
        for said in ("tools/call", "ui/update-model-context", "ui/message"):
            expect(messages).to_contain_text(said)
        screen.page.keyboard.press("Escape")
        screen.page.locator("h1").click()
        screen.page.keyboard.press("t")
        expect(screen.page.locator("html")).to_have_attribute("data-theme", "dark")
        until(lambda: view.evaluate("() => document.documentElement.dataset.theme") == "dark", "the view in dark")


def test_resources_and_prompts_are_tried_too(browser: Browser, running: Running) -> None:
    with opened(browser, running.url) as screen:
        screen.choose("lab://notes")
        screen.call("Read")
        expect(screen.page.locator("#outcome")).to_contain_text("remember the milk")
        screen.choose("greet")
        screen.fill("name", "Ada")
        screen.call("Get")
        expect(screen.page.locator("#outcome")).to_contain_text("Say hello to Ada.")


def test_a_tool_that_fails_says_so_and_the_next_call_works(browser: Browser, running: Running) -> None:
    with opened(browser, running.url) as screen:
        screen.choose("fail")
        screen.call()
        expect(screen.status).to_contain_text("Failed")
        expect(screen.page.locator("#outcome")).to_contain_text("the roof is on fire")
        screen.choose("show")
        screen.call()
        expect(screen.view().locator("#word")).to_have_text("hello")


def test_saving_a_page_shows_it_anew_without_calling_the_tool(browser: Browser, running: Running, folder: Path) -> None:
    with opened(browser, running.url) as screen:
        screen.choose("show")
        screen.fill("word", "dusk")
        screen.call()
        expect(screen.view().locator("#word")).to_have_text("dusk")
        (folder / "page.html").write_text(PAGE.replace('<p id="word">', '<h1>New</h1><p id="word">'), "utf-8")
        until(lambda: screen.view().locator("h1").count() == 1, "the new page")
        expect(screen.view().locator("#word")).to_have_text("dusk")
        calls = screen.side("Messages").locator(".rows > li", has_text="tools/call")
        expect(calls).to_have_count(2)  # the one that the page opened with, and this one


def test_saving_python_starts_the_server_anew_and_a_mistake_is_shown_with_its_line(
    browser: Browser, running: Running, folder: Path
) -> None:
    file = folder / "server.py"
    with opened(browser, running.url, bypass_csp=True) as screen:
        screen.choose("show")
        file.write_text(SERVER + "\n\n@server.tool\ndef fresh() -> str:\n    '''New.'''\n    return 'x'\n", "utf-8")
        expect(screen.page.get_by_role("navigation").get_by_role("button", name="fresh")).to_be_visible()
        file.write_text(SERVER + "\nraise ValueError('oops')\n", "utf-8")
        broken = screen.page.locator("#broken")
        expect(broken).to_be_visible()
        expect(broken).to_contain_text("server.py does not run")
        expect(broken).to_contain_text("oops")
        assert violations(screen.page) == []
        file.write_text(SERVER, "utf-8")
        expect(broken).to_be_hidden()
        expect(screen.page.get_by_role("navigation").get_by_role("button", name="show")).to_be_visible()


def test_a_view_that_loads_from_a_cdn_is_explained(browser: Browser, folder: Path) -> None:
    blocked = PAGE.replace("<script>", '<script src="https://cdn.example.com/chart.js"></script><script>', 1)
    (folder / "page.html").write_text(blocked, "utf-8")
    with playground("server.py", folder=folder) as running, opened(browser, running.url) as screen:
        screen.view()  # the page called it by itself
        fix = 'View(…, csp=Csp(resources=["https://cdn.example.com"]))'
        problems = screen.side("Problems")
        expect(problems.locator(".finding")).to_have_count(1)  # one mistake, told once
        expect(problems).to_contain_text("page.html line 1: script-src forbids https://cdn.example.com/chart.js")
        expect(problems).to_contain_text(fix)
        beside = screen.page.locator("main .finding")
        expect(beside).to_have_count(1)  # told before it was run, so not again
        expect(beside).to_contain_text(fix)
        screen.call()
        screen.view()
        expect(problems.locator(".times")).to_have_text("2 times")  # the second view has the same one
        expect(problems.locator(".finding")).to_have_count(1)
        expect(screen.page.get_by_role("tab", name="Problems")).to_have_text("Problems 1")


def test_without_a_server_there_are_the_examples(browser: Browser, tmp_path: Path) -> None:
    with playground(folder=tmp_path) as running, opened(browser, running.url, bypass_csp=True) as screen:
        for name in ("clock", "todo", "chart", "canvas", "upload", "components"):
            expect(screen.page.locator("nav").get_by_role("heading", name=name, exact=True)).to_be_visible()
        expect(screen.view().get_by_text("Bread sold last week")).to_be_visible()
        screen.page.get_by_role("link", name="Examples").click()
        cards = screen.page.locator(".example")
        expect(cards).to_have_count(6)
        pictures = "() => [...document.querySelectorAll('.example img')].every((one) => one.naturalWidth === 480)"
        until(lambda: screen.page.evaluate(pictures), "the pictures")
        assert violations(screen.page) == []
        cards.filter(has_text="to-do").click()
        screen.call()
        view = screen.view()
        view.get_by_placeholder("Something new").click()  # a view that takes the keyboard by itself loses it
        view.get_by_placeholder("Something new").fill("Buy bread")
        view.get_by_role("button", name="Add").click()
        expect(view.get_by_text("Buy bread")).to_be_visible()
