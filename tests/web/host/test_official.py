"""A strict view on the official App, in both its lines, under our host: every duty of a host is done.

One page per version: the tests are steps of one conversation and look at different parts of it.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from playwright.sync_api import Browser, Frame, Page

from cloche import Context, Server
from cloche.errors import shorten
from cloche.host import Call, Host, HostSession, Policy
from cloche.views import register_app_resource, register_app_tool
from tests.support.official_app import views
from tests.support.official_app.bundles import PACKAGES, bundle
from tests.support.product import Product

URI = "ui://strict/view.html"
DEADLINE = 30_000
DRIVER = (views.HERE / "strict.js").read_text(encoding="utf-8")


@dataclass
class Seen:
    """What the server and the product were asked."""

    calls: list[Any] = field(default_factory=list)
    cancelled: asyncio.Event = field(default_factory=asyncio.Event)
    messages: list[str] = field(default_factory=list)
    logs: list[Any] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    closed: list[str] = field(default_factory=list)


def strict_server(html: str, seen: Seen) -> Server:
    """A server whose one view is the strict one."""
    server = Server("strict", version="1.0")
    register_app_resource(server, URI, html)

    async def show(city: str) -> str:
        seen.calls.append(("show", city))
        if city == "never":
            await asyncio.Event().wait()
        return f"sunny in {city}"

    async def add(a: int, b: int) -> dict[str, int]:
        return {"sum": a + b}

    async def steps(ctx: Context) -> str:
        for done in (1, 2, 3):
            await ctx.progress(done, 3)
        return "done"

    async def wait() -> str:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            seen.cancelled.set()
            raise
        return "never"

    async def secret() -> str:
        seen.calls.append("secret")
        return "for the model only"

    register_app_tool(server, show, resource_uri=URI)
    for tool in (add, steps, wait):
        server.register_tool(tool)
    server.register_tool(secret, visibility=["model"])
    server.register_resource("notes://1", lambda: "of the server", name="note")
    return server


@dataclass
class Stage:
    """One view on one page."""

    product: Product
    page: Page
    seen: Seen
    session: HostSession

    @property
    def view(self) -> Frame:
        return self.page.frames[-1]

    def act(self, what: str, *given: Any) -> Any:
        """Let the view do something, and give what it got."""
        return self.view.evaluate("([what, given]) => act[what](...given)", [what, list(given)])

    def until(self, name: str, count: int = 1) -> list[Any]:
        """Wait until the view has met so many events of a name, and give their values."""
        condition = (
            "([name, count]) => { const met = (window.seen ?? []).filter(([one]) => one === name);"
            " return met.length >= count && met.map(([, value]) => value) }"
        )
        found: list[Any] = self.view.wait_for_function(condition, arg=[name, count], timeout=DEADLINE).json_value()
        return found

    def open(self, html: str) -> None:
        """A page with this element on it, and its view ready."""
        self.page.goto(self.product.page("<h1>Product</h1>" + html))
        self.page.wait_for_function("() => document.querySelector('mcp-app').state === 'ready'")
        self.until("ready")


@pytest.fixture(scope="module", params=PACKAGES)
def stage(request: pytest.FixtureRequest, browser: Browser) -> Iterator[Stage]:
    library = bundle(request.param, "app")
    html = f"<!doctype html><meta charset=utf-8><script>{library}</script><p>strict</p><script>{DRIVER}</script>"
    seen = Seen()
    host = Host({"strict": strict_server(html, seen)}, secret="0123456789abcdef", policy=Policy(sampling="allow"))
    host.on_message(lambda view, message: seen.messages.append(message.text))
    host.on_log(lambda view, line: seen.logs.append(line.data))
    host.on_close(lambda view, reason: seen.closed.append(reason))
    host.on_sampling(
        lambda view, params: {"role": "assistant", "content": {"type": "text", "text": "four"}, "model": "m"}
    )
    with Product(host) as product:
        page = browser.new_context().new_page()
        page.set_default_timeout(DEADLINE)
        made = Stage(product, page, seen, host.session("ada"))
        made.open(product.embed("strict.show", {"city": "Paris"}))
        yield made
        page.context.close()


@pytest.mark.requirement(101, 107, 108, 115)
def test_the_greeting_has_all_that_the_official_app_asks_for(stage: Stage) -> None:
    info, capabilities, context = stage.act("host")
    assert info["name"] == "Cloche"
    assert {"serverTools", "serverResources", "openLinks", "downloadFile", "logging", "message"} <= set(capabilities)
    assert context["toolInfo"]["tool"]["name"] == "show"
    assert (context["theme"], context["displayMode"], context["platform"]) == ("light", "inline", "web")
    assert context["availableDisplayModes"] == ["inline", "fullscreen"]
    assert len(context["styles"]["variables"]) == 76
    assert context["containerDimensions"]["width"] > 0
    assert context["locale"]
    assert context["timeZone"]


@pytest.mark.requirement(106, 108, 109)
def test_input_and_result_come_once_and_in_order(stage: Stage) -> None:
    assert stage.until("result")[0]["content"] == [{"type": "text", "text": "sunny in Paris"}]
    order = [name for name, _ in stage.view.evaluate("() => seen") if name in ("ready", "input", "result")]
    assert order == ["ready", "input", "result"]
    assert stage.until("input") == [{"city": "Paris"}]


def test_tools_of_the_server(stage: Stage) -> None:
    assert stage.act("call", "add", {"a": 1, "b": 2})["structuredContent"] == {"sum": 3}
    assert stage.act("call", "add", {"a": "x", "b": 2})["isError"] is True
    assert [tool["name"] for tool in stage.act("raw", "tools/list", {})["tools"]] == ["show", "add", "steps", "wait"]


def test_progress_comes_through(stage: Stage) -> None:
    found = stage.act("followed", "steps", {})
    assert found["steps"] == [1, 2, 3]


def test_a_call_that_the_view_gives_up_is_cancelled_at_the_server(stage: Stage) -> None:
    assert "enough" in stage.act("aborted", "wait", {})
    stage.product.run(asyncio.wait_for(stage.seen.cancelled.wait(), 5))


def test_a_tool_for_the_model_only_and_one_that_is_not_there_are_refused(stage: Stage) -> None:
    assert stage.act("call", "secret", {})["code"] < 0
    assert stage.act("call", "other.tool", {})["code"] < 0
    assert "secret" not in stage.seen.calls


def test_resources_of_the_server(stage: Stage) -> None:
    assert stage.act("read", "notes://1")["contents"][0]["text"] == "of the server"
    assert "notes://1" in [one["uri"] for one in stage.act("resources")["resources"]]
    assert stage.act("raw", "resources/templates/list", {})["resourceTemplates"] == []
    assert stage.act("raw", "prompts/list", {})["prompts"] == []


def test_messages_logs_and_context_reach_the_product(stage: Stage) -> None:
    stage.act("message", "I chose the second")
    assert stage.seen.messages == ["I chose the second"]
    stage.act("context", {"chosen": 2})
    left = stage.session.model_context()
    assert [one.structured_content for one in left] == [{"chosen": 2}]
    stage.act("log", {"step": 1})
    stage.act("raw", "ping", {})
    stage.act("call", "add", {"a": 1, "b": 1})
    assert {"step": 1} in stage.seen.logs


def test_a_link_is_opened_after_consent_and_a_script_never(stage: Stage) -> None:
    stage.view.evaluate("url => { window.link = act.link(url) }", "http://127.0.0.1:9/elsewhere")
    stage.page.locator("mcp-app button.accept[aria-disabled=false]").wait_for()
    with stage.page.context.expect_page() as opened:
        stage.page.locator("mcp-app button.accept").click()
    opened.value.close()
    assert not stage.view.evaluate("() => link").get("isError")
    refused = stage.act("link", "javascript:alert(1)")
    assert refused.get("isError") or refused["code"] < 0


def test_a_download_after_consent(stage: Stage) -> None:
    stage.view.evaluate("() => { window.saved = act.download('file:///a/../notes.txt', 'hello') }")
    stage.page.locator("mcp-app button.accept[aria-disabled=false]").wait_for()
    with stage.page.expect_download() as download:
        stage.page.locator("mcp-app button.accept").click()
    assert download.value.suggested_filename == "notes.txt"
    assert not stage.view.evaluate("() => saved").get("isError")


def test_full_screen_and_back_by_the_view_and_by_the_person(stage: Stage) -> None:
    assert stage.act("mode", "fullscreen") == {"mode": "fullscreen"}
    assert stage.act("mode", "pip") == {"mode": "fullscreen"}
    stage.page.get_by_role("button", name="Leave full screen").click()
    # Changes of the room come beside it, in any number.
    told = (
        "() => seen.filter(([name, value]) => name === 'context' && value.displayMode).at(-1)?.[1].displayMode"
        " === 'inline'"
    )
    stage.view.wait_for_function(told, timeout=DEADLINE)
    assert stage.act("host")[2]["displayMode"] == "inline"


def test_another_theme_reaches_the_view(stage: Stage) -> None:
    stage.page.evaluate("() => document.querySelector('mcp-app').setAttribute('theme', 'dark')")
    stage.view.wait_for_function("() => act.host()[2].theme === 'dark'")


def test_tools_of_the_view_are_there_for_the_product(stage: Stage) -> None:
    tools = stage.product.run(stage.session.view_tools())
    assert [tool.name for tool in tools] == ["shout"]
    result = stage.product.run(stage.session.call_view_tool(tools[0].view, "shout", {"text": "hey"}))
    assert result["content"][0]["text"] == "HEY"


def test_sampling_where_the_product_offers_it(stage: Stage) -> None:
    params = {"messages": [{"role": "user", "content": {"type": "text", "text": "2 + 2?"}}], "maxTokens": 5}
    assert stage.act("raw", "sampling/createMessage", params)["content"]["text"] == "four"


def test_what_no_host_knows_is_answered_at_once(stage: Stage) -> None:
    assert stage.act("raw", "ui/no-such-method", {})["code"] == -32601


def test_the_view_is_torn_down_when_it_asks_for_it(stage: Stage) -> None:
    frame = stage.view
    frame.evaluate("() => { window.parent.postMessage; }")
    stage.act("close")
    stage.page.wait_for_function("() => document.querySelector('mcp-app').state === 'closed'")
    end = time.monotonic() + DEADLINE / 1000
    while not stage.seen.closed and time.monotonic() < end:  # the product hears of it a moment after the page
        stage.page.wait_for_timeout(20)
    assert stage.seen.closed == ["The view asked to be closed"]


def test_arguments_that_are_still_being_written_and_a_call_that_is_cancelled(stage: Stage) -> None:
    async def start() -> tuple[Call, str | None]:
        call = await stage.session.start("strict.show", streaming=True)
        return call, call.embed()

    call, html = stage.product.run(start())
    stage.open(html)

    async def write() -> None:
        for city in ("n", "nev"):
            call.partial({"city": city})
        call.begin({"city": "never"})

    stage.product.run(write())
    assert stage.until("input") == [{"city": "never"}]
    assert stage.until("partial", 2) == [{"city": "n"}, {"city": "nev"}]
    stage.product.run(call.cancel("The user stopped it"))
    assert stage.until("cancelled") == [{"reason": "The user stopped it"}]


def test_nothing_was_wrong_in_the_official_apps_eyes(stage: Stage) -> None:
    assert [shorten(str(value), 300) for name, value in stage.view.evaluate("() => seen") if name == "error"] == []
