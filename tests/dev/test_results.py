"""Results as a person wants them, messages as exchanges, and what a form takes: one server, one page."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.support.axe import violations
from tests.support.command import Running
from tests.support.playground import Screen, opened, playground, until

SERVER = r'''
import asyncio
import base64
import io
import wave
from cloche import Audio, ResourceLink, Server

server = Server("rich", version="1.2", instructions="Ask **report** first.")
DOT = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="
)
MARKDOWN = """# Report
Some **bold** words, a [link](https://example.com/), [none](javascript:alert(1)) and <img src=x onerror=alert(1)>.

| Name | Count |
|---|---|
| Tea | 3 |
"""

@server.tool(annotations={"readOnlyHint": True})
def report() -> str:
    """A report."""
    return MARKDOWN

@server.tool
def data() -> str:
    """JSON in a text."""
    return '{"rows": [1, 2, 3], "deep": {"deeper": {"deepest": "here"}}}'

@server.tool
def link() -> ResourceLink:
    """A link to a resource."""
    return ResourceLink(uri="rich://dot.png", name="A dot")

@server.tool
def hum() -> Audio:
    """A second of silence."""
    made = io.BytesIO()
    with wave.open(made, "wb") as sound:
        sound.setparams((1, 2, 8000, 0, "NONE", ""))
        sound.writeframes(bytes(16000))
    return Audio(made.getvalue(), mime_type="audio/wav")

@server.tool
def weigh(file: bytes, label: str) -> str:
    """Count bytes."""
    return f"{label}: {len(file)} bytes"

@server.tool
async def slow() -> str:
    """Take very long."""
    await asyncio.sleep(600)
    return "done"

@server.resource("rich://dot.png", mime_type="image/png")
def dot() -> bytes:
    """One pixel."""
    return DOT

@server.resource("rich://paper.pdf", mime_type="application/pdf")
def paper() -> bytes:
    """A file."""
    return b"%PDF-1.4 not much"

@server.prompt
def review(code: str) -> list[str]:
    """Have code reviewed."""
    return [f"Please review {code}", "I will."]
'''


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder = tmp_path_factory.mktemp("rich") / "rich"
    folder.mkdir()
    (folder / "server.py").write_text(SERVER, "utf-8")
    with playground("server.py", folder=folder, deadline=300) as process:
        yield process


@pytest.fixture
def screen(browser: Browser, running: Running) -> Iterator[Screen]:
    allowed = ["clipboard-read", "clipboard-write"]
    with opened(browser, running.url, permissions=allowed, bypass_csp=True) as screen:
        expect(screen.status).to_contain_text("Done")
        yield screen


def test_markdown_json_pictures_files_and_links(screen: Screen) -> None:
    page, outcome = screen.page, screen.page.locator("#outcome")
    expect(outcome.locator(".markdown h3")).to_have_text("Report")
    expect(outcome.locator(".markdown strong")).to_have_text("bold")
    expect(outcome.locator(".markdown td").first).to_have_text("Tea")
    expect(outcome.locator(".markdown a")).to_have_count(1)
    assert outcome.locator(".markdown a").get_attribute("rel") == "noopener noreferrer"
    expect(outcome.locator(".markdown img")).to_have_count(0)
    expect(outcome).to_contain_text("<img src=x onerror=alert(1)>")
    assert violations(page) == []
    outcome.get_by_role("button", name="Markdown").click()
    expect(outcome.locator("pre.text:visible").first).to_contain_text("# Report")
    outcome.get_by_role("button", name="Copy").click()
    assert screen.copied("# Report").startswith("# Report")
    screen.choose_of("rich", "data")
    screen.call()
    expect(outcome.locator("summary", has_text="rows:")).to_contain_text("[ 3 entries ]")
    deepest = outcome.locator(".leaf", has_text="here")
    expect(deepest).to_be_hidden()  # what is deep is folded
    outcome.locator("summary", has_text="deeper:").click()
    expect(deepest).to_have_text('deepest: "here"')
    assert violations(page) == []
    screen.choose_of("rich", "link")
    screen.call()
    outcome.get_by_role("link", name="A dot").click()
    expect(page.get_by_role("button", name="Read", exact=True)).to_be_visible()
    screen.call("Read")
    until(lambda: outcome.locator("img").evaluate("(image) => image.naturalWidth === 1"), "the picture")
    with page.expect_download() as saved:
        outcome.get_by_role("button", name="Save").click()
    assert saved.value.suggested_filename == "dot.png"
    screen.choose_of("rich", "hum")
    screen.call()
    player = outcome.locator("audio[controls]")
    expect(player).to_be_visible()
    until(lambda: player.evaluate("(player) => player.duration") == 1, "the length of the sound")
    assert violations(page) == []
    screen.choose_of("rich", "rich://paper.pdf")
    screen.call("Read")
    frame = outcome.locator("iframe.pdf")
    expect(frame).to_be_visible()
    assert (frame.get_attribute("src") or "").startswith("blob:")
    assert violations(page) == []
    screen.choose_of("rich", "review")
    screen.fill("code", "x = 1")
    screen.call("Get")
    expect(outcome.locator(".turn.user").first).to_contain_text("Please review x = 1")


def test_bytes_are_a_file_and_json_can_be_edited_before_the_form_is_complete(screen: Screen) -> None:
    page, item = screen.page, screen.page.locator("#item")
    screen.choose_of("rich", "weigh")
    item.get_by_label("label").fill("bread")
    page.get_by_role("button", name="Edit as JSON").click()  # although a file is required
    text = item.get_by_label("Arguments as JSON")
    until(lambda: json.loads(text.input_value()) == {"label": "bread"}, "what was filled in")
    assert text.evaluate("(box) => box.clientHeight") > 120
    text.fill('{"label": "rolls", "more": 1}')
    page.get_by_role("button", name="Edit as a form").click()
    expect(item).to_contain_text("The form has no field for more")
    text.fill('{"label": "rolls"}')
    page.get_by_role("button", name="Edit as a form").click()
    expect(item.get_by_label("label")).to_have_value("rolls")
    screen.call()
    expect(item.get_by_text("Required", exact=True)).to_be_visible()
    file = {"name": "loaf.bin", "mimeType": "application/octet-stream", "buffer": b"\x00\xff" * 21}
    item.get_by_label("File for file").set_input_files(file)  # type: ignore[arg-type]
    expect(item).to_contain_text("loaf.bin, 42 bytes")
    screen.call()
    expect(page.locator("#outcome")).to_contain_text("rolls: 42 bytes")


def test_messages_are_exchanges_that_can_be_filtered_copied_and_sent_again(screen: Screen) -> None:
    page = screen.page
    rows = screen.side("Messages").locator(".rows > li")
    screen.choose_of("rich", "slow")
    screen.call()
    page.get_by_role("button", name="Cancel").click()
    expect(screen.status).to_contain_text("Cancelled after")
    expect(screen.status).not_to_have_class("status failed")
    cancelled = rows.filter(has_text="slow").last
    expect(cancelled.locator(".facts")).to_contain_text("Cancelled")
    expect(cancelled.locator(".failed")).to_have_count(0)
    for word in ("tools/call", "rich", "ms"):
        expect(cancelled).to_contain_text(word)
    expect(rows.filter(has_text="tools/list")).to_have_count(0)
    page.get_by_label("Handshakes and lists").check()
    expect(rows.filter(has_text="tools/list").first).to_be_visible()
    page.get_by_label("Handshakes and lists").uncheck()
    page.get_by_label("Filter messages").fill("report")
    expect(rows.filter(has_text="slow")).to_have_count(0)
    row = rows.filter(has_text="report").first
    row.locator("summary").first.click()
    assert row.locator(".leaf").first.evaluate("(leaf) => leaf.clientWidth") > 150  # not one letter per line
    row.get_by_role("link", name="Open, copy or send again").click()
    expect(page.locator("#page h2")).to_have_text("tools/call: report")
    page.get_by_role("button", name="Copy JSON").click()
    request = json.loads(screen.copied('"jsonrpc"'))
    assert request.pop("params")["name"] == "report"
    assert request == {"jsonrpc": "2.0", "id": 1, "method": "tools/call"}
    page.get_by_role("button", name="Copy as Python").click()
    copied = screen.copied('client.call_tool("report", {})')
    compile(copied, "copied", "exec")
    assert '["cloche", "run", "server.py"]' in copied
    page.get_by_role("button", name="Copy as curl").click()
    assert "cloche run 'server.py' --http" in screen.copied("mcp-name: report")
    page.get_by_label("Parameters as JSON").fill('{"name": "data", "arguments": {}}')
    page.get_by_role("button", name="Send", exact=True).click()
    expect(page.locator("#page [role=status]")).to_contain_text("Answered in")
    expect(page.locator("#page [role=status]")).to_contain_text("rows")
    page.get_by_label("Parameters as JSON").fill("{")
    page.get_by_role("button", name="Send", exact=True).click()
    expect(page.locator("#page [role=status]")).to_contain_text("This is not JSON")
