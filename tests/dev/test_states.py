"""Every state that the page of the playground can be in, looked at with axe: nothing is found in any of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.support.axe import violations
from tests.support.command import Running
from tests.support.playground import Screen, opened, playground
from tests.support.talking import FORM

MODELS = ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "CLOCHE_MODEL", "CLOCHE_MODEL_URL")
SERVER = '''
import asyncio
from cloche import Context, McpError, Server, ToolAnnotations
from tests_forms import FORM

PAGE = """<h1 id="word"></h1><script>
cloche.on("tool:result", (result) => { word.textContent = result.structuredContent.word; });
</script>"""
server = Server("states", version="1.0", instructions="Ask for **words** first.")
held = asyncio.Event()

@server.tool(view=PAGE, annotations=ToolAnnotations(read_only_hint=True))
def words(word: str = "hello") -> dict[str, str]:
    """Show a word."""
    return {"word": word}

@server.tool
def report() -> str:
    """Markdown and more."""
    return "# Report\\n**bold**\\n\\n| a | b |\\n|---|---|\\n| 1 | 2 |\\n"

@server.tool
def long() -> str:
    """More than is shown at once."""
    return "line\\n" * 40_000

@server.tool
def large() -> dict[str, list[str]]:
    """More than a message may have."""
    return {"rows": ["x" * 50] * 4000}

@server.tool
def fail() -> str:
    """Raise."""
    raise McpError("It broke")

@server.tool
async def hold(ctx: Context) -> str:
    """Report and wait."""
    await ctx.progress(1, 4, "a quarter")
    await held.wait()
    return "done"

@server.tool
async def ask(ctx: Context) -> str:
    """Ask the user."""
    return (await ctx.elicit("Where shall it go?", FORM)).action

@server.tool
async def visit(ctx: Context) -> str:
    """Send the user somewhere."""
    return (await ctx.elicit_url("Pay there, please.", "https://pay.example/checkout?order=7")).action

@server.tool
async def think(ctx: Context) -> str:
    """Ask the model."""
    return (await ctx.sample("Name a bread.")).text

@server.tool(task=True)
async def bake(ctx: Context) -> str:
    """Run as a task."""
    await ctx.progress(1, 3, "kneading")
    await held.wait()
    return "baked"

@server.resource("states://notes")
def notes() -> str:
    """Some notes."""
    return "notes"

@server.prompt
def greet(who: str) -> list[str]:
    """Greet somebody."""
    return [f"Greet {who}", "Hello"]
'''
EMPTY = "from cloche import Server\nserver = Server('nothing')\n"
BROKEN = "from cloche import Server\nserver = Server('broken')\nlimit = int('many')\n"
STORIES = """[first]
tool = "words"
arguments = {word = "one"}

[waits]
tool = "ask"

