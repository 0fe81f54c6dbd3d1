"""The page itself: for people who do not see it, without a network, and what it remembers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Error, Request, expect

from tests.dev.test_playground import PAGE, SERVER
from tests.support.axe import violations
from tests.support.chromium import FLAGS
from tests.support.command import Running
from tests.support.playground import Screen, opened, playground, until
from tools.chromium import chromium

LIVE = '''
clock = {"ticks": 0}

@server.resource("lab://ticks")
def ticks() -> str:
    """How often it ticked."""
    return f"{clock['ticks']} ticks"

@server.tool
def tick() -> str:
    """Tick once."""
    clock["ticks"] += 1
    server.resource_updated("lab://ticks")
    return "tock"

@server.tool
def grow() -> str:
    """Have one more tool."""
    @server.tool
    def grown() -> str:
        """Was not there before."""
        return "here"
    return "done"
'''


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder = tmp_path_factory.mktemp("page") / "lab"
    folder.mkdir()
    (folder / "server.py").write_text(SERVER + LIVE, "utf-8")
    (folder / "page.html").write_text(PAGE, "utf-8")
    with playground("server.py", folder=folder, deadline=300) as process:
        yield process


@pytest.mark.parametrize(
    ("width", "theme"),
    [
        (1440, "light"),
        (390, "dark"),
        pytest.param(1440, "dark", marks=pytest.mark.long),
        pytest.param(390, "light", marks=pytest.mark.long),
    ],
)
def test_axe_finds_nothing(browser: Browser, running: Running, theme: Any, width: int) -> None:
    size = {"width": width, "height": 900}
    with opened(browser, running.url, color_scheme=theme, viewport=size, bypass_csp=True) as screen:
        screen.choose("send")
        screen.call()
        expect(screen.page.get_by_text("Required", exact=True).first).to_be_visible()  # what is missing is marked
        assert violations(screen.page) == []
        screen.choose("show")
        screen.call()
        screen.view()
        assert violations(screen.page) == []
        screen.choose("fail")
        screen.call()
        expect(screen.page.locator(".finding").first).to_be_visible()
        if width < 1000:
            screen.page.get_by_role("button", name="Messages").click()
        for name in ("Messages", "Model", "Problems", "Output"):
            screen.side(name)
            assert violations(screen.page) == []
        screen.side("Messages").locator(".rows > li summary").first.click()
        assert violations(screen.page) == []
        root = running.url.partition("#")[0]
        number = screen.page.locator(".rows > li", has_text="tools/call").first.get_attribute("data-id")
        for address, words in (
            (f"/message/{number}", "Edit and send again"),
            ("/server/lab", "Capabilities"),
            ("/resource/lab/lab%3A%2F%2Fnotes", "Subscribe"),
            ("/prompt/lab/greet", "Get"),
            ("/nowhere", "no such page"),
        ):
            screen.page.goto(f"{root}#{address}")
            expect(screen.page.locator("main")).to_contain_text(words)
            assert violations(screen.page) == []
        screen.page.evaluate("() => document.querySelector('#help-button').click()")
        expect(screen.page.get_by_role("dialog", name="Keys")).to_be_visible()
        assert violations(screen.page) == []


def test_on_a_phone_the_list_is_folded_and_stays_as_it_was_left(browser: Browser, running: Running) -> None:
    with opened(browser, running.url, viewport={"width": 360, "height": 740}) as screen:
        page, servers = screen.page, screen.page.get_by_role("navigation")
        toggle = page.get_by_role("button", name="Servers")
        screen.view()
        expect(servers).to_be_hidden()
        expect(toggle).to_have_attribute("aria-expanded", "false")
        assert page.evaluate("document.querySelector('header').scrollWidth") <= 360
        toggle.click()
        expect(servers.get_by_role("button", name="send")).to_be_visible()
        page.reload()
        expect(servers.get_by_role("button", name="send")).to_be_visible()
        toggle.click()
        expect(servers).to_be_hidden()
        page.locator("body").press("/")
        expect(page.get_by_label("Find a tool")).to_be_focused()
        page.set_viewport_size({"width": 1280, "height": 740})
        expect(toggle).to_be_hidden()
        expect(servers).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= 1280


def test_axe_would_find_something(browser: Browser, running: Running) -> None:
    with opened(browser, running.url, bypass_csp=True) as screen:
        screen.choose("send")
        screen.page.evaluate("() => document.querySelector('#search').removeAttribute('aria-label')")
        screen.page.evaluate("() => document.querySelector('#search').removeAttribute('placeholder')")
        assert any("label" in one for one in violations(screen.page))


OFFLINE = """
import socket
connect = socket.socket.connect
def refuse(self, address):
    if self.family != socket.AF_UNIX and address[0] not in ("127.0.0.1", "::1", "localhost"):
        raise OSError(f"the network is cut off: {address}")
    return connect(self, address)
