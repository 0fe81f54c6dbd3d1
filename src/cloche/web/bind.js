// @ts-check
// A server's stores in a view: `data-bind="cart.total"`, `data-each="cart.items"`, `data-follow="cart"`, and
// `cloche.store`. Stands on `window.cloche` (view.js). A path is a store's name, then names and numbers, with dots between.

/**
 * @typedef {object} Copy a store's state in this page, and how far it is
 * @property {string} name
 * @property {any} [value]
 * @property {string} [epoch]
 * @property {number} [version]
 * @property {Promise<any>} last the exchange under way: one after the other
 */

const TOOL = "store_sync";
const POLL = 2000;

/** Nothing is inherited: names come from the state. @param {any} value @param {string[]} parts */
const at = (value, parts) =>
  parts.reduce(
    (holder, part) => holder instanceof Object && Object.hasOwn(holder, part) ? holder[part] : undefined,
    value,
  );

/** @param {any} root @param {{op: string, path: string, value?: any}} operation */
function apply(root, { op, path, value }) {
  const parts = path.split("/").slice(1).map((part) => part.replace(/~1/g, "/").replace(/~0/g, "~"));
  const last = parts.pop();
  if (last == null) return value;
  const holder = at(root, parts);
  if (Array.isArray(holder)) holder.splice(+last, op == "add" ? 0 : 1, ...(op == "remove" ? [] : [value]));
  else if (op == "remove") delete holder[last];
  else Object.defineProperty(holder, last, { value, writable: true, enumerable: true, configurable: true });
  return root;
}

/** @param {any} bridge */
export function bindStores(bridge) {
  /** @type {Map<string, Copy>} */
  const copies = new Map();
  /** @type {Set<() => void>} */
  const listeners = new Set();
  /** What elements with `data-follow` were told of last. @type {WeakMap<Element, string>} */
  const followed = new WeakMap();

  /** Bring a copy up to date, and send a patch along. @param {Copy} copy @param {object} [more] @returns {Promise<any>} */
  const sync = (copy, more) =>
    copy.last = copy.last.catch(() => {}).then(async () => {
      const { name: store, epoch, version } = copy;
      const { isError, content, structuredContent: told } = await bridge.callTool(TOOL, {
        store,
        epoch,
        version,
        ...more,
      });
      if (isError) throw Error(content?.[0]?.text);
      copy.value = (told.patch ?? [{ path: "", value: told.value }]).reduce(apply, copy.value);
      copy.epoch = told.epoch;
      copy.version = told.version;
      listeners.forEach((tell) => tell());
      if (told.refused) throw Error(told.refused.message);
    });

  /** Follow a store: told by the host where it can, else asking and waiting, else asking now and then. @param {Copy} copy */
  const follow = async (copy) => {
    await bridge.ready;
    await sync(copy);
    const uri = "store://" + copy.name;
    if (bridge.hostCapabilities.experimental?.["cloche/subscribe"]) {
      addEventListener("message", ({ source, data }) => {
        if (source == parent && data?.method == "notifications/resources/updated" && data.params?.uri == uri) {
          sync(copy);
        }
      });
      await bridge.request("resources/subscribe", { uri });
      return sync(copy); // what changed meanwhile
    }
    for (let wait = 20;;) {
      const began = Date.now();
      // A writer must not wait for the one that waits, so this is not one of the exchanges in a row.
      const { epoch, version } = copy;
      try {
        if (wait) await bridge.callTool(TOOL, { store: copy.name, epoch, version, wait });
        await sync(copy);
      } catch {
        wait = 0; // the host has no patience, or is gone
      }
      // A host that answers at once, whatever it is asked, is asked no more often than one without long calls.
      if (!wait || (copy.version == version && Date.now() - began < 1e3)) {
        await new Promise((done) => setTimeout(done, POLL));
      }
    }
  };

  /** @param {string} path @returns {[Copy, string[]]} */
  const find = (path) => {
    const [name, ...parts] = path.split(".");
    let copy = copies.get(name);
    if (!copy) {
      copies.set(name, copy = { name, last: Promise.resolve() });
      follow(copy).catch((error) => bridge.log("error", "store " + name + ": " + error.message));
    }
    return [copy, parts];
  };

  const store = bridge.store = {
    /** What is at a path now; undefined until the store was read. @param {string} path */
    get(path) {
      const [copy, parts] = find(path);
      return at(copy.value, parts);
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
      const op = Array.isArray(at(copy.value, parts.slice(0, -1))) && parts.at(-1) != "-" ? "replace" : "add";
      const pointer = parts.map((part) => "/" + part.replace(/~/g, "~0").replace(/\//g, "~1")).join("");
      return sync(copy, { patch: [{ op, path: pointer, value }] });
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
      const value = store.get(one.dataset.bind);
      const key = one.type == "checkbox"
        ? "checked"
        : "value" in one && one.localName != "li"
        ? "value"
        : "textContent";
      const shown = key == "checked" ? !!value : value instanceof Object ? JSON.stringify(value) : String(value ?? "");
      if (one[key] !== shown && one != document.activeElement) one[key] = shown;
      else if (key == "checked") one[key] = shown;
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
    try {
      await store.set(path, value);
      target.removeAttribute("data-error");
    } catch (/** @type {any} */ error) {
      target.dataset.error = target.title = error.message;
    }
  });
  listeners.add(render);
  new MutationObserver(render).observe(document, { childList: true, subtree: true });
  render();
}

bindStores(/** @type {any} */ (globalThis).cloche);
