"""Pictures of the playground for the documentation: `python -m tools.screenshots` writes docs/images/.

Each picture is what a person sees after a few steps in the real page; when the page changes, the pictures do.
"""

from __future__ import annotations

import os
import re
import runpy
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from cloche.testing.browser import launch_flags
from tools.chromium import chromium
from tools.demos import DEMOS, bound, build_client, build_demo, serving

FOLDER = Path(__file__).parent.parent / "docs" / "images"
WIDE, NARROW = (1440, 900), (390, 844)
README_SIZE = (900, 460)
EXAMPLES = FOLDER.parent.parent / "examples"
CARDS = FOLDER.parent.parent / "src" / "cloche" / "web" / "dev"
CARD, CARD_PAGE = (480, 300), (512, 1400)
THINGS = ("Water the plants", "Write to Ada", "Try Cloche")
PATIENCE = 30_000
SALES = {"data": "Monday,12\nTuesday,19\nWednesday,7\nThursday,23", "title": "Bread sold"}

TROUBLED = '''from cloche import Server

server = Server("weather")


@server.tool(view="map.html")
def forecast(city: str = "Ghent") -> dict[str, object]:
    """The weather of the next days."""
    return {"city": city, "days": [17, 19, 16]}


@server.tool
def average(days: list[int]) -> float:
    """The mean temperature."""
    return sum(days) / len(days)
'''
MAP = """<!doctype html>
<h1>Forecast</h1>
<p id="city"></p>
<script src="https://cdn.example.com/map.js"></script>
<script>
cloche.on("tool:result", (result) => {
  document.getElementById("city").textContent = result.structuredContent.city;
});
</script>
"""
BROKEN = 'from cloche import Server\n\nserver = Server("weather")\nlimit = int("many")\n'

TALKING = '''import asyncio

from cloche import Context, Server

server = Server("bakery")
oven = asyncio.Event()
FORM = {
    "type": "object",
    "properties": {
        "loaves": {"type": "integer", "title": "How many loaves?", "minimum": 1, "maximum": 20, "default": 2},
        "crust": {"type": "string", "title": "Crust", "enum": ["light", "dark"], "default": "dark"},
        "gift": {"type": "boolean", "title": "Wrap it as a gift"},
    },
    "required": ["loaves"],
}


@server.tool
async def order(ctx: Context) -> str:
    """Order bread. The server asks what it should be."""
    answer = await ctx.elicit("What would you like to order for tomorrow?", FORM)
    return f"The order: {answer.data}"


@server.tool
async def bake(ctx: Context) -> str:
    """Bake a loaf, and say how far it is."""
    await ctx.progress(2, 3, "In the oven")
    await oven.wait()
    return "A loaf"


@server.tool(task=True)
async def ferment(ctx: Context) -> str:
    """Make a sourdough, which takes a night: the call becomes a task."""
    await ctx.progress(1, 4, "Feeding the starter")
    await oven.wait()
    return "A sourdough"
'''
TALKING_SIZE = (1100, 640)