socket.socket.connect = refuse
def lookup(host, *rest, **more):
    if host not in (None, "localhost", "127.0.0.1", "::1", ""):
        raise socket.gaierror(f"the network is cut off: {host}")
    return getaddrinfo(host, *rest, **more)
getaddrinfo, socket.getaddrinfo = socket.getaddrinfo, lookup
"""


def lacking(request: Request) -> list[str]:
    """What could not be loaded; a view that makes room for another is loaded no further."""
    return [] if request.failure == "net::ERR_ABORTED" else [request.url]


def test_everything_comes_from_the_wheel(browser: Browser, tmp_path: Path) -> None:
    """Neither Python nor the browser can reach anything, and nothing is missing."""
    (tmp_path / "sitecustomize.py").write_text(OFFLINE, "utf-8")
    cut = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE *.localhost, EXCLUDE 127.0.0.1"
    asked: list[str] = []
    with playground(folder=tmp_path, PYTHONPATH=str(tmp_path)) as running:
        alone = browser.browser_type.launch(executable_path=chromium(), args=[*FLAGS, cut])
        with opened(alone, running.url) as screen:
            screen.page.on("request", lambda request: asked.append(request.url))
            screen.page.on("requestfailed", lambda request: screen.problems.extend(lacking(request)))
            screen.choose("todos")
            screen.call()
            expect(screen.view().get_by_placeholder("Something new")).to_be_visible()
            screen.choose("chart")
            screen.fill("data", "a,1")
            screen.call()
            expect(screen.view().get_by_text("Save as CSV")).to_be_visible()
        alone.close()
    assert asked
    elsewhere = [url for url in asked if not url.startswith(("http://localhost:", "about:", "data:", "blob:"))]
    assert [url for url in elsewhere if ".localhost:" not in url] == []


def test_a_reload_shows_what_was_shown(browser: Browser, running: Running) -> None:
    with opened(browser, running.url) as screen:
        screen.choose("show")
        screen.fill("word", "twilight")
        screen.call()
        expect(screen.view().locator("#word")).to_have_text("twilight")
        screen.page.reload()
        expect(screen.page.get_by_label("word")).to_have_value("twilight")
        expect(screen.view().locator("#word")).to_have_text("twilight")


def test_a_followed_resource_is_read_again_when_it_changes(browser: Browser, running: Running) -> None:
    with opened(browser, running.url) as screen, opened(browser, running.url) as other:
        screen.choose("lab://ticks")
        screen.page.get_by_role("button", name="Subscribe").click()
        outcome = screen.page.locator("#outcome")
        expect(outcome).to_contain_text("0 ticks")
        other.choose("tick")
        other.call()
        expect(outcome).to_contain_text("1 ticks")
        other.call()
        expect(outcome).to_contain_text("2 ticks")
        screen.page.get_by_role("button", name="Unsubscribe").click()
        expect(screen.page.get_by_role("button", name="Subscribe", exact=True)).to_be_visible()


def test_a_list_that_changes_is_listed_again(browser: Browser, running: Running) -> None:
    with opened(browser, running.url) as screen:
        screen.choose("grow")
        screen.call()
        expect(screen.page.get_by_role("navigation").get_by_role("button", name="grown")).to_be_visible()


def globals_of(screen: Screen) -> str:
    """What the host put into the view's window; a view that is just being replaced says nothing."""
    try:
        return "openai" if screen.view().evaluate("() => 'openai' in window") else "none"
    except Error:
        return "gone"