[none]
tool = "missing"
"""

State = Callable[[Screen, str], object]


def call(tool: str, said: str = "Done") -> State:
    def act(screen: Screen, root: str) -> None:
        screen.page.goto(f"{root}/tool/states/{tool}")
        screen.page.locator("#item h2", has_text=tool).wait_for()
        screen.call()
        expect(screen.status).to_contain_text(said)

    return act


def asked(tool: str, words: str) -> State:
    def act(screen: Screen, root: str) -> Callable[[], None]:
        screen.page.goto(f"{root}/tool/states/{tool}")
        screen.page.locator("#item h2", has_text=tool).wait_for()
        screen.call()
        dialog = screen.page.get_by_role("alertdialog")
        expect(dialog).to_contain_text(words)

        def leave() -> None:
            screen.page.keyboard.press("Escape")
            expect(dialog).to_have_count(0)

        return leave

    return act


def at(address: str, words: str) -> State:
    def act(screen: Screen, root: str) -> None:
        screen.page.goto(f"{root}{address}")
        expect(screen.page.locator("main")).to_contain_text(words)

    return act


def running(tool: str, words: str) -> State:
    def act(screen: Screen, root: str) -> Callable[[], None]:
        call(tool, "Running")(screen, root)
        expect(screen.page.locator("#outcome")).to_contain_text(words)
        return lambda: (
            screen.page.get_by_role("button", name="Cancel", exact=True).click(),
            expect(screen.status).to_contain_text("Cancelled after"),
        )[1]

    return act


def cancelled(screen: Screen, root: str) -> None:
    running("hold", "a quarter")(screen, root)()  # type: ignore[operator]


def view(screen: Screen, root: str) -> None:
    call("words")(screen, root)
    screen.view()


def whole_json(screen: Screen, root: str) -> None:
    call("large")(screen, root)
    screen.tab("JSON")


def prompt(screen: Screen, root: str) -> None:
    at("/prompt/states/greet", "Get")(screen, root)
    screen.fill("who", "Ann")
    screen.call("Get")
    expect(screen.page.locator("#outcome")).to_contain_text("Greet Ann")


def resource(screen: Screen, root: str) -> None:
    at("/resource/states/states%3A%2F%2Fnotes", "Subscribe")(screen, root)
    screen.call("Read")
    expect(screen.page.locator("#outcome")).to_contain_text("notes")


def cut_message(screen: Screen, root: str) -> None:
    call("large")(screen, root)
    show_side(screen)
    row = screen.side("Messages").locator(".rows > li", has_text="large").last
    row.locator("summary").first.click()
    expect(row.locator(".cut")).to_contain_text("The beginning of")


def message(screen: Screen, root: str) -> None:
    cut_message(screen, root)
    row = screen.side("Messages").locator(".rows > li", has_text="large").last
    row.get_by_role("link", name="Open, copy or send again").click()
    expect(screen.page.locator("#page")).to_contain_text("Edit and send again")


def nothing_matches(screen: Screen, root: str) -> Callable[[], None]:
    show_side(screen)
    screen.side("Messages")
    box = screen.page.get_by_label("Filter messages")
    box.fill("no such message")
    expect(screen.page.locator(".rows")).to_contain_text("No messages match")
    return lambda: box.fill("")


def chat(screen: Screen, root: str) -> None:
    at("/chat", "Script")(screen, root)


def keys(screen: Screen, root: str) -> Callable[[], None]:
    at("/server/states", "Capabilities")(screen, root)
    screen.page.evaluate("() => document.querySelector('#help-button').click()")
    expect(screen.page.get_by_role("dialog", name="Keys")).to_be_visible()
    return lambda: screen.page.keyboard.press("Escape")


def lost(screen: Screen, root: str) -> None:
    """The playground is away: the page says so. It is the last state, because the page tries to come back."""
    screen.page.evaluate("() => { document.body.classList.add('lost'); }")
    screen.page.evaluate("() => { document.getElementById('connection').textContent = 'Reconnecting …'; }")


def show_side(screen: Screen) -> None:
    if screen.page.locator("body.no-side").count():
        screen.page.locator("#side-toggle").click()


STATES: dict[str, State] = {
    "a view": view,
    "markdown": call("report"),
    "a long text": call("long"),
    "large JSON": whole_json,
    "an error": call("fail", "Failed"),
    "progress": running("hold", "a quarter"),
    "cancelled": cancelled,
    "a task": running("bake", "Task: Working"),
    "the page of a server with tasks": at("/server/states", "Tasks ("),
    "a form": asked("ask", "Where shall it go?"),
    "an address": asked("visit", "pay.example"),
    "a question to the model": asked("think", "Name a bread."),
    "a prompt": prompt,
    "a resource": resource,
    "a large message": cut_message,
    "a message": message,
    "a message that is gone": at("/message/999999", "Not found"),
    "a filter without matches": nothing_matches,
    "an empty server": at("/server/empty", "nothing 0.1.0"),
    "a server that does not run": at("/server/broken", "Does not run"),
    "no such page": at("/nowhere", "no such page"),
    "no such tool": at("/tool/states/nothing", "Not found"),
    "stories": at("/stories", "There is no tool missing."),
    "a story": at("/story/states/first", "first"),
    "a story that waits": at("/story/states/waits", "waits"),
    "chat": chat,
    "hosts side by side": at("/compare/story/states/first", "Strict"),
    "the keys": keys,
    "a lost connection": lost,
}


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Running]:
    """One for each test: a person who declines three times is not asked any more."""
    folder = tmp_path
    (folder / "tests_forms.py").write_text(f"FORM = {FORM!r}\n", "utf-8")
    (folder / "states.py").write_text(SERVER, "utf-8")
    (folder / "empty.py").write_text(EMPTY, "utf-8")
    (folder / "broken.py").write_text(BROKEN, "utf-8")
    (folder / "states.stories.toml").write_text(STORIES, "utf-8")
    files = ("states.py", "empty.py", "broken.py")
    with playground(*files, folder=folder, deadline=600, **dict.fromkeys(MODELS, "")) as process:
        yield process


@pytest.mark.parametrize(
    ("width", "theme"),
    [
        (1440, "light"),
        pytest.param(390, "dark", marks=pytest.mark.long),
        pytest.param(1440, "dark", marks=pytest.mark.long),
        pytest.param(390, "light", marks=pytest.mark.long),
    ],
)
def test_axe_finds_nothing_in_any_state(browser: Browser, served: Running, theme: Any, width: int) -> None:
    found: dict[str, Any] = {}
    size = {"width": width, "height": 900}
    with opened(browser, served.url, color_scheme=theme, viewport=size, bypass_csp=True) as screen:
        root = served.url.partition("#")[0] + "#"
        for name, state in STATES.items():
            leave = state(screen, root)
            found[name] = violations(screen.page)
            if callable(leave):
                leave()
    assert {name: what for name, what in found.items() if what} == {}
