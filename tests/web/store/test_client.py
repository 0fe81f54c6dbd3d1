"""`openStore` in a page: snapshots, selectors, writers that lose, what was missed, and a server that is replaced."""

from __future__ import annotations

import pytest
from playwright.sync_api import BrowserContext, Page

from cloche import Server, Store
from tests.web.store.conftest import Item, Shop, Shopping

SETUP = b"""
import { McpClient } from "./cloche/client.js";
import { openStore } from "./cloche/store.js";
import { ReconnectingTransport } from "./cloche/transports/care.js";
import { WebSocketTransport } from "./cloche/transports/websocket.js";

window.connected = async (options) => new McpClient(await WebSocketTransport.open("/mcp"), options);
window.reconnecting = () => {
  const open = () => WebSocketTransport.open("/mcp");
  return new McpClient(new ReconnectingTransport(open, { baseDelay: 20, backoffMultiplier: 1, maxAttempts: 200 }));
};
window.openStore = openStore;
window.until = (source, isSo) => new Promise((resolve, reject) => {
  setTimeout(reject, 10_000, Error("waited for " + isSo));
  const stop = source.subscribe(() => isSo() && (stop(), resolve()));
  if (isSo()) resolve(stop());
});
document.title = "ready";
"""


@pytest.fixture
def page(shop: Shop, tabs: BrowserContext) -> Page:
    """A page with the client's functions on its window."""
    made = tabs.new_page()
    made.goto(shop.site.show("client", SETUP))
    made.wait_for_function("document.title == 'ready'")
    return made


VERSIONS = ["2025-11-25", "2026-07-28"]


@pytest.mark.requirement(177)
@pytest.mark.parametrize("version", VERSIONS)
def test_a_snapshot_stays_the_same_object_until_something_in_it_changes(version: str, page: Page, shop: Shop) -> None:
    page.evaluate(
        """async (version) => {
            window.store = openStore(await connected({ versions: [version] }), "shopping");
            window.told = 0;
            store.subscribe(() => told++);
            await store.load();
            await until(store, () => store.status == "ready");
            window.before = store.getSnapshot();
            window.items = store.get("items");
        }""",
        version,
    )
    shop.site.here(lambda: setattr(shop.store.state, "title", "Groceries"))
    assert page.evaluate(
        """async () => {
            await until(store, () => store.get("title") == "Groceries");
            await store.refresh();
            const after = store.getSnapshot();
            await store.refresh();
            let refused;
            try { after.items.push(1) } catch (error) { refused = error.name }
            return [
              before.title, before == after, after == store.getSnapshot(), items == store.get(["items"]),
              store.get("/items/0/name"), refused, Object.isFrozen(after.items[0]),
            ];
        }"""
    ) == ["Shopping", False, True, True, "bread", "TypeError", True]


@pytest.mark.requirement(177)
def test_subscribers_of_a_key_and_selectors_hear_of_their_own_changes_only(page: Page, shop: Shop) -> None:
    page.evaluate(
        """async () => {
            window.store = openStore(await connected(), "shopping");
            await store.load();
            window.heard = [];
            store.subscribeKey("items.0.done", (now, before) => heard.push([before, now]));
            store.select((state) => state?.items.map((item) => item.name), (names) => heard.push(names));
            window.all = until(store, () => store.get("title") == "last");
        }"""
    )
    shop.site.here(lambda: setattr(shop.store.state, "title", "other"))
    shop.site.here(lambda: setattr(shop.store.state.items[0], "done", True))
    shop.site.here(lambda: shop.store.state.items.append(Item("milk")))
    shop.site.here(lambda: setattr(shop.store.state, "title", "last"))
    assert page.evaluate("all.then(() => heard)") == [[False, True], ["bread", "milk"]]


@pytest.mark.requirement(166)
def test_two_writers_at_once_converge_and_the_loser_is_told(page: Page, shop: Shop) -> None:
    outcomes, states = page.evaluate(
        """async () => {
            const stores = [openStore(await connected(), "shopping"), openStore(await connected(), "shopping")];
            await Promise.all(stores.map((store) => store.load()));
            const outcomes = [];
            for (let round = 0; round < 20; round++) {
              await Promise.all(stores.map((store) => store.refresh()));
              const settled = await Promise.allSettled(stores.map((store, at) => store.set("title", round + "." + at)));
              outcomes.push(settled.map(({ reason }) => reason ? [reason.name, reason.isConflict] : "won"));
            }
            await Promise.all(stores.map((store) => store.refresh()));
            return [outcomes, stores.map((store) => [store.version, store.getSnapshot()])];
        }"""
    )
    for outcome in outcomes:
        assert sorted(outcome, key=str) == [["Error", True], "won"] or outcome == ["won", ["Error", True]]
    assert states[0] == states[1] == [shop.store.version, shop.store.json()]


@pytest.mark.requirement(166)
def test_two_tabs_and_the_server_write_at_once_nothing_is_lost_and_every_loser_is_told(
    page: Page, tabs: BrowserContext, shop: Shop
) -> None:
    pages = {"a": page, "b": tabs.new_page()}
    pages["b"].goto(page.url)
    pages["b"].wait_for_function("document.title == 'ready'")
    shop.site.here(lambda: setattr(shop.store.state, "title", ""))
    for letter, tab in pages.items():
        tab.evaluate(
            """async (letter) => {
                window.store = openStore(await connected(), "shopping");
                store.subscribe(() => {});
                await store.load();
                window.go = async () => {
                  const outcomes = { won: 0, told: 0 };
                  for (let round = 0; round < 40; round++) {
                    try {
                      await store.set("title", store.get("title") + letter);
                      outcomes.won++;
                    } catch (error) {
                      if (!error.isConflict) throw error;
                      outcomes.told++;
                    }
                  }
                  return outcomes;
                };
            }""",
            letter,
        )
    for tab in pages.values():
        tab.evaluate("() => void (window.over = go())")
    for _ in range(40):
        shop.site.here(lambda: setattr(shop.store.state, "title", shop.store.state.title + "s"))
    outcomes = {letter: tab.evaluate("over") for letter, tab in pages.items()}
    title = shop.store.state.title
    assert title.count("s") == 40
    for letter, tab in pages.items():
        assert outcomes[letter]["won"] + outcomes[letter]["told"] == 40
        assert title.count(letter) == outcomes[letter]["won"], (title, outcomes)
        tab.evaluate("title => until(store, () => store.get('title') == title)", title)
        assert tab.evaluate("store.getSnapshot()") == shop.store.json()


