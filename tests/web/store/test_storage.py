"""What a page keeps over a reload: which storage works, what is full, in use, too new or damaged."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page

from tests.web.store.conftest import Shop

MODES = ["indexeddb", "localstorage"]
SETUP = b"""
import { openStorage, persistStorage, storageRoom } from "./cloche/storage.js";
const here = { openStorage, persistStorage, storageRoom };
Object.assign(window, { ...here, reason: (promise) => promise.then(() => "", (error) => error.message) });
document.title = "ready";
"""
WRITE_TOO_MUCH = """() => {
    // By chance, because what is written is compressed; long, because localStorage has a limit of its own.
    const some = () => String.fromCharCode(...crypto.getRandomValues(new Uint8Array(6e4)));
    const big = JSON.stringify(Array.from({ length: 40 }, some).join("") + "x".repeat(6e6));
    return reason(storage.write("a", 3, 1, { y: "1", big }));
}"""
FULL = "The browser's storage is full: the last changes are in memory only"

WRITE_WHEN_THERE_IS_ROOM = """async () => {
    const end = Date.now() + 20_000;
    for (;;) {
        try {
            return await storage.write("a", 3, 1, { y: "1" });
        } catch (error) {
            if (Date.now() > end) throw error;
            await new Promise((resolve) => setTimeout(resolve, 50));
        }
    }
}"""


def opened(shop: Shop, tabs: BrowserContext) -> Page:
    page = tabs.new_page()
    page.goto(shop.site.show("storage", SETUP))
    page.wait_for_function("document.title == 'ready'")
    return page


def reloaded(page: Page, mode: str) -> Any:
    """What the page finds in its storage after a reload."""
    page.reload()
    page.wait_for_function("document.title == 'ready'")
    return page.evaluate("async (mode) => (window.storage = await openStorage('s', [mode])).load()", mode)


@pytest.mark.requirement(73, 179)
@pytest.mark.parametrize("mode", MODES)
def test_states_are_there_after_a_reload_and_a_full_storage_keeps_the_old_ones(
    mode: str, shop: Shop, tabs: BrowserContext
) -> None:
    page = opened(shop, tabs)
    # Before the first write: then the browser notes how much there is.
    quota = {"origin": page.evaluate("origin"), "quotaSize": 1_000_000}
    tabs.new_cdp_session(page).send("Storage.overrideQuotaForOrigin", quota)
    page.evaluate(
        """async (mode) => {
            window.storage = await openStorage("s", [mode]);
            await storage.write("a", 1, 1, { x: "1", y: '"y"', constructor: "2" });
            await storage.write("b/user", 4, 2, { "": "[1]" });
            await storage.write("a", 2, 1, { x: null, y: '"z"' });
        }""",
        mode,
    )
    kept = {
        "a": {"version": 2, "schema": 1, "members": {"y": '"z"', "constructor": "2"}},
        "b/user": {"version": 4, "schema": 2, "members": {"": "[1]"}},
    }
    assert reloaded(page, mode) == kept
    assert page.evaluate(WRITE_TOO_MUCH) == FULL
    assert reloaded(page, mode) == kept
    # What was refused takes up room until the browser has cleared it away.
    page.evaluate(WRITE_WHEN_THERE_IS_ROOM)
    assert reloaded(page, mode)["a"]["members"]["y"] == "1"


def test_one_tab_has_it_at_a_time(shop: Shop, tabs: BrowserContext) -> None:
    mode = "indexeddb"
    first, second = opened(shop, tabs), opened(shop, tabs)
    first.evaluate("async (mode) => { window.storage = await openStorage('s', [mode]) }", mode)
    second.evaluate("(mode) => { window.waiting = openStorage('s', [mode, 'memory']) }", mode)
    first.evaluate("storage.close()")
    assert second.evaluate("waiting.then(({ mode }) => mode)") == mode
    assert first.evaluate("(mode) => reason(openStorage('s', [mode, 'memory']))", mode) == (
        "Another tab has the browser's storage: close it, and reload this one"
    )


def test_what_is_too_new_or_damaged_is_said_and_left_alone(shop: Shop, tabs: BrowserContext) -> None:
    page = opened(shop, tabs)
    reasons = page.evaluate(
        """async () => {
            const found = [];
            for (const text of ['{"format":2,"states":{}}', "{half", "null"]) {
              localStorage["cloche:s"] = text;
              found.push(await reason(openStorage("s", ["localstorage", "memory"])), localStorage["cloche:s"] == text);
            }
            const request = indexedDB.open("cloche:s", 2);
            const database = await new Promise((done) => request.onsuccess = () => done(request.result));
            database.close();
            return [...found, await reason(openStorage("s", ["indexeddb", "memory"]))];
        }"""
    )
    newer, half, nothing, database = reasons[0], reasons[2], reasons[4], reasons[6]
    assert "newer version of Cloche" in newer
    assert 'remove "cloche:s" from localStorage' in half
    assert "cannot be read" in nothing
    assert "newer version of Cloche" in database
    assert reasons[1:6:2] == [True] * 3


def test_a_page_without_storage_keeps_states_in_memory_and_says_why(shop: Shop, tabs: BrowserContext) -> None:
    page = opened(shop, tabs)
    mode, reasons, states = page.evaluate(
        """async () => {
            const frame = document.createElement("iframe");
            frame.sandbox = "allow-scripts";
            const inside = `const say = (said) => parent.postMessage(said, "*");
              openStorage().then(async (storage) => {
                await storage.write("a", 1, 1, { x: "1" });
                say([storage.mode, storage.reasons, await storage.load()]);
              }).catch((error) => say([error.message, [], {}]));`;
            const told = new Promise((done) => addEventListener("message", ({ data }) => done(data)));
            const code = await (await fetch("/cloche/storage.js")).text();
            frame.srcdoc = `<script type=module>${code}\\n${inside}</` + "script>";
            document.body.append(frame);
            return told;
        }"""
    )
    assert mode == "memory"
    assert [one.partition(":")[0] for one in reasons] == MODES
    assert states == {"a": {"version": 1, "schema": 1, "members": {"x": "1"}}}


@pytest.mark.requirement(179)
def test_a_page_asks_for_its_room_and_for_it_to_be_kept(shop: Shop, tabs: BrowserContext) -> None:
    page = opened(shop, tabs)
    before = page.evaluate("storageRoom()")
    assert before["free"] > 1_000_000
    assert before["isPersistent"] is False
    page.evaluate("openStorage('s', ['indexeddb']).then((one) => one.write('a', 1, 1, { x: '1'.repeat(1e5) }))")
    page.wait_for_function("async (used) => (await storageRoom()).used > used", arg=before["used"])
    # Whether it may stay is for the browser to say; a browser without a profile never agrees.
    asked = page.evaluate("async () => [await persistStorage(), (await storageRoom()).isPersistent]")
    assert asked == page.evaluate(
        "async () => [await navigator.storage.persist(), await navigator.storage.persisted()]"
    )
    nothing = "delete Object.getPrototypeOf(navigator).storage; Promise.all([persistStorage(), storageRoom()])"
    assert page.evaluate(nothing) == [False, {"used": None, "free": None, "isPersistent": False}]