@contextmanager
def playground(*words: str, folder: Path) -> Iterator[str]:
    """`cloche dev`, and the address that it printed."""
    command = [sys.executable, "-m", "cloche", "dev", "--no-open", "--port", "0", *words]
    process = subprocess.Popen(command, cwd=folder, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    try:
        found = (re.search(r"http://\S+", line) for line in process.stderr)
        yield next(match[0] for match in found if match)
    finally:
        process.terminate()
        process.communicate()


@contextmanager
def opened(browser: Browser, url: str, size: tuple[int, int], theme: str) -> Iterator[Page]:
    """The page, when it has its servers."""
    viewport = {"width": size[0], "height": size[1]}
    context = browser.new_context(viewport=viewport, color_scheme=theme)  # type: ignore[arg-type]
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    try:
        page.goto(url)
        page.locator("#item h2, #broken h2").first.wait_for()
        yield page
    finally:
        context.close()


def choose(page: Page, tool: str) -> None:
    """Choose something in the list, which is folded where there is little room."""
    if page.locator("#nav-toggle[aria-expanded=false]").is_visible():
        page.locator("#nav-toggle").click()
    page.get_by_role("navigation").get_by_role("button", name=re.compile(f"^{re.escape(tool)}")).first.click()


def call(page: Page, tool: str, **values: str) -> None:
    """Choose something and try it."""
    choose(page, tool)
    for name, value in values.items():
        page.get_by_label(name).fill(value)
    page.get_by_role("button", name="Call", exact=True).click()
    page.locator("#outcome .status", has_text=re.compile("^(Done|Failed)")).wait_for()


def wait_for_view(page: Page) -> None:
    """Until the view is there and has drawn itself."""
    while page.evaluate("() => document.querySelector('mcp-app')?.state") != "ready":
        page.wait_for_timeout(50)
    page.wait_for_timeout(700)


def save(page: Page, name: str) -> None:
    """Write one picture."""
    page.screenshot(path=FOLDER / f"{name}.png", animations="disabled")


def examples(browser: Browser) -> None:
    """The page as `cloche dev` opens it."""
    with playground(folder=FOLDER) as url:
        with opened(browser, url, WIDE, "light") as page:
            call(page, "todos")
            wait_for_view(page)
            save(page, "playground")
        with opened(browser, url, NARROW, "light") as page:
            call(page, "chart", **SALES)
            wait_for_view(page)
            page.evaluate("() => scrollTo(0, document.body.scrollHeight)")
            page.wait_for_timeout(1000)  # a frame that was out of sight draws itself now, and grows
            page.evaluate("() => scrollTo(0, document.body.scrollHeight)")
            save(page, "playground-phone")
        with opened(browser, url, WIDE, "dark") as page:
            call(page, "chart", **SALES)
            wait_for_view(page)
            page.get_by_role("combobox", name="Host").select_option("vscode")
            page.wait_for_timeout(1500)
            save(page, "playground-dark")


def cards(browser: Browser) -> None:
    """A picture of each example's view, for the page of examples in the playground."""
    for name, tool in {
        "chart": "chart",
        "todo": "todos",
        "canvas": "draw",
        "clock": "now",
        "upload": "upload",
        "components": "dashboard",
    }.items():
        with playground(folder=FOLDER) as url, opened(browser, url, CARD_PAGE, "light") as page:
            page.locator("#outcome .status", has_text="Done").wait_for()
            choose(page, tool)
            page.locator("#servers [aria-current]", has_text=tool).wait_for(state="attached")
            if page.get_by_role("button", name="Sample values").count():
                page.get_by_role("button", name="Sample values").click()
            call(page, tool)
            wait_for_view(page)
            if name == "todo":
                add_things(page)
            page.locator("mcp-app").scroll_into_view_if_needed()
            page.wait_for_timeout(500)
            box = page.locator("mcp-app").bounding_box()
            assert box is not None
            clip = {"x": box["x"], "y": box["y"], "width": CARD[0], "height": CARD[1]}
            page.screenshot(path=CARDS / f"example-{name}.png", clip=clip)  # type: ignore[arg-type]


def shared(browser: Browser) -> None:
    """A recording of the to-do list, saved with the Share button and opened from the disk."""
    with tempfile.TemporaryDirectory() as made, playground("todo_view.py", folder=EXAMPLES) as url:
        file = Path(made) / "recording.html"
        with opened(browser, url, WIDE, "light") as page:
            wait_for_view(page)
            page.get_by_role("button", name="Share").click()
            page.get_by_role("button", name="Start recording").click()
            page.get_by_role("button", name="Recording").wait_for()
            wait_for_view(page)
            add_things(page)
            page.get_by_role("button", name="Recording").click()
            with page.expect_download() as saved:
                page.get_by_role("button", name="Save HTML file").click()
            saved.value.save_as(file)
        context = browser.new_context(viewport={"width": WIDE[0], "height": 760})
        page = context.new_page()
        page.goto(file.as_uri())
        page.locator("#steps [aria-current]").wait_for()
        page.keyboard.press("End")
        page.frame_locator("#stage").frame_locator("iframe").get_by_text(THINGS[-1]).wait_for()
        page.wait_for_timeout(500)
        save(page, "shared")
        context.close()


def add_things(page: Page) -> None:
    """Use the to-do list."""
    view = next(frame for frame in reversed(page.frames) if frame.url == "about:srcdoc")
    for thing in THINGS:
        view.get_by_placeholder("Something new").click()
        view.get_by_placeholder("Something new").fill(thing)
        view.get_by_role("button", name="Add", exact=True).click()
        view.get_by_text(thing).wait_for()


def components(browser: Browser) -> None:
    """The components of the starter set: a dashboard, and one of each in both themes, narrow and wide."""
    from cloche.components import Components, stack
    from cloche.components.view import document

    known = Components()
    parts = {
        "components-charts": [one for one in known if one.category == "chart"],
        "components-parts": [one for one in known if one.category != "chart"],
    }
    for name, chosen in parts.items():
        drawn = stack([one.draw(one.examples[0], known.drawing()) for one in chosen], gap="large")
        _page(browser, document(drawn, name), f"{name}-dark", (360, 640), "dark")
        _page(browser, document(drawn, name), name, (760, 640), "light")
    source = runpy.run_path(str(FOLDER.parent.parent / "examples" / "components.py"))
    html = document(source["bakery"](source["orders_of"](400)), "A bakery")
    _page(browser, html, "components", (760, 640), "light")


def _page(browser: Browser, html: str, name: str, size: tuple[int, int], theme: str) -> None:
    """A picture of a whole page that needs no server."""
    viewport = {"width": size[0], "height": size[1]}
    context = browser.new_context(viewport=viewport, color_scheme=theme)  # type: ignore[arg-type]
    page = context.new_page()
    page.set_content(html)
    page.locator("[data-cc]:not([data-ready])").first.wait_for(state="detached")
    page.screenshot(path=FOLDER / f"{name}.png", full_page=True, animations="disabled")
    context.close()


def shopping(browser: Browser) -> None:
    """The shopping list that two people share."""
    with tempfile.TemporaryDirectory() as made:
        variables = {**os.environ, "STATE": str(Path(made) / "shopping.db")}
        command = [sys.executable, "-m", "uvicorn", "examples.shopping_list.app:app", "--port", "0"]
        process = subprocess.Popen(command, cwd=EXAMPLES.parent, env=variables, stderr=subprocess.PIPE, text=True)
        assert process.stderr is not None
        try:
            port = next(found[1] for line in process.stderr if (found := re.search(r"running on \S+:(\d+)", line)))
            page = browser.new_page(viewport={"width": 900, "height": 560})
            page.goto(f"http://localhost:{port}/ann")
            wait_for_view(page)
            save(page, "shopping-list")
        finally:
            process.terminate()
            process.communicate()


def readme(browser: Browser) -> None:
    """The server at the top of README.md, as `cloche dev` shows it."""
    text = (FOLDER.parent.parent / "README.md").read_text("utf-8")
    code = text.partition("```python\n")[2].partition("```")[0]
    with tempfile.TemporaryDirectory() as made:
        (Path(made) / "dice.py").write_text(code, "utf-8")
        with (
            playground("dice.py", folder=Path(made)) as url,
            opened(browser, url, README_SIZE, "light") as page,
        ):
            call(page, "roll", count="5")
            wait_for_view(page)
            save(page, "readme")


def troubles(browser: Browser) -> None:
    """The page when something is wrong."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made) / "weather"
        folder.mkdir()
        (folder / "server.py").write_text(TROUBLED, "utf-8")
        (folder / "map.html").write_text(MAP, "utf-8")
        with playground("server.py", folder=folder) as url:
            with opened(browser, url, WIDE, "light") as page:
                page.get_by_role("tab", name="Problems").click()
                call(page, "forecast")
                wait_for_view(page)
                save(page, "playground-blocked")
            with opened(browser, url, WIDE, "light") as page:
                page.get_by_role("tab", name="Problems").click()
                call(page, "average")
                page.locator(".trouble .finding").wait_for()
                save(page, "playground-exception")
            (folder / "server.py").write_text(BROKEN, "utf-8")
            with opened(browser, url, WIDE, "dark") as page:
                page.locator("#broken h2").wait_for()
                save(page, "playground-broken")


def talking(browser: Browser) -> None:
    """Servers that talk while a tool runs: a question, progress, a task."""
    with tempfile.TemporaryDirectory() as made:
        (Path(made) / "bakery.py").write_text(TALKING, "utf-8")
        with playground("bakery.py", folder=Path(made)) as url:
            with opened(browser, url, TALKING_SIZE, "light") as page:
                begin(page, "order")
                page.locator("button.accept[aria-disabled=false]").wait_for()
                save(page, "talking-question")
                page.keyboard.press("Escape")
            with opened(browser, url, TALKING_SIZE, "light") as page:
                begin(page, "bake")
                page.locator("#outcome .progress", has_text="In the oven").wait_for()
                save(page, "talking-progress")
                page.get_by_role("button", name="Cancel", exact=True).click()
            with opened(browser, url, TALKING_SIZE, "dark") as page:
                begin(page, "ferment")
                page.locator("#outcome .task", has_text="Working").wait_for()
                page.locator("#outcome .progress", has_text="starter").wait_for()
                page.get_by_role("link", name="1 task running").click()
                page.get_by_role("region", name="Tasks").locator("li").wait_for()
                save(page, "talking-task")


def begin(page: Page, tool: str) -> None:
    """Call something that does not end by itself."""
    choose(page, tool)
    page.locator("#item h2", has_text=tool).wait_for()
    page.get_by_role("button", name="Call", exact=True).click()


def demos(browser: Browser) -> None:
    """The client of `make demo`, with two of its servers."""
    wanted = [demo for demo in DEMOS if demo.name in ("pi", "mermaid_editor")]
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        places = {name: Path(folder) / name for name in ("client", *(demo.name for demo in wanted))}
        origins = {name: stack.enter_context(serving(bound(0, place))) for name, place in places.items()}
        for demo in wanted:
            build_demo(demo, Path(folder), origins["client"])
        build_client(places["client"], {demo.name: f"{origins[demo.name]}/" for demo in wanted})
        context = browser.new_context(viewport={"width": 1280, "height": 860})
        page = context.new_page()
        page.set_default_timeout(2 * PATIENCE)
        page.goto(f"{origins['client']}/")
        for demo in wanted:
            page.get_by_role("group", name="Example:").get_by_role("button", name=demo.title).click()
            page.locator("section.server:not([hidden])[data-state=ready]", has_text=demo.title).wait_for()
        page.locator("[data-tool=draw]").get_by_role("button", name="Call").click()
        shown = page.frame_locator("section:not([hidden]) > .window iframe").frame_locator("iframe.view")
        shown.frame_locator("iframe").locator("#drawn svg").wait_for()
        save(page, "demos")
        context.close()


def main() -> None:
    """Make every picture."""
    FOLDER.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=launch_flags())
        readme(browser)
        cards(browser)
        components(browser)
        shopping(browser)
        examples(browser)
        shared(browser)
        troubles(browser)
        talking(browser)
        demos(browser)
        browser.close()


if __name__ == "__main__":
    main()