def test_what_was_made_from_an_older_snapshot_says_so(page: Page, shop: Shop) -> None:
    page.evaluate(
        """async () => {
            window.store = openStore(await connected(), "shopping");
            await store.load();
            window.base = store.base;
        }"""
    )
    shop.site.here(lambda: setattr(shop.store.state, "title", "Groceries"))
    outcomes = page.evaluate(
        """async () => {
            const told = (writing) => writing.then(() => "", (error) => error.isConflict);
            // Read before the change, sent behind an exchange that brings it.
            const refreshed = store.refresh();
            const early = told(store.set("title", store.get("title") + "!"));
            await refreshed;
            return [
              await early, store.get("title"),
              await told(store.set("title", "from a form", { base })), await told(store.set("items", [], { base })),
              await told(store.remove("items.-", { base })), await told(store.set("title", "seen")),
            ];
        }"""
    )
    assert outcomes == [True, "Groceries", True, "", False, ""]
    assert shop.store.state.title == "seen"


def test_a_refusal_names_the_reason_and_changes_nothing(page: Page, shop: Shop) -> None:
    reasons = page.evaluate(
        """async () => {
            window.store = openStore(await connected(), "shopping");
            const reason = (writing) => writing.then(() => "", (error) => [error.message, error.isConflict]);
            return [
              await reason(store.set("locked", 2)), await reason(store.set("items.0.done", "maybe")),
              await reason(store.set("__proto__.x", 1)), await reason(store.remove("items.7")),
              await reason(store.patch([
                { op: "replace", path: "/title", value: "half" }, { op: "replace", path: "/locked", value: 2 },
              ])),
              store.get("title"), await reason(store.set("items.-", { name: "milk", done: false })),
              await reason(store.remove("items.0")), store.get("items.0.name"),
            ];
        }"""
    )
    assert [reason[1] for reason in reasons[:5]] == [False] * 5
    assert "/locked" in reasons[0][0]
    assert "__proto__" in reasons[2][0]
    assert reasons[5:] == ["Shopping", "", "", "milk"]
    assert shop.store.json() == {"title": "Shopping", "items": [{"name": "milk", "done": False}], "locked": 1}


def test_who_comes_back_is_told_what_was_missed_and_gets_no_more_than_that(page: Page, shop: Shop) -> None:
    page.evaluate(
        """async () => {
            const client = await connected();
            const { callTool } = client;
            window.answers = [];
            client.callTool = async (...args) => {
              const result = await callTool.apply(client, args);
              answers.push(Object.keys(result.structuredContent));
              return result;
            };
            window.store = openStore(client, "shopping");
            await store.load();
        }"""
    )
    for number in range(5):
        shop.site.here(lambda number=number: shop.store.state.items.append(Item(str(number))))  # type: ignore[misc]
    names = page.evaluate("store.refresh().then(() => store.get('items').map((item) => item.name))")
    assert names == ["bread", "0", "1", "2", "3", "4"]
    whole, patch = page.evaluate("answers")
    assert "value" in whole
    assert "patch" in patch
    assert "value" not in patch


def test_a_store_follows_over_a_lost_connection_and_a_new_server(page: Page, shop: Shop) -> None:
    page.evaluate(
        """async () => {
            window.store = openStore(reconnecting(), "shopping");
            store.subscribe(() => {});
            await until(store, () => store.get("title") == "Shopping");
        }"""
    )
    site = shop.site
    site.run(site.drop())
    site.here(lambda: setattr(shop.store.state, "title", "meanwhile"))
    page.evaluate("until(store, () => store.get('title') == 'meanwhile')")
    site.here(lambda: setattr(shop.store.state, "title", "told"))
    page.evaluate("until(store, () => store.get('title') == 'told')")
    successor, other = Server("shop"), Store(Shopping("of another life"), name="shopping")
    successor.attach(other)
    site.run(site.drop(successor))
    page.evaluate("until(store, () => store.get('title') == 'of another life')")
    site.here(lambda: setattr(other.state, "title", "told again"))
    page.evaluate("until(store, () => store.get('title') == 'told again')")
    assert page.evaluate("store.set('title', 'from here')") is None
    assert other.state.title == "from here"


def test_who_unsubscribes_is_told_no_more_and_who_closes_hears_why(page: Page, shop: Shop) -> None:
    page.evaluate(
        """async () => {
            window.client = await connected();
            window.store = openStore(client, "shopping");
            const stop = store.subscribe(() => {});
            await until(store, () => store.status == "ready");
            await client.listTools();
            stop();
            await client.listTools();
        }"""
    )
    assert shop.store.notices.subscribed.count == 0
    assert page.evaluate(
        """async () => {
            store.subscribe(() => {});
            await client.listTools();
            const ended = until(store, () => store.status == "error");
            client.close();
            await ended;
            return [store.error.code, store.get("title")];
        }"""
    ) == ["TRANSPORT_CLOSED", "Shopping"]