def test_the_host_takes_after_others_and_says_so(browser: Browser, running: Running) -> None:
    with opened(browser, running.url) as screen:
        screen.choose("show")
        screen.call()
        until(lambda: globals_of(screen) == "none", "the view in the strict host")
        host = screen.page.get_by_role("combobox", name="Host")
        host.select_option("chatgpt")
        expect(screen.page.get_by_text("an emulation by Cloche of ChatGPT")).to_be_visible()
        until(lambda: globals_of(screen) == "openai", "the view as in ChatGPT")
        host.select_option("strict")
        until(lambda: globals_of(screen) == "none", "the view in the strict host")


def test_keys(browser: Browser, running: Running) -> None:
    with opened(browser, running.url) as screen:
        page = screen.page
        screen.choose("show")
        page.locator("h1").click()
        page.keyboard.press("/")
        expect(page.get_by_label("Find a tool")).to_be_focused()
        page.keyboard.type("sho")
        expect(page.get_by_role("navigation").get_by_role("button", name="send")).to_have_count(0)
        expect(page.get_by_role("navigation").get_by_role("button", name="show").first).to_be_visible()
        page.get_by_label("word").fill("by keys")
        screen.before_a_call()
        page.keyboard.press("Enter")
        expect(screen.view().locator("#word")).to_have_text("by keys")
        page.get_by_label("word").press("Shift+Enter")
        expect(page.get_by_label("word")).to_have_value("by keys\n")
        page.locator("h1").click()
        page.keyboard.press("f")
        until(lambda: page.evaluate("() => document.querySelector('mcp-app').displayMode") == "fullscreen", "it large")
        page.keyboard.press("Escape")
        page.keyboard.press("m")
        expect(page.locator("aside")).to_be_hidden()


def test_a_silent_view_is_explained(browser: Browser, tmp_path: Path) -> None:
    (tmp_path / "server.py").write_text(
        'from cloche import Server, View\nserver = Server("mute")\n\n'
        '@server.tool(view=View(html="<p>I say nothing.</p>", script=False))\n'
        'def mute() -> str:\n    """Say nothing."""\n    return "x"\n',
        "utf-8",
    )
    with playground("server.py", folder=tmp_path) as running, opened(browser, running.url) as screen:
        screen.choose("mute")
        screen.call()
        told = screen.page.locator(".trouble")
        expect(told).to_contain_text("it said nothing for 3 s")
        expect(told).to_contain_text("connect()")


def test_lines_of_a_failing_script(browser: Browser, tmp_path: Path) -> None:
    (tmp_path / "server.py").write_text(SERVER, "utf-8")
    page = PAGE + '\n<script>\nconsole.error("this is odd");\nundefinedFunction();\n</script>\n'
    (tmp_path / "page.html").write_text(page, "utf-8")
    with playground("server.py", folder=tmp_path) as running, opened(browser, running.url) as screen:
        screen.choose("show")
        screen.call()
        for place in (screen.page.locator(".trouble"), screen.side("Problems")):
            expect(place).to_contain_text(f"page.html line {page.count(chr(10), 0, page.index('console')) + 1}")
            expect(place).to_contain_text("this is odd")
            expect(place).to_contain_text(f"page.html line {page.count(chr(10), 0, page.index('undefinedF')) + 1}")
            expect(place).to_contain_text("undefinedFunction is not defined")
        screen.problems.clear()  # it is the view's, and was told
