"""A new user, from `make dev` to a view that answers, and through three mistakes; each is explained on the page and by
`cloche check`, in words that name the fix."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.support.axe import violations
from tests.support.command import environment
from tests.support.playground import Screen, opened, playground

ROOT = Path(__file__).parents[2]
STEPS = 5
"""`make dev`, the address, a tool, *Call*, and a click in its view."""

SERVER = '''from cloche import Server

server = Server("weather")


@server.tool(view="map.html")
def forecast(city: str = "Ghent") -> dict[str, object]:
    """The weather of the next days."""
    return {"city": city, "days": [17, 19, 16]}
'''
PAGE = """<!doctype html>
<h1>Forecast</h1>
<p id="city"></p>
<script>
cloche.on("tool:result", (result) => document.getElementById("city").textContent = result.structuredContent?.city);
</script>
"""


@contextmanager
def make_dev() -> Iterator[str]:
    """The README's first command; gives the address that it prints."""
    process = subprocess.Popen(
        ["make", "dev"], cwd=ROOT, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env=environment()
    )
    assert process.stderr is not None
    try:
        yield next(line.strip() for line in process.stderr if line.startswith("http://"))
    finally:
        process.terminate()
        process.communicate()


def test_from_make_dev_to_a_view_that_was_clicked_in_few_steps(browser: Browser) -> None:
    steps = ["make dev"]
    with make_dev() as url, opened(browser, url) as screen:
        expect(screen.view().get_by_text("Save as CSV")).to_be_visible()  # it opens on something to see
        steps.append("open the address")
        screen.choose_of("todo", "todos")
        steps.append("choose a tool")
        screen.call()
        steps.append("call it")
        view = screen.view()
        view.get_by_placeholder("Something new").click()  # a view that takes the keyboard by itself loses it
        view.get_by_placeholder("Something new").fill("Try Cloche")
        view.get_by_role("button", name="Add").click()
        steps.append("click in its view")
        expect(view.get_by_text("Try Cloche")).to_be_visible()
    assert len(steps) == STEPS


@pytest.mark.parametrize(
    ("words", "seen", "helper"),
    [([], "Together: ", None), (["--template", "html"], "What shall we drink?", "vote")],
    ids=["view", "html"],
)
def test_a_new_project_opens_on_its_working_view_without_a_click(
    browser: Browser, tmp_path: Path, words: list[str], seen: str, helper: str | None
) -> None:
    command = [sys.executable, "-m", "cloche", "new", "fresh", *words]
    subprocess.run(command, check=True, cwd=tmp_path, capture_output=True, env=environment(), timeout=60)
    with playground("server.py", folder=tmp_path / "fresh") as running, opened(browser, running.url) as screen:
        expect(screen.page.locator("#item h2")).to_have_text("roll" if helper is None else "drinks")
        expect(screen.status).to_contain_text("Done")
        view = screen.view()
        expect(view.get_by_text(seen)).to_be_visible()
        if helper is None:
            expect(view.locator("#total")).to_have_text(re.compile(r"^\d+$"))
            return
        expect(screen.page.get_by_text("Tools for views only")).to_be_visible()
        expect(screen.page.get_by_role("navigation").get_by_role("button", name=helper)).to_be_hidden()


CAREFUL = """from cloche import Server

server = Server("careful")
calls = []


@server.tool(view="<p>Gone.</p>", annotations={"destructiveHint": True})
def delete(name: str) -> str:
    '''Delete something.'''
    return "deleted"
"""


def test_a_tool_that_changes_something_is_filled_in_and_not_called(browser: Browser, tmp_path: Path) -> None:
    (tmp_path / "careful.py").write_text(CAREFUL, "utf-8")
    with playground("careful.py", folder=tmp_path) as running, opened(browser, running.url) as screen:
        expect(screen.page.get_by_label("name")).to_have_value("Ada")
        expect(screen.page.locator("#trial")).not_to_have_attribute("aria-busy", "true")
        expect(screen.page.locator("#outcome")).to_be_hidden()
        expect(screen.side("Messages").locator(".rows > li", has_text="tools/call")).to_have_count(0)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "weather.py").write_text(SERVER, "utf-8")
    (tmp_path / "map.html").write_text(PAGE, "utf-8")
    return tmp_path


def checked(folder: Path) -> tuple[int, str]:
    """`cloche check weather.py`."""
    done = subprocess.run(
        [sys.executable, "-m", "cloche", "check", "weather.py"],
        check=False,
        cwd=folder,
        capture_output=True,
        text=True,
        env=environment(),
        timeout=300,
    )
    return done.returncode, done.stdout + done.stderr


def explained(screen: Screen, *words: str) -> None:
    """It stands beside what was tried, not somewhere else."""
    told = screen.page.locator("main .finding").first
    expect(told).to_be_visible()
    for word in words:
        expect(told).to_contain_text(word)


def test_a_view_that_is_not_there(browser: Browser, folder: Path) -> None:
    broken = SERVER.replace('view="map.html"', 'meta={"ui": {"resourceUri": "ui://weather/map.html"}}')
    (folder / "weather.py").write_text(broken, "utf-8")
    words = ("V01", "ui://weather/map.html", 'view="page.html"')
    with playground("weather.py", folder=folder) as running, opened(browser, running.url, bypass_csp=True) as screen:
        screen.choose("forecast")
        explained(screen, *words)
        screen.call()
        element = screen.page.locator("mcp-app")
        expect(element).to_contain_text("ui://weather/map.html")
        assert violations(screen.page) == []
    code, said = checked(folder)
    assert code == 1
    for word in words:
        assert word in said


def test_a_script_from_a_cdn(browser: Browser, folder: Path) -> None:
    script = '<script src="https://cdn.example.com/map.js"></script>\n<script>'
    (folder / "map.html").write_text(PAGE.replace("<script>", script, 1), "utf-8")
    words = ("map.html line 4", "https://cdn.example.com/map.js", 'csp=Csp(resources=["https://cdn.example.com"])')
    with playground("weather.py", folder=folder) as running, opened(browser, running.url) as screen:
        screen.choose("forecast")
        explained(screen, *words)
        screen.call()
        expect(screen.side("Problems")).to_contain_text("script-src forbids https://cdn.example.com/map.js")
    code, said = checked(folder)
    assert code == 1
    for word in words:
        assert word in said


def test_an_exception_in_a_tool(browser: Browser, folder: Path) -> None:
    (folder / "weather.py").write_text(SERVER.replace("return {", "return {}[city] and {"), "utf-8")
    words = ("L15", "weather.py line 9", "KeyError: 'Ghent'", "raise ToolError(")
    with playground("weather.py", folder=folder) as running, opened(browser, running.url) as screen:
        screen.choose("forecast")
        screen.call()
        expect(screen.status).to_contain_text("Failed")
        explained(screen, *words)
        expect(screen.side("Output")).to_contain_text("Traceback")
    code, said = checked(folder)
    assert code == 1
    for word in words:
        assert word in said
