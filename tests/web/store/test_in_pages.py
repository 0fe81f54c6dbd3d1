"""A store in pages: vanilla, React and Vue from npm, and what one of them changes in all others."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, ConsoleMessage, Page, expect

from tests.support.framework_pages import bundled_page
from tests.web.store.conftest import Item, Shop

CLIENT = """
import { McpClient } from "./cloche/client.js";
import { WebSocketTransport } from "./cloche/transports/websocket.js";
const connect = async () => new McpClient(await WebSocketTransport.open("/mcp"));
"""

VANILLA = """
import { openStore } from "./cloche/store.js";
const app = document.querySelector("#app");
app.innerHTML = "<h1></h1><ul></ul><button>Done</button><p role=alert></p>";
const store = openStore(await connect(), "shopping");
store.subscribe(() => {
  const { title, items } = store.getSnapshot();
  app.querySelector("h1").textContent = title;
  app.querySelector("ul").innerHTML = items.map(({ done }) => `<li>${done ? "✓" : "–"}</li>`).join("");
  app.querySelectorAll("li").forEach((item, at) => item.append(items[at].name));
});
app.querySelector("button").onclick = () => store.set("items.0.done", true);
Object.assign(window, { store });
"""

REACT = """
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import {
  ErrorBoundary, Provider, useApp, useMcp, useResource, useStore, useTool, useTransportStatus,
} from "./cloche/react.js";

let rendered = 0;
function Title() {
  window.rendered = ++rendered;
  return <h1>{useStore("shopping.title")}</h1>;
}
function List() {
  const items = useStore("shopping.items") ?? [];
  const left = useStore("shopping", (state) => ({ count: state.items.filter((item) => !item.done).length }));
  const { store } = useMcp();
  const add = useTool("add");
  const { data } = useResource("store://shopping");
  const { status } = useTransportStatus();
  return <>
    <ul>{items.map((item, at) => <li key={at}>{item.done ? "✓" : "–"}{item.name}</li>)}</ul>
    <output>{left?.count}</output>
    <button onClick={() => store("shopping").set("items.0.done", true)}>Done</button>
    <button onClick={() => add.call({ name: "milk" })}>Milk</button>
    <button onClick={() => add.call({ name: "" }).catch(() => {})}>Nothing</button>
    <p id="called">{add.isCalling ? "calling" : add.error?.message ?? add.data?.items}</p>
    <p id="resource">{data?.items.length}</p>
    <p id="status">{status}</p>
    <p id="app-of-view">{String(useApp().isConnected)}</p>
  </>;
}
const Wrong = () => <p>{useStore("nothing.at.all")}</p>;
const failed = (error, retry) => <p role="alert">{error.message}<button onClick={retry}>Again</button></p>;
createRoot(document.querySelector("#app")).render(<StrictMode><Provider client={connect}>
  <Title /><List />
  <ErrorBoundary fallback={failed}><Wrong /></ErrorBoundary>
</Provider></StrictMode>);
"""

VUE = """
import { createApp } from "vue";
import { ErrorBoundary, Provider, useMcp, useResource, useStore, useTool, useTransportStatus } from "./cloche/vue.js";

