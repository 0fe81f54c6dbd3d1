"""Stories in the playground: cards with pictures, opened by address, saved from a form, and nothing called unasked."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from cloche.testing import StoryFile
from tests.support.axe import violations
from tests.support.command import Running
from tests.support.playground import Screen, opened, playground

SERVER = '''
from pathlib import Path
from cloche import Server, ToolAnnotations

PAGE = """<h1 id="word"></h1><script>
cloche.on("tool:result", (result) => { word.textContent = result.structuredContent.word; });
</script>"""
server = Server("words")

@server.tool(view=PAGE, annotations=ToolAnnotations(read_only_hint=True))
def say(word: str) -> dict[str, str]:
    """Say a word."""
    return {"word": f"{word}!"}

@server.tool(view=PAGE, annotations=ToolAnnotations(destructive_hint=True))
def wipe(word: str) -> dict[str, str]:
    """Wipe everything."""
    with Path("wiped").open("a") as file:
        file.write(word)
    return {"word": f"wiped {word}"}

@server.tool(annotations=ToolAnnotations(read_only_hint=True))
def count(word: str) -> str:
    """Count letters, without a view."""
    return f"{word} has {len(word)} letters"
'''
STORIES = """# By hand.
[first]
tool = "say"
arguments = {word = "one"}
theme = "dark"
width = 360

[danger]
tool = "wipe"
arguments = {word = "x"}

[letters]
tool = "count"
arguments = {word = "bread"}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "words.py").write_text(SERVER, "utf-8")
    (tmp_path / "words.stories.toml").write_text(STORIES, "utf-8")
    return tmp_path


@pytest.fixture
def running(folder: Path) -> Iterator[Running]:
    with playground("words.py", folder=folder) as process:
        yield process


def shown(screen: Screen, text: str, place: str = ".story-stage") -> None:
    """Wait until the view in this place shows this text."""
    view = screen.page.locator(place).frame_locator("mcp-app iframe").frame_locator("iframe")
    expect(view.locator("#word")).to_have_text(text)


def test_cards_show_what_is_safe_and_open_at_an_address(browser: Browser, running: Running, folder: Path) -> None:
    with opened(browser, running.url, bypass_csp=True) as screen:
        page = screen.page
        page.get_by_role("link", name="Stories").click()
        expect(page.locator(".card")).to_have_count(3)
        shown(screen, "one!", ".card:has-text('first')")
        danger = page.locator(".card", has_text="danger").locator(".picture")
        expect(danger.locator(".about")).to_have_text("Calls wipe when you open it.")
        expect(danger.locator(".miniature")).to_have_text("word: x")
        letters = page.locator(".card", has_text="letters").locator(".picture .miniature")
        expect(letters).to_contain_text("bread has 5 letters")
        assert letters.evaluate("(one) => one.inert")
        assert violations(page) == []
        page.get_by_role("link", name="first").click()
        view = page.locator(".story-stage mcp-app")
        expect(view).to_have_attribute("theme", "dark")
        view.evaluate("(one) => one.dataset.seen = 'from the start'")
        shown(screen, "one!")
        expect(page.locator(".story-room")).to_have_css("width", "360px")
        assert violations(page) == []
        expect(view).to_have_attribute("data-seen", "from the start")  # the story is drawn once
        address = page.url
        page.go_back()
        expect(page.locator(".card")).to_have_count(3)
        page.get_by_role("link", name="danger").click()
        expect(page.get_by_text("This tool may change something.")).to_be_visible()
        assert not (folder / "wiped").exists(), "an address calls nothing that may change something"
        page.get_by_role("button", name="Call wipe").click()
        shown(screen, "wiped x")
        assert (folder / "wiped").read_text() == "x"
        page.goto(address)
        shown(screen, "one!")


def test_a_form_becomes_a_story_and_the_file_can_be_edited_by_hand(
    browser: Browser, running: Running, folder: Path
) -> None:
    file = StoryFile(folder / "words.py")
    with opened(browser, running.url, bypass_csp=True) as screen:
        page = screen.page
        screen.choose("wipe")
        screen.fill("word", "kept")
        screen.call()
        screen.view()
        page.get_by_label("Width of the view").select_option("420")
        page.get_by_role("button", name="Save as story").click()
        dialog = page.get_by_role("dialog", name="Save as story")
        expect(dialog).to_be_visible()
        assert violations(page) == []
        dialog.get_by_label("Name").fill("a\u200b")
        dialog.get_by_role("button", name="Save").click()
        expect(dialog.get_by_role("alert")).to_contain_text("1 to 100 characters")
        dialog.get_by_label("Name").fill('Quiet "kept"')
        dialog.get_by_role("button", name="Save").click()
        expect(page.get_by_role("heading", name='Quiet "kept"')).to_be_visible()
        shown(screen, "wiped kept")
        story = file.get('Quiet "kept"')
        assert (story.tool, story.arguments, story.width) == ("wipe", {"word": "kept"}, 420)
        assert story.result is not None
        assert story.result["structuredContent"] == {"word": "wiped kept"}
        assert (folder / "wiped").read_text() == "kept", "a recorded result is shown without calling the tool"
        assert file.path.read_text("utf-8").startswith(STORIES)

        file.path.write_text(file.path.read_text("utf-8").replace("wiped kept", "by hand"), "utf-8")
        page.get_by_role("link", name="Stories").first.click()
        shown(screen, "by hand", ".card:has-text('Quiet')")
        page.get_by_role("link", name="Quiet").click()
        page.on("dialog", lambda question: question.accept())
        page.get_by_role("button", name="Remove").click()
        expect(page.locator(".card")).to_have_count(3)
        assert file.path.read_text("utf-8") == STORIES
        file.path.write_text('[first]\ntool = "say"\nwidth = 3\n', "utf-8")
        alert = page.locator("#page").get_by_role("alert")
        expect(alert).to_contain_text("words.stories.toml line 3: width must be from 100 to 4000")
