"""examples/dashboard: started with its one command, asked by a person, and asked about by it."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, FrameLocator, Page, expect

from tests.support.axe import violations
from tools.npm_tools import node_modules

ROOT = Path(__file__).parents[4]
AXE = node_modules(ROOT / "tests" / "dev" / "node") / "axe-core" / "axe.min.js"
FITS = "() => document.documentElement.scrollWidth <= innerWidth"


def free_origin() -> str:
    """An origin on this machine at which nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as found:
        return f"http://localhost:{found.getsockname()[1]}"


@pytest.fixture(scope="module")
def origins() -> Iterator[tuple[str, str]]:
    """Where the dashboard is, and where its copilot is."""
    product, copilot = free_origin(), free_origin()
    command = [sys.executable, "-m", "examples.dashboard.app"]
    environment = {**os.environ, "PRODUCT": product, "COPILOT": copilot}
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert product in process.stdout.readline()
        yield product, copilot
        process.terminate()
        process.wait(20)


class Dashboard:
    """Ada's dashboard, and the copilot that she talks with."""

    def __init__(self, page: Page, origin: str) -> None:
        self.page = page
        page.goto(f"{origin}/")
        expect(self.copilot.get_by_role("log")).to_contain_text("gives me 5 tools")

    @property
    def copilot(self) -> FrameLocator:
        return self.page.frame_locator("mcp-copilot iframe")

    def ask(self, question: str) -> None:
        self.copilot.get_by_role("textbox").fill(question)
        self.copilot.get_by_role("button", name="Ask", exact=True).click()

    def hears(self, *words: str) -> None:
        """The copilot's last words."""
        for one in words:
            expect(self.copilot.locator(".harry").last).to_contain_text(one)


def test_the_copilot_answers_with_the_tools_of_the_page(page: Page, origins: tuple[str, str]) -> None:
    dashboard = Dashboard(page, origins[0])
    expect(page.get_by_role("heading", name="Hello, Ada Park")).to_be_visible()
    for suggestion, tool, words in (
        ("Who am I?", "get_current_user", "Engineering lead"),
        ("My projects", "get_user_projects", "Faster sign-in"),
        ("How is my team?", "get_team_stats", "56 tasks this week"),
    ):
        dashboard.copilot.get_by_role("button", name=suggestion).click()
        dashboard.hears(words)
        expect(dashboard.copilot.locator(".tool").last).to_have_text(f"used {tool}")
    dashboard.ask("Which projects are at risk?")
    dashboard.hears("At risk:", "Search that finds it")
    # What the product did not give it does not exist for it.
    dashboard.ask("What are the salaries?")
    dashboard.hears("That did not work", "does not offer it to the copilot")
    dashboard.ask("What is the weather?")
    dashboard.hears("I know about the system")


def test_the_person_is_asked_before_something_is_restarted_and_the_page_shows_it(
    page: Page, origins: tuple[str, str]
) -> None:
    product, copilot = origins
    dashboard = Dashboard(page, product)
    expect(page.get_by_label("At a glance")).to_contain_text("Slower than usual")
    dashboard.ask("How is the system?")
    dashboard.hears("Search is slow")
    dashboard.ask("Please restart search")
    dialog = page.get_by_role("alertdialog")
    expect(dialog).to_contain_text(f"The copilot “Harry” of “{copilot}” wants to run “restart_service” of “dashboard”.")
    page.locator("button.refuse").click()
    dashboard.hears("That did not work", "declined")
    expect(page.get_by_label("At a glance")).to_contain_text("Slower than usual")
    dashboard.ask("restart search")
    page.locator("button.accept[aria-disabled=false]").click()
    dashboard.hears("Search is up again, at 43 ms")
    expect(page.get_by_label("At a glance")).to_contain_text("All systems up")
    # It goes on where it was, also when it is loaded anew.
    page.reload()
    expect(dashboard.copilot.get_by_role("log")).to_contain_text("Welcome back. You last asked: “restart search”")


def test_whoever_opens_it_under_another_name_is_told_so(page: Page, origins: tuple[str, str]) -> None:
    other = origins[0].replace("localhost", "127.0.0.1")
    page.goto(f"{other}/")
    expect(page.locator("mcp-copilot").get_by_role("status")).to_contain_text(f"does not allow the origin {other}")
    expect(page.get_by_role("button", name="Reconnect")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280])
def test_it_fits_and_can_be_used_by_everybody(
    browser: Browser, origins: tuple[str, str], scheme: str, width: int
) -> None:
    context = browser.new_context(
        viewport={"width": width, "height": 800},
        color_scheme=scheme,  # type: ignore[arg-type]
        bypass_csp=True,
    )
    page = context.new_page()
    dashboard = Dashboard(page, origins[0])
    dashboard.copilot.get_by_role("button", name="My projects").click()
    dashboard.hears("Audit trail")
    assert page.evaluate(FITS)
    assert violations(page, "body") == []
    inside = dashboard.copilot.locator("body")
    inside.evaluate(f"() => {{ {AXE.read_text('utf-8')} }}")
    rules = {"page-has-heading-one": {"enabled": False}, "region": {"enabled": False}}
    found = inside.evaluate("(body, rules) => axe.run(document, { rules })", rules)
    assert [(one["id"], [node["target"] for node in one["nodes"]]) for one in found["violations"]] == []
    assert inside.evaluate(FITS)
    context.close()
