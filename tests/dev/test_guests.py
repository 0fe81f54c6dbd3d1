"""Servers of others in the playground, clicked through: list, form, call, view, what it says, theme, display mode."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Frame, expect

from tests.dev.guests import PREFAB
from tests.support.chromium import FLAGS, MICROPHONE
from tests.support.command import Running, started
from tests.support.playground import Screen, opened, until
from tools.chromium import chromium

ROOT = Path(__file__).parents[2]
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder = tmp_path_factory.mktemp("guests")
    (folder / "pantry.py").write_text(PREFAB, "utf-8")
    with started(["-m", "tests.dev.guests", str(folder)], ROOT, deadline=600) as process:
        yield process


@pytest.fixture(scope="module")
def with_microphone(browser: Browser) -> Iterator[Browser]:
    started = browser.browser_type.launch(executable_path=chromium(), args=[*FLAGS, *MICROPHONE])
    yield started
    started.close()


@pytest.fixture
def screen(with_microphone: Browser, running: Running) -> Iterator[Screen]:
    with opened(with_microphone, running.url) as shown:
        yield shown


def nothing(_: Screen, __: Frame) -> None:
    """This one says nothing by itself."""


@dataclass
class Guest:
    """What a person does with one server's view, and what is to be seen."""

    tool: str
    ready: Callable[[Frame], object]
    use: Callable[[Screen, Frame], None] = nothing
    fields: dict[str, str] = field(default_factory=dict)
    asks: str | None = None


def use_debug(screen: Screen, view: Frame) -> None:
    view.locator("#send-message-text-btn").click()
    view.locator("#update-context-text-btn").click()
    told = screen.side("Model")
    expect(told).to_contain_text("Hello from debug app!")
    expect(told).to_contain_text("Current app state info")
    view.locator("#log-warning-btn").click()
    expect(screen.side("Problems")).to_contain_text("Debug log data")
    screen.toggle_theme()
    expect(view.locator("#host-context-info")).to_contain_text("dark")
    screen.page.get_by_role("combobox", name="Language of the view").select_option("de-DE")
    expect(view.locator("#event-log")).to_contain_text('"locale":"de-DE"')


def use_basic(screen: Screen, view: Frame) -> None:
    view.get_by_role("button", name="Get Server Time").click()
    view.get_by_role("button", name="Send Message").click()
    expect(screen.side("Model")).to_contain_text("This is message text.")
    view.get_by_role("button", name="Send Log").click()
    expect(screen.side("Problems")).to_contain_text("This is log text.")


def use_budget(screen: Screen, view: Frame) -> None:
    view.locator("#budget-selector").select_option("250000")
    expect(view.locator("#status-bar")).to_contain_text("$250,000 / $250,000")
    screen.page.get_by_role("combobox", name="Width of the view").select_option("360")
    until(lambda: view.evaluate("() => innerWidth") <= 360, "the width of a phone")


def use_scenario(_: Screen, view: Frame) -> None:
    view.locator("input[type=range]").nth(1).fill("10")
    expect(view.get_by_text("$63.4K")).not_to_be_visible()


def use_prefab(screen: Screen, view: Frame) -> None:
    view.get_by_role("button", name="Double it").click()
    expect(view.get_by_text("The number is 42")).to_be_visible()
    view.get_by_role("button", name="Tell").click()
    expect(screen.side("Model")).to_contain_text("The number is 42")


GUESTS = {
    "debug": Guest(
        "debug-tool", lambda view: expect(view.locator("#event-log")).to_contain_text("ontoolresult:"), use_debug
    ),
    "basic-vanillajs": Guest(
        "get-time", lambda view: expect(view.locator("#server-time")).to_have_text(TIME), use_basic
    ),
    "basic-react": Guest("get-time", lambda view: expect(view.locator("code")).to_have_text(TIME), use_basic),
    "budget-allocator": Guest(
        "get-budget-data", lambda view: expect(view.locator("#status-bar")).to_contain_text("Allocated"), use_budget
    ),
    "transcript": Guest(
        "transcribe",
        lambda view: expect(view.locator(".transcript-placeholder")).to_be_visible(),
        asks="Give access?",
    ),
    "scenario-modeler": Guest(
        "get-scenario-data", lambda view: expect(view.get_by_text("$63.4K")).to_be_visible(), use_scenario
    ),
    "pantry": Guest(
        "counter",
        lambda view: expect(view.get_by_text("The number is 21")).to_be_visible(),
        use_prefab,
        {"start": "21"},
    ),
}


COMMON = ("debug", "basic-react", "pantry")
"""One of each way to write a view: by hand, with a framework, from Python. The others are for `make test-all`."""


@pytest.mark.parametrize(
    "name", [name if name in COMMON else pytest.param(name, marks=pytest.mark.long) for name in GUESTS]
)
def test_a_view_of_others_is_listed_called_shown_and_used(screen: Screen, name: str) -> None:
    guest = GUESTS[name]
    screen.choose_of(name, guest.tool)
    for label, text in guest.fields.items():
        screen.page.locator("#item").get_by_label(label).fill(text)
    screen.call()
    if guest.asks is not None:
        expect(screen.page.get_by_role("alertdialog", name=guest.asks)).to_be_visible()
        screen.page.locator("mcp-app button.accept[aria-disabled=false]").click()
    expect(screen.status).to_contain_text("Done in")
    view = screen.view()
    guest.ready(view)
    guest.use(screen, view)
    screen.page.get_by_role("button", name="Fullscreen").click()
    until(
        lambda: screen.page.evaluate("() => document.querySelector('mcp-app').displayMode") == "fullscreen", "it large"
    )
    screen.page.get_by_role("button", name="Leave full screen").click()
    screen.toggle_theme()
    messages = screen.side("Messages")
    expect(messages).to_contain_text("ui/notifications/host-context-changed")
    expect(messages).to_contain_text("tools/call")
    expect(screen.page.locator("main .finding.error")).to_have_count(0)


def test_everything_that_a_server_can_have(screen: Screen) -> None:
    page, outcome = screen.page, screen.page.locator("#outcome")
    screen.choose_of("everything", "echo")
    screen.fill("message", "hello there")
    screen.call()
    expect(outcome).to_contain_text("Echo: hello there")
    screen.choose_of("everything", "get-tiny-image")
    screen.call()
    expect(outcome.locator("img")).to_be_visible()
    screen.choose_of("everything", "get-structured-content")
    page.locator("#item").get_by_label("location").select_option("Chicago")
    screen.call()
    expect(outcome).to_contain_text("temperature")
    screen.choose_of("everything", "get-resource-links")
    screen.call()
    expect(outcome).to_contain_text("demo://resource/dynamic/")
    screen.choose_of("everything", "demo://resource/static/document/architecture.md")
    screen.call("Read")
    expect(outcome).to_contain_text("Architecture")
    screen.choose_of("everything", "args-prompt")
    screen.fill("city", "Ghent")
    screen.call("Get")
    expect(outcome).to_contain_text("Ghent")
    screen.choose_of("pantry", "weigh")
    screen.fill("grams", "1500")
    screen.call()
    expect(outcome).to_contain_text("1.5 kg")
