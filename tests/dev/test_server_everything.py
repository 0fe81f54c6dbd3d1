"""`@modelcontextprotocol/server-everything` from npm in the playground: each of its tools is used to its end."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, expect

from tests.support.playground import Screen, opened, playground
from tools.npm_tools import node_modules

SERVER = node_modules(Path(__file__).with_name("node")) / "@modelcontextprotocol" / "server-everything"
DOCUMENT = "demo://resource/static/document/architecture.md"


@pytest.fixture(scope="module")
def screen(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Screen]:
    folder = tmp_path_factory.mktemp("everything")
    words = ["--", "node", str(SERVER / "dist" / "index.js"), "stdio"]
    with playground(*words, folder=folder) as running, opened(browser, running.url) as shown:
        yield shown


def outcome(screen: Screen) -> Locator:
    return screen.page.locator("#outcome")


def form(screen: Screen) -> Locator:
    return screen.page.locator("#item")


def done(screen: Screen, *texts: str) -> None:
    """The call ended well, and this is in its result."""
    expect(screen.status).to_contain_text("Done in")
    for text in texts:
        expect(outcome(screen)).to_contain_text(text)


def question(screen: Screen, text: str) -> Locator:
    """What the server asks, once it can be answered."""
    dialog = screen.page.get_by_role("alertdialog")
    expect(dialog).to_contain_text(text)
    screen.page.locator("button.accept[aria-disabled=false]").wait_for()
    return dialog


# Results of every kind


def echo(screen: Screen) -> None:
    screen.fill("message", "hello there")
    screen.call()
    done(screen, "Echo: hello there")


def get_sum(screen: Screen) -> None:
    form(screen).get_by_role("spinbutton", name=re.compile("^a")).fill("2.5")
    form(screen).get_by_role("spinbutton", name=re.compile("^b")).fill("4")
    screen.call()
    done(screen, "The sum of 2.5 and 4 is 6.5.")


def get_env(screen: Screen) -> None:
    screen.call()
    done(screen, "PATH")


def get_annotated_message(screen: Screen) -> None:
    form(screen).get_by_label("messageType").select_option("error")
    form(screen).get_by_label("includeImage").check()
    screen.call()
    done(screen, "Error: Operation failed", "for the user and the model · priority 1", "for the user · priority 0.5")
    expect(outcome(screen).locator("img")).to_be_visible()


def get_tiny_image(screen: Screen) -> None:
    screen.call()
    done(screen)
    expect(outcome(screen).locator("img")).to_be_visible()


def get_structured_content(screen: Screen) -> None:
    form(screen).get_by_label("location").select_option("Chicago")
    screen.call()
    done(screen, "Structured content", "humidity")


def get_resource_links(screen: Screen) -> None:
    screen.fill("count", "2")
    screen.call()
    done(screen, "Here are 2 resource links")
    outcome(screen).get_by_role("link", name="Text Resource 2").click()
    expect(outcome(screen)).to_contain_text("Resource 2: This is a plaintext resource")
    screen.page.go_back()
    expect(form(screen).get_by_label("count")).to_be_visible()


def get_resource_reference(screen: Screen) -> None:
    form(screen).get_by_label("resourceType").select_option("Text")
    screen.fill("resourceId", "7")
    screen.call()
    done(screen, "demo://resource/dynamic/text/7", "Resource 7: This is a plaintext resource")


def gzip_file_as_resource(screen: Screen) -> None:
    screen.fill("name", "hello.gz")
    screen.fill("data", "data:text/plain,hello")
    screen.call()
    done(screen)
    outcome(screen).get_by_role("link", name="hello.gz").click()
    expect(outcome(screen)).to_contain_text("application/gzip")
    expect(outcome(screen).get_by_role("button", name="Save")).to_be_visible()


# What goes on beside a call


def toggle_simulated_logging(screen: Screen) -> None:
    screen.call()
    done(screen, "Started simulated, random-leveled logging")
    expect(screen.side("Output")).to_contain_text(re.compile(r"level[ -]message", re.IGNORECASE))
    screen.call()
    done(screen, "Stopped simulated logging")


def toggle_subscriber_updates(screen: Screen) -> None:
    screen.choose(DOCUMENT)
    screen.page.get_by_role("button", name="Subscribe", exact=True).click()
    expect(outcome(screen)).to_contain_text("Architecture")
    screen.choose("toggle-subscriber-updates")
    screen.call()
    done(screen, "Started simulated resource updated notifications")
    followed = screen.page.get_by_role("navigation").get_by_role("button", name=DOCUMENT)
    expect(followed).to_contain_text("changed")
    screen.call()
    done(screen, "Stopped simulated resource updates")
    followed.click()
    screen.page.get_by_role("button", name="Unsubscribe", exact=True).click()
    expect(screen.page.get_by_role("button", name="Subscribe", exact=True)).to_be_visible()


def trigger_long_running_operation(screen: Screen) -> None:
    screen.fill("duration", "600")
    screen.fill("steps", "6000")
    screen.call()
    expect(outcome(screen).locator(".progress")).to_contain_text("%")
    screen.page.get_by_role("button", name="Cancel", exact=True).click()
    expect(screen.status).to_contain_text("Cancelled after")
    screen.fill("duration", "1")
    screen.fill("steps", "2")
    screen.call()
    done(screen, "Long running operation completed. Duration: 1 seconds, Steps: 2.")


# What the server asks


def get_roots_list(screen: Screen) -> None:
    screen.call()
    done(screen, "Current MCP Roots (1 total)", "file:///")


def trigger_sampling_request(screen: Screen) -> None:
    screen.fill("prompt", "Name a bread.")
    screen.call()
    dialog = question(screen, "Name a bread.")
    dialog.get_by_label("Answer of the model").fill("Pumpernickel")
    dialog.get_by_role("button", name="Answer").click()
    done(screen, "Pumpernickel")


def trigger_sampling_request_async(screen: Screen) -> None:
    trigger_sampling_request(screen)
    done(screen, "[COMPLETED] Async sampling completed!", "Task created: ")


def trigger_elicitation_request(screen: Screen) -> None:
    screen.call()
    dialog = question(screen, "Please provide inputs for the following fields:")
    dialog.get_by_label("String required").fill("Ann Example")
    dialog.get_by_label("Boolean").select_option(label="true")
    dialog.get_by_label("String with email format").fill("ann@example.org")
    dialog.get_by_label("String with uri format").fill("https://example.org")
    dialog.get_by_label("String with date format").fill("2001-02-03")
    dialog.get_by_label("Piano").check()
    dialog.get_by_label("Titled Single Select Enum", exact=True).first.select_option(label="Wonder Woman")
    dialog.get_by_role("button", name="Send").click()
    done(screen, "Ann Example", "ann@example.org", "2001-02-03", "hero-3", "Piano")
    screen.call()
    question(screen, "Please provide inputs").get_by_role("button", name="Decline").click()
    done(screen, "User declined to provide the requested information")


def trigger_elicitation_request_async(screen: Screen) -> None:
    screen.call()
    dialog = question(screen, "(async task demo)")
    dialog.get_by_label("Your Name").fill("Ann Example")
    dialog.get_by_label("Favorite Color").select_option("Green")
    dialog.get_by_role("button", name="Send").click()
    done(screen, "[COMPLETED] User provided the requested information!", "Ann Example", "Green")


def trigger_url_elicitation(screen: Screen) -> None:
    for site in ("https://example.org/**", "https://modelcontextprotocol.io/**"):
        screen.page.context.route(site, lambda route: route.fulfill(body="Signed in"))
    screen.fill("url", "https://example.org/sign-in")
    screen.call()
    visit(screen, "https://example.org/sign-in")
    done(screen, "User completed the URL elicitation flow")
    # By error -32042: another address first, and then the same call again.
    form(screen).get_by_label("errorPath").check()
    screen.call()
    visit(screen, "https://modelcontextprotocol.io")
    question(screen, "Done at modelcontextprotocol.io?").get_by_role("button", name="Continue").click()
    visit(screen, "https://example.org/sign-in")
    done(screen, "User completed the URL elicitation flow")


def visit(screen: Screen, address: str) -> None:
    """Open the address that the server wants to be visited."""
    dialog = question(screen, address)
    with screen.page.context.expect_page() as popup:
        dialog.get_by_role("button", name="Open").click()
    expect(popup.value.get_by_text("Signed in")).to_be_visible()
    popup.value.close()


def simulate_research_query(screen: Screen) -> None:
    screen.fill("topic", "python")
    form(screen).get_by_label("ambiguous").check()
    screen.call()
    dialog = question(screen, "python")
    dialog.get_by_label("Clarification").select_option(label="Python snake species")
    dialog.get_by_role("button", name="Send").click()
    done(screen, "Research Report: python (snake)")


USES: dict[str, Callable[[Screen], None]] = {
    "echo": echo,
    "get-annotated-message": get_annotated_message,
    "get-env": get_env,
    "get-resource-links": get_resource_links,
    "get-resource-reference": get_resource_reference,
    "get-roots-list": get_roots_list,
    "get-structured-content": get_structured_content,
    "get-sum": get_sum,
    "get-tiny-image": get_tiny_image,
    "gzip-file-as-resource": gzip_file_as_resource,
    "simulate-research-query": simulate_research_query,
    "toggle-simulated-logging": toggle_simulated_logging,
    "toggle-subscriber-updates": toggle_subscriber_updates,
    "trigger-elicitation-request": trigger_elicitation_request,
    "trigger-elicitation-request-async": trigger_elicitation_request_async,
    "trigger-long-running-operation": trigger_long_running_operation,
    "trigger-sampling-request": trigger_sampling_request,
    "trigger-sampling-request-async": trigger_sampling_request_async,
    "trigger-url-elicitation": trigger_url_elicitation,
}
"""How each tool is used to its end."""


def tools(screen: Screen) -> list[str]:
    """The tools that the playground lists; those for which the server waits to know the client come a little later."""
    group = screen.page.locator("#servers section > div", has=screen.page.get_by_role("heading", name="Tools"))
    expect(group.get_by_role("button", name="trigger-elicitation-request-async")).to_be_visible()
    return [name.strip() for name in group.get_by_role("button").all_inner_texts()]


def test_every_tool_that_it_lists_is_known_here(screen: Screen) -> None:
    assert sorted(tools(screen)) == sorted(USES)


@pytest.mark.parametrize("tool", USES)
def test_each_tool_is_used_to_its_end(screen: Screen, tool: str) -> None:
    screen.choose_of(screen.page.locator("#servers section h2").inner_text(), tool)
    USES[tool](screen)
    assert screen.problems == []
