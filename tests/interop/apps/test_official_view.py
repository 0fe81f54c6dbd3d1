"""A view on the official library, in both its lines, finds every duty of a host fulfilled."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from cloche.host import Call, Host
from tests.interop.apps.shown import DEADLINE, Heard
from tests.interop.apps.strict_view import StrictServer, StrictView
from tests.support.product import Product

VERSIONS = {"v2": "2.0.4", "v1": "1.7.5"}
INPUT = ["ui/notifications/tool-input", "ui/notifications/tool-result"]

Open = Callable[..., StrictView]


@pytest.fixture(scope="module")
def servers() -> dict[str, StrictServer]:
    return {name: StrictServer(version) for name, version in VERSIONS.items()}


@pytest.fixture(scope="module")
def said() -> Heard:
    return Heard()


@pytest.fixture(scope="module")
def product(servers: dict[str, StrictServer], said: Heard) -> Iterator[Product]:
    host = Host({name: made.server for name, made in servers.items()}, secret="a secret for the tests of others")
    said.listen(host)
    with Product(host) as running:
        yield running


@pytest.fixture
def show(product: Product, browser: Browser, said: Heard) -> Iterator[Open]:
    """`show(line, html)`: the view of that line of the library, in a page of its own."""
    said.forget()
    context = browser.new_context(accept_downloads=True)
    errors: list[str] = []

    def open_view(line: str, html: str | None = None) -> StrictView:
        page = context.new_page()
        page.set_default_timeout(DEADLINE)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(product.page(html or product.embed(f"{line}.show", {"text": "hello"})))
        page.wait_for_function("() => document.querySelector('mcp-app').state === 'ready'")
        view = StrictView(page, VERSIONS[line])
        view.seen("bridge:ready")
        return view

    yield open_view
    context.close()
    assert errors == [], errors


lines = pytest.mark.parametrize("line", VERSIONS)


@pytest.mark.requirement(105, 107, 108, 115)
@lines
def test_greeting_input_and_result(line: str, show: Open) -> None:
    view = show(line)
    assert view.seen("tool:input") == {"text": "hello"}
    assert view.seen("tool:result")["structuredContent"] == {"shown": "hello"}
    assert view.methods() == INPUT
    context = view.act("context")["value"]
    assert context["toolInfo"]["tool"]["name"] == "show"
    assert (context["theme"], context["displayMode"], context["platform"]) == ("light", "inline", "web")
    assert context["availableDisplayModes"] == ["inline", "fullscreen"]
    assert context["containerDimensions"]["width"] > 300
    assert {"locale", "timeZone", "userAgent", "deviceCapabilities", "styles"} <= context.keys()
    assert view.ask("ping", {})["value"] == {}
    assert view.ask("ui/unheard-of", {})["code"] == -32601
    assert view.ask("sampling/createMessage", {"messages": [], "maxTokens": 1})["code"] == -32601


@pytest.mark.requirement(109, 113)
@lines
def test_its_server(line: str, show: Open, servers: dict[str, StrictServer]) -> None:
    view = show(line)
    counted = view.act("callFollowed", "count", {"to": 2})["value"]
    assert counted["result"]["structuredContent"] == {"result": 2}
    assert [step["message"] for step in counted["steps"]] == ["at 0", "at 1"]
    assert "code" in view.act("callTool", "for_models", {})
    assert "code" in view.act("callTool", "invented", {})
    listed = {tool["name"] for tool in view.ask("tools/list", {})["value"]["tools"]}
    assert {"show", "count"} <= listed
    assert "for_models" not in listed
    assert view.act("readResource", "ui://strict/page.html")["value"]["contents"][0]["text"].startswith("<!doctype")
    assert view.ask("resources/list", {})["value"]["resources"][0]["uri"] == "ui://strict/page.html"
    assert view.ask("resources/templates/list", {})["value"]["resourceTemplates"] == []
    assert view.ask("prompts/list", {})["value"]["prompts"] == []
    view.act("callTool", "grow", {})
    view.frame.wait_for_function("() => fromHost.some(({method}) => method === 'notifications/tools/list_changed')")
    assert "late" in {tool["name"] for tool in view.ask("tools/list", {})["value"]["tools"]}
    aborted = view.frame.evaluate(
        """() => {
          const giveUp = new AbortController();
          const options = { signal: giveUp.signal, onprogress: () => giveUp.abort("enough") };
          return outcome(app.callServerTool({ name: "hang", arguments: {} }, options));
        }"""
    )
    assert "value" not in aborted
    assert servers[line].cancelled.wait(DEADLINE / 1000)
    view.received()


@pytest.mark.requirement(107)
@lines
def test_its_user_and_the_product(line: str, show: Open, said: Heard) -> None:
    view = show(line)
    page = view.page
    assert view.act("sendMessage", "Hello")["value"] == {}
    assert said.next("message") == "Hello"
    assert view.act("updateModelContext", {"cart": 3})["value"] == {}
    assert said.next("context").structured_content == {"cart": 3}
    view.act("log", "info", {"step": 1})
    assert said.next("log").data == {"step": 1}
    accept = page.locator("mcp-app button.accept[aria-disabled=false]")
    view.frame.evaluate("() => void (window.link = act.openLink('https://example.com/'))")
    with page.context.expect_page() as opened:
        accept.click()
    opened.value.close()
    assert view.frame.evaluate("() => outcome(window.link)")["value"] == {}
    for unsafe in ("javascript:alert(1)", "file:///etc/passwd", "data:text/html,x"):
        assert view.act("openLink", unsafe).get("value", {"isError": True})["isError"] is True
    view.frame.evaluate(
        "() => void (window.file = act.downloadFile({name: 'notes.txt', mimeType: 'text/plain', text: 'mine'}))"
    )
    with page.expect_download() as download:
        accept.click()
    assert download.value.suggested_filename == "notes.txt"
    assert view.frame.evaluate("() => outcome(window.file)")["value"] == {}


@pytest.mark.requirement(107)
@lines
def test_its_place_on_the_page(line: str, show: Open, product: Product) -> None:
    view = show(line)
    element = view.page.locator("mcp-app")
    view.act("grow", 333)
    view.page.wait_for_function("() => document.querySelector('mcp-app').offsetHeight > 333")
    assert view.act("requestDisplayMode", "fullscreen")["value"] == {"mode": "fullscreen"}
    expect(view.page.get_by_role("button", name="Leave full screen")).to_be_visible()
    assert view.act("requestDisplayMode", "pip")["value"] == {"mode": "fullscreen"}
    assert view.act("requestDisplayMode", "inline")["value"] == {"mode": "inline"}
    element.evaluate("(element) => element.setAttribute('theme', 'dark')")
    view.frame.wait_for_function("() => app.getHostContext().theme === 'dark'")
    view.received()
    session = product.host.session("ada")
    mounted = next(reversed(session.views))
    tools = product.run(session.view_tools())
    assert ("shout", mounted) in [(tool.name, tool.view) for tool in tools]
    shouted = product.run(session.call_view_tool(mounted, "shout", {"text": "loud"}))
    assert shouted["content"] == [{"type": "text", "text": "LOUD"}]
    view.received()


@pytest.mark.requirement(92, 108)
@lines
def test_arguments_that_are_still_being_written(line: str, show: Open, product: Product) -> None:
    call, html = product.run(start_without_arguments(product.host, f"{line}.show"))
    view = show(line, html)

    async def write() -> dict[str, Any]:
        for text in ("h", "he", "hel"):
            call.partial({"text": text})
        result: dict[str, Any] = await call.run({"text": "hello"})
        return result

    assert product.run(write())["structuredContent"] == {"shown": "hello"}
    view.seen("tool:result")
    parts = [
        message["params"]["arguments"]["text"] for message in view.received() if "partial" in message.get("method", "")
    ]
    assert parts == ["h", "he", "hel"]
    assert view.methods() == [*["ui/notifications/tool-input-partial"] * 3, *INPUT]


async def start_without_arguments(host: Host, name: str) -> tuple[Call, str]:
    call = await host.session("ada").start(name, streaming=True)
    html = call.embed()
    assert html is not None
    return call, html


@pytest.mark.requirement(106, 108)
@lines
def test_a_cancelled_call_and_the_end(line: str, show: Open, product: Product) -> None:
    call, html = product.run(start_without_arguments(product.host, f"{line}.hang"))
    view = show(line, html)

    async def begin_and_cancel() -> None:
        running = asyncio.ensure_future(call.run({}))
        await asyncio.sleep(0)
        await call.cancel("The user changed their mind")
        await asyncio.gather(running, return_exceptions=True)

    product.run(begin_and_cancel())
    assert view.seen("tool:cancelled")["reason"] == "The user changed their mind"
    view.received()
    with view.page.expect_console_message(lambda line: line.text == "torn down"):
        view.frame.evaluate("() => void act.close()")
    view.page.wait_for_function("() => document.querySelector('mcp-app').state === 'closed'")