const List = {
  setup() {
    const left = useStore("shopping", (state) => state.items.filter((item) => !item.done).length);
    const shown = { title: useStore("shopping.title"), items: useStore(() => "shopping.items"), left };
    const mcp = useMcp();
    const done = () => mcp.value.store("shopping").set("items.0.done", true);
    return { ...shown, done, add: useTool("add"), page: useResource("store://shopping"), ...useTransportStatus() };
  },
  template: `<h1>{{ title }}</h1><ul><li v-for="item of items">{{ item.done ? "✓" : "–" }}{{ item.name }}</li></ul>
    <output>{{ left }}</output><button @click="done">Done</button>
    <button @click="add.call({ name: 'milk' })">Milk</button>
    <button @click="add.call({ name: '' }).catch(() => {})">Nothing</button>
    <p id="called">{{ add.isCalling ? "calling" : add.error?.message ?? add.data?.items }}</p>
    <p id="resource">{{ page.data?.items.length }}</p><Status />`,
  components: { Status: {
    setup: () => ({ connection: useTransportStatus() }),
    template: '<p id="status">{{ connection.status }}</p>',
  } },
};
const Wrong = { setup: () => ({ value: useStore("nothing.at.all") }), template: "<p>{{ value }}</p>" };
createApp({
  components: { ErrorBoundary, List, Provider, Wrong },
  setup: () => ({ connect }),
  template: `<Provider :client="connect"><List /><ErrorBoundary><Wrong /><template #fallback="{ error, retry }">
    <p role="alert">{{ error.message }}<button @click="retry">Again</button></p></template></ErrorBoundary></Provider>`,
}).mount("#app");
"""

FRAMEWORKS = ["react", "vue"]


def opened(kind: str, shop: Shop, tabs: BrowserContext, folder: Path) -> Page:
    """A page of one kind in a tab of its own."""
    script = CLIENT + {"vanilla": VANILLA, "react": REACT, "vue": VUE}[kind]
    made = bundled_page(folder, script) if kind == "react" else script.encode()
    page = tabs.new_page()
    page.goto(shop.site.show(kind, made))
    return page


@pytest.mark.requirement(74, 146)
def test_a_mutation_in_python_shows_in_every_page_and_a_change_in_a_page_in_every_other(
    shop: Shop, tabs: BrowserContext, tmp_path: Path
) -> None:
    pages = {kind: opened(kind, shop, tabs, tmp_path) for kind in ("vanilla", "react", "vue")}
    for page in pages.values():
        expect(page.locator("h1")).to_have_text("Shopping")
        expect(page.locator("li")).to_have_text(["–bread"])
    shop.site.here(lambda: setattr(shop.store.state, "title", "Groceries"))
    shop.site.here(lambda: shop.store.state.items.append(Item("<b>rice</b>")))
    for page in pages.values():
        expect(page.locator("h1")).to_have_text("Groceries")
        expect(page.locator("li")).to_have_text(["–bread", "–<b>rice</b>"])
    for kind, page in pages.items():
        page.get_by_role("button", name="Done").click()
        for other in pages.values():
            expect(other.locator("li")).to_have_text(["✓bread", "–<b>rice</b>"])
        assert shop.store.state.items[0].done, kind
        shop.site.here(lambda: setattr(shop.store.state.items[0], "done", False))
        for other in pages.values():
            expect(other.locator("li").first).to_have_text("–bread")


@pytest.mark.requirement(147, 193)
@pytest.mark.parametrize("kind", FRAMEWORKS)
def test_every_hook_shows_what_it_is_for(kind: str, shop: Shop, tabs: BrowserContext, tmp_path: Path) -> None:
    page = opened(kind, shop, tabs, tmp_path)
    expect(page.locator("#status")).to_have_text("connected")
    expect(page.locator("output")).to_have_text("1")
    expect(page.locator("#resource")).to_have_text("1")
    page.get_by_role("button", name="Milk").click()
    expect(page.locator("#called")).to_have_text("2")
    expect(page.locator("output")).to_have_text("2")
    expect(page.locator("#resource")).to_have_text("2")
    page.get_by_role("button", name="Nothing").click()
    expect(page.locator("#called")).to_contain_text("Say what to buy")
    shop.site.run(shop.site.drop())
    expect(page.locator("#status")).to_have_text("closed")
    expect(page.locator("li")).to_have_text(["–bread", "–milk"])


@pytest.mark.requirement(193)
@pytest.mark.parametrize("kind", FRAMEWORKS)
def test_a_store_that_cannot_be_read_is_shown_by_the_error_boundary_alone(
    kind: str, shop: Shop, tabs: BrowserContext, tmp_path: Path
) -> None:
    page = opened(kind, shop, tabs, tmp_path)
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("There is no store 'nothing': it is one of shopping")
    expect(page.locator("h1")).to_have_text("Shopping")
    alert.get_by_role("button").click()
    expect(alert).to_contain_text("There is no store 'nothing'")
    expect(page.locator("h1")).to_have_text("Shopping")


def test_a_react_component_is_rendered_again_for_its_own_path_only(
    shop: Shop, tabs: BrowserContext, tmp_path: Path
) -> None:
    page = opened("react", shop, tabs, tmp_path)
    expect(page.locator("li")).to_have_text(["–bread"])
    expect(page.locator("#status")).to_have_text("connected")
    before = page.evaluate("rendered")
    shop.site.here(lambda: shop.store.state.items.append(Item("rice")))
    expect(page.locator("li")).to_have_count(2)
    assert page.evaluate("rendered") == before
    shop.site.here(lambda: setattr(shop.store.state, "title", "Groceries"))
    expect(page.locator("h1")).to_have_text("Groceries")
    assert page.evaluate("rendered") > before


@pytest.mark.parametrize("kind", FRAMEWORKS)
def test_nothing_is_logged_by_a_page_that_works(kind: str, shop: Shop, tabs: BrowserContext, tmp_path: Path) -> None:
    said: list[str] = []

    def heard(message: ConsoleMessage) -> None:
        # What an error boundary catches is logged too, and meant to be.
        if message.type in ("error", "warning") and "There is no store" not in message.text:
            said.append(message.text)

    tabs.on("console", heard)
    page = opened(kind, shop, tabs, tmp_path)
    expect(page.locator("li")).to_have_text(["–bread"])
    page.get_by_role("button", name="Milk").click()
    expect(page.locator("li")).to_have_text(["–bread", "–milk"])
    assert said == []
