// @ts-check
// A server's stores in a view: `data-bind="cart.total"`, `data-each="cart.items"`, `data-follow="cart"`, and
// `cloche.store`. Stands on `window.cloche` (view.js). A path is a store's name, then names and numbers, with dots between.

import { at, StoreCopy, StoreRefusedError } from "./store-copy.js";

/** @param {any} bridge */
export function bindStores(bridge) {
  /** @type {Map<string, StoreCopy>} */
  const copies = new Map();
  /** @type {Set<() => void>} */
  const listeners = new Set();
  /** What elements with `data-follow` were told of last. @type {WeakMap<Element, string>} */
  const followed = new WeakMap();
  /** What fields show, and of which version. @type {WeakMap<Element, [unknown, any?]>} */
  const seen = new WeakMap();
  const tellAll = () => listeners.forEach((tell) => tell());

  /** Follow a store: told by the host where it can, else by asking. @param {StoreCopy} copy */
  const follow = async (copy) => {
    const uri = "store://" + copy.name;
    await bridge.ready;
    try {
      await copy.sync();
      if (bridge.hostCapabilities.experimental?.["cloche/subscribe"]) {
        addEventListener("message", ({ source, data }) => {
          if (source == parent && data?.method == "notifications/resources/updated" && data.params?.uri == uri) {
            copy.sync();
          }
        });
        await bridge.request("resources/subscribe", { uri });
        return await copy.sync(); // what changed meanwhile
      }
    } catch (/** @type {any} */ error) {
      bridge.log("error", uri + ": " + error.message);
      if (error instanceof StoreRefusedError) return; // there is no such store
    }
    copy.poll();
  };

  /** The store of a path, the path in it, and what is there. @param {string} path @returns {[StoreCopy, string[], any]} */
  const find = (path) => {
    const [name, ...parts] = path.split(".");
    let copy = copies.get(name);
    if (!copy) {
      copies.set(name, copy = new StoreCopy(name, (tool, args) => bridge.callTool(tool, args), tellAll));
      follow(copy);
    }
    return [copy, parts, at(copy.value, parts)];
  };

  const store = bridge.store = {
    /** What is at a path now; undefined until the store was read. @param {string} path */
    get(path) {
      return find(path)[2];
    },
    /** Call `fn` with what is at a path, now and whenever it changes. @param {string} path @param {(value: any) => void} fn */
    on(path, fn) {
      let before = "";
      const tell = () => {
        const value = store.get(path);
        const now = JSON.stringify(value) ?? "";
        if (now != before) fn((before = now, value));
      };
      listeners.add(tell);
      tell();
      return () => listeners.delete(tell);
    },
    /** Set what is at a path; rejects when the server refuses, or somebody else was faster. @param {string} path @param {any} value */
    set(path, value) {
      const [copy, parts] = find(path);
      return copy.set(parts, value);
    },
  };

  const render = () => {
    for (const list of /** @type {NodeListOf<any>} */ (document.querySelectorAll("[data-each]"))) {
      const template = list.querySelector(":scope > template");
      const items = store.get(list.dataset.each);
      if (!template || !Array.isArray(items)) continue;
      const shown = [...list.children].filter((one) => one != template);
      shown.slice(items.length).forEach((one) => one.remove());
      for (let at = shown.length; at < items.length; at++) {
        const item = template.content.firstElementChild.cloneNode(true);
        for (const one of [item, ...item.querySelectorAll("[data-bind],[data-each],[data-follow]")]) {
          for (const key of ["bind", "each", "follow"]) {
            if (/^(\.|$)/.test(one.dataset[key] ?? "-")) {
              one.dataset[key] = list.dataset.each + "." + at + one.dataset[key];
            }
          }
        }
        list.append(item);
      }
    }
    for (const one of /** @type {NodeListOf<any>} */ (document.querySelectorAll("[data-bind]"))) {
      const [copy, , value] = find(one.dataset.bind);
      const key = one.type == "checkbox"
        ? "checked"
        : "value" in one && one.localName != "li"
        ? "value"
        : "textContent";
      const shown = key == "checked" ? !!value : value instanceof Object ? JSON.stringify(value) : String(value ?? "");
      const now = one[key];
      // What somebody types is left alone, and is based on what was there before.
      if (now !== shown && key == "value" && one == document.activeElement && now !== seen.get(one)?.[0]) continue;
      if (now !== shown) one[key] = shown;
      seen.set(one, [one[key], copy.head]); // who saw nothing yet overwrites nothing
    }
    // interact.js calls the tool of an element with `data-trigger="store"`.
    for (const one of /** @type {NodeListOf<any>} */ (document.querySelectorAll("[data-follow]"))) {
      const now = JSON.stringify(store.get(one.dataset.follow));
      if (now == followed.get(one)) continue;
      followed.set(one, now);
      one.dispatchEvent(new Event("store", { bubbles: true }));
    }
  };

  document.addEventListener("change", async (/** @type {any} */ { target }) => {
    const path = target.dataset?.bind;
    if (!path) return;
    const value = target.type == "checkbox"
      ? target.checked
      : /number|range/.test(target.type)
      ? +target.value
      : target.value;
    const [copy, parts] = find(path);
    try {
      await copy.set(parts, value, seen.get(target)?.[1]);
      target.removeAttribute("data-error");
    } catch (/** @type {any} */ error) {
      target.dataset.error = target.title = error.message;
      if (error.isConflict) seen.set(target, [target.value]); // what was typed makes room for what is there
      render();
      dispatchEvent(new CustomEvent("store:refused", { detail: { target, value, error } }));
    }
  });
  listeners.add(render);
  new MutationObserver(render).observe(document, { childList: true, subtree: true });
  render();
}

bindStores(/** @type {any} */ (globalThis).cloche);
