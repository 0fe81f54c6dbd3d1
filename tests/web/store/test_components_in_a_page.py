"""`drawComponents`: what a model renders on a server appears in named places of a page."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from cloche import Components, Server
from cloche.errors import ConfigurationError
from cloche.testing.sync_client import SyncClient
from cloche.views import Html, h
from tests.support.framework_pages import PageSite

PAGE = """
import { McpClient } from "./cloche/client.js";
import { drawComponents } from "./cloche/draw.js";
import { WebSocketTransport } from "./cloche/transports/websocket.js";

document.querySelector("#app").innerHTML = "<section id=left></section><aside></aside>";
const client = new McpClient(await WebSocketTransport.open("/mcp"));
const gauge = (element, { level }, { version }) => element.textContent = "▮".repeat(level) + " v" + version;
window.errors = [];
window.stop = await drawComponents(client, { left: "#left", right: document.querySelector("aside") }, {
  renderers: { gauge },
  onError: (error) => errors.push(error.message),
});
window.client = client;
document.title = "ready";
"""

ROWS = [{"item": f"Bread {number:05}", "pieces": number} for number in range(60)]


class Stage:
    """A server whose components are drawn in a page, and a model that renders them."""

    def __init__(self, site: PageSite, model: SyncClient, page: Page, booked: list[str]) -> None:
        self.site, self.model, self.page, self.booked = site, model, page, booked

    def call(self, name: str, **arguments: Any) -> Any:
        """What a tool answers the model."""
        return self.model.request("tools/call", {"name": name, "arguments": arguments})

    def render(self, component: str, target: str, **props: Any) -> str:
        """Render something into a place; its instance."""
        told = self.call("render", component=component, props=props, target=target)
        assert not told.get("isError"), told
        return str(told["structuredContent"]["instance"])


@contextmanager
def staged(tabs: BrowserContext, *, shared: bool) -> Iterator[Stage]:
    server, components, booked = Server("shop"), Components(targets=["left", "right"], shared_targets=shared), []

    @components.component
    def gauge(level: int) -> Html:
        """A level that the page draws."""
        return h.meter(value=level, max=10)

    server.attach(components)

    @server.tool
    async def book(name: str) -> str:
        """Book a table."""
        booked.append(name)
        return f"Booked for {name}"

    with PageSite(server) as site, SyncClient(site.url("/mcp").replace("http", "ws", 1)) as model:
        page = tabs.new_page()
        page.goto(site.show("components", PAGE.encode()))
        page.wait_for_function("document.title == 'ready'")
        yield Stage(site, model, page, booked)


@pytest.fixture
def stage(tabs: BrowserContext) -> Iterator[Stage]:
    with staged(tabs, shared=True) as made:
        yield made


@pytest.mark.requirement(76, 183)
def test_what_a_model_renders_is_drawn_in_its_place_of_the_page_and_changes_with_it(stage: Stage) -> None:
    left, right = stage.page.locator("#left"), stage.page.locator("aside")
    table = stage.render("table", "left", rows=ROWS, title="<b>Breads</b>")
    expect(left).to_contain_text("<b>Breads</b>")
    expect(left.get_by_role("row")).to_have_count(26)
    left.get_by_role("columnheader", name="pieces").get_by_role("button").click()
    left.get_by_role("columnheader", name="pieces").get_by_role("button").click()
    expect(left.get_by_role("row").nth(1)).to_contain_text("Bread 00059")
    expect(right).to_be_empty()

    gauge = stage.render("gauge", "right", level=3)
    expect(right).to_have_text("▮▮▮ v1")
    stage.call("instance-update", id=gauge, props={"level": 5})
    expect(right).to_have_text("▮▮▮▮▮ v2")
    stage.call("instance-update", id=table, props={"title": "Loaves"})
    expect(left).to_contain_text("Loaves")

    panels = {
        f"Tab {at}": [{"component": "metric", "props": {"label": label, "value": 1}}]
        for at, label in enumerate(["Sold", "Baked"])
    }
    stage.render("tabs", "right", panels=panels)
    right.get_by_role("tab", name="Tab 0").press("ArrowRight")
    expect(right.get_by_role("tabpanel")).to_contain_text("Baked")
    stage.render("gauge", "right", level=1)
    expect(right).to_have_text("▮ v1")

    stage.call("instance-destroy", id=table)
    expect(left.get_by_role("row")).to_have_count(0)
    assert stage.page.evaluate("errors") == []


def test_a_form_in_the_page_calls_its_tool(stage: Stage) -> None:
    schema = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
    stage.render("form", "left", schema=schema, tool="book", title="Book a table", submit="Book")
    left = stage.page.locator("#left")
    left.get_by_role("textbox").fill("Ada")
    left.get_by_role("button", name="Book").click()
    expect(left).to_contain_text("Booked for Ada")
    assert stage.booked == ["Ada"]


def test_a_place_that_the_page_does_not_have_is_refused_and_named(stage: Stage) -> None:
    (render,) = [tool for tool in stage.model.request("tools/list", {})["tools"] if tool["name"] == "render"]
    assert "left" in str(render["inputSchema"]["properties"]["target"])
    told = stage.call("render", component="gauge", props={"level": 1}, target="#app")
    assert told["isError"]
    assert "left" in told["content"][0]["text"]
    assert "left" in stage.page.evaluate(
        "import('./cloche/draw.js').then((it) => it.drawComponents(client, {left: '#gone'})).catch(String)"
    )
    with pytest.raises(ConfigurationError, match="a name such as 'chart'"):
        Components(targets=["#here"])


@pytest.mark.parametrize("shared", [False, True], ids=["protected", "control"])
def test_what_a_stranger_renders_is_not_drawn_in_the_page_of_another(shared: bool, tabs: BrowserContext) -> None:
    with staged(tabs, shared=shared) as stage:
        stage.render("gauge", "right", level=9)
        own = "client.callTool('render', { component: 'gauge', props: { level: 2 }, target: 'left' })"
        assert "left" in stage.page.evaluate(f"{own}.then((it) => it.structuredContent.target)")
        expect(stage.page.locator("#left")).to_have_text("▮▮ v1")  # whatever was told came before this
        expect(stage.page.locator("aside")).to_have_text("▮" * 9 + " v1" if shared else "")
        seen = stage.model.request("resources/read", {"uri": "target://left"})["contents"][0]["text"]
        assert ("gauge" in seen) is shared


def test_what_is_drawn_has_the_looks_of_components_and_the_page_keeps_its_own(stage: Stage) -> None:
    stage.render("table", "left", rows=ROWS)
    left = stage.page.locator("#left")
    expect(left.get_by_role("row")).to_have_count(26)
    size = "(element) => getComputedStyle(element).fontSize"
    assert left.get_by_role("table").evaluate(size) == "13px"
    assert stage.page.locator("body").evaluate(size) == "16px"
    accent = "(element) => getComputedStyle(element).getPropertyValue('--color-ring-info')"
    default = left.get_by_role("table").evaluate(accent)
    assert default
    stage.page.add_style_tag(content=":root { --color-ring-info: #123456; }")
    assert left.get_by_role("table").evaluate(accent) == "#123456"
